package dev.tidemark.deploy;

import dev.tidemark.sql.LakeException;
import dev.tidemark.sql.QueryOutput;
import dev.tidemark.sql.ResultFormat;
import dev.tidemark.sql.TableLayout;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where rows go, and how. */
final class OutputOptions {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "On stdout: table, csv, json or markdown; a table unless said.")
    private @Nullable ResultFormat format;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write a file instead: .csv, .json, .md, .txt or .parquet; repeatable.")
    private List<Path> files = new ArrayList<>();

    /** Stdout unless there are files, or both when a format is asked for, too. */
    List<QueryOutput> outputs(PrintWriter out) throws LakeException {
        if (format == ResultFormat.PARQUET) {
            throw Failure.wrongUsage("--format parquet: is for files; use --out FILE.parquet");
        }
        List<QueryOutput> outputs = new ArrayList<>();
        for (Path file : files) {
            outputs.add(QueryOutput.ToFile.byEnding(file));
        }
        if (files.isEmpty() || format != null) {
            outputs.add(
                    new QueryOutput.ToWriter(
                            out,
                            format == null ? ResultFormat.TABLE : format,
                            TableLayout.usual(Terminal.columns())));
        }
        return outputs;
    }
}
