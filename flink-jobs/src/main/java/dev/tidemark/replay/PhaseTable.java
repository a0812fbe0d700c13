package dev.tidemark.replay;

import dev.tidemark.schemas.lake.LakeTables;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The phases of a session, by name; a phase may have several stretches. Past {@link #MAX_PHASES},
 * names share an entry.
 */
final class PhaseTable {
    static final int MAX_PHASES = 1024;
    static final String OTHERS = "(other phases)";

    private final Map<String, Phase> phases = new LinkedHashMap<>();
    private @Nullable Phase current;
    private @Nullable String currentName;
    private long stretchStartNs;

    private static final class Phase {
        final String name;
        final long startNs;
        final CallTotals calls;
        long durationNs;
        long frames;
        long ticks;

        Phase(String name, long startNs, CallTotals calls) {
            this.name = name;
            this.startNs = startNs;
            this.calls = calls;
        }
    }

    /** Name of the phase that holds what comes now, or null before the first. */
    @Nullable String currentName() {
        return currentName;
    }

    /** Begins a stretch of a phase, which ends that of the one before. */
    void begin(String name, long atNs, long liveBytes) {
        stop(atNs);
        currentName = ThreadTable.cut(name);
        String key =
                phases.containsKey(currentName) || phases.size() < MAX_PHASES
                        ? currentName
                        : OTHERS;
        current = phases.computeIfAbsent(key, k -> new Phase(k, atNs, new CallTotals(liveBytes)));
        stretchStartNs = atNs;
    }

    private void stop(long atNs) {
        if (current != null) {
            current.durationNs += atNs - stretchStartNs;
            stretchStartNs = atNs;
        }
    }

    void add(CallTotals calls) {
        if (current != null) {
            current.calls.add(calls);
        }
    }

    void beganFrame() {
        if (current != null) {
            current.frames++;
        }
    }

    void beganTick() {
        if (current != null) {
            current.ticks++;
        }
    }

    /** A row of {@code phases} for each, if the session ended here; to be built. */
    void rows(long endNs, Measured measured, Consumer<RowBuilder> to) {
        stop(endNs);
        for (Phase phase : phases.values()) {
            RowBuilder row =
                    RowBuilder.of(LakeTables.PHASES)
                            .at(phase.startNs)
                            .set("phase", phase.name)
                            .set("start_ns", phase.startNs)
                            .set("duration_ns", phase.durationNs)
                            .set("frames", phase.frames)
                            .set("ticks", phase.ticks);
            phase.calls.fill(row, measured);
            to.accept(row);
        }
    }

    void write(StateWriter out) {
        out.writeString(currentName).writeLong(stretchStartNs);
        out.writeString(current == null ? null : current.name).writeLong(phases.size());
        for (Phase phase : phases.values()) {
            out.writeString(phase.name).writeLong(phase.startNs);
            phase.calls.write(out);
            out.writeLong(phase.durationNs).writeLong(phase.frames).writeLong(phase.ticks);
        }
    }

    void read(StateReader in) {
        currentName = in.readString();
        stretchStartNs = in.readLong();
        String currentKey = in.readString();
        for (long left = in.readLong(); left > 0; left--) {
            String name = in.readString();
            Phase phase = new Phase(name == null ? "" : name, in.readLong(), CallTotals.read(in));
            phase.durationNs = in.readLong();
            phase.frames = in.readLong();
            phase.ticks = in.readLong();
            phases.put(phase.name, phase);
        }
        current = currentKey == null ? null : phases.get(currentKey);
    }
}
