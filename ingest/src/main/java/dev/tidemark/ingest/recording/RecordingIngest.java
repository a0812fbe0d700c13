package dev.tidemark.ingest.recording;

import dev.tidemark.ingest.sink.TraceSink;
import dev.tidemark.schemas.RecordingReader;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEnvelope;
import dev.tidemark.schemas.TraceFormatException;
import dev.tidemark.schemas.TraceSchemas;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/** Sends recordings to a sink. One pass, one thread. */
public final class RecordingIngest {
    private static final int MAX_LINES = 100;

    /**
     * What a pass did.
     *
     * @param sessionIds whose records were sent, in order of first appearance
     * @param records sent
     * @param errors damage met, a line each (the first {@value #MAX_LINES}); what lay before and
     *     behind it was sent
     * @param damages how many there were
     */
    public record Result(Set<String> sessionIds, long records, List<String> errors, long damages) {}

    private final TraceSink sink;
    private final long epoch;
    private final LongConsumer progress;
    private final SchemaCatalog schemas = new SchemaCatalog();
    private final TraceDecoder decoder = new TraceDecoder(schemas);
    private final Set<String> sessionIds = new LinkedHashSet<>();
    private final List<String> errors = new ArrayList<>();
    private long damages;
    private long records;

    private RecordingIngest(TraceSink sink, long epoch, LongConsumer progress) {
        this.sink = sink;
        this.epoch = epoch;
        this.progress = progress;
    }

    /**
     * Sends recordings in an epoch of now.
     *
     * @param progress told now and then how many records have been sent
     * @throws TraceFormatException when a file is no recording; those before it have been sent
     * @throws IOException when a file can't be read or the sink fails
     */
    public static Result send(Collection<Path> files, TraceSink sink, LongConsumer progress)
            throws IOException {
        RecordingIngest ingest = new RecordingIngest(sink, System.currentTimeMillis(), progress);
        for (Path file : files) {
            ingest.sendFile(file);
        }
        sink.flush();
        progress.accept(ingest.records);
        return new Result(
                Set.copyOf(ingest.sessionIds),
                ingest.records,
                List.copyOf(ingest.errors),
                ingest.damages);
    }

    private void sendFile(Path file) throws IOException {
        try (RecordingReader reader = new RecordingReader(file, schemas)) {
            if (reader.fingerprint() != TraceSchemas.CURRENT_FINGERPRINT) {
                sink.publishSchema(reader.schema());
            }
            boolean isMore = true;
            while (isMore) {
                byte[] record = null;
                TraceEnvelope head = null;
                try {
                    record = reader.next();
                    if (record != null) {
                        record = decoder.withEpoch(record, epoch);
                        head = decoder.readEnvelope(record);
                    }
                    isMore = record != null;
                } catch (TraceFormatException e) {
                    note(file, e);
                }
                if (record != null && head != null) {
                    sink.send(head.sessionId(), head.payloadName(), record);
                    sent(head);
                }
            }
        }
    }

    private void sent(TraceEnvelope head) {
        sessionIds.add(head.sessionId());
        records++;
        if (records % 256 == 0) {
            progress.accept(records);
        }
    }

    private void note(Path file, TraceFormatException damage) {
        damages++;
        if (errors.size() < MAX_LINES) {
            String text = String.valueOf(damage.getMessage());
            errors.add(text.startsWith(file.toString()) ? text : file + ": " + text);
        }
    }
}
