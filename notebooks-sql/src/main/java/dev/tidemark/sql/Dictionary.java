package dev.tidemark.sql;

import dev.tidemark.schemas.lake.LakeColumn;
import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;

/** The data dictionary: what the lake's views, macros and queries mean. */
public final class Dictionary {
    private Dictionary() {}

    /** All of it, as a Markdown document; it needs no lake. */
    public static String markdown() {
        StringBuilder text = new StringBuilder();
        text.append(
                """
                # Data dictionary

                Views, macros and queries of the lake. Times ending in `_ns` are nanoseconds since the session's start unless said otherwise, sizes ending in `_bytes` are bytes. NULL is what can't be known, never 0.

                ## Views
                """);
        for (LakeTable table : LakeTables.ALL) {
            view(text, table);
        }
        text.append("\n## Macros\n\n| macro | gives |\n| --- | --- |\n");
        for (LakeMacro macro : LakeMacro.all()) {
            row(text, "`" + macro.signature() + "`", MarkdownWriter.escape(macro.comment()));
        }
        text.append("\n## Queries\n\n| query | answers |\n| --- | --- |\n");
        for (String name : Query.names()) {
            row(text, "`" + name + "`", MarkdownWriter.escape(Query.comment(name)));
        }
        return text.toString();
    }

    private static void view(StringBuilder text, LakeTable table) {
        text.append("\n### ").append(table.name()).append("\n\n").append(table.grain());
        text.append("\n\n| column | type | meaning |\n| --- | --- | --- |\n");
        for (LakeColumn column : table.columns()) {
            row(
                    text,
                    "`" + column.name() + "`",
                    column.type().sqlName(),
                    MarkdownWriter.escape(column.comment()));
        }
    }

    private static void row(StringBuilder text, String... cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
