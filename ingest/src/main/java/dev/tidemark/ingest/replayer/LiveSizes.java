package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import java.util.Arrays;

/** What is live as a recording goes by: sizes by block, and their sum. */
final class LiveSizes {
    private long[] sizes = new long[1024];
    private long bytes;
    private long blocks;
    private long peakBytes;
    private long highestBytes;

    /** Takes a call that is replayed; returns the size of the block that it ended, or 0. */
    long take(EventColumns events, int i) {
        long ended = RecordedCall.ended(events, i);
        long endedBytes = ended >= 0 ? sizes[(int) ended] : 0;
        if (ended >= 0) {
            bytes -= endedBytes;
            blocks--;
        }
        if (RecordedCall.makesBlock(events, i)) {
            int made = (int) events.made(i);
            if (made >= sizes.length) {
                sizes = Arrays.copyOf(sizes, Math.max(made + 1, sizes.length * 2));
            }
            sizes[made] = events.sizeBytes(i);
            bytes += events.sizeBytes(i);
            blocks++;
            peakBytes = Math.max(peakBytes, bytes);
            highestBytes = Math.max(highestBytes, bytes);
        }
        return endedBytes;
    }

    long sizeOf(long block) {
        return sizes[(int) block];
    }

    long bytes() {
        return bytes;
    }

    long blocks() {
        return blocks;
    }

    /** The most at once. */
    long highestBytes() {
        return highestBytes;
    }

    /** The most since this was asked last. */
    long takePeakBytes() {
        long peak = peakBytes;
        peakBytes = bytes;
        return peak;
    }
}
