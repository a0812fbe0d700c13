package dev.tidemark.jobs;

import dev.tidemark.replay.InboundRecord;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/**
 * Slows a job down, and fails it at so many records, each time after a checkpoint since the failure
 * before. Tells {@link CheckpointSizes} what passes. One job at a time in a JVM.
 */
final class FailOnPurpose
        implements MapFunction<InboundRecord, InboundRecord>,
                CheckpointedFunction,
                CheckpointListener {
    private static final long serialVersionUID = 1;
    private static final long SLOW_MS = 3;

    /** While a checkpoint is awaited, so that the input does not run out before. */
    private static final long SLOWER_MS = 20;

    private static Plan plan = new Plan(new CheckpointSizes());

    /** What all subtasks of a job share. */
    private static final class Plan {
        private final CheckpointSizes sizes;
        private final int[] places;
        private int records;
        private int failures;
        private boolean hasCheckpoint;

        Plan(CheckpointSizes sizes, int... places) {
            this.sizes = sizes;
            this.places = places;
        }

        /** How long the next record waits; fails the job when it is time to. */
        synchronized long next() {
            if (failures == places.length) {
                return 0;
            }
            records++;
            if (records <= places[failures]) {
                return SLOW_MS;
            }
            if (!hasCheckpoint) {
                return SLOWER_MS;
            }
            failures++;
            hasCheckpoint = false;
            throw new IllegalStateException("failure " + failures + ", on purpose");
        }

        synchronized void checkpointed() {
            hasCheckpoint = true;
        }

        synchronized int failures() {
            return failures;
        }
    }

    /** Fails the job that comes at these numbers of records, those read again counted again. */
    static void arm(CheckpointSizes told, int... atRecords) {
        plan = new Plan(told, atRecords);
    }

    /** How often it has failed. */
    static int failures() {
        return plan.failures();
    }

    @Override
    public InboundRecord map(InboundRecord record) throws Exception {
        Thread.sleep(plan.next());
        plan.sizes.passes(record);
        return record;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {
        plan.sizes.restarts();
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        plan.sizes.begins(context.getCheckpointId());
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        plan.checkpointed();
    }
}
