package dev.tidemark.sql;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a result is written. */
public enum ResultFormat {
    /** For people: columns aligned, fitted to a terminal. NULL reads NULL. */
    TABLE("txt"),
    /** A header and rows; NULL is an empty field, an empty string is quoted. */
    CSV("csv"),
    /** An array with an object for each row; NULL, NaN and infinities are null. */
    JSON("json"),
    /** A table in a document; NULL is an empty cell. */
    MARKDOWN("md markdown"),
    /** Parquet, zstd; to files only. */
    PARQUET("parquet");

    /** Separated by blanks. */
    private final String endings;

    ResultFormat(String endings) {
        this.endings = endings;
    }

    /**
     * The format that a file's ending names.
     *
     * @throws LakeException when it names none
     */
    public static ResultFormat ofFile(Path file) throws LakeException {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        for (ResultFormat format : values()) {
            if (format.endings().anyMatch(ending -> name.endsWith("." + ending))) {
                return format;
            }
        }
        throw new LakeException(
                file
                        + ": its ending names no format; use one of "
                        + Arrays.stream(values())
                                .flatMap(ResultFormat::endings)
                                .map(ending -> "." + ending)
                                .collect(Collectors.joining(", ")));
    }

    private Stream<String> endings() {
        return Arrays.stream(endings.split(" "));
    }

    /** Whether rows are written for people by us, rather than by DuckDB. */
    boolean isText() {
        return this == TABLE || this == MARKDOWN;
    }

    /** What tells DuckDB to write it. */
    String copyOptions() {
        return switch (this) {
            case CSV -> "FORMAT csv, HEADER";
            case JSON -> "FORMAT json, ARRAY";
            case PARQUET -> "FORMAT parquet, COMPRESSION zstd";
            default -> throw new IllegalStateException(this + " is not written by DuckDB");
        };
    }
}
