package dev.tidemark.sql;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * Asks a lake line by line: SQL up to a semicolon, or a command that begins with a dot. The history
 * is kept in the user's cache folder. A failed statement says so in one line, and the prompt goes
 * on.
 */
public final class Prompt {
    private final Lake lake;
    private final Map<String, String> parameters;
    private final Path history;

    /** A prompt on a lake, with values for parameters to begin with. */
    public Prompt(Lake lake, Map<String, String> parameters) {
        this(lake, parameters, NativeLibrary.cacheFolder(System.getenv()).resolve("sql-history"));
    }

    Prompt(Lake lake, Map<String, String> parameters, Path history) {
        this.lake = lake;
        this.parameters = Map.copyOf(parameters);
        this.history = history;
    }

    /**
     * Runs on this process's terminal until the person leaves.
     *
     * @throws LakeException when the lake can't be read at all
     */
    public void run() throws LakeException, IOException {
        try (Terminal terminal =
                TerminalBuilder.builder().name("tidemark").nativeSignals(true).build()) {
            run(terminal);
        }
    }

    void run(Terminal terminal) throws LakeException, IOException {
        Path folder = history.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        LineReader reader =
                LineReaderBuilder.builder()
                        .terminal(terminal)
                        .appName("tidemark")
                        .parser(new StatementParser())
                        .completer(new SqlCompleter())
                        .variable(LineReader.HISTORY_FILE, history)
                        .variable(LineReader.SECONDARY_PROMPT_PATTERN, "%P     ...> ")
                        .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                        .option(LineReader.Option.CASE_INSENSITIVE, true)
                        .build();
        PrintWriter out = terminal.writer();
        out.println(lake.folder() + "; .help tells what there is, .quit leaves");
        try (Connection connection = lake.connect()) {
            PromptState state = new PromptState(connection, out, terminal::getColumns, parameters);
            // Ctrl-C while a statement runs: it ends with an error, the prompt goes on.
            terminal.handle(Terminal.Signal.INT, signal -> state.cancel());
            PromptCommands commands = new PromptCommands(state, out);
            while (step(reader, state, commands, out)) {
                out.flush();
            }
        } catch (SQLException e) {
            throw new LakeException(SqlErrors.oneLine(e), e);
        }
    }

    private static boolean step(
            LineReader reader, PromptState state, PromptCommands commands, PrintWriter out) {
        try {
            String line = reader.readLine("tidemark> ");
            if (line.stripLeading().startsWith(".")) {
                return commands.run(line);
            }
            if (!SqlScript.parse(line).statements().isEmpty()) {
                state.run(Query.typed(line));
            }
            return true;
        } catch (UserInterruptException e) {
            return true;
        } catch (EndOfFileException e) {
            return false;
        } catch (LakeException | IOException e) {
            out.println(e.getMessage());
            return true;
        }
    }

    /** Goes on reading until a statement ends. */
    private static final class StatementParser implements Parser {
        private final DefaultParser words =
                new DefaultParser().quoteChars(new char[0]).escapeChars(new char[0]);

        StatementParser() {
            words.setRegexVariable(null);
        }

        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            if (context == ParseContext.ACCEPT_LINE
                    && !line.stripLeading().startsWith(".")
                    && !SqlScript.parse(line).isFinished()) {
                throw new EOFError(-1, cursor, "the statement goes on");
            }
            return words.parse(line, cursor, context);
        }
    }
}
