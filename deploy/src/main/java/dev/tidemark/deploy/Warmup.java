package dev.tidemark.deploy;

import dev.tidemark.deploy.stack.LocalStack;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;

/**
 * Loads the classes that a run loads: the launcher runs this once while the JVM writes down what
 * was loaded, for a faster start of everything after.
 */
public final class Warmup {
    private Warmup() {}

    public static void main(String[] arguments) throws IOException {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Tidemark.run(new String[] {"--help"}, Map.of(), nowhere, nowhere);
        Tidemark.run(new String[] {"doctor"}, Map.of(), nowhere, nowhere);
        try (LocalStack stack = new LocalStack.Builder().start()) {
            System.out.println(stack.bootstrapServers() + " " + stack.flink().address());
        }
        System.exit(ExitCode.DONE);
    }
}
