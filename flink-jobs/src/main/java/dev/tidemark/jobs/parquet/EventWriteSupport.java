package dev.tidemark.jobs.parquet;

import dev.tidemark.replay.EventBatch;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.jspecify.annotations.Nullable;

/** Writes rows of {@code events} straight from a batch's columns. */
final class EventWriteSupport extends LakeWriteSupport<EventWriteSupport.Cursor> {
    private static final LakeTable TABLE = LakeTables.EVENTS;
    private static final int OPERATIONS = 16;

    private final Field sessionId = new Field("session_id");
    private final Field atNs = new Field("at_ns");
    private final Field thread = new Field("thread");
    private final Field operation = new Field("operation");
    private final Field sizeBytes = new Field("size_bytes");
    private final Field alignment = new Field("alignment");
    private final Field block = new Field("block");
    private final Field releasedBlock = new Field("released_block");
    private final Field durationNs = new Field("duration_ns");
    private final Field frame = new Field("frame");
    private final Field tick = new Field("tick");
    private final Field phase = new Field("phase");
    private final Binary[] operationNames = new Binary[OPERATIONS];

    EventWriteSupport() {
        super(TABLE);
        for (int i = 0; i < OPERATIONS; i++) {
            operationNames[i] = Binary.fromString(Operation.name(i));
        }
    }

    /** One row of a batch; moved on from row to row. */
    static final class Cursor {
        final EventBatch batch;
        final Binary session;
        int row;

        Cursor(EventBatch batch) {
            this.batch = batch;
            session = Binary.fromString(batch.sessionId());
        }
    }

    @Override
    void writeFields(Cursor cursor, RecordConsumer out) {
        EventBatch batch = cursor.batch;
        int i = cursor.row;
        sessionId.write(cursor.session, out);
        atNs.write(batch.atNs(i), out);
        thread.write(batch.thread(i), out);
        operation.write(operationNames[batch.operation(i)], out);
        sizeBytes.write(batch.sizeBytes(i), out);
        alignment.write(batch.alignment(i), out);
        block.write(batch.block(i), out);
        releasedBlock.write(batch.releasedBlock(i), out);
        durationNs.write(batch.durationNs(i), out);
        frame.write(batch.frame(i), out);
        tick.write(batch.tick(i), out);
        String phaseName = batch.phase(i);
        phase.write(phaseName == null ? null : Binary.fromString(phaseName), out);
    }

    private static final class Field {
        final String name;
        final int index;

        Field(String name) {
            this.name = name;
            index = TABLE.indexOf(name);
        }

        void write(long value, RecordConsumer out) {
            if (value != EventBatch.NULL) {
                out.startField(name, index);
                out.addLong(value);
                out.endField(name, index);
            }
        }

        void write(int value, RecordConsumer out) {
            out.startField(name, index);
            out.addInteger(value);
            out.endField(name, index);
        }

        void write(@Nullable Binary value, RecordConsumer out) {
            if (value != null) {
                out.startField(name, index);
                out.addBinary(value);
                out.endField(name, index);
            }
        }
    }
}
