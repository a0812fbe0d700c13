package dev.tidemark.sql;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints a result as a table of a Markdown document. */
final class MarkdownWriter {
    private final PrintWriter out;

    MarkdownWriter(PrintWriter out) {
        this.out = out;
    }

    void print(ResultTable table) {
        if (table.columns().isEmpty()) {
            return;
        }
        out.println(
                table.columns().stream()
                        .map(column -> escape(column.name()))
                        .collect(Collectors.joining(" | ", "| ", " |")));
        out.println(
                table.columns().stream()
                        .map(column -> column.isNumber() ? "---:" : "---")
                        .collect(Collectors.joining(" | ", "| ", " |")));
        for (List<@Nullable String> row : table.rows()) {
            out.println(
                    row.stream()
                            .map(cell -> escape(Objects.requireNonNullElse(cell, "")))
                            .collect(Collectors.joining(" | ", "| ", " |")));
        }
        if (table.hasMore()) {
            out.println();
            out.println("The first " + table.rows().size() + " rows; there are more.");
        }
        out.println();
        out.flush();
    }

    /** Text that neither Markdown nor the HTML in it reads as more than text. */
    static String escape(String text) {
        return text.replaceAll("[\\\\`*\\[\\]|~#]", "\\\\$0")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
