package dev.tidemark.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.jobs.wire.DeadLetter;
import dev.tidemark.jobs.wire.SessionRecord;
import dev.tidemark.replay.InboundRecord;
import dev.tidemark.replay.LakeRow;
import dev.tidemark.replay.RandomEvents;
import dev.tidemark.replay.TestSession;
import dev.tidemark.schemas.lake.LakeTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator on its own: timers, state, snapshots. The clock is the test's. */
class ReplayOperatorTest {
    private static final String A = "01890000-0000-7000-8000-00000000000a";
    private static final String B = "01890000-0000-7000-8000-00000000000b";
    private static final long LOST_MS = Duration.ofMinutes(5).toMillis();

    private static final TraceJobOptions OPTIONS =
            TraceJobOptions.of("127.0.0.1:1", "unused", "it", TestSession.STARTED_AT_US)
                    .withEvents(true);

    private KeyedOneInputStreamOperatorTestHarness<String, SessionRecord, LakeRow> harness;
    private final List<LakeRow> rows = new ArrayList<>();
    private final List<DeadLetter> letters = new ArrayList<>();

    ReplayOperatorTest() throws Exception {
        harness = newHarness(OPTIONS);
    }

    private static KeyedOneInputStreamOperatorTestHarness<String, SessionRecord, LakeRow>
            newHarness(TraceJobOptions options) throws Exception {
        return new KeyedOneInputStreamOperatorTestHarness<>(
                new ReplayOperator(options), SessionRecord::sessionId, Types.STRING);
    }

    private void open(String backend, TraceJobOptions options, @Nullable OperatorSubtaskState state)
            throws Exception {
        harness = newHarness(options);
        harness.setStateBackend(
                backend.equals("rocksdb")
                        ? new EmbeddedRocksDBStateBackend()
                        : new HashMapStateBackend());
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
    }

