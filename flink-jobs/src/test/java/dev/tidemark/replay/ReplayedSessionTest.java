package dev.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Order, repetition, passes, silence, restarts. */
class ReplayedSessionTest {
    private static List<byte[]> records(long epoch, int blocks) {
        TestSession session = new TestSession(TestSession.ID, epoch).start(Clock.LIVE);
        for (int i = 0; i < blocks; i++) {
            session.block(
                    List.of(
                            TestEvent.malloc(0, 100 * i + 1, 10 + i),
                            TestEvent.mark(Operation.FRAME, 0, 100 * i + 50)));
        }
        return session.end().records();
    }

    private static List<LakeRow> inOrder(long epoch, int blocks) throws Exception {
        return new Replayed(true).accept(records(epoch, blocks)).rows;
    }

    private static void assertSameRows(List<LakeRow> actual, List<LakeRow> expected) {
        assertThat(actual.stream().map(Replayed::map).toList())
                .isEqualTo(expected.stream().map(Replayed::map).toList());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void yieldsTheSameRowsWhenRecordsComeShuffledRepeatedAndBetweenRestarts(long seed)
            throws Exception {
        Random random = new Random(seed);
        List<byte[]> records = records(0, 50);
        List<byte[]> shuffled = new ArrayList<>(records);
        shuffled.addAll(records.subList(10, 30));
        Collections.shuffle(shuffled, random);
        Replayed replayed = new Replayed(true);

        for (byte[] record : shuffled) {
            replayed.accept(List.of(record));
            if (random.nextInt(5) == 0) {
                replayed.restart();
            }
        }

        assertSameRows(replayed.rows, inOrder(0, 50));
        assertThat(replayed.count(ReplayCount.REPEATED_RECORDS)).isEqualTo(20);
    }

    @Test
    void holdsBackSixtyFourRecordsAndNotOneMore() throws Exception {
        List<byte[]> records = records(0, 100);
        byte[] late = records.remove(1);
        Replayed replayed = new Replayed(true);

        replayed.accept(records.subList(0, 1 + RecordSequencer.MAX_HELD));
        assertThat(replayed.count(ReplayCount.MISSING_RECORDS)).isZero();
        assertThat(replayed.table("frames")).isEmpty();

        replayed.accept(
                records.subList(1 + RecordSequencer.MAX_HELD, 2 + RecordSequencer.MAX_HELD));
        assertThat(replayed.count(ReplayCount.MISSING_RECORDS)).isEqualTo(1);
        // 65 blocks with a mark each: 64 frames ended, of which all but the last are final.
        assertThat(replayed.table("frames")).hasSize(64);

        replayed.accept(List.of(late));
        assertThat(replayed.count(ReplayCount.REPEATED_RECORDS)).isEqualTo(1);
    }

    @Test
    void storesRecordsHeldBackForAsLongAsTheyAreHeld() throws Exception {
        List<byte[]> records = records(0, 10);
        Replayed replayed = new Replayed(true);
        replayed.accept(List.of(records.get(0), records.get(2), records.get(3)));
        replayed.restart();
        assertThat(heldPages(replayed)).isEqualTo(2);

        replayed.accept(List.of(records.get(1), records.get(5)));
        replayed.restart();
        assertThat(heldPages(replayed)).isEqualTo(1);

        replayed.accept(List.of(records.get(4)));
        replayed.restart();
        assertThat(heldPages(replayed)).isZero();
        replayed.accept(records.subList(6, records.size()));
        assertSameRows(replayed.rows, inOrder(0, 10));
    }

    private static long heldPages(Replayed replayed) {
        return replayed.pages.pages.keySet().stream()
                .filter(key -> PageKeys.isKind(key, PageKeys.HELD))
                .count();
    }

    @Test
    void givesAHoleUpByTheBrokersClockAndNeverByItsOwn() throws Exception {
        List<byte[]> records = records(0, 5);
        Replayed replayed = new Replayed(true);
        long ms = Replayed.BROKER_MS;
        replayed.accept(records.get(0), ms);
        replayed.accept(records.get(2), ms + 10);
        replayed.accept(records.get(3), ms + 10 + RecordSequencer.MAX_HELD_MS - 1);
        assertThat(replayed.count(ReplayCount.MISSING_RECORDS)).isZero();

        // The missing one itself comes exactly too late.
        replayed.accept(records.get(1), ms + 10 + RecordSequencer.MAX_HELD_MS);

        assertThat(replayed.count(ReplayCount.MISSING_RECORDS)).isEqualTo(1);
        assertThat(replayed.count(ReplayCount.REPEATED_RECORDS)).isEqualTo(1);
    }

    @Test
    void ignoresALowerEpochAndBeginsANewLoadWithAHigherOne() throws Exception {
        Replayed replayed = new Replayed(true);
        replayed.accept(records(5, 3).subList(0, 3));
        replayed.accept(records(4, 3));
        assertThat(replayed.count(ReplayCount.REPEATED_RECORDS)).isEqualTo(5);
        int before = replayed.rows.size();

        replayed.accept(records(6, 4));

        List<LakeRow> after = replayed.rows.subList(before, replayed.rows.size());
        List<LakeRow> ofOld = after.stream().filter(r -> r.loadId().equals("test-5")).toList();
        List<LakeRow> ofNew = after.stream().filter(r -> r.loadId().equals("test-6")).toList();
        assertThat(Replayed.map(ofOld.get(ofOld.size() - 1))).containsEntry("state", "lost");
        assertSameRows(ofNew, inOrder(6, 4));
    }

    @Test
    void keepsAClosedPassClosedAndOpensForTheNext() throws Exception {
        Replayed replayed = new Replayed(true).accept(records(1, 3));
        int rows = replayed.rows.size();
        replayed.restart();
        assertThat(replayed.pages.pages).hasSize(1);

        replayed.accept(records(1, 3));
        assertThat(replayed.rows).hasSize(rows);
        assertThat(replayed.session.isOpen()).isFalse();

        replayed.accept(records(2, 3));
        assertThat(replayed.last("sessions"))
                .containsEntry("load_id", "test-2")
                .containsEntry("state", "closed");
    }

    @Test
    void opensALostSessionAgainAndVoidsWhatItSaidAtTheLoss() throws Exception {
        List<byte[]> records = records(0, 4);
        Replayed replayed = new Replayed(true);
        replayed.accept(records.subList(0, 4));

        replayed.session.lose();
        replayed.session.lose();

        assertThat(replayed.last("sessions"))
                .containsEntry("state", "lost")
                .containsEntry("end_reason", "lost")
                .containsEntry("losses", 1L);
        List<Map<String, Object>> frames = replayed.table("frames");
        assertThat(frames).extracting(f -> f.get("frame")).containsExactly(0L, 1L, 2L, 3L);
        assertThat(frames).extracting(f -> f.get("loss")).containsExactly(null, null, 1L, 1L);
        assertThat(frames.get(3)).containsEntry("is_complete", false);
        replayed.restart();

        replayed.accept(records.subList(4, records.size()));

        List<Map<String, Object>> finals =
                replayed.table("frames").stream().filter(f -> !f.containsKey("loss")).toList();
        List<Map<String, Object>> expected = new Replayed(true).accept(records).table("frames");
        assertThat(finals).isEqualTo(expected);
        assertThat(replayed.last("sessions"))
                .containsEntry("state", "closed")
                .containsEntry("losses", 1L)
                .containsEntry("is_whole_load", true);
        assertThat(replayed.table("sessions"))
                .extracting(s -> s.get("revision"))
                .containsExactly(0L, 1L, 2L);
    }

    @Test
    void closesASessionWhoseEndWasHeldBackWhenItFallsSilent() throws Exception {
        List<byte[]> records = records(0, 4);
        records.remove(2);
        Replayed replayed = new Replayed(true).accept(records);
        assertThat(replayed.session.isOpen()).isTrue();

        replayed.session.lose();

        assertThat(replayed.session.isOpen()).isFalse();
        assertThat(replayed.last("sessions"))
                .containsEntry("state", "closed")
                .containsEntry("gaps", 1L);
    }

    @Test
    void revisesASessionOnceAMinuteOfTheBrokersClock() throws Exception {
        List<byte[]> records = records(0, 6);
        Replayed replayed = new Replayed(true);
        long ms = Replayed.BROKER_MS;
        long[] times = {0, 30_000, 59_999, 60_000, 61_000, 119_999, 180_000};
        for (int i = 0; i < times.length; i++) {
            replayed.accept(records.get(i), ms + times[i]);
        }

        assertThat(replayed.table("sessions"))
                .extracting(s -> s.get("revision"), s -> s.get("events"))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(0L, 0L),
                        org.assertj.core.groups.Tuple.tuple(1L, 6L),
                        org.assertj.core.groups.Tuple.tuple(2L, 12L));
    }

