/**
 * The lake as SQL sees it. The views, macros and named queries are SQL files; the Java here opens,
 * runs and prints.
 *
 * <p>{@link dev.tidemark.sql.Lake} is the way in: a folder of Parquet files and, over them, {@code
 * tidemark.duckdb}, which holds no rows but views, macros and comments, so that any DuckDB of 1.3
 * or newer can ask the same questions. The definitions come in layers:
 *
 * <ul>
 *   <li>{@code staging.stored_<table>}: the files as they are, with the columns and types of {@link
 *       dev.tidemark.schemas.lake.LakeTables}; one for each table, made from that definition.
 *   <li>{@code staging.shown_sessions}: for each session the one load that is shown.
 *   <li>{@code <table>}: the contract. A row of a load that is not shown is not there.
 * </ul>
 *
 * <p>A pattern without a file and a file without a footer both fail a whole view. So each table has
 * a seed, a Parquet file without rows that also names columns younger than the other files; and
 * files whose names begin with {@code .} or {@code _} are not seen.
 *
 * <p>A view finds its neighbours when the database is attached under another name, a macro does
 * not. So a macro carries the views that it reads within itself.
 */
@NullMarked
package dev.tidemark.sql;

import org.jspecify.annotations.NullMarked;
