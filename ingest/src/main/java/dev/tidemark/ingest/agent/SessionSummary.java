package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.merge.MergeCounts;
import dev.tidemark.schemas.avro.EndReason;
import org.jspecify.annotations.Nullable;

/**
 * A session that has ended.
 *
 * @param executable of the image; empty when unknown
 * @param events sent, marks included
 * @param droppedEvents lost in full rings and by threads without one
 * @param ignoredMarks marks of the program that came although its frames or ticks are marked
 *     otherwise
 * @param childProcesses children that stayed inert
 * @param childExecutable the first of them; empty for none
 * @param waitedNs time that the process's threads waited for room
 * @param shortage of rings; null when every thread had one
 */
public record SessionSummary(
        String sessionId,
        int pid,
        String title,
        String executable,
        EndReason reason,
        @Nullable Integer exitCode,
        @Nullable Integer signal,
        long durationNs,
        long events,
        long allocations,
        long frames,
        long ticks,
        long threads,
        long liveBytes,
        long liveBlocks,
        long droppedEvents,
        MergeCounts counts,
        long ignoredMarks,
        String frameDefinition,
        String tickDefinition,
        long childProcesses,
        String childExecutable,
        long waitedNs,
        @Nullable RingShortage shortage) {}
