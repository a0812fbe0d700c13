package dev.tidemark.replay;

import java.util.regex.Pattern;

/**
 * One submission of the job; a restart from a checkpoint keeps it. With an epoch it makes a load.
 *
 * @param submissionId letters, digits, {@code _}, {@code -} and dots within; it becomes part of a
 *     folder's name
 * @param submittedAtUs when it was submitted, microseconds since 1970 UTC
 */
public record Load(String submissionId, long submittedAtUs) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

    /**
     * Checks the id.
     *
     * @throws IllegalArgumentException when it can't be part of a folder's name
     */
    public Load {
        if (!ID.matcher(submissionId).matches()) {
            throw new IllegalArgumentException(
                    "submission id \""
                            + submissionId
                            + "\": use 1 to 100 letters, digits, _ and -, and dots within");
        }
    }

    /** The load that a session's epoch makes in this submission. */
    String id(long epoch) {
        return submissionId + "-" + epoch;
    }
}
