/**
 * The lake's tables, each defined once: name, grain, columns with type, unit and meaning.
 *
 * <p>From {@link dev.tidemark.schemas.lake.LakeTables} come the Parquet schema that the jobs write
 * ({@link dev.tidemark.schemas.lake.LakeTable#parquetSchema}), the column types that the views read
 * with ({@link dev.tidemark.schemas.lake.LakeTable#ddl}), the comments in the catalogue and the
 * data dictionary. A column is only ever added, nullable: files written before it read as NULL.
 */
@NullMarked
package dev.tidemark.schemas.lake;

import org.jspecify.annotations.NullMarked;
