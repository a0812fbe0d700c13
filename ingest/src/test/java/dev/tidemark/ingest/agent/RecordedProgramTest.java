package dev.tidemark.ingest.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.SessionEnd;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of the recorder's tests, recorded for real. */
final class RecordedProgramTest {
    @TempDir Path folder;

    private final SentRecords sent = new SentRecords();

    @Test
    void carriesKnownCallsBetweenTwoPhases() throws Exception {
        RecordedCommand run = record(Map.of(), Fixtures.build("known_c"));

        assertThat(run.exitStatus).isEqualTo(7);
        assertThat(run.errors).isEmpty();
        assertThat(run.ended).hasSize(1);
        assertThat(run.ended.get(0).counts().unknownFrees()).isZero();
        List<SentRecords.Event> events = betweenPhases(sent.only());
        assertThat(events)
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

    private static List<SentRecords.Event> betweenPhases(SentRecords.Session session) {
        List<String> names = session.events.stream().map(SentRecords.Event::name).toList();
        return session.events.subList(names.indexOf("begin") + 1, names.indexOf("end"));
    }

    private RecordedCommand record(Map<String, String> settings, Path program, String... more)
            throws Exception {
        List<String> command = new java.util.ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(more));
        return RecordedCommand.run(RecordedCommand.ringFolder(folder), sent, "", settings, command);
    }
}
