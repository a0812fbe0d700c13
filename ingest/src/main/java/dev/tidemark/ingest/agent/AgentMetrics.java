package dev.tidemark.ingest.agent;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the agent counts, as a status and as text for Prometheus. Labels are title, role, build and
 * arm, never a session; past {@link #MAX_GROUPS} of them the rest is one group, since what a
 * process says of itself must not fill a monitoring system. Written by the agent's thread, read by
 * any.
 */
final class AgentMetrics {
    static final int MAX_GROUPS = 500;

    private static final double NANOS = 1e9;
    private static final MetricGroup.Labels OTHER =
            new MetricGroup.Labels("other", "unknown", "", "other");

    private final String version;
    private final Map<String, MetricGroup> groups = new ConcurrentSkipListMap<>();
    private final AtomicLong sessions = new AtomicLong();
    private volatile long openSessions;
    private volatile double fillRatio;
    private volatile @Nullable String lastError;

    AgentMetrics(String version) {
        this.version = version;
    }

    /** The group of a session. */
    MetricGroup group(SessionSettings settings) {
        MetricGroup.Labels labels =
                new MetricGroup.Labels(
                        settings.title(),
                        settings.role().name().toLowerCase(Locale.ROOT),
                        Objects.requireNonNullElse(settings.build(), ""),
                        settings.arm());
        String key = text(labels);
        if (!groups.containsKey(key) && groups.size() >= MAX_GROUPS) {
            key = text(OTHER);
        }
        return groups.computeIfAbsent(key, k -> new MetricGroup());
    }

    void began() {
        sessions.incrementAndGet();
    }

    void error(String line) {
        lastError = line;
    }

    void fillRatio(double ratio) {
        fillRatio = ratio;
    }

    double fillRatio() {
        return fillRatio;
    }

    /** Brings the counters up to date. */
    void update(Collection<ServedRing> served, @Nullable String trouble) {
        groups.values().forEach(group -> setOpen(group, 0, 0));
        for (ServedRing ring : served) {
            MetricGroup group = ring.share.group();
            ring.share.update(ring.session.builder());
            setOpen(
                    group,
                    group.liveBytes.get() + ring.session.builder().liveBytes(),
                    group.residentBytes.get() + ring.session.residentBytes());
        }
        openSessions = served.size();
        if (trouble != null) {
            lastError = trouble;
        }
    }

    private static void setOpen(MetricGroup group, long liveBytes, long residentBytes) {
        group.liveBytes.set(liveBytes);
        group.residentBytes.set(residentBytes);
    }

    AgentStatus status() {
        return new AgentStatus(
                sessions.get(),
                openSessions,
                sum(group -> group.events.get()),
                sum(group -> group.dropped.get()),
                sum(group -> group.frames.get()),
                sum(group -> group.ticks.get()),
                sum(group -> group.liveBytes.get()),
                sum(group -> group.residentBytes.get()),
                fillRatio,
                lastError);
    }

    private long sum(ToLongFunction<MetricGroup> figure) {
        return groups.values().stream().mapToLong(figure).sum();
    }

    /** Prometheus text, version 0.0.4. */
    String text() {
        StringBuilder out = new StringBuilder(4096);
        each(
                out,
                "tidemark_allocations_total",
                "counter",
                "Blocks made.",
                g -> g.allocations.get());
        head(out, "tidemark_allocator_seconds_total", "counter", "Time inside the allocator.");
        groups.forEach(
                (labels, group) ->
                        line(
                                out,
                                "tidemark_allocator_seconds_total",
                                labels,
                                group.allocatorNs.get() / NANOS));
        ticks(out);
        each(out, "tidemark_live_bytes", "gauge", "Bytes live.", g -> g.liveBytes.get());
        each(
                out,
                "tidemark_resident_bytes",
                "gauge",
                "Resident bytes without the recorder's ring.",
                g -> g.residentBytes.get());
        each(
                out,
                "tidemark_dropped_events_total",
                "counter",
                "Events lost before the agent could read them.",
                g -> g.dropped.get());
        head(out, "tidemark_ring_fill_ratio", "gauge", "How full the fullest ring is, 0 to 1.");
        line(out, "tidemark_ring_fill_ratio", "", fillRatio);
        head(out, "tidemark_agent_cpu_seconds_total", "counter", "The agent's own CPU time.");
        line(out, "tidemark_agent_cpu_seconds_total", "", cpuSeconds());
        head(out, "tidemark_build_info", "gauge", "Always 1; the version is a label.");
        line(out, "tidemark_build_info", "version=\"" + escape(version) + '"', 1);
        return out.toString();
    }

    private void ticks(StringBuilder out) {
        String name = "tidemark_tick_allocator_seconds";
        head(out, name, "histogram", "Time inside the allocator in each tick, all threads.");
        double[] edges = MetricGroup.TICK_EDGES_SECONDS;
        groups.forEach(
                (labels, group) -> {
                    for (int i = 0; i < edges.length; i++) {
                        String le = labels + ",le=\"" + edges[i] + '"';
                        line(out, name + "_bucket", le, (double) group.ticksUpTo(i));
                    }
                    long all = group.ticksUpTo(edges.length);
                    line(out, name + "_bucket", labels + ",le=\"+Inf\"", (double) all);
                    line(out, name + "_sum", labels, group.tickSeconds());
                    line(out, name + "_count", labels, (double) all);
                });
    }

    private void each(
            StringBuilder out,
            String name,
            String type,
            String help,
            ToLongFunction<MetricGroup> figure) {
        head(out, name, type, help);
        groups.forEach(
                (labels, group) -> line(out, name, labels, (double) figure.applyAsLong(group)));
    }

    private static void head(StringBuilder out, String name, String type, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder out, String name, String labels, double value) {
        out.append(name);
        if (!labels.isEmpty()) {
            out.append('{').append(labels).append('}');
        }
        boolean isWhole = value == Math.rint(value) && Math.abs(value) < 1L << 53;
        out.append(' ').append(isWhole ? Long.toString((long) value) : Double.toString(value));
        out.append('\n');
    }

    private static String text(MetricGroup.Labels labels) {
        return "title=\"%s\",role=\"%s\",build=\"%s\",arm=\"%s\""
                .formatted(
                        escape(labels.title()),
                        escape(labels.role()),
                        escape(labels.build()),
                        escape(labels.arm()));
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static double cpuSeconds() {
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system) {
            return system.getProcessCpuTime() / NANOS;
        }
        return Double.NaN;
    }
}
