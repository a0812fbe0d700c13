package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.avro.RoundKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one session of a bench is replayed.
 *
 * @param roundKind plain or profiled
 * @param isObserved whether memory is looked at for 15 s after the last release, which takes them
 * @param sampleMs time between memory samples, 0 for none
 * @param runId the batch, or null
 * @param round within the batch, or null
 * @param labels the session's, beside the recording's
 */
public record ReplayOptions(
        RoundKind roundKind,
        Touch touch,
        Pace pace,
        boolean isObserved,
        int sampleMs,
        @Nullable String runId,
        @Nullable Integer round,
        Map<String, String> labels) {
    private static final int SAMPLE_MS = 100;

    public ReplayOptions {
        labels = Map.copyOf(labels);
    }

    /** A plain round in recorded time: no memory is looked at but the peak and what is retained. */
    public static ReplayOptions plain(Touch touch) {
        return new ReplayOptions(
                RoundKind.PLAIN, touch, Pace.RECORDED, false, 0, null, null, Map.of());
    }

    /** A profiled round in recorded time with all first writes and memory. */
    public static ReplayOptions profiled() {
        return new ReplayOptions(
                RoundKind.PROFILED,
                Touch.ALL,
                Pace.RECORDED,
                true,
                SAMPLE_MS,
                null,
                null,
                Map.of());
    }

    /** Likewise with another pace. */
    public ReplayOptions withPace(Pace other) {
        return new ReplayOptions(
                roundKind, touch, other, isObserved, sampleMs, runId, round, labels);
    }

    /** Likewise with another rule of first writes. */
    public ReplayOptions withTouch(Touch other) {
        return new ReplayOptions(
                roundKind, other, pace, isObserved, sampleMs, runId, round, labels);
    }

    /** Likewise with or without the look at memory after the end. */
    public ReplayOptions withObserved(boolean isIt) {
        return new ReplayOptions(roundKind, touch, pace, isIt, sampleMs, runId, round, labels);
    }

    /** Likewise as a round of a batch. */
    public ReplayOptions inRound(String ofRun, int number) {
        return new ReplayOptions(
                roundKind, touch, pace, isObserved, sampleMs, ofRun, number, labels);
    }

    /** Likewise with other labels. */
    public ReplayOptions withLabels(Map<String, String> others) {
        return new ReplayOptions(
                roundKind, touch, pace, isObserved, sampleMs, runId, round, others);
    }
}
