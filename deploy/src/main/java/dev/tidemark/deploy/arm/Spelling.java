package dev.tidemark.deploy.arm;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** What a misspelt word was probably meant to be. */
public final class Spelling {
    private static final int MAX_EDITS = 3;

    private Spelling() {}

    /** {@code , did you mean X?} where a known word is near, else nothing. */
    public static String hint(String word, Collection<String> known) {
        return nearest(word, known)
                .map(near -> ", did you mean " + near + "?")
                .orElse(", known are " + String.join(", ", known));
    }

    /** The known word with the fewest edits, if they are few. */
    static Optional<String> nearest(String word, Collection<String> known) {
        return known.stream()
                .filter(other -> edits(word, other) <= Math.min(MAX_EDITS, word.length() / 2))
                .min(Comparator.comparingInt(other -> edits(word, other)));
    }

    /** Characters to insert, remove or replace (Levenshtein). */
    private static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
