package dev.tidemark.jobs;

import dev.tidemark.replay.InboundRecord;
import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEnvelope;
import dev.tidemark.schemas.avro.SessionEnd;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/**
 * What Flink says of its checkpoints, beside the blocks that lived when they began. Those are what
 * the head of each session's newest block of events says, so that they are a few hundred events
 * old, and for several subtasks as old as the first of them was behind.
 */
final class CheckpointSizes {
    private final TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
    private final EventColumns columns = new EventColumns();
    private final Map<String, Head> newest = new HashMap<>();
    private final Map<Long, Long> liveBlocksByCheckpoint = new HashMap<>();

    /** How many blocks a record says to live; none behind a session's end. */
    private record Head(long epoch, long seq, long liveBlocks) {
        boolean isNewerThan(Head other) {
            return epoch > other.epoch || (epoch == other.epoch && seq > other.seq);
        }
    }

    synchronized void passes(InboundRecord record) throws Exception {
        TraceEnvelope envelope = decoder.readEnvelope(record.bytes());
        if (envelope.isEventBlock()) {
            decoder.readEvents(envelope, columns);
            passes(envelope, columns.liveBlocks());
        } else if (decoder.readPayload(envelope) instanceof SessionEnd) {
            passes(envelope, 0);
        }
    }

    private void passes(TraceEnvelope envelope, long liveBlocks) {
        newest.merge(
                envelope.sessionId(),
                new Head(envelope.epoch(), envelope.seq(), liveBlocks),
                (before, now) -> now.isNewerThan(before) ? now : before);
    }

    /** The job begins, or goes back to a checkpoint and reads records again. */
    synchronized void restarts() {
        newest.clear();
    }

    synchronized void begins(long checkpoint) {
        long blocks = newest.values().stream().mapToLong(Head::liveBlocks).sum();
        liveBlocksByCheckpoint.put(checkpoint, blocks);
    }

    /** The completed checkpoint with the most live blocks, in a line. */
    synchronized String line(AccessExecutionGraph job) {
        List<CompletedCheckpointStats> completed =
                job.getCheckpointStatsSnapshot().getHistory().getCheckpoints().stream()
                        .filter(CompletedCheckpointStats.class::isInstance)
                        .map(CompletedCheckpointStats.class::cast)
                        .toList();
        CompletedCheckpointStats fullest =
                completed.stream().max(Comparator.comparingLong(this::blocks)).orElseThrow();
        long stateBytes = fullest.getTaskStateStats(replay(job)).getStateSize();
        return String.format(
                Locale.ROOT,
                "%d checkpoints completed; the one with most live blocks: %,d blocks, %,d bytes in"
                        + " the task of the replay (%.1f a block), %,d bytes of state in all, of which it"
                        + " wrote %,d",
                completed.size(),
                blocks(fullest),
                stateBytes,
                (double) stateBytes / Math.max(1, blocks(fullest)),
                fullest.getStateSize(),
                fullest.getCheckpointedSize());
    }

    private long blocks(CompletedCheckpointStats checkpoint) {
        return liveBlocksByCheckpoint.getOrDefault(checkpoint.getCheckpointId(), 0L);
    }

    private static JobVertexID replay(AccessExecutionGraph job) {
        return job.getAllVertices().values().stream()
                .filter(vertex -> vertex.getName().contains("Replay"))
                .findFirst()
                .orElseThrow()
                .getJobVertexId();
    }
}
