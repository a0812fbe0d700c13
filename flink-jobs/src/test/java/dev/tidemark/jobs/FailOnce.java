package dev.tidemark.jobs;

import dev.tidemark.replay.InboundRecord;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/**
 * Slows a job down, and fails it once, after a checkpoint and so many records more. Tells {@link
 * CheckpointSizes} what passes.
 */
final class FailOnce
        implements MapFunction<InboundRecord, InboundRecord>,
                CheckpointedFunction,
                CheckpointListener {
    private static final long serialVersionUID = 1;
    private static final AtomicInteger RECORDS = new AtomicInteger();
    private static final AtomicBoolean HAS_CHECKPOINT = new AtomicBoolean();
    private static final AtomicBoolean HAS_FAILED = new AtomicBoolean();
    private static int failAfter;
    private static CheckpointSizes sizes = new CheckpointSizes();

    static void arm(int records, CheckpointSizes told) {
        failAfter = records;
        sizes = told;
        RECORDS.set(0);
        HAS_CHECKPOINT.set(false);
        HAS_FAILED.set(false);
    }

    static boolean hasFailed() {
        return HAS_FAILED.get();
    }

    @Override
    public InboundRecord map(InboundRecord record) throws Exception {
        if (!HAS_FAILED.get()) {
            Thread.sleep(4);
            if (RECORDS.incrementAndGet() > failAfter
                    && HAS_CHECKPOINT.get()
                    && HAS_FAILED.compareAndSet(false, true)) {
                throw new IllegalStateException("a failure on purpose");
            }
        }
        sizes.passes(record);
        return record;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {
        // It has none.
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        sizes.begins(context.getCheckpointId());
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        HAS_CHECKPOINT.set(true);
    }
}
