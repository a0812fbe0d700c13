package dev.tidemark.ingest.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.schemas.avro.EndReason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an agent notices by itself: nobody tells it of ends, nobody waits for it to drain. */
@Timeout(20)
final class UnaskedAgentTest {
    @TempDir Path folder;

    private final SentRecords sent = new SentRecords();
    private final RecordedCommand told = new RecordedCommand();
    private Path rings = Path.of("");

    @BeforeEach
    void makeFolder() throws Exception {
        rings = RecordedCommand.ringFolder(folder);
    }

    private Process start(String... command) throws Exception {
        return RecordedCommand.program(rings, "", Map.of(), List.of(command)).start();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(5);
        }
    }

    @Test
    void endsTheSessionOfAProgramThatHasEnded() throws Exception {
        try (Agent agent = Agent.start(RecordedCommand.options(rings), sent, told.listener())) {
            start(Fixtures.build("death").toString(), "plain").waitFor();
            await(() -> !told.ended.isEmpty());

            SessionSummary summary = told.ended.get(0);
            assertThat(summary.reason()).isEqualTo(EndReason.EXIT);
            assertThat(summary.exitCode()).isEqualTo(5);
            try (var left = Files.newDirectoryStream(rings, "*.ring")) {
                assertThat(left).isEmpty();
            }
            await(() -> agent.metrics().contains("title=\"death\""));
            await(() -> agent.status().events() == summary.events());
        }
    }

    @Test
    void endsAnImageWhenTheNextOneHasBegun() throws Exception {
        try (Agent agent = Agent.start(RecordedCommand.options(rings), sent, told.listener())) {
            Process program = start("/bin/sh", "-c", "exec sleep 3600");
            try {
                await(() -> !told.ended.isEmpty());

                assertThat(program.isAlive()).isTrue();
                assertThat(told.ended.get(0).reason()).isEqualTo(EndReason.EXEC);
                await(() -> agent.status().openSessions() == 1);
            } finally {
                program.destroyForcibly().waitFor();
            }
            await(() -> told.ended.size() == 2);
            assertThat(told.ended.get(1).executable()).endsWith("/sleep");
        }
    }
}
