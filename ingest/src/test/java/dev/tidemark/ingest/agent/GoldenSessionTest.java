package dev.tidemark.ingest.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.Role;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.SessionStart;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A ring file written by C becomes a session. Stamps are 0.4 ns apart and begin at 1,000,000, so an
 * event of key 1,000,150 is at 60 ns.
 */
final class GoldenSessionTest {
    @TempDir Path folder;

    private final SentRecords sent = new SentRecords();
    private final RecordedCommand told = new RecordedCommand();

    @BeforeEach
    void serve() throws Exception {
        Files.copy(
                Path.of("target", "native", "golden.ring"),
                folder.resolve("4242-000000012a05f264.ring"));
        try (Agent agent =
                Agent.start(
                        AgentOptions.of(folder).withSalt(null).withEndWait(Duration.ofMillis(1)),
                        sent,
                        told.listener())) {
            // Found at one round, seen to be dead at another.
            while (told.ended.isEmpty() && told.errors.isEmpty()) {
                assertThat(agent.awaitDrained(Duration.ofSeconds(20))).isTrue();
            }
        }
    }

    @Test
    void ordersEventsByKeyAcrossRings() {
        assertThat(sent.only().events)
                .extracting(
                        SentRecords.Event::operation,
                        SentRecords.Event::thread,
                        SentRecords.Event::timeNs)
                .extracting(tuple -> tuple.toList().toString())
                .containsExactly(
                        "[1, 0, 60]", // malloc
                        "[2, 0, 104]", // calloc
                        "[3, 0, 148]", // aligned
                        "[4, 0, 192]", // new
                        "[5, 0, 236]", // realloc
                        "[5, 0, 278]", // realloc that fails
                        "[6, 0, 280]", // free
                        "[7, 1, 300]", // delete
                        "[10, 1, 304]", // tick
                        "[6, 2, 316]", // free by a thread that took the ring over
                        "[9, 0, 320]", // frame
                        "[11, 0, 360]", // phase
                        "[12, 0, 400]", // value
                        "[13, 0, 840]", // trim
                        "[1, 0, 439804652310]"); // malloc of the longest duration
    }

    @Test
    void numbersBlocksAndKeepsWhatAFailedReallocWasGiven() {
        List<SentRecords.Event> events = sent.only().events;
        assertThat(events)
                .extracting(SentRecords.Event::made)
                .containsExactly(
                        0L, 1L, 2L, 3L, 4L, -1L, -1L, -1L, -1L, -1L, -1L, -1L, -1L, -1L, 5L);
        assertThat(events.get(4).released()).isEqualTo(0);
        assertThat(events.get(5).released()).isEqualTo(4);
        assertThat(events.get(6).released()).isEqualTo(1);
        assertThat(events.get(7).released()).isEqualTo(3);
        assertThat(events.get(9).released()).isEqualTo(2);
        assertThat(events.get(2).alignmentBytes()).isEqualTo(64);
        assertThat(events.get(11).name()).isEqualTo("battle");
        assertThat(events.get(12).name()).isEqualTo("players");
        assertThat(events.get(12).value()).isEqualTo(12.5);
        assertThat(events.get(13).returnedBytes()).isEqualTo(69_632);
        assertThat(events)
                .extracting(SentRecords.Event::released)
                .doesNotContain(EventColumns.UNKNOWN_BLOCK);
    }

    @Test
    void beginsAndEndsTheSession() {
        SentRecords.Session session = sent.only();
        SessionStart start = session.payloads(SessionStart.class).get(0);
        assertThat(start.getTitle()).isEqualTo("golden");
        assertThat(start.getRole()).isEqualTo(Role.CLIENT);
        assertThat(start.getLabels()).containsEntry("a", "b");
        assertThat(start.getFrameDefinition()).isEqualTo("SDL_GL_SwapWindow");
        assertThat(start.getTickDefinition()).isEqualTo("call");
        assertThat(start.getStartedAtUs()).isEqualTo(1_700_000_000_000_000L);
        assertThat(start.getAllocator()).isEqualTo("glibc");
        SessionEnd end = session.payloads(SessionEnd.class).get(0);
        assertThat(end.getReason()).isEqualTo(EndReason.EXIT);
        assertThat(end.getExitCode()).isEqualTo(3);
        assertThat(end.getSignal()).isNull();
        assertThat(end.getEventsSent()).isEqualTo(15);
        // 3 told by a record, 2 by the ring, 17 of threads without one
        assertThat(end.getEventsDropped()).isEqualTo(22);
        assertThat(session.droppedBefore).isEqualTo(22);
        assertThat(session.seqs)
                .isEqualTo(
                        java.util.stream.LongStream.range(0, session.seqs.size()).boxed().toList());
    }

    @Test
    void tellsThreadsOnce() {
        assertThat(sent.only().payloads(ThreadInfo.class))
                .extracting(info -> info.getThread() + " " + info.getName())
                .containsExactlyInAnyOrder("0 main-thread", "1 null", "2 null");
    }

    @Test
    void headsOfBlocksSayWhatIsLive() {
        List<long[]> heads = sent.only().heads;
        assertThat(heads.get(0)).containsExactly(0, 0, 60, 0, 0, 0);
        // Behind the drop of 3, where 2003 bytes of the realloc are live. The 17 of threads without
        // a ring have no place of their own: they come here or at the end.
        assertThat(heads)
                .filteredOn(head -> head[0] == 14)
                .first()
                .satisfies(
                        head -> {
                            assertThat(head).startsWith(14, 5, 439_804_652_310L, 2003, 1);
                            assertThat(head[5]).isIn(3L, 3L + 17);
                        });
        assertThat(sent.only().count(Operation.MALLOC)).isEqualTo(2);
    }

    @Test
    void deletesWhatItReadToTheEnd() {
        assertThat(folder.toFile().list()).containsExactly(".agent.lock");
    }
}
