package dev.tidemark.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jline.reader.Candidate;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.Parser;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PromptTest {
    @TempDir private Path temp;

    @Test
    void runsStatementsOfSeveralLinesAndCommands() throws Exception {
        String said =
                say(
                        """
                        SELECT 'one; ' ||
                          'two' AS joined;
                        .param n 41
                        SELECT $n::INTEGER + 1 AS n;
                        .format csv
                        SELECT 7 AS seven; SELECT 8 AS eight;
                        .schema values
                        .tables
                        .macros
                        .queries
                        .run sessions
                        .help
                        .quit
                        SELECT 'never';
                        """);

        assertThat(said)
                .contains("one; two\n1 row")
                .contains("─\n42\n1 row")
                .contains("seven\n7\neight\n8\n")
                .contains("value       DOUBLE")
                .contains("One row per memory sample of a session")
                .contains("worst_ticks(session, n)")
                .contains("id,title,arm,state")
                .contains(".dictionary")
                .doesNotContain("never'\n");
        assertThat(temp.resolve("history")).content().contains("SELECT 'one; ' ||");
    }

    @Test
    void goesOnAfterAnError() throws Exception {
        String said =
                say(
                        """
                        SELECT nothing;
                        .bogus
                        .schema bogus
                        .format parquet
                        .limit x
                        .param 1 x
                        .out x.xls SELECT 1
                        .run bogus
                        SELECT 'still ' || 'here' AS x;
                        """);

        assertThat(said)
                .contains("query:1:8: Binder Error: Referenced column \"nothing\"")
                .contains("no command .bogus; see .help")
                .contains("no view bogus")
                .contains("format \"parquet\": use table, csv, json or markdown")
                .contains("limit \"x\": use a number of rows")
                .contains("parameter \"1\"")
                .contains("x.xls: its ending names no format")
                .contains("no query bogus")
                .contains("still here\n1 row")
                .doesNotContain("\tat ");
    }

    @Test
    void writesAFile() throws Exception {
        Path file = temp.resolve("rows.csv");

        assertThat(say(".out " + file + " SELECT 1 AS one;\n")).contains("wrote " + file);
        assertThat(file).hasContent("one\n1\n");
    }

    @Test
    void completesViewsColumnsMacrosAndCommands() throws Exception {
        assertThat(completions("SELECT x FROM tic")).contains("ticks", "tick", "ticks_of(");
        assertThat(completions("SELECT ticks.same")).contains("ticks.same_tick_blocks");
        assertThat(completions("SELECT ticks.same")).doesNotContain("ticks.frame", "ticks");
        assertThat(completions("SEL")).contains("SELECT").doesNotContain("select");
        assertThat(completions("sel")).contains("select").doesNotContain("SELECT");
        assertThat(completions(".ta")).contains(".tables").doesNotContain("ticks");
        assertThat(completions(".schema ti")).contains("ticks").doesNotContain("SELECT");
        assertThat(completions(".run t")).contains("tail");
        assertThat(completions(".format c")).contains("csv").doesNotContain("parquet");
    }

    private static List<String> completions(String line) throws Exception {
        try (Terminal terminal = terminal("", new ByteArrayOutputStream())) {
            LineReader reader = LineReaderBuilder.builder().terminal(terminal).build();
            List<Candidate> candidates = new ArrayList<>();
            new SqlCompleter()
                    .complete(
                            reader,
                            new DefaultParser()
                                    .parse(line, line.length(), Parser.ParseContext.COMPLETE),
                            candidates);
            return candidates.stream().map(Candidate::value).toList();
        }
    }

    private String say(String typed) throws Exception {
        Lake lake = Lake.create(temp.resolve("lake"));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (Terminal terminal = terminal(typed, said)) {
            new Prompt(lake, Map.of(), temp.resolve("history")).run(terminal);
        }
        assertThat(Files.exists(temp.resolve("history"))).isTrue();
        return said.toString(UTF_8).replace("\r", "");
    }

    private static Terminal terminal(String typed, ByteArrayOutputStream said) throws Exception {
        return new DumbTerminal(
                "test", "dumb", new ByteArrayInputStream(typed.getBytes(UTF_8)), said, UTF_8);
    }
}