    private void open() throws Exception {
        open("hashmap", OPTIONS, null);
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private void send(String session, List<byte[]> records) throws Exception {
        for (byte[] record : records) {
            harness.processElement(
                    new SessionRecord(session, new InboundRecord("t", 0, 0, 0, record)), 0);
        }
        collect();
    }

    @SuppressWarnings("unchecked")
    private void collect() {
        for (Object element : harness.getOutput()) {
            if (element instanceof StreamRecord<?> record) {
                rows.add((LakeRow) record.getValue());
            }
        }
        harness.getOutput().clear();
        drain(harness.getSideOutput(ReplayOperator.SPANS), rows);
        drain(harness.getSideOutput(ReplayOperator.DEAD_LETTERS), letters);
    }

    private static <T> void drain(@Nullable Queue<StreamRecord<T>> from, List<T> to) {
        if (from != null) {
            from.forEach(record -> to.add(record.getValue()));
            from.clear();
        }
    }

    private List<Object> states(String session) {
        return rows.stream()
                .filter(row -> row.table().equals(LakeTables.SESSIONS))
                .filter(row -> row.sessionId().equals(session))
                .map(row -> row.get("state"))
                .toList();
    }

    private List<List<Object>> values(String session) {
        return rows.stream()
                .filter(row -> row.sessionId().equals(session))
                .filter(row -> !row.table().equals(LakeTables.SESSIONS))
                .map(row -> java.util.Arrays.asList(row.values()))
                .sorted(java.util.Comparator.comparing(Object::toString))
                .toList();
    }

    private static List<byte[]> session(String id, int events) {
        return TestSession.whole(id, RandomEvents.of(id.hashCode(), events), 50);
    }

    @Test
    void losesASilentSessionAfterFiveMinutesOfItsOwnClock() throws Exception {
        open();
        harness.setProcessingTime(1000);
        send(A, session(A, 500).subList(0, 5));

        harness.setProcessingTime(1000 + LOST_MS - 1);
        collect();
        assertThat(states(A)).containsExactly("open");

        harness.setProcessingTime(1000 + LOST_MS);
        collect();
        assertThat(states(A)).containsExactly("open", "lost");
    }

    @Test
    void keepsASessionOpenThatGoesOn() throws Exception {
        open();
        List<byte[]> records = session(A, 500);
        harness.setProcessingTime(0);
        send(A, records.subList(0, 5));
        harness.setProcessingTime(LOST_MS - 1000);
        send(A, records.subList(5, 6));

        harness.setProcessingTime(2 * LOST_MS - 1001);
        collect();
        assertThat(states(A)).containsExactly("open");

        harness.setProcessingTime(2 * LOST_MS - 1000);
        collect();
        assertThat(states(A)).containsExactly("open", "lost");
    }

    @Test
    void opensALostSessionAgainAndLosesItAgain() throws Exception {
        open();
        List<byte[]> records = session(A, 500);
        send(A, records.subList(0, 5));
        harness.setProcessingTime(LOST_MS);
        harness.setProcessingTime(2 * LOST_MS);
        send(A, records.subList(5, 7));
        harness.setProcessingTime(3 * LOST_MS);
        collect();
        assertThat(states(A)).containsExactly("open", "lost", "lost");

        send(A, records.subList(7, records.size()));

        assertThat(states(A)).containsExactly("open", "lost", "lost", "closed");
        assertThat(harness.numEventTimeTimers()).isZero();
    }

    @Test
    void losesWhatIsOpenAtTheEndOfTime() throws Exception {
        open();
        send(A, session(A, 500).subList(0, 5));
        send(B, session(B, 500));

        harness.processWatermark(Watermark.MAX_WATERMARK);
        collect();

        assertThat(states(A)).containsExactly("open", "lost");
        assertThat(states(B)).containsExactly("open", "closed");
    }

    @Test
    void keepsAClosedSessionsEpochForThirtyDaysAndThenNothing() throws Exception {
        open();
        send(A, session(A, 500));
        assertThat(harness.numKeyedStateEntries()).isEqualTo(2); // its epoch, and since when

        send(A, session(A, 500));
        assertThat(states(A)).containsExactly("open", "closed");

        harness.setProcessingTime(ReplayOperator.KEEP_CLOSED_MS);
        assertThat(harness.numKeyedStateEntries()).isZero();
    }

    @Test
    void letsGoOfALostSessionAfterADay() throws Exception {
        open();
        send(A, session(A, 500).subList(0, 5));
        harness.setProcessingTime(LOST_MS);
        harness.setProcessingTime(LOST_MS + ReplayOperator.KEEP_LOST_MS);
        collect();
        assertThat(states(A)).containsExactly("open", "lost");

        send(A, session(A, 500).subList(5, 8));
        assertThat(states(A)).containsExactly("open", "lost");

        harness.setProcessingTime(
                LOST_MS + ReplayOperator.KEEP_LOST_MS + ReplayOperator.KEEP_CLOSED_MS);
        assertThat(harness.numKeyedStateEntries()).isZero();
        assertThat(harness.numProcessingTimeTimers()).isZero();
        assertThat(harness.numEventTimeTimers()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashmap", "rocksdb"})
    void goesOnFromASnapshotAsIfNothingHadHappened(String backend) throws Exception {
        List<byte[]> a = session(A, 6000);
        List<byte[]> b = session(B, 6000);
        open(backend, OPTIONS, null);
        send(A, a);
        send(B, b);
        List<List<Object>> expectedA = values(A);
        List<List<Object>> expectedB = values(B);
        harness.close();
        rows.clear();

        open(backend, OPTIONS, null);
        for (int i = 0; i < a.size(); i += 10) {
            send(A, a.subList(i, Math.min(i + 10, a.size())));
            send(B, b.subList(i, Math.min(i + 10, b.size())));
            harness.prepareSnapshotPreBarrier(i);
            OperatorSubtaskState snapshot = harness.snapshot(i, i);
            // What comes after the snapshot is lost with the process.
            int written = rows.size();
            send(A, a.subList(Math.min(i + 10, a.size()), Math.min(i + 13, a.size())));
            while (rows.size() > written) {
                rows.remove(rows.size() - 1);
            }
            harness.close();
            open(backend, OPTIONS, snapshot);
        }

        assertThat(values(A)).isEqualTo(expectedA);
        assertThat(values(B)).isEqualTo(expectedB);
        assertThat(letters).isEmpty();
    }

    @Test
    void doesNotLoseSessionsForTheTimeThatTheJobWasDown() throws Exception {
        open();
        List<byte[]> records = session(A, 500);
        send(A, records.subList(0, 5));
        harness.prepareSnapshotPreBarrier(1);
        OperatorSubtaskState snapshot = harness.snapshot(1, 1);
        harness.close();

        harness = newHarness(OPTIONS);
        harness.setProcessingTime(100 * LOST_MS);
        harness.initializeState(snapshot);
        harness.open();
        harness.setProcessingTime(101 * LOST_MS - 1);
        collect();
        assertThat(states(A)).containsExactly("open");

        harness.setProcessingTime(101 * LOST_MS);
        collect();
        assertThat(states(A)).containsExactly("open", "lost");
    }

    @Test
    void keepsNoMoreLiveBlocksOnTheHeapThanItMay() throws Exception {
        List<byte[]> a = session(A, 6000);
        List<byte[]> b = session(B, 6000);
        open("rocksdb", OPTIONS, null);
        send(A, a);
        send(B, b);
        List<List<Object>> expectedA = values(A);
        List<List<Object>> expectedB = values(B);
        harness.close();
        rows.clear();

        open("rocksdb", OPTIONS.withCacheBytes(1), null);
        for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
            send(A, a.subList(Math.min(i, a.size()), Math.min(i + 1, a.size())));
            send(B, b.subList(Math.min(i, b.size()), Math.min(i + 1, b.size())));
        }

        assertThat(values(A)).isEqualTo(expectedA);
        assertThat(values(B)).isEqualTo(expectedB);
    }

    @Test
    void sendsAPayloadThatCannotBeReadToTheDeadLetters() throws Exception {
        open();
        List<byte[]> records = session(A, 500);
        byte[] cut = java.util.Arrays.copyOf(records.get(3), records.get(3).length - 1);
        send(A, records.subList(0, 3));
        send(A, List.of(cut));
        send(A, records.subList(4, records.size()));

        assertThat(letters).hasSize(1);
        assertThat(letters.get(0).reason()).contains("EventBlock 3 of session " + A);
        LakeRow last =
                rows.stream()
                        .filter(row -> row.table().equals(LakeTables.SESSIONS))
                        .reduce((x, y) -> y)
                        .orElseThrow();
        assertThat(last.get("gaps")).isEqualTo(1L);
        assertThat(last.get("is_whole_load")).isEqualTo(false);
        assertThat(Objects.requireNonNull(last.get("state"))).isEqualTo("closed");
    }
}
