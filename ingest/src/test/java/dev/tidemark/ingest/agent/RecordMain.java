package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.sink.RecordingSink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Records a command by hand: {@code RecordMain OUT.trace.avro [KEY=VALUE...] -- COMMAND...}; prints
 * each session's summary.
 */
final class RecordMain {
    private RecordMain() {}

    public static void main(String[] arguments) throws Exception {
        int dashes = Arrays.asList(arguments).indexOf("--");
        Map<String, String> settings = new HashMap<>();
        for (String setting : Arrays.asList(arguments).subList(1, dashes)) {
            settings.put(
                    setting.substring(0, setting.indexOf('=')),
                    setting.substring(setting.indexOf('=') + 1));
        }
        List<String> command = Arrays.asList(arguments).subList(dashes + 1, arguments.length);
        Path rings = RecordedCommand.ringFolder(Path.of("/dev/shm"));
        RecordedCommand run = new RecordedCommand();
        CountDownLatch done = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(run, done)));
        try (RecordingSink sink = new RecordingSink(Path.of(arguments[0]))) {
            run.runIn(rings, sink, "", settings, command);
            run.ended.forEach(System.out::println);
            run.errors.forEach(System.out::println);
            System.out.println("exit status " + run.exitStatus);
        } finally {
            Files.deleteIfExists(rings.resolve(".agent.lock"));
            Files.deleteIfExists(rings);
            done.countDown();
        }
    }

    /** On TERM the program gets one, too, and its end is read. */
    private static void end(RecordedCommand run, CountDownLatch done) {
        Process process = run.process;
        if (process != null) {
            process.destroy();
        }
        try {
            if (!done.await(30, TimeUnit.SECONDS)) {
                System.err.println("the program did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
