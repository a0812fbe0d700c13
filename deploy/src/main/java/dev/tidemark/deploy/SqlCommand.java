package dev.tidemark.deploy;

import dev.tidemark.deploy.lake.Lakes;
import dev.tidemark.sql.Dictionary;
import dev.tidemark.sql.Lake;
import dev.tidemark.sql.LakeException;
import dev.tidemark.sql.Prompt;
import dev.tidemark.sql.Query;
import dev.tidemark.sql.QueryRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** SQL over a lake, with its views and macros at hand. */
@Command(
        name = "sql",
        description = {
            "SQL over a lake, with its views and macros at hand.",
            "Without a query: a prompt on a terminal, else the query is read from stdin."
        },
        mixinStandardHelpOptions = true)
final class SqlCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "QUERY", description = "One or more statements.")
    private @Nullable String query;

    @Option(names = "-f", paramLabel = "FILE", description = "Read the query from a file.")
    private @Nullable Path file;

    @Option(
            names = "--param",
            paramLabel = "K=V",
            description = "A value for $K in the query; repeatable.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--lake",
            paramLabel = "DIR",
            defaultValue = "lake",
            description = "The lake; default: ./${DEFAULT-VALUE}.")
    private Path lake = Path.of("lake");

    @Option(names = "--dictionary", description = "Print what every view and column means.")
    private boolean dictionary;

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, LakeException, SQLException {
        if (query != null && file != null) {
            throw Failure.wrongUsage("QUERY and -f " + file + ": give one of them");
        }
        if (dictionary) {
            spec.commandLine().getOut().print(Dictionary.markdown());
            spec.commandLine().getOut().flush();
            return ExitCode.DONE;
        }
        Lake opened = Lakes.open(lake);
        if (query == null && file == null && Terminal.isStdin()) {
            new Prompt(opened, parameters).run();
            return ExitCode.DONE;
        }
        try (Connection connection = opened.connect()) {
            new QueryRunner(connection).run(wanted(), output.outputs(spec.commandLine().getOut()));
        }
        return ExitCode.DONE;
    }

    private Query wanted() throws IOException, LakeException {
        Query wanted = unparameterised();
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            wanted = wanted.with(parameter.getKey(), parameter.getValue());
        }
        return wanted;
    }

    private Query unparameterised() throws IOException, LakeException {
        if (query != null) {
            return Query.typed(query);
        }
        return file != null ? Query.ofFile(file) : Query.ofStream("stdin", System.in);
    }
}
