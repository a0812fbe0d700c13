package dev.tidemark.deploy;

import dev.tidemark.deploy.stack.EmbeddedFlink;
import dev.tidemark.deploy.stack.EmbeddedKafka;
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
        try (EmbeddedKafka kafka = EmbeddedKafka.start();
                EmbeddedFlink flink = EmbeddedFlink.start(1)) {
            System.out.println(kafka.bootstrapServers() + " " + flink.address());
        }
        System.exit(ExitCode.DONE);
    }
}
