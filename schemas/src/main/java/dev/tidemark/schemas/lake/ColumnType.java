package dev.tidemark.schemas.lake;

/**
 * Type of a column, as DuckDB names it, with the Parquet type that holds it and the Java class that
 * a row carries.
 */
public enum ColumnType {
    /** {@link Long}. */
    BIGINT("BIGINT", "optional int64 %s;"),
    /** {@link Integer}. */
    INTEGER("INTEGER", "optional int32 %s;"),
    /** {@link Double}. */
    DOUBLE("DOUBLE", "optional double %s;"),
    /** {@link Boolean}. */
    BOOLEAN("BOOLEAN", "optional boolean %s;"),
    /** {@link String}. */
    VARCHAR("VARCHAR", "optional binary %s (STRING);"),
    /** {@link Long}: microseconds since 1970 UTC. */
    TIMESTAMPTZ("TIMESTAMP WITH TIME ZONE", "optional int64 %s (TIMESTAMP(MICROS,true));"),
    /** {@link java.util.Map} of {@link String} to {@link String}. */
    MAP(
            "MAP(VARCHAR, VARCHAR)",
            "optional group %s (MAP) { repeated group key_value { required binary key (STRING); optional binary value (STRING); } }");

    private final String sqlName;
    private final String parquetTemplate;

    ColumnType(String sqlName, String parquetTemplate) {
        this.sqlName = sqlName;
        this.parquetTemplate = parquetTemplate;
    }

    /** The type's name in DuckDB. */
    public String sqlName() {
        return sqlName;
    }

    String parquetField(String column) {
        return parquetTemplate.formatted(column);
    }
}
