package dev.tidemark.replay;

import dev.tidemark.schemas.lake.LakeColumn;
import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fills a row by column names; what is not set is NULL. */
final class RowBuilder {
    private static final Map<LakeTable, Map<String, Integer>> PLACES = new HashMap<>();

    static {
        for (LakeTable table : LakeTables.ALL) {
            Map<String, Integer> places = new HashMap<>();
            List<LakeColumn> columns = table.storedColumns();
            for (int i = 0; i < columns.size(); i++) {
                places.put(columns.get(i).name(), i);
            }
            PLACES.put(table, places);
        }
    }

    private final LakeTable table;
    private final Map<String, Integer> places;
    private final @Nullable Object[] values;
    private long atNs;

    RowBuilder(LakeTable table, Map<String, Integer> places) {
        this.table = table;
        this.places = places;
        values = new Object[places.size()];
    }

    static RowBuilder of(LakeTable table) {
        Map<String, Integer> places = PLACES.get(table);
        if (places == null) {
            throw new IllegalArgumentException("table " + table.name() + " is not in LakeTables");
        }
        return new RowBuilder(table, places);
    }

    /**
     * Sets a column.
     *
     * @throws IllegalArgumentException when the table stores no such column
     */
    RowBuilder set(String column, @Nullable Object value) {
        Integer place = places.get(column);
        if (place == null) {
            throw new IllegalArgumentException(
                    "table " + table.name() + " stores no column " + column);
        }
        values[place] = value;
        return this;
    }

    /** Sets a column that is known only under a condition. */
    RowBuilder setIf(boolean isKnown, String column, @Nullable Object value) {
        return set(column, isKnown ? value : null);
    }

    /** Sets the row's own time, which says its day: ns since the session's start. */
    RowBuilder at(long ns) {
        atNs = ns;
        return this;
    }

    long atNs() {
        return atNs;
    }

    LakeRow build(String sessionId, String loadId, int day) {
        set("session_id", sessionId);
        return new LakeRow(table, sessionId, loadId, day, values);
    }
}
