package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.avro.MemorySample;
import dev.tidemark.schemas.avro.ReplayOutcome;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A result's memory figures as records, and how late the replay was. */
final class MemoryRecords {
    private static final double LAG_QUANTILE = 0.99;

    private final ReplayPlan plan;
    private final ReplayResult result;
    private final SessionWriter writer;
    private final boolean isPaced;
    private int next;

    MemoryRecords(ReplayPlan plan, ReplayResult result, SessionWriter writer, boolean isPaced) {
        this.plan = plan;
        this.result = result;
        this.writer = writer;
        this.isPaced = isPaced;
    }

    /** Sends the samples that come before a session time. */
    void sendBefore(long timeNs) throws IOException {
        while (next < result.samples() && atNs(next) < timeNs) {
            int i = next++;
            long rss = result.sample(i, ResultDescriptor.SAMPLE_RSS_BYTES);
            writer.send(
                    MemorySample.newBuilder()
                            .setAtNs(atNs(i))
                            .setRssBytes(rss == ResultDescriptor.UNKNOWN ? null : Math.max(0, rss))
                            .setMinorFaults(result.sample(i, ResultDescriptor.SAMPLE_MINOR_FAULTS))
                            .setMajorFaults(result.sample(i, ResultDescriptor.SAMPLE_MAJOR_FAULTS))
                            .setInvoluntarySwitches(
                                    result.sample(i, ResultDescriptor.SAMPLE_INVOLUNTARY_SWITCHES))
                            .build());
        }
    }

    private long atNs(int sample) {
        return plan.originNs() + result.sample(sample, ResultDescriptor.SAMPLE_AT_NS);
    }

    ReplayOutcome outcome() {
        return ReplayOutcome.newBuilder()
                .setLateRatio(lateRatio())
                .setBaselineRssBytes(result.figure(ResultDescriptor.HEADER_BASELINE_RSS_BYTES))
                .setPeakRssBytes(result.figure(ResultDescriptor.HEADER_PEAK_RSS_BYTES))
                .setRetainedBytes(result.figure(ResultDescriptor.HEADER_RETAINED_BYTES))
                .setRetained1sBytes(result.figure(ResultDescriptor.HEADER_RETAINED_1S_BYTES))
                .setRetained5sBytes(result.figure(ResultDescriptor.HEADER_RETAINED_5S_BYTES))
                .setRetained15sBytes(result.figure(ResultDescriptor.HEADER_RETAINED_15S_BYTES))
                .setRetainedAfterCallsBytes(
                        result.figure(ResultDescriptor.HEADER_RETAINED_AFTER_CALLS_BYTES))
                .setReturnHalfNs(result.figure(ResultDescriptor.HEADER_RETURN_HALF_NS))
                .build();
    }

    /**
     * The larger of replayed over recorded duration less one, and the 99th percentile (nearest
     * rank) of the frames' lag over the median frame period; null when no pace was kept.
     */
    private @Nullable Double lateRatio() {
        if (!isPaced) {
            return null;
        }
        double late = (double) result.durationNs() / Math.max(1, plan.durationNs()) - 1;
        long[] lags = Arrays.stream(plan.frameMarks()).mapToLong(result::lagNs).sorted().toArray();
        if (lags.length == 0 || plan.periodNs() == 0) {
            return late;
        }
        int rank = (int) Math.ceil(LAG_QUANTILE * lags.length) - 1;
        return Math.max(late, (double) lags[rank] / plan.periodNs());
    }
}
