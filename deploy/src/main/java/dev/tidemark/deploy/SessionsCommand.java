package dev.tidemark.deploy;

import dev.tidemark.deploy.lake.Lakes;
import dev.tidemark.sql.LakeException;
import dev.tidemark.sql.Query;
import dev.tidemark.sql.QueryRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a lake holds. */
@Command(
        name = "sessions",
        description = "What a lake holds, the newest session first.",
        mixinStandardHelpOptions = true)
final class SessionsCommand implements Callable<Integer> {
    @Option(
            names = "--lake",
            paramLabel = "DIR",
            defaultValue = "lake",
            description = "The lake; default: ./${DEFAULT-VALUE}.")
    private Path lake = Path.of("lake");

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, LakeException, SQLException {
        try (Connection connection = Lakes.open(lake).connect()) {
            new QueryRunner(connection)
                    .run(Query.named("sessions"), output.outputs(spec.commandLine().getOut()));
        }
        return ExitCode.DONE;
    }
}
