package dev.tidemark.replay;

import dev.tidemark.schemas.avro.ArenaSample;
import dev.tidemark.schemas.avro.MemorySample;
import dev.tidemark.schemas.lake.LakeTables;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The memory samples of a session. A sample overtakes the events of its own second, which still lie
 * in a block, so it waits here until events have come up to its time and live bytes are those of
 * that moment.
 */
final class MemorySamples {
    private static final int MAX_WAITING = 1024;
    private static final List<String> COLUMNS =
            List.of(
                    "rss_bytes",
                    "swap_bytes",
                    "anonymous_bytes",
                    "heap_rss_bytes",
                    "minor_faults",
                    "major_faults",
                    "involuntary_switches",
                    "available_bytes",
                    "allocator_system_bytes",
                    "allocator_in_use_bytes",
                    "allocator_free_bytes",
                    "arenas");

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private @Nullable Long peakRssBytes;
    private @Nullable Long endRssBytes;
    private @Nullable Long peakAnonymousBytes;

    /** A sample's time and its figures, in the order of {@link #COLUMNS}. */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    private record Waiting(long atNs, @Nullable Long[] figures) {
        RowBuilder row(long liveBytes) {
            RowBuilder row =
                    RowBuilder.of(LakeTables.MEMORY)
                            .at(atNs)
                            .set("at_ns", atNs)
                            .set("live_bytes", liveBytes);
            for (int i = 0; i < figures.length; i++) {
                row.set(COLUMNS.get(i), figures[i]);
            }
            return row;
        }
    }

    /** Takes a sample; gives its arenas' rows at once. */
    void add(MemorySample sample, long liveBytes, Consumer<RowBuilder> rows) {
        peakRssBytes = larger(peakRssBytes, larger(sample.getRssBytes(), sample.getPeakRssBytes()));
        peakAnonymousBytes = larger(peakAnonymousBytes, sample.getAnonymousBytes());
        endRssBytes = sample.getRssBytes() == null ? endRssBytes : sample.getRssBytes();
        List<ArenaSample> arenas = sample.getArenas();
        waiting.add(
                new Waiting(
                        sample.getAtNs(),
                        new @Nullable Long[] {
                            sample.getRssBytes(),
                            sample.getSwapBytes(),
                            sample.getAnonymousBytes(),
                            sample.getHeapRssBytes(),
                            sample.getMinorFaults(),
                            sample.getMajorFaults(),
                            sample.getInvoluntarySwitches(),
                            sample.getAvailableBytes(),
                            sample.getAllocatorSystemBytes(),
                            sample.getAllocatorInUseBytes(),
                            sample.getAllocatorFreeBytes(),
                            arenas.isEmpty() ? null : (Long) (long) arenas.size()
                        }));
        for (ArenaSample arena : arenas) {
            rows.accept(arenaRow(sample.getAtNs(), arena));
        }
        if (waiting.size() > MAX_WAITING) {
            rows.accept(waiting.remove().row(liveBytes));
        }
    }

    private static RowBuilder arenaRow(long atNs, ArenaSample arena) {
        return RowBuilder.of(LakeTables.ARENAS)
                .at(atNs)
                .set("at_ns", atNs)
                .set("arena", arena.getArena())
                .set("system_bytes", arena.getSystemBytes())
                .set("in_use_bytes", arena.getInUseBytes())
                .set("free_bytes", arena.getFreeBytes())
                .set("top_bytes", arena.getTopBytes());
    }

    /** When the sample that waits longest was taken, or {@link Long#MAX_VALUE}. */
    long nextNs() {
        Waiting next = waiting.peek();
        return next == null ? Long.MAX_VALUE : next.atNs;
    }

    /** Gives the rows of the samples taken before a time, up to which so much was live. */
    void release(long beforeNs, long liveBytes, Consumer<RowBuilder> rows) {
        while (nextNs() < beforeNs) {
            rows.accept(waiting.remove().row(liveBytes));
        }
    }

    /** Gives the rows of all samples that wait, and keeps them. */
    void peek(long liveBytes, Consumer<RowBuilder> rows) {
        waiting.forEach(sample -> rows.accept(sample.row(liveBytes)));
    }

    /** Gives the rows of all samples that wait. */
    void releaseAll(long liveBytes, Consumer<RowBuilder> rows) {
        peek(liveBytes, rows);
        waiting.clear();
    }

    /** Sets the columns of {@code sessions} that are a sample's own. */
    void fill(RowBuilder row) {
        row.set("end_rss_bytes", endRssBytes).set("peak_anonymous_bytes", peakAnonymousBytes);
    }

    /**
     * Sets the columns of {@code sessions} that say what the program held: of a replay they can't,
     * since its samples have the replayer's own memory in them.
     */
    void fillHeld(RowBuilder row, long endLiveBytes, long peakLiveBytes, boolean isEnded) {
        row.set("peak_rss_bytes", peakRssBytes);
        if (isEnded && endRssBytes != null) {
            row.set("retained_bytes", endRssBytes - endLiveBytes);
        }
        if (peakAnonymousBytes != null && peakAnonymousBytes > 0) {
            row.set("coverage_ratio", (double) peakLiveBytes / peakAnonymousBytes);
        }
    }

    private static @Nullable Long larger(@Nullable Long a, @Nullable Long b) {
        if (a == null) {
            return b;
        }
        return b == null ? a : (Long) Math.max(a, b);
    }

    void write(StateWriter out) {
        writeNullable(out, peakRssBytes);
        writeNullable(out, endRssBytes);
        writeNullable(out, peakAnonymousBytes);
        out.writeLong(waiting.size());
        for (Waiting sample : waiting) {
            out.writeLong(sample.atNs);
            for (Long figure : sample.figures) {
                writeNullable(out, figure);
            }
        }
    }

    void read(StateReader in) {
        peakRssBytes = readNullable(in);
        endRssBytes = readNullable(in);
        peakAnonymousBytes = readNullable(in);
        for (long left = in.readLong(); left > 0; left--) {
            long atNs = in.readLong();
            @Nullable Long[] figures = new @Nullable Long[COLUMNS.size()];
            for (int i = 0; i < figures.length; i++) {
                figures[i] = readNullable(in);
            }
            waiting.add(new Waiting(atNs, figures));
        }
    }

    private static void writeNullable(StateWriter out, @Nullable Long value) {
        out.writeBoolean(value != null);
        if (value != null) {
            out.writeLong(value);
        }
    }

    private static @Nullable Long readNullable(StateReader in) {
        return in.readBoolean() ? (Long) in.readLong() : null;
    }
}
