package dev.tidemark.deploy.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.ingest.agent.SessionSummary;
import dev.tidemark.ingest.sink.RecordingSink;
import dev.tidemark.schemas.avro.EndReason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which session of a run is the one that was meant. */
@Timeout(120)
class RecordRunITCase {
    @TempDir private Path folder;

    private RecordRun.Result record(String... command) throws Exception {
        RecordRequest request =
                new RecordRequest(
                        List.of(command),
                        RecordOptions.of(),
                        Map.of(),
                        Optional.of(Duration.ofMinutes(1)),
                        Optional.empty());
        try (RecordingSink sink = new RecordingSink(folder.resolve("a.trace.avro"))) {
            return RecordRun.run(request, sink, status -> {});
        }
    }

    @Test
    void theProgramIsWhatAScriptEndsIn() throws Exception {
        RecordRun.Result result = record("sh", "-c", "exec sh -c 'exec ls -d /'");

        assertThat(result.sessions())
                .extracting(SessionSummary::reason)
                .containsExactly(EndReason.EXEC, EndReason.EXEC, EndReason.EXIT);
        assertThat(result.program().executable()).endsWith("/ls");
    }
}
