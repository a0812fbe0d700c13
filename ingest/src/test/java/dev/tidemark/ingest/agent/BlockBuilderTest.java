package dev.tidemark.ingest.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.ingest.proc.AllocatorLibrary;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.Host;
import dev.tidemark.schemas.avro.Role;
import dev.tidemark.schemas.avro.SessionStart;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Blocks, and what is held back until it is known what marks frames and ticks. */
final class BlockBuilderTest {
    private static final long MS = 1_000_000;
    private static final int MALLOC = Operation.MALLOC;

    private final SentRecords sent = new SentRecords();
    private final List<Long> tickCosts = new ArrayList<>();

    private final class Line {
        final MarkTracks tracks;
        final RecordOutput output = new RecordOutput(Uuids.version7(1), 5, sent);
        final BlockBuilder builder;
        long inversions;

        Line(String frames, String ticks, Role role) {
            tracks =
                    new MarkTracks(
                            MarkTrack.of(Operation.FRAME, frames),
                            MarkTrack.of(Operation.TICK, ticks),
                            role);
            ThreadTable threads = new ThreadTable(output, ThreadNames.KEEP, null);
            builder = new BlockBuilder(output, tracks, threads, () -> inversions, tickCosts::add);
        }

        void malloc(long timeNs, long size) {
            builder.allocation(MALLOC, 0, timeNs, 10, size, 0, true);
        }

        SentRecords.Session open() throws Exception {
            builder.cut();
            tracks.settle();
            SessionHead head =
                    new SessionHead(
                            SessionSettings.of(Map.of(), "/bin/x"),
                            "",
                            Host.newBuilder().build(),
                            "1",
                            0,
                            null);
            builder.opened(output.open(head.with(tracks), tracks));
            return sent.only();
        }
    }

    @Test
    void putsTheMarksOfAFixedPeriodIntoWhatWasHeldBackAndIntoWhatFollows() throws Exception {
        Line line = new Line("auto", "auto", Role.CLIENT);
        line.malloc(1 * MS, 100);
        line.malloc(16_667_000, 50);
        line.builder.cut();
        line.malloc(40 * MS, 25);
        assertThat(sent.sessions).isEmpty();

        SentRecords.Session session = line.open();
        line.malloc(55 * MS, 7);
        line.builder.advanceTo(70 * MS);
        line.builder.finish(70 * MS);

        // 16.667 ms each: an event at the very mark belongs to the frame that begins with it.
        assertThat(session.events)
                .extracting(event -> Operation.name(event.operation()) + " " + event.timeNs())
                .containsExactly(
                        "malloc 1000000",
                        "frame 16667000",
                        "malloc 16667000",
                        "frame 33334000",
                        "malloc 40000000",
                        "frame 50001000",
                        "malloc 55000000",
                        "frame 66668000");
        assertThat(session.heads.get(0)).containsExactly(0, 0, MS, 0, 0, 0);
        assertThat(session.heads.get(1)).containsExactly(3, 2, 33_334_000, 150, 2, 0);
        assertThat(session.heads.get(2)).containsExactly(5, 3, 50_001_000, 175, 3, 0);
        assertThat(line.builder.events()).isEqualTo(8);
        assertThat(line.builder.frames()).isEqualTo(4);
        SessionStart start = session.payloads(SessionStart.class).get(0);
        assertThat(start.getFrameDefinition()).isEqualTo("fixed:16.667");
        assertThat(start.getTickDefinition()).isEqualTo("none");
        assertThat(session.seqs)
                .isEqualTo(LongStream.range(0, session.seqs.size()).boxed().toList());
    }

    @Test
    void aServerWithoutMarksTicksAt33Ms() throws Exception {
        Line line = new Line("auto", "auto", Role.SERVER);
        line.malloc(34 * MS, 1);

        SessionStart start = line.open().payloads(SessionStart.class).get(0);

        assertThat(start.getTickDefinition()).isEqualTo("fixed:33.333");
        assertThat(start.getFrameDefinition()).isEqualTo("none");
        assertThat(line.builder.ticks()).isEqualTo(1);
    }

    @Test
    void knowsEnoughASecondAfterTheFirstMarkOrAfterHalfAMinute() {
        Line line = new Line("auto", "auto", Role.CLIENT);
        assertThat(line.tracks.isKnown(29_999 * MS)).isFalse();
        assertThat(line.tracks.isKnown(30_000 * MS)).isTrue();

        line.builder.mark(Operation.FRAME, 0, 2_000 * MS, 8);
        assertThat(line.tracks.isKnown(2_999 * MS)).isFalse();
        assertThat(line.tracks.isKnown(3_000 * MS)).isTrue();
        assertThat(line.tracks.frames().definition()).isEqualTo("SDL_GL_SwapWindow");

        line.builder.mark(Operation.TICK, 0, 2_100 * MS, 1);
        assertThat(line.tracks.isKnown(2_101 * MS)).isTrue();
        assertThat(line.tracks.ticks().definition()).isEqualTo("tidemark_tick");
    }

