package dev.tidemark.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.schemas.TraceFormatException;
import dev.tidemark.sql.LakeException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The launcher's commands: parses, runs one, and turns every end into one line and an exit code.
 */
@Command(
        name = "tidemark",
        description = "What the memory allocator costs each frame and each server tick.",
        mixinStandardHelpOptions = true,
        versionProvider = Tidemark.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            RecordCommand.class,
            WorkloadCommand.class,
            BenchCommand.class,
            AgentCommand.class,
            IngestCommand.class,
            SessionsCommand.class,
            SqlCommand.class,
            UpCommand.class,
            SubmitCommand.class,
            DoctorCommand.class,
        })
public final class Tidemark implements Runnable {
    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Log to stderr, and show where an error comes from.")
    private boolean verbose;

    @Spec private CommandSpec spec;

    public static void main(String[] arguments) {
        int exitCode =
                run(
                        arguments,
                        System.getenv(),
                        new PrintWriter(System.out, true, UTF_8),
                        new PrintWriter(System.err, true, UTF_8));
        // Kafka's and Flink's threads would keep the JVM alive.
        System.exit(exitCode);
    }

    /** Runs one command and returns its exit code. */
    static int run(
            String[] arguments, Map<String, String> environment, PrintWriter out, PrintWriter err) {
        Tidemark root = new Tidemark();
        CommandLine line = new CommandLine(root);
        line.setOut(out);
        line.setErr(err);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        // A program's own flags are its own, also without a -- before it.
        for (String name : List.of("record", "doctor", "bench")) {
            Objects.requireNonNull(line.getSubcommands().get(name)).setStopAtPositional(true);
        }
        line.setExecutionStrategy(root::execute);
        line.setParameterExceptionHandler((e, ignored) -> wrongUsage(e));
        line.setExecutionExceptionHandler((e, command, parsed) -> root.failed(e, command));
        try {
            line.setDefaultValueProvider(Settings.read(environment, Path.of("")));
        } catch (Failure e) {
            return root.failed(e, line);
        }
        return line.execute(arguments);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }

    private int execute(ParseResult parsed) {
        if (verbose) {
            System.setProperty("tidemark.log", "info");
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static int wrongUsage(ParameterException e) {
        CommandLine command = e.getCommandLine();
        if (e.getCause() instanceof Failure failure) {
            command.getErr().println("tidemark: " + failure.getMessage());
            return failure.exitCode();
        }
        boolean isNoCommand =
                e instanceof UnmatchedArgumentException && command.getParent() == null;
        String what =
                isNoCommand
                        ? "no command " + ((UnmatchedArgumentException) e).getUnmatched().get(0)
                        : oneLine(e);
        command.getErr().println("tidemark: " + what + hint(command));
        return ExitCode.WRONG_USAGE;
    }

    private static String hint(CommandLine command) {
        return "; see ./" + command.getCommandSpec().qualifiedName() + " --help";
    }

    private int failed(Exception e, CommandLine command) {
        PrintWriter err = command.getErr();
        int exitCode = exitCode(e);
        err.println(
                exitCode == ExitCode.INTERNAL_ERROR
                        ? "tidemark: internal error: "
                                + e.getClass().getSimpleName()
                                + ": "
                                + oneLine(e)
                                + (verbose ? "" : " (--verbose shows where)")
                        : "tidemark: " + oneLine(e));
        if (verbose) {
            e.printStackTrace(err);
        }
        return exitCode;
    }

    private static int exitCode(Exception e) {
        if (e instanceof Failure failure) {
            return failure.exitCode();
        }
        return e instanceof NoSuchFileException
                        || e instanceof FileNotFoundException
                        || e instanceof TraceFormatException
                        || e instanceof LakeException
                ? ExitCode.BAD_INPUT
                : ExitCode.INTERNAL_ERROR;
    }

    private static String oneLine(Exception e) {
        String message =
                e instanceof NoSuchFileException
                        ? e.getMessage() + ": no such file"
                        : e.getMessage();
        return Objects.requireNonNullElse(message, "no message")
                .strip()
                .replaceAll("\\s*\\R\\s*", "; ");
    }

    /** Says which build this is. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            String version = Tidemark.class.getPackage().getImplementationVersion();
            return new String[] {
                "tidemark " + Objects.requireNonNullElse(version, "unpacked"),
                "Java " + Runtime.version()
            };
        }
    }
}
