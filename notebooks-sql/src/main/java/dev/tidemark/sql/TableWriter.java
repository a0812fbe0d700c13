package dev.tidemark.sql;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;

/**
 * Prints a result in aligned columns. Where they are wider than the terminal, long texts are cut; a
 * single row is then printed as a list, of more rows the last columns are left out, and named.
 */
final class TableWriter {
    private static final String GAP = "  ";
    private static final String NULL = "NULL";
    private static final int LEAST_TEXT_WIDTH = 12;

    private final PrintWriter out;
    private final TableLayout layout;

    TableWriter(PrintWriter out, TableLayout layout) {
        this.out = out;
        this.layout = layout;
    }

    void print(ResultTable result) {
        if (result.columns().isEmpty()) {
            return;
        }
        ResultTable table = result.withPointsAligned();
        int[] widths = widths(table);
        int shown = fit(table, widths);
        if (shown < widths.length && table.rows().size() == 1) {
            printList(table);
        } else {
            printColumns(table, widths, shown);
        }
        out.println(count(table));
        if (shown < widths.length && table.rows().size() != 1) {
            out.println(
                    "not wide enough for "
                            + table.columns().subList(shown, widths.length).stream()
                                    .map(ResultTable.Column::name)
                                    .collect(Collectors.joining(", ")));
        }
        out.flush();
    }

    private static String count(ResultTable table) {
        int rows = table.rows().size();
        String count = rows + (rows == 1 ? " row" : " rows");
        return table.hasMore() ? "first " + count + "; there are more" : count;
    }

    private static int[] widths(ResultTable table) {
        int[] widths = table.columns().stream().mapToInt(column -> width(column.name())).toArray();
        for (List<@Nullable String> row : table.rows()) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(cell(row, i)));
            }
        }
        return widths;
    }

    /** Narrows the widths where they must be, and returns how many columns there is room for. */
    private int fit(ResultTable table, int[] widths) {
        if (layout.width() <= 0) {
            return widths.length;
        }
        int[] least = leastWidths(table, widths);
        int shown = widths.length;
        while (shown > 1 && total(least, shown) > layout.width()) {
            shown--;
        }
        while (total(widths, shown) > layout.width()) {
            int widest = -1;
            for (int i = 0; i < shown; i++) {
                if (widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest])) {
                    widest = i;
                }
            }
            if (widest < 0) {
                break;
            }
            widths[widest]--;
        }
        return shown;
    }

    private static int total(int[] widths, int columns) {
        return Arrays.stream(widths, 0, columns).sum() + GAP.length() * (columns - 1);
    }

    /** Texts may be cut, numbers and names not. */
    private static int[] leastWidths(ResultTable table, int[] widths) {
        int[] least = widths.clone();
        for (int i = 0; i < least.length; i++) {
            ResultTable.Column column = table.columns().get(i);
            if (!column.isNumber()) {
                least[i] = Math.min(least[i], Math.max(LEAST_TEXT_WIDTH, width(column.name())));
            }
        }
        return least;
    }

    private void printColumns(ResultTable table, int[] widths, int shown) {
        List<ResultTable.Column> columns = table.columns().subList(0, shown);
        List<@Nullable String> names = new ArrayList<>();
        columns.forEach(column -> names.add(column.name()));
        printRow(names, columns, widths);
        List<@Nullable String> rules = new ArrayList<>();
        for (int i = 0; i < shown; i++) {
            rules.add("─".repeat(widths[i]));
        }
        printRow(rules, columns, widths);
        for (List<@Nullable String> row : table.rows()) {
            printRow(row, columns, widths);
        }
    }

    private void printRow(
            List<@Nullable String> row, List<ResultTable.Column> columns, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            String text = cut(cell(row, i), widths[i]);
            String blank = " ".repeat(widths[i] - width(text));
            line.append(i == 0 ? "" : GAP)
                    .append(columns.get(i).isNumber() ? blank + text : text + blank);
        }
        out.println(line.toString().stripTrailing());
    }

    private void printList(ResultTable table) {
        int nameWidth =
                table.columns().stream().mapToInt(column -> width(column.name())).max().orElse(0);
        List<@Nullable String> row = table.rows().get(0);
        int room = Math.max(LEAST_TEXT_WIDTH, layout.width() - nameWidth - GAP.length());
        for (int i = 0; i < row.size(); i++) {
            String name = table.columns().get(i).name();
            out.println(name + " ".repeat(nameWidth - width(name)) + GAP + cut(cell(row, i), room));
        }
    }

    private static String cell(List<@Nullable String> row, int column) {
        String text = row.get(column);
        return text == null ? NULL : text;
    }

    private static String cut(String text, int width) {
        if (width(text) <= width) {
            return text;
        }
        return new AttributedString(text).columnSubSequence(0, width - 1) + "…";
    }

    /** Columns that a text takes on a terminal. */
    private static int width(String text) {
        return new AttributedString(text).columnLength();
    }
}
