package dev.tidemark.replay;

import dev.tidemark.schemas.lake.LakeTable;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * One row of one table.
 *
 * @param table the table
 * @param sessionId the session that it belongs to
 * @param loadId the load that it comes from, safe as a folder's name
 * @param day the row's own UTC day, days since 1970
 * @param values one per stored column, in their order, as {@link
 *     dev.tidemark.schemas.lake.ColumnType} says
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record LakeRow(
        LakeTable table, String sessionId, String loadId, int day, @Nullable Object[] values) {

    /** The value of a stored column. */
    public @Nullable Object get(String column) {
        return values[table.indexOf(column)];
    }

    @Override
    public String toString() {
        return table.name() + " of " + sessionId + " on " + LocalDate.ofEpochDay(day);
    }
}
