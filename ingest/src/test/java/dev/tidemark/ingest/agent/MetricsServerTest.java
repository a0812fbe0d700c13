package dev.tidemark.ingest.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.schemas.Operation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricsServerTest {
    @TempDir Path folder;

    @Test
    void servesWhatWasCountedAndNeverASession() throws Exception {
        Files.copy(
                Path.of("target", "native", "golden.ring"),
                folder.resolve("4242-00000000000000ff.ring"));
        SentRecords sent = new SentRecords();
        RecordedCommand told = new RecordedCommand();
        AgentOptions options =
                AgentOptions.of(folder).withSalt(null).withEndWait(Duration.ofMillis(1));
        try (Agent agent = Agent.start(options, sent, told.listener());
                MetricsServer server =
                        MetricsServer.start(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                agent::metrics)) {
            while (told.ended.isEmpty()) {
                assertThat(agent.awaitDrained(Duration.ofSeconds(20))).isTrue();
            }
            String text = get(server.port());

            String labels = "{title=\"golden\",role=\"client\",build=\"\",arm=\"default\"";
            // malloc, calloc, aligned, new and malloc; the reallocs resized a block or failed
            assertThat(text.lines())
                    .contains("tidemark_allocations_total" + labels + "} 5")
                    .contains("tidemark_dropped_events_total" + labels + "} 22")
                    .contains("tidemark_tick_allocator_seconds_count" + labels + "} 1")
                    .contains("tidemark_tick_allocator_seconds_bucket" + labels + ",le=\"+Inf\"} 1")
                    .contains("tidemark_live_bytes" + labels + "} 0");
            assertThat(text).contains("tidemark_build_info{version=", "tidemark_agent_cpu_seconds");
            assertThat(text).doesNotContain(sent.sessions.keySet().iterator().next());
            assertThat(agent.status().events()).isEqualTo(15);
            assertThat(sent.only().count(Operation.TICK)).isEqualTo(1);
        }
    }

    @Test
    void countsWhatPastFiveHundredLabelsCallsItselfAsOther() {
        AgentMetrics metrics = new AgentMetrics("1");
        for (int i = 0; i < 2 * AgentMetrics.MAX_GROUPS; i++) {
            metrics.group(SessionSettings.of(Map.of("TIDEMARK_TITLE", "t\"" + i), ""))
                    .allocations
                    .incrementAndGet();
        }
        String text = metrics.text();
        assertThat(text.lines().filter(line -> line.startsWith("tidemark_allocations_total{")))
                .hasSize(AgentMetrics.MAX_GROUPS + 1)
                .anySatisfy(line -> assertThat(line).contains("title=\"other\"").endsWith(" 500"))
                .anySatisfy(line -> assertThat(line).contains("title=\"t\\\"7\""));
    }

    private static String get(int port) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
