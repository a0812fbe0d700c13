package dev.tidemark.deploy.stack;

import dev.tidemark.deploy.ExitCode;
import dev.tidemark.deploy.Failure;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Broker and Flink for one command: a broker of this process, or another's, with the stream's
 * topics, and a Flink cluster of this process, which starts when it is first wanted. One thread.
 */
public final class LocalStack implements AutoCloseable {
    /** Beside the job that keeps running there is room for another that is submitted. */
    private static final int SLOTS_PER_TASK = 2;

    private final Optional<EmbeddedKafka> ownKafka;
    private final String bootstrapServers;
    private final int slots;
    private final int webPort;
    private @Nullable CompletableFuture<EmbeddedFlink> flink;

    private LocalStack(
            Optional<EmbeddedKafka> ownKafka, String bootstrapServers, int slots, int webPort) {
        this.ownKafka = ownKafka;
        this.bootstrapServers = bootstrapServers;
        this.slots = slots;
        this.webPort = webPort;
    }

    /** How to start one. */
    public static final class Builder {
        private Optional<String> otherKafka = Optional.empty();
        private int kafkaPort;
        private int webPort;
        private int slots = Runtime.getRuntime().availableProcessors();

        /** Uses this broker instead of an own one. */
        public Builder kafka(Optional<String> bootstrapServers) {
            otherKafka = bootstrapServers;
            return this;
        }

        /** Where the own broker listens; 0 takes a free port. */
        public Builder kafkaPort(int port) {
            kafkaPort = port;
            return this;
        }

        /** Where Flink's REST interface will listen; 0 takes a free port. */
        public Builder webPort(int port) {
            webPort = port;
            return this;
        }

        /** How many tasks Flink runs side by side, and partitions new topics have. */
        public Builder slots(int count) {
            slots = count;
            return this;
        }

        /** Returns when the broker has its topics. */
        public LocalStack start() throws IOException {
            if (otherKafka.isPresent()) {
                String servers = otherKafka.get();
                createTopics(servers, ExitCode.BAD_INPUT);
                return new LocalStack(Optional.empty(), servers, slots, webPort);
            }
            EmbeddedKafka kafka = EmbeddedKafka.start(kafkaPort);
            try {
                createTopics(kafka.bootstrapServers(), ExitCode.INTERNAL_ERROR);
            } catch (Failure e) {
                kafka.close();
                throw e;
            }
            return new LocalStack(Optional.of(kafka), kafka.bootstrapServers(), slots, webPort);
        }

        private void createTopics(String servers, int exitCode) {
            try {
                TraceTopics.create(servers, slots);
            } catch (IOException e) {
                throw new Failure(exitCode, e.getMessage() + "; is a broker there?", e);
            }
        }
    }

    public String bootstrapServers() {
        return bootstrapServers;
    }

    public int slots() {
        return slots;
    }

    /** Lets Flink start beside what else is to be done. */
    public void startFlink() {
        if (flink == null) {
            CompletableFuture<EmbeddedFlink> started = new CompletableFuture<>();
            Thread thread = new Thread(() -> startFlink(started), "start Flink");
            thread.setDaemon(true);
            thread.start();
            flink = started;
        }
    }

    private void startFlink(CompletableFuture<EmbeddedFlink> started) {
        try {
            started.complete(EmbeddedFlink.start(SLOTS_PER_TASK * slots, webPort));
        } catch (IOException | RuntimeException e) {
            started.completeExceptionally(e);
        }
    }

    /** Flink, when it takes jobs. */
    public EmbeddedFlink flink() throws IOException {
        startFlink();
        try {
            return Objects.requireNonNull(flink).join();
        } catch (CompletionException e) {
            throw new IOException(Failure.reason(e), e);
        }
    }

    @Override
    public void close() {
        try {
            if (flink != null) {
                flink.handle((started, failed) -> started)
                        .thenAccept(LocalStack::closeIfThere)
                        .join();
            }
        } finally {
            ownKafka.ifPresent(EmbeddedKafka::close);
        }
    }

    private static void closeIfThere(@Nullable EmbeddedFlink flink) {
        if (flink != null) {
            flink.close();
        }
    }
}
