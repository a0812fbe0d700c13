package dev.tidemark.ingest.merge;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps what a merge tells, one line an event: operation, thread, time, block made, block released.
 */
final class ToldEvents implements EventOutput {
    final List<String> lines = new ArrayList<>();
    private long blocks;

    private void tell(String what, int thread, long timeNs, String rest) {
        lines.add(what + " t" + thread + " @" + timeNs + rest);
    }

    private static String block(long released) {
        if (released == EventColumns.NO_BLOCK) {
            return " -none";
        }
        if (released == EventColumns.UNKNOWN_BLOCK) {
            return " -unknown";
        }
        return released == EventColumns.PREEXISTING_BLOCK ? " -preexisting" : " -" + released;
    }

    private String made(boolean madeBlock) {
        return madeBlock ? " +" + blocks++ : "";
    }

    @Override
    public void allocation(
            int operation,
            int thread,
            long timeNs,
            long durationNs,
            long sizeBytes,
            long alignmentBytes,
            boolean madeBlock) {
        tell(Operation.name(operation), thread, timeNs, made(madeBlock));
    }

    @Override
    public void reallocation(
            int thread,
            long timeNs,
            long durationNs,
            long sizeBytes,
            boolean madeBlock,
            long released,
            long releasedBytes) {
        tell("realloc", thread, timeNs, made(madeBlock) + block(released));
    }

    @Override
    public void release(
            int operation,
            int thread,
            long timeNs,
            long durationNs,
            long released,
            long releasedBytes) {
        tell(Operation.name(operation), thread, timeNs, block(released));
    }

    @Override
    public void mark(int operation, int thread, long timeNs, int source) {
        tell(Operation.name(operation), thread, timeNs, "");
    }

    @Override
    public void phase(int thread, long timeNs, String name) {
        tell("phase", thread, timeNs, " " + name);
    }

    @Override
    public void value(int thread, long timeNs, String name, double value) {
        tell("value", thread, timeNs, " " + name + "=" + value);
    }

    @Override
    public void trim(int thread, long timeNs, long durationNs, long returnedBytes) {
        tell("trim", thread, timeNs, " returned=" + returnedBytes);
    }

    @Override
    public void dropped(long events) {
        lines.add("dropped " + events);
    }

    @Override
    public void threadSeen(int thread, int tid) {}

    @Override
    public void threadNamed(int thread, String name) {}

    @Override
    public void threadEnded(int thread) {}
}
