package dev.tidemark.schemas.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LakeTablesTest {
    /** Names that end in a unit, by what the end says. */
    private static final Set<String> WHOLE =
            Set.of("ns", "bytes", "calls", "blocks", "events", "frames", "ticks", "threads");

    /** What compares sessions is of none. */
    private static final Set<String> OF_COMPARISONS = Set.of("comparisons", "verdicts");

    @Test
    void namesAreInSnakeCaseAndUnique() {
        assertThat(LakeTables.ALL)
                .extracting(LakeTable::name)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z]+"));
        for (LakeTable table : LakeTables.ALL) {
            assertThat(table.columns())
                    .extracting(LakeColumn::name)
                    .as(table.name())
                    .doesNotHaveDuplicates()
                    .allMatch(name -> name.matches("[a-z][a-z0-9_]*"))
                    .first()
                    .isEqualTo(
                            OF_COMPARISONS.contains(table.name()) ? "comparison_id" : "session_id");
        }
    }

    @Test
    void everyTableAndColumnSaysWhatItIs() {
        for (LakeTable table : LakeTables.ALL) {
            assertThat(table.grain()).startsWith("One row per ").endsWith(".");
            assertThat(table.columns())
                    .allSatisfy(
                            column -> assertThat(column.comment()).as(column.name()).endsWith("."));
        }
    }

    @Test
    void typesFollowFromNames() {
        for (LakeTable table : LakeTables.ALL) {
            for (LakeColumn column : table.columns()) {
                String name = column.name();
                String last = name.substring(name.lastIndexOf('_') + 1);
                if (WHOLE.contains(last)) {
                    assertThat(column.type())
                            .as("%s.%s", table.name(), name)
                            .isEqualTo(ColumnType.BIGINT);
                }
                assertThat(column.type() == ColumnType.BOOLEAN)
                        .as("%s.%s", table.name(), name)
                        .isEqualTo(name.startsWith("is_"));
                assertThat(column.type() == ColumnType.TIMESTAMPTZ)
                        .as("%s.%s", table.name(), name)
                        .isEqualTo(name.equals("at") || name.endsWith("_at"));
            }
        }
    }

    @Test
    void ticksSayTickWhereFramesSayFrame() {
        assertThat(LakeTables.TICKS.columns())
                .extracting(LakeColumn::name)
                .contains(
                        "tick",
                        "same_tick_blocks",
                        "next_tick_bytes",
                        "tick_arena_bytes",
                        "double_buffer_bytes")
                .noneMatch(name -> name.contains("frame"));
    }

    @Test
    void parquetAndDdlHaveTheStoredColumnsInOrder() {
        LakeTable table = LakeTables.VALUES;
        assertThat(table.parquetSchema())
                .isEqualTo(
                        """
                message values {
                  optional binary session_id (STRING);
                  optional int64 at_ns;
                  optional binary name (STRING);
                  optional double value;
                }
                """);
        assertThat(table.ddl())
                .isEqualTo(
                        """
                CREATE TABLE "values" (
                    session_id VARCHAR,
                    at_ns BIGINT,
                    name VARCHAR,
                    value DOUBLE,
                    day DATE,
                    "load" VARCHAR
                );
                """);
        assertThat(table.indexOf("value")).isEqualTo(3);
        assertThatThrownBy(() -> table.indexOf("title")).isInstanceOf(NoSuchElementException.class);
        assertThat(LakeTables.table("values")).isSameAs(table);
        assertThatThrownBy(() -> LakeTables.table("frame")).hasMessage("no table frame");
    }
}
