package dev.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.deploy.workload.Workload;
import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.RecordingReader;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEnvelope;
import dev.tidemark.schemas.avro.Role;
import dev.tidemark.schemas.avro.SessionStart;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The synthetic programs under the real recorder; what they say of themselves is the count. */
@Timeout(180)
class WorkloadCommandITCase {
    private static final Pattern TALLY = Pattern.compile("\\S+: (\\d+) \\w+, (\\d+) blocks, .*\\n");

    /** What libc and the programs allocate besides: buffers, threads, tables. */
    private static final int OTHER_BLOCKS = 100;

    @TempDir private Path folder;

    private final StringWriter err = new StringWriter();

    /** What a recording holds. */
    private static final class Recorded {
        private SessionStart start = new SessionStart();
        private final List<Long> sizes = new ArrayList<>();
        private final List<Integer> makers = new ArrayList<>();
        private long marks;
        private long crossThreadFrees;

        static Recorded of(Path file) throws Exception {
            Recorded recorded = new Recorded();
            TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
            EventColumns events = new EventColumns();
            try (RecordingReader reader = new RecordingReader(file, new SchemaCatalog())) {
                for (byte[] bytes = reader.next(); bytes != null; bytes = reader.next()) {
                    TraceEnvelope record = decoder.readEnvelope(bytes);
                    if (record.isEventBlock()) {
                        decoder.readEvents(record, events);
                        recorded.add(events);
                    } else if (decoder.readPayload(record) instanceof SessionStart head) {
                        recorded.start = head;
                    }
                }
            }
            return recorded;
        }

        private void add(EventColumns events) {
            for (int i = 0; i < events.size(); i++) {
                int operation = events.operation(i);
                boolean isMark = operation == Operation.FRAME || operation == Operation.TICK;
                marks += isMark ? 1 : 0;
                if (events.made(i) >= 0) {
                    sizes.add(events.sizeBytes(i));
                    makers.add(events.thread(i));
                }
                if (operation == Operation.FREE && events.released(i) >= 0) {
                    int maker = makers.get((int) events.released(i));
                    crossThreadFrees += maker == events.thread(i) ? 0 : 1;
                }
            }
        }
    }

    private Recorded record(String... arguments) throws Exception {
        Path file = folder.resolve("w" + arguments.length + System.nanoTime() + ".trace.avro");
        List<String> all = new ArrayList<>(List.of("workload"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--period", "0", "--out", file.toString()));
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        int code =
                Tidemark.run(
                        all.toArray(String[]::new), Map.of(), nowhere, new PrintWriter(err, true));
        assertThat(code).as(err.toString()).isZero();
        return Recorded.of(file);
    }

    /** Frames or ticks, and blocks, that the program counts itself without a recorder. */
    private long[] tally(Workload workload, String... sizes) throws Exception {
        List<String> command = new ArrayList<>(List.of(workload.compile(folder).toString()));
        command.addAll(List.of(sizes));
        Process process = new ProcessBuilder(command).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        Matcher tally = TALLY.matcher(said);
        assertThat(tally.matches()).as(said).isTrue();
        return new long[] {Long.parseLong(tally.group(1)), Long.parseLong(tally.group(2))};
    }

    private static void assertCounted(Recorded recorded, long[] tally) {
        assertThat(recorded.marks).isEqualTo(tally[0]);
        assertThat((long) recorded.sizes.size()).isBetween(tally[1], tally[1] + OTHER_BLOCKS);
    }

    @Test
    void levelLoadsAreTheSameForASeedAndOthersForAnother() throws Exception {
        Recorded first = record("level-loads", "--count", "300", "--seed", "7");

        assertCounted(first, tally(Workload.LEVEL_LOADS, "7", "300", "1", "2", "0"));
        assertThat(first.start.getTitle()).isEqualTo("level-loads");
        assertThat(first.start.getRole()).isEqualTo(Role.CLIENT);
        assertThat(first.start.getLabels()).containsEntry("synthetic", "true");
        assertThat(first.start.getScene()).isEqualTo("seed 7, 300 times 0 ms, scale 1, 2 threads");
        assertThat(record("level-loads", "--count", "300", "--seed", "7").sizes)
                .isEqualTo(first.sizes);
        assertThat(record("level-loads", "--count", "300", "--seed", "8").sizes)
                .isNotEqualTo(first.sizes);
    }

    @Test
    void jobsAreFreedByOtherThreadsThanMadeThem() throws Exception {
        Recorded recorded = record("job-system", "--count", "50", "--threads", "3");

        assertCounted(recorded, tally(Workload.JOB_SYSTEM, "1", "50", "1", "3", "0"));
        // Each of 96 jobs has an input and an output that cross over.
        assertThat(recorded.crossThreadFrees).isEqualTo(2 * 96 * 50);
    }

    @Test
    void aServerTicks() throws Exception {
        Recorded recorded = record("server-tick", "--count", "90", "--scale", "2");

        long[] tally = tally(Workload.SERVER_TICK, "1", "90", "2", "2", "0");
        assertThat(recorded.marks).isEqualTo(tally[0]).isEqualTo(90);
        assertThat((long) recorded.sizes.size()).isGreaterThanOrEqualTo(tally[1]);
        assertThat(recorded.start.getRole()).isEqualTo(Role.SERVER);
    }

    @Test
    void wrongSizesAreOneLine() {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        for (String[] wrong :
                new String[][] {{"--count", "0"}, {"--scale", "NaN"}, {"--threads", "65"}}) {
            String[] arguments = {"workload", "level-loads", wrong[0], wrong[1]};
            assertThat(Tidemark.run(arguments, Map.of(), nowhere, new PrintWriter(err, true)))
                    .isEqualTo(2);
        }
        String[] typo = {"workload", "level-load"};
        assertThat(Tidemark.run(typo, Map.of(), nowhere, new PrintWriter(err, true))).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "tidemark: --count 0: expected 1 to 100000000",
                        "tidemark: --scale NaN: expected above 0, up to 1000",
                        "tidemark: --threads 65: expected 1 to 64",
                        "tidemark: workload 'level-load': not known, did you mean level-loads?");
    }
}