    @Test
    void countsMarksOfTheProgramThatAreNotWanted() throws Exception {
        Line line = new Line("fixed:10", "none", Role.CLIENT);
        assertThat(line.tracks.isKnown(0)).isTrue();
        line.open();
        line.builder.mark(Operation.FRAME, 0, 5 * MS, 8);
        line.builder.mark(Operation.TICK, 0, 6 * MS, 1);
        line.malloc(25 * MS, 1);
        line.builder.finish(25 * MS);

        assertThat(line.tracks.ignored()).isEqualTo(2);
        assertThat(sent.only().count(Operation.FRAME)).isEqualTo(2);
        assertThat(sent.only().count(Operation.TICK)).isZero();
    }

    @Test
    void cutsAtASecondAt250KiBAndAtALoss() throws Exception {
        Line line = new Line("none", "call:usleep", Role.SERVER);
        SentRecords.Session session = line.open();
        line.malloc(0, 1);
        line.malloc(999 * MS, 1);
        line.malloc(1_000 * MS, 1);
        line.builder.dropped(3);
        line.builder.dropped(4);
        line.malloc(1_001 * MS, 1);
        line.inversions = 9;
        for (int i = 0; i < 100_000; i++) {
            line.malloc(1_002 * MS + i, 1L << 40);
        }
        line.builder.dropped(5);
        line.builder.finish(1_500 * MS);

        assertThat(session.blockSizes.subList(0, 2)).containsExactly(2, 1);
        assertThat(session.heads.get(2)[5]).isEqualTo(7);
        assertThat(session.heads.get(session.heads.size() - 1)).startsWith(100_004);
        assertThat(session.heads.get(session.heads.size() - 1)[5]).isEqualTo(5);
        assertThat(session.blockSizes.get(session.blockSizes.size() - 1)).isZero();
        assertThat(session.timeInversions).isEqualTo(9);
        assertThat(sent.records)
                .allSatisfy(record -> assertThat(record.length).isBetween(20, 256 << 10));
        // Five or six bytes of size, and one each for operation, time, duration: 9 x 100,000.
        assertThat(session.blockSizes.stream().filter(size -> size > 20_000).count()).isEqualTo(4);
    }

    @Test
    void addsUpWhatEachTickCost() throws Exception {
        Line line = new Line("none", "call:usleep", Role.SERVER);
        line.open();
        line.malloc(1, 1);
        line.malloc(2, 1);
        line.builder.mark(Operation.TICK, 0, 3, 2);
        line.builder.mark(Operation.TICK, 0, 4, 2);
        line.malloc(5, 1);
        line.builder.mark(Operation.TICK, 0, 6, 2);

        assertThat(tickCosts).containsExactly(20L, 0L, 10L);
    }

    @Test
    void refusesDefinitionsThatMakeNoSense() {
        for (String wanted :
                List.of(
                        "fixed:",
                        "fixed:x",
                        "fixed:0",
                        "fixed:-1",
                        "fixed:1e99",
                        "call:",
                        "sometimes")) {
            assertThatThrownBy(() -> MarkTrack.of(Operation.FRAME, wanted))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wanted.replace("call:", "call"))
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void tellsAThreadAgainOnlyWhenItsNameChanged() throws Exception {
        Line line = new Line("none", "none", Role.CLIENT);
        SentRecords.Session session = line.open();
        line.builder.threadSeen(3, 30);
        line.builder.threadNamed(3, "worker");
        line.builder.threadNamed(3, "worker");
        line.builder.threadNamed(3, "loader");
        line.builder.threadEnded(3);
        assertThat(session.payloads(ThreadInfo.class))
                .extracting(ThreadInfo::getName)
                .containsExactly("worker", "loader");
    }

    @Test
    void namesAllocatorsByTheirLibrary() {
        assertThat(AllocatorLibrary.of("/x/libtcmalloc_minimal.so.4.5.10"))
                .isEqualTo(new AllocatorLibrary("tcmalloc", "4.5.10"));
        assertThat(AllocatorLibrary.of("/x/libmimalloc.so.2.0"))
                .isEqualTo(new AllocatorLibrary("mimalloc", "2.0"));
        assertThat(AllocatorLibrary.of("/x/librusty_alloc.so"))
                .isEqualTo(new AllocatorLibrary("rusty_alloc", null));
        assertThat(AllocatorLibrary.of("")).isEqualTo(new AllocatorLibrary("unknown", null));
    }
}
