package dev.tidemark.sql;

import static dev.tidemark.sql.SqlNames.identifier;
import static dev.tidemark.sql.SqlNames.literal;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The statements that make a lake's views, macros and comments in an empty database.
 *
 * @param statements in order
 * @param sha256 of all of them, and so of the lake's path
 */
record LakeDefinitions(List<String> statements, String sha256) {
    private static final String PUBLISHED = LakeView.STAGING + ".published";

    /** Selects what {@link #sha256} was when a database was published. */
    static final String PUBLISHED_QUERY = "SELECT definitions_sha256 FROM " + PUBLISHED;

    static LakeDefinitions of(Path folder) {
        List<String> statements = new ArrayList<>();
        statements.add("CREATE SCHEMA " + LakeView.STAGING);
        List<LakeView> views = LakeViews.over(folder);
        // A view is bound with all that it reads when it is made. Bound to views without files
        // first, the rest does
        // not look at the same files over and over.
        for (LakeTable table : LakeTables.ALL) {
            statements.add(
                    "CREATE VIEW "
                            + LakeViews.storedName(table)
                            + " AS\n"
                            + LakeViews.noRows(table));
        }
        for (LakeView view : views) {
            if (!view.isStored()) {
                statements.add("CREATE VIEW " + view.quotedName() + " AS\n" + view.query());
                comment(statements, view);
            }
        }
        for (LakeView view : views) {
            if (view.isStored()) {
                statements.add(
                        "CREATE OR REPLACE VIEW " + view.quotedName() + " AS\n" + view.query());
                comment(statements, view);
            }
        }
        for (LakeMacro macro : LakeMacro.all()) {
            statements.add(macro.ddl(views));
            statements.add(
                    "COMMENT ON MACRO "
                            + (macro.isTable() ? "TABLE " : "")
                            + macro.name()
                            + " IS "
                            + literal(macro.comment()));
        }
        String sha256 = sha256(String.join(";\n", statements));
        LakeView published = published(folder, sha256);
        statements.add("CREATE VIEW " + published.quotedName() + " AS\n" + published.query());
        comment(statements, published);
        return new LakeDefinitions(List.copyOf(statements), sha256);
    }

    /** Runs the statements in the connection's current database, all or none. */
    void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            for (String sql : statements) {
                statement.execute(sql);
            }
            statement.execute("COMMIT");
        }
    }

    private static LakeView published(Path folder, String sha256) {
        return new LakeView(
                PUBLISHED,
                "SELECT "
                        + literal(sha256)
                        + " AS definitions_sha256, "
                        + literal(folder.toString())
                        + " AS lake_folder",
                "One row: which definitions this database holds.",
                List.of(
                        new LakeView.Column("definitions_sha256", "SHA-256 over all definitions."),
                        new LakeView.Column("lake_folder", "The folder that the views read.")));
    }

    private static void comment(List<String> statements, LakeView view) {
        statements.add("COMMENT ON VIEW " + view.quotedName() + " IS " + literal(view.comment()));
        for (LakeView.Column column : view.columns()) {
            statements.add(
                    "COMMENT ON COLUMN "
                            + view.quotedName()
                            + "."
                            + identifier(column.name())
                            + " IS "
                            + literal(column.comment()));
        }
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
