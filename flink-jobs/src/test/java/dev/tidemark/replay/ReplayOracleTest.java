package dev.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayOracleTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agreesWithFactsSummedUpTheSlowWay(long seed) throws Exception {
        List<TestEvent> events = RandomEvents.of(seed, 2500);
        Replayed replayed = new Replayed(false);

        replayed.accept(TestSession.whole(TestSession.ID, events, 257));

        assertAgrees(replayed, events);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void agreesWhenStoppedAndRestoredAfterEveryRecord(long seed) throws Exception {
        List<TestEvent> events = RandomEvents.of(seed, 1500);
        Replayed replayed = new Replayed(false);

        for (byte[] record : TestSession.whole(TestSession.ID, events, 101)) {
            replayed.accept(List.of(record));
            replayed.restart();
        }

        assertAgrees(replayed, events);
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void agreesWhenLiveBlocksAreKeptOffTheHeap(long seed) throws Exception {
        List<TestEvent> events = RandomEvents.of(seed, 5000);
        Replayed replayed = new Replayed(false);

        for (byte[] record : TestSession.whole(TestSession.ID, events, 211)) {
            replayed.accept(List.of(record));
            replayed.session.shrink(0);
            assertThat(replayed.session.heapBytes()).isZero();
        }

        assertAgrees(replayed, events);
    }

    private static void assertAgrees(Replayed replayed, List<TestEvent> events) {
        long endNs = events.get(events.size() - 1).atNs() + 1000;
        ReplayOracle oracle = new ReplayOracle(events, endNs);
        assertThat(replayed.rejected).isEmpty();
        assertThat(replayed.table("frames")).isEqualTo(oracle.frames());
        assertThat(replayed.table("ticks")).isEqualTo(oracle.ticks());
        assertThat(byKey(replayed.table("phases"), "phase")).isEqualTo(oracle.phases());
        assertThat(byKey(replayed.table("threads"), "thread")).isEqualTo(oracle.threads());
        assertThat(replayed.last("sessions")).containsAllEntriesOf(oracle.session());
        assertThat(replayed.last("sessions"))
                .containsEntry("state", "closed")
                .containsEntry("is_whole_load", true)
                .containsEntry("gaps", 0L)
                .containsEntry("adjusted_live_bytes", 0L)
                .containsEntry("events", (long) events.size());
        assertThat(replayed.session.isOpen()).isFalse();
    }

    private static Map<Object, Map<String, Object>> byKey(
            List<Map<String, Object>> rows, String key) {
        Map<Object, Map<String, Object>> map = new java.util.TreeMap<>();
        for (Map<String, Object> row : new ArrayList<>(rows)) {
            Object value = row.get(key);
            assertThat(map.put(value == null ? "" : value, row)).isNull();
        }
        return map;
    }
}
