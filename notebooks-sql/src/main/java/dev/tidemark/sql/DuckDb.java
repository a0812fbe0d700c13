package dev.tidemark.sql;

import static dev.tidemark.sql.SqlNames.literal;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;

/** Opens DuckDB: times in UTC, and nothing is ever fetched from the network. */
final class DuckDb {
    private static final String URL = "jdbc:duckdb:";

    private DuckDb() {}

    /** A database of its own in memory. */
    static Connection inMemory() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("autoinstall_known_extensions", "false");
        Connection connection = TheDriver.DRIVER.connect(URL, properties);
        if (connection == null) {
            throw new SQLException(URL + ": not an address of DuckDB");
        }
        String spill = Path.of(System.getProperty("java.io.tmpdir", "."), "duckdb").toString();
        execute(
                connection,
                "SET TimeZone = 'UTC'",
                // Views look at every file when they are bound; this way at each once.
                "SET parquet_metadata_cache = true",
                // Made when memory does not suffice; the default is the working folder.
                "SET temp_directory = " + literal(spill + "-" + ProcessHandle.current().pid()));
        return connection;
    }

    /**
     * A database file that is only read. It is attached, since in an address {@code ;} begins
     * options.
     */
    static Connection readOnly(Path file) throws SQLException {
        Connection connection = inMemory();
        execute(
                connection,
                "ATTACH " + literal(file.toString()) + " AS tidemark (READ_ONLY)",
                "USE tidemark");
        return connection;
    }

    /** Executes statements, and closes the connection when one fails. */
    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Made at the first use and kept: the library stays loaded. */
    private static final class TheDriver {
        static final Driver DRIVER = make();

        private static Driver make() {
            ClassLoader original = DuckDb.class.getClassLoader();
            Optional<Path> library =
                    NativeLibrary.unpacked(original, NativeLibrary.cacheFolder(System.getenv()));
            ClassLoader classes =
                    library.<ClassLoader>map(path -> new DuckDbClasses(original, path))
                            .orElse(original);
            try {
                return Class.forName("org.duckdb.DuckDBDriver", true, classes)
                        .asSubclass(Driver.class)
                        .getConstructor()
                        .newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("DuckDB's driver can't be made", e);
            }
        }
    }
}
