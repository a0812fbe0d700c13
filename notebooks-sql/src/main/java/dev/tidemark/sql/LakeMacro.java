package dev.tidemark.sql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A macro.
 *
 * @param name without its parameters
 * @param signature with them, such as {@code spikes(limit_ms)}
 * @param comment what it gives
 * @param isTable whether it gives rows rather than a value
 * @param text the file's statement
 */
record LakeMacro(String name, String signature, String comment, boolean isTable, String text) {
    private static final List<String> NAMES =
            List.of(
                    "frames_of",
                    "ticks_of",
                    "find_session",
                    "spikes",
                    "worst_frames",
                    "worst_ticks",
                    "histogram_quantile");

    private static final Pattern HEAD =
            Pattern.compile("CREATE MACRO ((\\w+)\\([^)]*\\)) AS( TABLE)?\\s");

    /** All macros, in the order of the dictionary. */
    static List<LakeMacro> all() {
        return NAMES.stream().map(LakeMacro::read).toList();
    }

    private static LakeMacro read(String name) {
        SqlFile file = SqlFile.read("macros/" + name + ".sql");
        Matcher head = HEAD.matcher(file.statement());
        if (!head.lookingAt() || !head.group(2).equals(name)) {
            throw new IllegalStateException(
                    file.path() + ": expected CREATE MACRO " + name + "(...) AS");
        }
        return new LakeMacro(
                name, head.group(1), file.headComment(), head.group(3) != null, file.statement());
    }

    /**
     * The statement that makes it. A macro that gives rows carries the views that it reads as
     * common table expressions: names in a macro are looked up where it is used, and there the lake
     * may be attached under any name.
     */
    String ddl(List<LakeView> views) {
        if (!isTable) {
            return text;
        }
        Matcher head = HEAD.matcher(text);
        if (!head.lookingAt()) {
            throw new IllegalStateException(name + ": no head");
        }
        String body = text.substring(head.end());
        List<LakeView> needed = new ArrayList<>();
        String reading = body;
        for (int i = views.size() - 1; i >= 0; i--) {
            LakeView view = views.get(i);
            if (Pattern.compile("\\b" + view.shortName() + "\\b").matcher(reading).find()) {
                needed.add(view);
                reading += "\n" + view.query();
            }
        }
        Collections.reverse(needed);
        String expressions =
                needed.stream()
                        .map(
                                view ->
                                        SqlNames.identifier(view.shortName())
                                                + " AS (\n"
                                                + view.query().replace(LakeView.STAGING + ".", "")
                                                + "\n)")
                        .collect(Collectors.joining(",\n"));
        return head.group()
                + "WITH "
                + expressions
                + (body.startsWith("WITH ") ? ",\n" + body.substring(5) : "\n" + body);
    }
}
