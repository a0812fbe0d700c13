package dev.tidemark.sql;

import static dev.tidemark.sql.SqlNames.literal;

import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;

/**
 * A Parquet file without rows for each table, so that a view finds a file, and in it every column.
 * It lies where files lie, under a day and a load of its own, and is as good as any to other
 * readers.
 */
final class Seeds {
    private static final Path PLACE = Path.of("day=1970-01-01", "load=seed");

    private Seeds() {}

    /** The seed of a table. */
    static Path seed(Path lake, LakeTable table) {
        return lake.resolve(table.name()).resolve(PLACE).resolve("seed.parquet");
    }

    static boolean areAllThere(Path lake) {
        return LakeTables.ALL.stream().allMatch(table -> Files.isRegularFile(seed(lake, table)));
    }

    /** Writes the seeds anew. */
    static void write(Path lake, Connection connection) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            for (LakeTable table : LakeTables.ALL) {
                Path seed = seed(lake, table);
                Path folder = Files.createDirectories(seed.toAbsolutePath().getParent());
                Path part = Files.createTempFile(folder, "_seed", ".parquet");
                try {
                    statement.execute(
                            "COPY (SELECT %s WHERE FALSE) TO %s (FORMAT parquet, COMPRESSION zstd)"
                                    .formatted(emptyColumns(table), literal(part.toString())));
                    Files.move(part, seed, StandardCopyOption.ATOMIC_MOVE);
                } finally {
                    Files.deleteIfExists(part);
                }
            }
        }
    }

    /** The files' columns, NULL. */
    static String emptyColumns(LakeTable table) {
        return table.storedColumns().stream()
                .map(
                        column ->
                                "CAST(NULL AS %s) AS %s"
                                        .formatted(
                                                column.type().sqlName(),
                                                SqlNames.identifier(column.name())))
                .collect(Collectors.joining(", "));
    }
}
