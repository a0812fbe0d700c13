package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.proc.AllocatorLibrary;
import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.Detail;
import dev.tidemark.schemas.avro.Host;
import dev.tidemark.schemas.avro.Kind;
import dev.tidemark.schemas.avro.SessionStart;
import dev.tidemark.schemas.avro.SizeBasis;
import org.jspecify.annotations.Nullable;

/** What a live session's first record says. */
record SessionHead(
        SessionSettings settings,
        String allocatorLibrary,
        Host host,
        String recorderVersion,
        long startedAtUs,
        @Nullable String continuesId) {

    /** The record, once it is known what marks frames and ticks. */
    SessionStart with(MarkTracks tracks) {
        AllocatorLibrary allocator = AllocatorLibrary.of(allocatorLibrary);
        return SessionStart.newBuilder()
                .setTitle(settings.title())
                .setRole(settings.role())
                .setBuild(settings.build())
                .setScene(settings.scene())
                .setRunId(settings.runId())
                .setArm(settings.arm())
                .setRound(settings.round())
                .setAllocator(allocator.name())
                .setAllocatorVersion(allocator.version())
                .setPolicy(settings.policy())
                .setLabels(settings.labels())
                .setKind(Kind.LIVE)
                .setClock(Clock.LIVE)
                .setDetail(Detail.EVENTS)
                .setSizeBasis(SizeBasis.REQUESTED)
                .setFrameDefinition(tracks.frames().definition())
                .setTickDefinition(tracks.ticks().definition())
                .setStartedAtUs(startedAtUs)
                .setRecorderVersion(recorderVersion)
                .setHost(host)
                .setContinuesSessionId(continuesId)
                .build();
    }
}
