package dev.tidemark.ingest.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.ingest.merge.MergeCounts;
import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.MemorySample;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.SessionStart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs whose calls are known, recorded for real. */
@Timeout(180)
final class RecordedProgramTest {
    private static final MergeCounts CLEAN = new MergeCounts(0, 0, 0, 0, 0);

    @TempDir Path folder;

    private final SentRecords sent = new SentRecords();

    @Test
    void carriesKnownCallsBetweenTwoPhases() throws Exception {
        RecordedCommand run = record("", Map.of(), Fixtures.build("known_c"));

        assertThat(run.exitStatus).isEqualTo(7);
        assertThat(run.errors).isEmpty();
        assertThat(run.ended).hasSize(1);
        assertThat(run.ended.get(0).counts()).isEqualTo(CLEAN);
        assertThat(betweenPhases(sent.only()))
                .extracting(event -> Operation.name(event.operation()) + " " + event.sizeBytes())
                .containsExactly(
                        "malloc 1009",
                        "calloc 91",
                        "realloc 10007",
                        "realloc 503",
                        "realloc " + Long.MAX_VALUE,
                        "realloc 211",
                        "realloc 213",
                        "realloc " + Long.MAX_VALUE,
                        "malloc " + Long.MAX_VALUE,
                        "calloc " + Long.MAX_VALUE,
                        "malloc 0",
                        "free 0",
                        "aligned 307",
                        "aligned 307",
                        "free 0",
                        "aligned 1024",
                        "free 0",
                        "aligned 401",
                        "free 0",
                        "aligned 601",
                        "free 0",
                        "aligned 701",
                        "free 0",
                        "realloc 0",
                        "free 0",
                        "free 0",
                        "trim 0",
                        "value 0");
        SessionEnd end = sent.only().payloads(SessionEnd.class).get(0);
        assertThat(end.getReason()).isEqualTo(EndReason.EXIT);
        assertThat(end.getExitCode()).isEqualTo(7);
        assertThat(end.getEventsSent()).isEqualTo(sent.only().events.size());
    }

