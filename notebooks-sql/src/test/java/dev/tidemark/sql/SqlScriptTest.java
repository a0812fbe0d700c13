package dev.tidemark.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SqlScriptTest {
    @Test
    void splitsAtSemicolonsThatAreNotText() {
        assertThat(
                        texts(
                                """
                                SELECT ';', 'it''s;', E'\\';', ";", $$;$$, $a$ ; $$ ; $a$ -- ; a comment
                                ; /* ; */ FROM ticks;;
                                -- nothing
                                """))
                .containsExactly(
                        "SELECT ';', 'it''s;', E'\\';', \";\", $$;$$, $a$ ; $$ ; $a$",
                        "FROM ticks");
    }

    @Test
    void knowsWhereAStatementBegins() {
        SqlStatement second = SqlScript.parse("SELECT 1;\n  SELECT 2").statements().get(1);

        assertThat(second.line()).isEqualTo(2);
        assertThat(second.column()).isEqualTo(3);
    }

    @Test
    void readsParametersFromVariables() {
        SqlStatement statement =
                SqlScript.parse("SELECT $a, '$b', \"$c\", $1, 'x' || $a_2 -- $d\n")
                        .statements()
                        .get(0);

        assertThat(statement.sql())
                .isEqualTo(
                        "SELECT getvariable('a'), '$b', \"$c\", $1, 'x' || getvariable('a_2') -- $d");
        assertThat(statement.parameters()).containsExactly("a", "a_2");
    }

    @Test
    void isFinishedAfterASemicolon() {
        assertThat(SqlScript.parse("SELECT 1; -- done\n").isFinished()).isTrue();
        assertThat(SqlScript.parse("").isFinished()).isTrue();
        assertThat(SqlScript.parse("SELECT 1").isFinished()).isFalse();
        assertThat(SqlScript.parse("SELECT ';").isFinished()).isFalse();
        assertThat(SqlScript.parse("SELECT 1 /* ;").isFinished()).isFalse();
        assertThat(SqlScript.parse("SELECT $x$ ; ").isFinished()).isFalse();
    }

    @Test
    void takesWhatIsLong() {
        String quotes = "'" + "''".repeat(100_000) + "'";
        String words = "a ".repeat(100_000);

        assertThat(texts("SELECT " + quotes + "; " + words + "; SELECT '" + "x".repeat(100_000)))
                .hasSize(3);
    }

    @Test
    void tellsQueriesFromOtherStatements() {
        assertThat(
                        SqlScript.parse("/* a */ select 1; (FROM x); EXPLAIN SELECT 1; SET x = 1;")
                                .statements())
                .extracting(SqlStatement::isQuery)
                .containsExactly(true, true, false, false);
    }

    private static List<String> texts(String script) {
        return SqlScript.parse(script).statements().stream().map(SqlStatement::text).toList();
    }
}
