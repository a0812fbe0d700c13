/**
 * Rows of the lake as Parquet files, through Flink's file sink.
 *
 * <p>A file lies at {@code <table>/day=<day>/load=<load>/part-<writer>-<n>.parquet} under the
 * lake's root. While it is being written its name begins with a dot; a checkpoint, or the end of a
 * bounded run, finishes and renames it, so that only finished files are seen, each once.
 *
 * <p>Parquet's Java writer names Hadoop classes in its signatures and calls none of them on the way
 * taken here: its settings are a {@code PlainParquetConfiguration}, its file is Flink's stream, its
 * compressor is zstd-jni. So no Hadoop jar is there at run time.
 */
@NullMarked
package dev.tidemark.jobs.parquet;

import org.jspecify.annotations.NullMarked;