    @Test
    void writesOnlyThePagesThatChanged() throws Exception {
        TestSession session = new TestSession(TestSession.ID, 0).start(Clock.LIVE);
        for (int page = 0; page < 50; page++) {
            List<TestEvent> block = new ArrayList<>();
            for (int i = 0; i < 1024; i++) {
                block.add(TestEvent.malloc(0, page * 1024L + i, 8));
            }
            session.block(block);
        }
        Replayed replayed = new Replayed(false).accept(session.records());
        replayed.session.flush();
        assertThat(replayed.pages.puts).isEqualTo(50 + 3); // and head, start, threads
        replayed.pages.puts = 0;

        TestSession more =
                session.block(
                        List.of(
                                TestEvent.free(0, 60_000, 5),
                                TestEvent.free(0, 60_000, 7),
                                TestEvent.free(0, 60_000, 20 * 1024 + 3)));
        replayed.accept(more.records().subList(51, 52));
        replayed.session.flush();

        assertThat(replayed.pages.puts).isEqualTo(2 + 2);
        replayed.session.flush();
        assertThat(replayed.pages.puts).isEqualTo(2 + 2);
        assertThat(replayed.pages.pages).containsKey(PageKeys.BLOCKS | 20);

        List<TestEvent> rest = new ArrayList<>();
        for (int i = 0; i < 1024; i++) {
            if (i != 3) {
                rest.add(TestEvent.free(0, 70_000, 20 * 1024 + i));
            }
        }
        replayed.accept(session.block(rest).records().subList(52, 53));
        replayed.session.flush();
        assertThat(replayed.pages.pages).doesNotContainKey(PageKeys.BLOCKS | 20);
    }
}
