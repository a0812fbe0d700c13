package dev.tidemark.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QueryRunnerTest {
    private static final String KINDS =
            """
            SELECT 1 AS "n|r", NULL AS nothing, '' AS empty, 'it''s "<b>"' AS text, 0.1 + 0.2e0 AS sum,
                   'nan'::DOUBLE AS nan, MAP {'k': 'v'} AS map, [1, NULL] AS list,
                   TIMESTAMPTZ '2026-03-01 10:00:00.5+01' AS "at", TRUE AS is_so
            """;

    @TempDir private static Path lake;
    @TempDir private Path temp;
    private Connection connection;
    private QueryRunner runner;

    @BeforeEach
    void open() throws Exception {
        connection = Lake.create(lake).connect();
        runner = new QueryRunner(connection);
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
    }

    @Test
    void printsATableWithNumbersToTheRight() throws Exception {
        assertThat(
                        print(
                                "SELECT * FROM (VALUES ('a', 1, 1.5), ('long', 1000, 10.25), (NULL, NULL, NULL)) t(name, n, ratio)",
                                ResultFormat.TABLE))
                .isEqualTo(
                        """
                        name     n  ratio
                        ────  ────  ─────
                        a        1   1.50
                        long  1000  10.25
                        NULL  NULL   NULL
                        3 rows
                        """);
    }

    @Test
    void printsEveryKindOfValueAsATable() throws Exception {
        assertThat(print(KINDS, ResultFormat.TABLE).lines().skip(2))
                .containsExactly(
                        "  1  NULL            it's \"<b>\"  0.3  NaN  {k=v}  [1, NULL]  2026-03-01 09:00:00.5+00  true",
                        "1 row");
    }

    @Test
    void printsEveryKindOfValueAsCsv() throws Exception {
        assertThat(print(KINDS, ResultFormat.CSV))
                .isEqualTo(
                        """
                        n|r,nothing,empty,text,sum,nan,map,list,at,is_so
                        1,,"","it's ""<b>""\",0.30000000000000004,nan,{k=v},"[1, NULL]",2026-03-01 09:00:00.5+00,true
                        """);
    }

    @Test
    void printsEveryKindOfValueAsJson() throws Exception {
        assertThat(print(KINDS, ResultFormat.JSON))
                .isEqualTo(
                        """
                        [
                        \t{"n|r":1,"nothing":null,"empty":"","text":"it's \\"<b>\\"","sum":0.30000000000000004,"nan":null,"map":{"k":"v"},"list":[1,null],"at":"2026-03-01 09:00:00.5+00","is_so":true}
                        ]
                        """);
    }

    @Test
    void printsEveryKindOfValueAsMarkdown() throws Exception {
        assertThat(print(KINDS, ResultFormat.MARKDOWN))
                .isEqualTo(
                        """
                        | n\\|r | nothing | empty | text | sum | nan | map | list | at | is_so |
                        | ---: | --- | --- | --- | ---: | ---: | --- | --- | --- | --- |
                        | 1 |  |  | it's "&lt;b&gt;" | 0.3 | NaN | {k=v} | \\[1, NULL\\] | 2026-03-01 09:00:00.5+00 | true |

                        """);
    }

    @Test
    void writesControlCharactersAsEscapes() throws Exception {
        assertThat(print("SELECT chr(27) || '[2J' || chr(10) AS title", ResultFormat.TABLE))
                .contains("\\x1b[2J\\n")
                .doesNotContain("\u001b");
    }

    @Test
    void fitsATableToTheTerminal() throws Exception {
        String two = "SELECT repeat('x', 100) AS text, 12345 AS n, 'second' AS more FROM range(2)";

        assertThat(print(two, new TableLayout(30, 0)))
                .isEqualTo(
                        """
                        text                 n  more
                        ───────────────  ─────  ──────
                        xxxxxxxxxxxxxx…  12345  second
                        xxxxxxxxxxxxxx…  12345  second
                        2 rows
                        """);
        assertThat(print(two, new TableLayout(20, 0)))
                .isEqualTo(
                        """
                        text               n
                        ─────────────  ─────
                        xxxxxxxxxxxx…  12345
                        xxxxxxxxxxxx…  12345
                        2 rows
                        not wide enough for more
                        """);
        assertThat(print("SELECT repeat('x', 50) AS a, 1 AS b, 2 AS c", new TableLayout(16, 0)))
                .isEqualTo(
                        """
                        a  xxxxxxxxxxxx…
                        b  1
                        c  2
                        1 row
                        """);
    }

    @Test
    void saysWhenThereAreMoreRows() throws Exception {
        assertThat(print("FROM range(5)", new TableLayout(0, 3)).lines().toList())
                .hasSize(6)
                .last()
                .isEqualTo("first 3 rows; there are more");
        assertThat(print("FROM range(3)", new TableLayout(0, 3))).endsWith("\n3 rows\n");
    }

    @Test
    void printsTheResultsOfAllStatements() throws Exception {
        assertThat(
                        print(
                                "SET VARIABLE x = 4; SELECT getvariable('x') AS x; SELECT 5 AS y;",
                                ResultFormat.TABLE))
                .isEqualTo("x\n─\n4\n1 row\ny\n─\n5\n1 row\n");
    }

    @Test
    void printsAPlanAsItIsDrawn() throws Exception {
        assertThat(print("EXPLAIN SELECT 42", ResultFormat.TABLE).lines().count()).isGreaterThan(3);
    }

    @Test
    void writesTheSameRowsIntoEveryOutput() throws Exception {
        StringWriter printed = new StringWriter();
        List<QueryOutput> outputs = new ArrayList<>();
        outputs.add(to(printed, ResultFormat.JSON, TableLayout.UNBOUNDED));
        for (String name : List.of("a.csv", "a.json", "a.md", "a.parquet", "a.txt")) {
            outputs.add(QueryOutput.ToFile.byEnding(temp.resolve(name)));
        }

        runner.run(Query.typed("SELECT random() AS x -- nothing\n;"), outputs);

        String x = Files.readAllLines(temp.resolve("a.csv")).get(1);
        assertThat(printed.toString()).contains(x);
        assertThat(temp.resolve("a.json")).content().contains(x);
        assertThat(Rows.of(connection, "FROM '" + temp.resolve("a.parquet") + "'"))
                .containsExactly(x);
        assertThat(temp.resolve("a.md")).content().startsWith("| x |\n| ---: |\n| 0.");
        assertThat(temp.resolve("a.txt")).content().endsWith("1 row\n");
        try (Stream<Path> files = Files.list(temp)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("a.csv", "a.json", "a.md", "a.parquet", "a.txt");
        }
    }

    @Test
    void aFailedQueryLeavesTheOldFile() throws Exception {
        Path file = Files.writeString(temp.resolve("old.csv"), "old");

        assertThatThrownBy(
                        () ->
                                runner.run(
                                        Query.typed("SELECT error('no') FROM range(3)"),
                                        List.of(QueryOutput.ToFile.byEnding(file))))
                .isInstanceOf(LakeException.class);
        assertThat(file).hasContent("old");
        try (Stream<Path> files = Files.list(temp)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void bindsParametersAsValues() throws Exception {
        Query query =
                Query.typed("SELECT $x AS x, upper(getvariable('y')) AS y, 1 + $n::INTEGER AS n")
                        .with("x", "'; DROP VIEW ticks; --")
                        .with("y", "$x")
                        .with("n", "41");

        StringWriter printed = new StringWriter();
        runner.run(query, List.of(to(printed, ResultFormat.CSV, TableLayout.UNBOUNDED)));

        assertThat(printed.toString()).isEqualTo("x,y,n\n'; DROP VIEW ticks; --,$X,42\n");
        assertThatThrownBy(() -> Query.typed("").with("a b", ""))
                .hasMessageStartingWith("parameter \"a b\"");
        assertThatThrownBy(() -> print("SELECT 1;\n SELECT $missing", ResultFormat.CSV))
                .hasMessage("query:2:2: no value for $missing; add --param missing=VALUE");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "SELECT 1,\\n  bb FROM ticks # query:2:3: Binder Error: Referenced column \"bb\"",
                "SELECT 1;\\n\\n   SELECT bb # query:3:11: Binder Error: ",
                "FROM ticks WHERE # query:1:12: Parser Error: syntax error at or near \"WHERE\"",
                "FROM nothere # query:1:6: Catalog Error: Table with name nothere does not exist",
                "SELECT at FROM ticks # query:1:11: Parser Error: syntax error at or near \"FROM\"; the column at is a word of SQL: write it \"at\"",
                "SELECT 'x'::INT # query:1:11: Conversion Error: Could not convert string 'x' to INT32",
                "-- none # query: holds no statement",
                "SELECT ? # query:1:1: takes parameters by number",
                "SELECT 1;\\nSELECT CAST(name AS\\n INT) FROM (SELECT 'x' AS name) # query:2:8: Conversion Error",
                "SELEC 1 # query:1:1: Parser Error: syntax error at or near \"SELEC\"",
            })
    void saysWhereAnErrorIs(String sql, String message) {
        for (ResultFormat format : List.of(ResultFormat.TABLE, ResultFormat.CSV)) {
            assertThatThrownBy(() -> print(sql.replace("\\n", "\n"), format))
                    .as(format.name())
                    .isInstanceOf(LakeException.class)
                    .hasMessageStartingWith(message)
                    .hasMessageNotContaining("\n");
        }
        List<QueryOutput> two =
                List.of(
                        to(new StringWriter(), ResultFormat.CSV, TableLayout.UNBOUNDED),
                        to(new StringWriter(), ResultFormat.TABLE, TableLayout.UNBOUNDED));
        assertThatThrownBy(() -> runner.run(Query.typed(sql.replace("\\n", "\n")), two))
                .hasMessageStartingWith(message);
    }

    @Test
    void findsTheColumnInALongLine() {
        String blank = " ".repeat(300);

        assertThatThrownBy(
                        () ->
                                print(
                                        "SELECT 1," + blank + "bb," + blank + "2 FROM ticks",
                                        ResultFormat.TABLE))
                .hasMessageStartingWith("query:1:310: ");
    }

    @Test
    void namesABrokenFile() throws Exception {
        Path folder = Files.createDirectories(lake.resolve("ticks/day=2026-03-01/load=a-1"));
        Path broken = Files.writeString(folder.resolve("part-0.parquet"), "");

        assertThatThrownBy(() -> print("FROM ticks", ResultFormat.TABLE))
                .hasMessageContaining(broken.toString())
                .hasMessageEndingWith("; the file is broken: move it out of the lake");
        Files.delete(broken);
    }

    @Test
    void refusesOutputsThatCanNotBe() throws Exception {
        assertThatThrownBy(() -> QueryOutput.ToFile.byEnding(Path.of("x.xls")))
                .hasMessage(
                        "x.xls: its ending names no format; use one of .txt, .csv, .json, .md, .markdown, .parquet");
        assertThatThrownBy(() -> print("SELECT 1", ResultFormat.PARQUET))
                .hasMessage("parquet is not text: write it with --out FILE.parquet");
        assertThatThrownBy(
                        () ->
                                runner.run(
                                        Query.typed("SELECT 1"),
                                        List.of(
                                                QueryOutput.ToFile.byEnding(
                                                        temp.resolve("none/x.csv")))))
                .hasMessageContaining("there is no folder");
    }

    @Test
    void readsQueriesFromFilesAndStreams() throws Exception {
        Path file = Files.writeString(temp.resolve("q.sql"), "SELECT 1 AS one");
        StringWriter printed = new StringWriter();

        runner.run(
                Query.ofFile(file), List.of(to(printed, ResultFormat.CSV, TableLayout.UNBOUNDED)));
        runner.run(
                Query.ofStream(
                        "stdin", new ByteArrayInputStream("SELECT 2 AS two".getBytes(UTF_8))),
                List.of(to(printed, ResultFormat.CSV, TableLayout.UNBOUNDED)));

        assertThat(printed.toString()).isEqualTo("one\n1\ntwo\n2\n");
        assertThatThrownBy(() -> Query.ofFile(temp.resolve("none.sql")))
                .hasMessageEndingWith("none.sql: no such file");
        assertThatThrownBy(
                        () ->
                                Query.ofStream(
                                        "stdin",
                                        new ByteArrayInputStream(new byte[] {(byte) 0xff, 1})))
                .hasMessage("stdin: not text in UTF-8");
        assertThatThrownBy(() -> Query.named("nothing"))
                .hasMessage("no query nothing; there are sessions, worst, tail, memory, waits");
    }

    @Test
    void theQueriesThatComeAlongRunOnAnEmptyLake() throws Exception {
        for (String name : Query.names()) {
            StringWriter printed = new StringWriter();
            runner.run(
                    Query.named(name),
                    List.of(to(printed, ResultFormat.TABLE, TableLayout.UNBOUNDED)));
            assertThat(printed.toString()).as(name).endsWith("\n0 rows\n");
        }
    }

    private String print(String sql, ResultFormat format) throws Exception {
        StringWriter printed = new StringWriter();
        runner.run(Query.typed(sql), List.of(to(printed, format, TableLayout.UNBOUNDED)));
        return printed.toString();
    }

    private String print(String sql, TableLayout layout) throws Exception {
        StringWriter printed = new StringWriter();
        runner.run(Query.typed(sql), List.of(to(printed, ResultFormat.TABLE, layout)));
        return printed.toString();
    }

    private static QueryOutput to(StringWriter writer, ResultFormat format, TableLayout layout) {
        return new QueryOutput.ToWriter(new PrintWriter(writer), format, layout);
    }
}