    @Test
    void isExactInEveryFrame() throws Exception {
        RecordedCommand run = record("", Map.of(), Fixtures.compile("known_frames"));

        assertThat(run.exitStatus).isEqualTo(7);
        assertThat(run.ended.get(0).counts()).isEqualTo(CLEAN);
        assertThat(run.ended.get(0).frames()).isEqualTo(22);
        SentRecords.Session session = sent.only();
        assertThat(session.payloads(SessionStart.class).get(0).getFrameDefinition())
                .isEqualTo("tidemark_frame");
        List<FrameSums> frames = FrameSums.of(session.events);
        // Frame 0 is before the first mark, 22 behind the last; the block of five frames and the
        // one of the frame before are first released in the frames 6 and 2.
        for (int frame = 6; frame <= 21; frame++) {
            FrameSums sums = frames.get(frame);
            assertThat(sums.made).as("blocks made in frame %d", frame).isEqualTo(9 + 1);
            assertThat(sums.reallocated).as("blocks resized").isEqualTo(1);
            assertThat(sums.frees).as("releases").isEqualTo(3 + 1 + 1 + 1 + 1 + 1);
            assertThat(sums.failed).as("failed calls").isEqualTo(1);
            assertThat(sums.allocBytes)
                    .as("bytes")
                    .isEqualTo(3 * 101 + 211 + 7 * 13 + 307 + 401 + 809 + 503);
            assertThat(sums.freeBytes)
                    .as("bytes released")
                    .isEqualTo(3 * 101 + 211 + 7 * 13 + 401 + 809 + 503);
            assertThat(sums.sameFrameBlocks).as("dead in their frame").isEqualTo(3 + 2 + 1 + 1);
            assertThat(sums.nextFrameBlocks).as("dead in the next").isEqualTo(frame == 21 ? 0 : 1);
        }
        assertThat(frames.get(5).frees).isEqualTo(7);
        assertThat(frames.get(1).frees).isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource({
        "glibc,churn_c",
        "glibc,churn_cc",
        "jemalloc,churn_c",
        "jemalloc,churn_cc",
        "mimalloc,churn_c",
        "mimalloc,churn_cc",
        "tcmalloc,churn_c",
        "tcmalloc,churn_cc"
    })
    void isExactForEightThreadsUnderEachAllocator(String allocator, String program)
            throws Exception {
        Optional<String> library = Fixtures.allocator(allocator);
        assumeTrue(
                library.isPresent(), allocator + " is not installed: nothing was tested with it");
        Path own = folder.resolve("own");

        RecordedCommand run =
                record(
                        library.orElseThrow(),
                        Map.of("TIDEMARK_WAIT_MAX", "30"),
                        Fixtures.build(program),
                        own.toString(),
                        "8",
                        "4000");

        assertThat(run.exitStatus).isZero();
        assertExact(run, Fixtures.numbers(own));
        String told = sent.only().payloads(SessionStart.class).get(0).getAllocator();
        assertThat(told).isEqualTo(allocator);
    }

    @Test
    void losesNothingWithRingsOf64RecordsAndStoppedThreads() throws Exception {
        Path own = folder.resolve("own");

        RecordedCommand run =
                record(
                        "",
                        Map.of("TIDEMARK_RING_BYTES", "2048", "TIDEMARK_WAIT_MAX", "30"),
                        Fixtures.build("churn_c"),
                        own.toString(),
                        "8",
                        "1000",
                        "300");

        assertExact(run, Fixtures.numbers(own));
    }

    @Test
    void countsWhatSmallRingsDropAndLosesNothingElse() throws Exception {
        Path own = folder.resolve("own");

        record(
                "",
                Map.of("TIDEMARK_RING_BYTES", "2048", "TIDEMARK_ON_FULL", "drop"),
                Fixtures.build("churn_c"),
                own.toString(),
                "4",
                "3000");

        SentRecords.Session session = sent.only();
        SessionEnd end = session.payloads(SessionEnd.class).get(0);
        assertThat(end.getEventsDropped()).isPositive();
        assertThat(session.droppedBefore).isEqualTo(end.getEventsDropped());
        assertThat(end.getEventsSent()).isEqualTo(session.events.size());
        // A second look at the whole: what was not dropped is what the program did.
        Map<String, Long> did = Fixtures.numbers(own);
        long calls =
                did.getOrDefault("allocs", 0L)
                        + did.getOrDefault("frees", 0L)
                        + did.getOrDefault("reallocs", 0L);
        long seen =
                session.events.stream()
                        .filter(event -> event.operation() <= Operation.DELETE)
                        .count();
        assertThat(seen + end.getEventsDropped()).isBetween(calls, calls + 200);
    }

    @Test
    void keeps40000ShortThreadsApart() throws Exception {
        RecordedCommand run = record("", Map.of(), Fixtures.build("short_threads"));

        assertThat(run.ended.get(0).counts()).isEqualTo(CLEAN);
        assertThat(run.ended.get(0).threads()).isEqualTo(40_001);
        Map<Long, Integer> threadOfSize = new HashMap<>();
        Map<Long, SentRecords.Event> made = new HashMap<>();
        int released = 0;
        for (SentRecords.Event event : sent.only().events) {
            if (event.sizeBytes() >= 100_000 && event.operation() == Operation.MALLOC) {
                assertThat(threadOfSize.put(event.sizeBytes(), event.thread())).isNull();
                made.put(event.made(), event);
            } else if (made.containsKey(event.released())) {
                assertThat(event.thread()).isEqualTo(made.get(event.released()).thread());
                released++;
            }
        }
        assertThat(threadOfSize.values()).hasSize(40_000).doesNotHaveDuplicates();
        assertThat(released).isEqualTo(40_000);
    }

    @Test
    void closesTheSessionOfAKilledProgramWithItsSignalAndAllThatWasWhole() throws Exception {
        RecordedCommand run = record("", Map.of(), Fixtures.build("death"), "kill");

        SessionEnd end = sent.only().payloads(SessionEnd.class).get(0);
        assertThat(end.getReason()).isEqualTo(EndReason.SIGNAL);
        assertThat(end.getSignal()).isEqualTo(9);
        assertThat(end.getExitCode()).isNull();
        assertThat(sent.only().events.stream().filter(event -> event.sizeBytes() == 1009).count())
                .isEqualTo(1000);
        assertThat(run.ended.get(0).droppedEvents()).isZero();
    }

    @Test
    void givesEachImageOfAnExecChainASession() throws Exception {
        Path death = Fixtures.build("death");
        RecordedCommand run =
                record("", Map.of(), death, "exec", death.toString(), "exec", death.toString());

        assertThat(run.ended)
                .extracting(SessionSummary::reason)
                .containsExactly(EndReason.EXEC, EndReason.EXEC, EndReason.EXIT);
        assertThat(run.ended.get(2).exitCode()).isEqualTo(5);
        for (SentRecords.Session session : sent.sessions.values()) {
            assertThat(session.events.stream().filter(event -> event.sizeBytes() == 1009).count())
                    .isEqualTo(1000);
            assertThat(session.seqs)
                    .isEqualTo(LongStream.range(0, session.seqs.size()).boxed().toList());
        }
    }

    @Test
    void samplesMemoryWithoutTheRing() throws Exception {
        record("", Map.of("TIDEMARK_MEMORY_INTERVAL", "20"), Path.of("/bin/sleep"), "0.3");

        List<MemorySample> samples = sent.only().payloads(MemorySample.class);
        assertThat(samples).isNotEmpty();
        assertThat(samples)
                .allSatisfy(
                        sample -> {
                            // sleep needs some MiB; with its ring it would be one more
                            assertThat(sample.getRssBytes()).isBetween(100L << 10, 8L << 20);
                            assertThat(sample.getFileBytes())
                                    .isLessThanOrEqualTo(sample.getRssBytes());
                            assertThat(sample.getMinorFaults()).isPositive();
                            assertThat(sample.getAvailableBytes()).isPositive();
                            assertThat(sample.getAllocatorSystemBytes()).isNull();
                        });
    }

    private void assertExact(RecordedCommand run, Map<String, Long> did) {
        SentRecords.Session session = sent.only();
        MergeCounts counts = run.ended.get(0).counts();
        assertThat(counts.unknownFrees()).isZero();
        assertThat(counts.missedFrees()).isZero();
        assertThat(counts.unreadableRecords()).isZero();
        assertThat(session.payloads(SessionEnd.class).get(0).getEventsDropped()).isZero();
        FrameSums sums = new FrameSums();
        betweenPhases(session).forEach(sums::add);
        assertThat(sums.made - sums.reallocated).isEqualTo(did.get("allocs"));
        assertThat(sums.reallocated).isEqualTo(did.get("reallocs"));
        assertThat(sums.frees).isEqualTo(did.get("frees"));
        assertThat(sums.allocBytes).isEqualTo(did.get("alloc_bytes"));
        assertThat(sums.allocBytes - sums.freeBytes).isEqualTo(did.get("live_bytes"));
        FrameSums whole = new FrameSums();
        session.events.forEach(whole::add);
        assertThat(run.ended.get(0).liveBytes()).isEqualTo(whole.allocBytes - whole.freeBytes);
        long[] lastHead = session.heads.get(session.heads.size() - 1);
        FrameSums before = new FrameSums();
        session.events.subList(0, (int) lastHead[0]).forEach(before::add);
        assertThat(lastHead[3]).isEqualTo(before.allocBytes - before.freeBytes);
    }

    private static List<SentRecords.Event> betweenPhases(SentRecords.Session session) {
        List<String> names = session.events.stream().map(SentRecords.Event::name).toList();
        return session.events.subList(names.indexOf("begin") + 1, names.indexOf("end"));
    }

    private RecordedCommand record(
            String preload, Map<String, String> settings, Path program, String... more)
            throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(more));
        return RecordedCommand.run(
                RecordedCommand.ringFolder(folder), sent, preload, settings, command);
    }

    /** Sums of a stretch of events, by what the columns say. */
    private static final class FrameSums {
        private final Map<Long, Long> sizes = new HashMap<>();
        private final Map<Long, Integer> frameOf = new HashMap<>();
        long made;
        long reallocated;
        long frees;
        long failed;
        long allocBytes;
        long freeBytes;
        long sameFrameBlocks;
        long nextFrameBlocks;

        /** One for each frame. */
        static List<FrameSums> of(List<SentRecords.Event> events) {
            FrameSums whole = new FrameSums();
            List<FrameSums> frames = new ArrayList<>(List.of(new FrameSums()));
            for (SentRecords.Event event : events) {
                if (event.operation() == Operation.FRAME) {
                    frames.add(new FrameSums());
                }
                int frame = frames.size() - 1;
                long freedBefore = whole.freeBytes;
                whole.add(event);
                FrameSums sums = frames.get(frame);
                sums.add(event);
                sums.freeBytes += whole.freeBytes - freedBefore - sums.lastFreed;
                if (event.made() != EventColumns.NO_BLOCK) {
                    whole.frameOf.put(event.made(), frame);
                }
                Integer madeIn = whole.frameOf.get(event.released());
                if (madeIn != null
                        && (event.made() >= 0 || event.operation() != Operation.REALLOC)) {
                    frames.get(madeIn).sameFrameBlocks += madeIn == frame ? 1 : 0;
                    frames.get(madeIn).nextFrameBlocks += madeIn == frame - 1 ? 1 : 0;
                }
            }
            return frames;
        }

        private long lastFreed;

        void add(SentRecords.Event event) {
            int operation = event.operation();
            boolean isMade = event.made() != EventColumns.NO_BLOCK;
            lastFreed = 0;
            if (isMade) {
                made++;
                allocBytes += event.sizeBytes();
                sizes.put(event.made(), event.sizeBytes());
                reallocated +=
                        operation == Operation.REALLOC && event.released() != EventColumns.NO_BLOCK
                                ? 1
                                : 0;
            } else if (Operation.asksForBlock(operation) && event.sizeBytes() > 0) {
                failed++;
                return;
            }
            boolean isRelease = operation == Operation.FREE || operation == Operation.DELETE;
            frees += isRelease ? 1 : 0;
            frees += operation == Operation.REALLOC && !isMade ? 1 : 0;
            Long size = sizes.remove(event.released());
            if (size != null) {
                lastFreed = size;
                freeBytes += size;
            }
        }
    }
}
