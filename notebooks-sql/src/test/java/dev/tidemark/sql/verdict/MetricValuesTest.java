package dev.tidemark.sql.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.sql.GivenFiles;
import dev.tidemark.sql.Lake;
import dev.tidemark.sql.LakeException;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every folder of {@code metrics}: the files given, and in {@code expected.csv} the values by
 * session, phase and metric, worked out by hand; an empty value is none.
 */
final class MetricValuesTest {
    @TempDir private Path temp;

    static Stream<String> cases() throws IOException, URISyntaxException {
        try (Stream<Path> folders = Files.list(root())) {
            return folders
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givesTheExpectedValues(String name) throws Exception {
        Path folder = root().resolve(name);
        Lake lake = Lake.create(temp.resolve("lake"));
        GivenFiles.write(folder, lake.folder());
        List<String> expected = Files.readAllLines(folder.resolve("expected.csv"));
        Set<String> sessions = new LinkedHashSet<>();
        Set<String> phases = new LinkedHashSet<>();
        for (String line : expected.subList(1, expected.size())) {
            String[] fields = line.split(",", -1);
            sessions.add(fields[0]);
            phases.add(fields[1]);
        }
        phases.remove("");
        List<String> got = new ArrayList<>();
        got.add("session_id,phase,metric,value");
        try (Connection connection = lake.connect()) {
            MetricValues values =
                    MetricValues.read(connection, sessions, MetricCatalogue.all(), phases);
            for (String line : expected.subList(1, expected.size())) {
                String[] fields = line.split(",", -1);
                Metric metric = MetricCatalogue.named(fields[2]).get(0);
                OptionalDouble value = values.of(fields[0], metric, fields[1]);
                got.add(
                        "%s,%s,%s,%s"
                                .formatted(
                                        fields[0],
                                        fields[1],
                                        fields[2],
                                        value.isEmpty() ? "" : plain(value.getAsDouble())));
            }
        }
        assertThat(got).containsExactlyElementsOf(expected);
    }

    /** Six digits after the point at most. */
    private static String plain(double value) {
        BigDecimal rounded = BigDecimal.valueOf(Math.round(value * 1e6), 6);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    @Test
    void everyMetricOfTheContractIsThere() {
        List<String> names = MetricCatalogue.all().stream().map(Metric::name).toList();

        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z][a-z0-9_]*"));
        assertThat(names)
                .contains(
                        "allocator_ms",
                        "allocator_ms_with_first_writes",
                        "spike_frames",
                        "spike_frames_per_minute",
                        "p99_frame_allocator_ms",
                        "worst_1pct_frame_allocator_ms",
                        "spike_ticks_all_threads",
                        "p99_tick_allocator_ms_with_first_writes",
                        "calls_over_100us",
                        "fps_steady",
                        "stall_s",
                        "tick_overrun_ratio",
                        "peak_rss_mib",
                        "retained_mib",
                        "retained_mib_1s",
                        "retained_mib_5s",
                        "retained_mib_15s",
                        "retained_mib_after_calls",
                        "return_half_s",
                        "peak_live_mib",
                        "allocator_free_mib",
                        "free_growth_mib_per_min",
                        "arenas",
                        "available_min_mib",
                        "swap_mib");
        assertThat(MetricCatalogue.all())
                .allSatisfy(metric -> assertThat(metric.meaning()).endsWith("."));
        assertThat(MetricCatalogue.all().get(0).name()).isEqualTo("allocator_ms");
    }

    @Test
    void anUnknownMetricIsAClearError() {
        assertThatThrownBy(() -> MetricCatalogue.named("headline,spike_frame"))
                .isInstanceOf(LakeException.class)
                .hasMessageStartingWith("no metric 'spike_frame'; nearest are spike_frames, ");
    }

    private static Path root() throws URISyntaxException {
        return Path.of(
                Objects.requireNonNull(MetricValuesTest.class.getResource("/metrics"), "no metrics")
                        .toURI());
    }
}
