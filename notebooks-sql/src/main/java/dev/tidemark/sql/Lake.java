package dev.tidemark.sql;

import static dev.tidemark.sql.SqlNames.literal;

import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;

/**
 * A folder of Parquet files and the database over them, {@code tidemark.duckdb}. Any number of
 * processes may publish and read one lake at a time.
 */
public final class Lake {
    /** Name of the published database within the folder. */
    public static final String DATABASE = "tidemark.duckdb";

    private final Path folder;
    private final LakeDefinitions definitions;

    /** Whether the database was seen to hold these definitions. */
    private volatile boolean isCurrent;

    private Lake(Path folder) {
        this.folder = folder;
        this.definitions = LakeDefinitions.of(folder);
    }

    /**
     * The lake in a folder, which becomes an empty one when it is none yet; published.
     *
     * @throws LakeException when its path can't be a lake's
     * @throws IOException when it can't be written
     */
    public static Lake create(Path folder) throws LakeException, IOException {
        Lake lake = new Lake(readable(folder));
        if (Files.exists(lake.folder) && !Files.isDirectory(lake.folder)) {
            throw new LakeException(folder + ": is a file; a lake is a folder");
        }
        Files.createDirectories(lake.folder);
        lake.publish();
        return lake;
    }

    /**
     * The lake in a folder that holds one, published when its definitions are older than these, it
     * was moved, or it was never published; where it can't be written, what is there is used.
     *
     * @throws LakeException when the folder holds no lake
     */
    public static Lake open(Path folder) throws LakeException {
        Path absolute = readable(folder);
        if (!Files.isDirectory(absolute)) {
            throw new LakeException(
                    folder + ": no such folder; record into it first, or name another with --lake");
        }
        if (!isLake(absolute)) {
            throw new LakeException(
                    folder
                            + ": holds no lake (neither "
                            + DATABASE
                            + " nor a folder "
                            + LakeTables.SESSIONS.name()
                            + "); name another with --lake");
        }
        Lake lake = new Lake(absolute);
        try {
            lake.publish();
        } catch (IOException e) {
            // A lake that only others may write: connect() makes do with what is there.
            if (!lake.everyTableHasFiles()) {
                throw new LakeException(
                        folder + ": can't be published: " + e.getMessage() + "; make it writable",
                        e);
            }
        }
        return lake;
    }

    /** Its folder, absolute. */
    public Path folder() {
        return folder;
    }

    /** The published database. */
    public Path database() {
        return folder.resolve(DATABASE);
    }

    /**
     * Publishes the database and seeds the tables, unless that was done with these definitions and
     * this path before.
     *
     * @return whether there was anything to do
     * @throws IOException when the folder can't be written
     * @throws LakeException when files in it can't be read
     */
    public boolean publish() throws IOException, LakeException {
        isCurrent = isPublished();
        if (isCurrent) {
            return false;
        }
        Path part = Files.createTempFile(folder, "_publishing", ".duckdb");
        Files.delete(part);
        try (Connection connection = DuckDb.inMemory()) {
            Seeds.write(folder, connection);
            write(part, connection);
            Files.move(part, database(), StandardCopyOption.ATOMIC_MOVE);
            isCurrent = true;
        } catch (SQLException e) {
            throw new LakeException(SqlErrors.oneLine(e) + hint(e), e);
        } finally {
            Files.deleteIfExists(part);
            Files.deleteIfExists(part.resolveSibling(part.getFileName() + ".wal"));
        }
        return true;
    }

    /**
     * A read-only connection in which the views and macros are at hand without a prefix. Times are
     * shown in UTC.
     *
     * @throws LakeException when the lake's files can't be read
     */
    public Connection connect() throws LakeException {
        try {
            if (isCurrent) {
                return DuckDb.readOnly(database());
            }
            Connection connection = DuckDb.inMemory();
            try {
                definitions.create(connection);
                return connection;
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw new LakeException(SqlErrors.oneLine(e) + hint(e), e);
        }
    }

    private static Path readable(Path folder) throws LakeException {
        Path absolute = folder.toAbsolutePath().normalize();
        if (absolute.toString().indexOf('?') >= 0) {
            throw new LakeException(
                    absolute + ": DuckDB opens no database below a folder with ? in its name");
        }
        for (Path part : absolute) {
            String name = part.toString();
            int equals = name.indexOf('=');
            if (equals > 0 && isColumn(name.substring(0, equals))) {
                throw new LakeException(
                        absolute
                                + ": the folder "
                                + name
                                + " reads as a column's value to every reader of such files;"
                                + " choose a path without it");
            }
        }
        return absolute;
    }

    private static boolean isColumn(String name) {
        return name.equalsIgnoreCase(LakeTable.DAY)
                || name.equalsIgnoreCase(LakeTable.LOAD)
                || LakeTables.ALL.stream()
                        .flatMap(table -> table.storedColumns().stream())
                        .anyMatch(column -> column.name().equalsIgnoreCase(name));
    }

    private static boolean isLake(Path folder) {
        return Files.isRegularFile(folder.resolve(DATABASE))
                || Files.isDirectory(folder.resolve(LakeTables.SESSIONS.name()));
    }

    private boolean isPublished() {
        if (!Files.isRegularFile(database()) || !Seeds.areAllThere(folder)) {
            return false;
        }
        try (Connection connection = DuckDb.readOnly(database());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(LakeDefinitions.PUBLISHED_QUERY)) {
            return rows.next() && definitions.sha256().equals(rows.getString(1));
        } catch (SQLException e) {
            // Not a database of ours, or of another version: to be replaced.
            return false;
        }
    }

    private boolean everyTableHasFiles() {
        return LakeTables.ALL.stream().allMatch(table -> hasFiles(folder.resolve(table.name())));
    }

    private static boolean hasFiles(Path table) {
        try (Stream<Path> files = Files.walk(table, 3)) {
            return files.anyMatch(
                    file -> file.getFileName().toString().matches("[^._].*\\.parquet"));
        } catch (IOException e) {
            return false;
        }
    }

    private void write(Path file, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // A storage version that DuckDB 1.x opens, too.
            statement.execute(
                    "ATTACH " + literal(file.toString()) + " AS lake (STORAGE_VERSION 'v1.0.0')");
            statement.execute("USE lake");
            definitions.create(connection);
            statement.execute("USE memory");
            statement.execute("DETACH lake");
        }
    }

    private static String hint(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("parquet") ? "; if a file is broken, move it out of the lake" : "";
    }
}
