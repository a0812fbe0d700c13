package dev.tidemark.ingest.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.ingest.ring.RingFile;
import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.SessionStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program goes on without its agent, and another agent goes on with the program. */
@Timeout(120)
final class AgentRestartTest {
    @TempDir Path folder;

    private final SentRecords sent = new SentRecords();
    private final RecordedCommand told = new RecordedCommand();
    private Path rings = Path.of("");
    private Path half = Path.of("");
    private Path goOn = Path.of("");

    @BeforeEach
    void prepare() throws Exception {
        rings = RecordedCommand.ringFolder(folder);
        half = folder.resolve("half");
        goOn = folder.resolve("go-on");
    }

    @Test
    void aKilledAgentLeavesTheProgramAloneAndTheNextOneContinues() throws Exception {
        Process agentProcess = startAgentProcess();
        Process program = null;
        try {
            awaitFile(rings.resolve(".agent.lock"));
            program = startProgram();
            awaitFile(half);
            awaitRead();
            agentProcess.destroyForcibly().waitFor();
            String earlier = note();

            try (Agent agent = Agent.start(RecordedCommand.options(rings), sent, told.listener())) {
                awaitOtherNote(earlier);
                Files.createFile(goOn);
                endProgram(program, agent);
            }

            SentRecords.Session session = sent.only();
            SessionStart start = session.payloads(SessionStart.class).get(0);
            assertThat(start.getContinuesSessionId()).isEqualTo(earlier);
            assertThat(start.getTitle()).isEqualTo("two_halves");
            assertThat(preexisting(session)).isEqualTo(500);
            assertThat(made503(session)).isEqualTo(300);
            assertThat(told.ended.get(0).counts().unknownFrees()).isZero();
            assertThat(session.seqs.get(0)).isZero();
            assertThat(session.payloads(SessionEnd.class).get(0).getExitCode()).isEqualTo(7);
        } finally {
            end(program);
            end(agentProcess);
        }
    }

    @Test
    void aClosedAgentEndsTheSessionAsStopped() throws Exception {
        Process program = null;
        try {
            SentRecords first = new SentRecords();
            try (Agent agent =
                    Agent.start(RecordedCommand.options(rings), first, told.listener())) {
                program = startProgram();
                awaitFile(half);
                awaitNote();
                assertThat(agent.awaitDrained(Duration.ofSeconds(20))).isTrue();
            }
            SessionEnd stopped = first.only().payloads(SessionEnd.class).get(0);
            assertThat(stopped.getReason()).isEqualTo(EndReason.STOPPED);
            assertThat(first.only().events.stream().filter(e -> e.sizeBytes() == 1009).count())
                    .isEqualTo(500);
            try (Agent agent = Agent.start(RecordedCommand.options(rings), sent, told.listener())) {
                Files.createFile(goOn);
                endProgram(program, agent);
            }
            assertThat(preexisting(sent.only())).isEqualTo(500);
            assertThat(sent.only().payloads(SessionStart.class).get(0).getContinuesSessionId())
                    .isEqualTo(first.sessions.keySet().iterator().next());
        } finally {
            end(program);
        }
    }

    @Test
    void refusesAFolderThatAnotherAgentServes() throws Exception {
        try (Agent agent = Agent.start(RecordedCommand.options(rings), sent, told.listener())) {
            assertThat(agent.failure()).isNull();
            assertThatThrownBy(
                            () ->
                                    Agent.start(
                                                    RecordedCommand.options(rings),
                                                    sent,
                                                    told.listener())
                                            .close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another agent");
        }
    }

    @Test
    void tellsErrorFilesInALineEachAndABrokenRingOnce() throws Exception {
        Path noSpace = Files.createFile(rings.resolve("11-00000000000000ff.no-space.error"));
        Path other =
                Files.writeString(
                        rings.resolve("12-00000000000000ff.failed.error"),
                        "an error of the disk\n");
        Files.writeString(rings.resolve("13-00000000000000ff.ring"), "not a ring");
        try (Agent agent = Agent.start(RecordedCommand.options(rings), sent, told.listener())) {
            assertThat(agent.awaitDrained(Duration.ofSeconds(20))).isTrue();
            assertThat(agent.awaitDrained(Duration.ofSeconds(20))).isTrue();
        }
        assertThat(told.errors).hasSize(3);
        assertThat(told.errors)
                .anySatisfy(
                        line ->
                                assertThat(line)
                                        .startsWith("process 11 was not recorded: no space")
                                        .contains(rings.toString(), "--ring-dir"))
                .anySatisfy(
                        line ->
                                assertThat(line)
                                        .isEqualTo(
                                                "process 12 was not recorded: an error of the"
                                                        + " disk"));
        assertThat(told.errors).anySatisfy(line -> assertThat(line).contains("13-", "10", "32768"));
        assertThat(noSpace).doesNotExist();
        assertThat(other).doesNotExist();
    }

    private Process startAgentProcess() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dorg.apache.avro.SERIALIZABLE_PACKAGES=dev.tidemark.schemas.avro",
                        AgentMain.class.getName(),
                        rings.toString(),
                        folder.resolve("killed.trace.avro").toString())
                .inheritIO()
                .start();
    }

    private Process startProgram() throws Exception {
        return RecordedCommand.program(
                        rings,
                        "",
                        Map.of(),
                        List.of(
                                Fixtures.compile("two_halves").toString(),
                                half.toString(),
                                goOn.toString()))
                .start();
    }

    private void endProgram(Process program, Agent agent) throws Exception {
        assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(program.exitValue()).isEqualTo(7);
        agent.processEnded(program.pid(), 7, null);
        assertThat(agent.awaitDrained(Duration.ofSeconds(30))).isTrue();
    }

    private static long preexisting(SentRecords.Session session) {
        return session.events.stream()
                .filter(event -> event.operation() == Operation.FREE)
                .filter(event -> event.released() == EventColumns.PREEXISTING_BLOCK)
                .count();
    }

    private static long made503(SentRecords.Session session) {
        return session.events.stream().filter(event -> event.sizeBytes() == 503).count();
    }

    private static void awaitFile(Path file) throws InterruptedException {
        while (!Files.exists(file)) {
            Thread.sleep(10);
        }
    }

    private void awaitNote() throws Exception {
        while (note().isEmpty()) {
            Thread.sleep(10);
        }
    }

    /** Until the agent has taken everything out of the rings. */
    private void awaitRead() throws Exception {
        awaitNote();
        try (var files = Files.newDirectoryStream(rings, "*.ring")) {
            for (Path path : files) {
                try (RingFile file = RingFile.open(path)) {
                    while (file.ringsUsed() == 0 || file.ring(0).tail() != file.ring(0).head()) {
                        Thread.sleep(10);
                    }
                }
            }
        }
    }

    private void awaitOtherNote(String earlier) throws Exception {
        while (note().isEmpty() || note().equals(earlier)) {
            Thread.sleep(10);
        }
    }

    private String note() throws IOException {
        try (var files = Files.newDirectoryStream(rings, "*.session")) {
            for (Path file : files) {
                return Files.readString(file).strip();
            }
        }
        return "";
    }

    private static void end(@Nullable Process process) throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }
}
