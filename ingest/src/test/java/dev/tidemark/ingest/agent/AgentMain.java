package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.sink.RecordingSink;
import java.nio.file.Path;

/** An agent in a process of its own, to be killed: {@code AgentMain RINGS OUT.trace.avro}. */
final class AgentMain {
    private AgentMain() {}

    public static void main(String[] arguments) throws Exception {
        try (RecordingSink sink = new RecordingSink(Path.of(arguments[1]));
                Agent agent =
                        Agent.start(
                                RecordedCommand.options(Path.of(arguments[0])),
                                sink,
                                AgentListener.NONE)) {
            while (agent.failure() == null) {
                Thread.sleep(50);
            }
        }
    }
}
