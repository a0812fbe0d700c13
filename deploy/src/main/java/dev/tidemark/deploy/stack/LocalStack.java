package dev.tidemark.deploy.stack;

import dev.tidemark.deploy.ExitCode;
import dev.tidemark.deploy.Failure;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Broker and Flink for one command: a broker of this process, or another's, and a Flink cluster of
 * this process. Both start at once, and the topics are there when they have.
 */
public final class LocalStack implements AutoCloseable {
    private final Optional<EmbeddedKafka> ownKafka;
    private final String bootstrapServers;
    private final CompletableFuture<EmbeddedFlink> flink;

    private LocalStack(
            Optional<EmbeddedKafka> ownKafka,
            String bootstrapServers,
            CompletableFuture<EmbeddedFlink> flink) {
        this.ownKafka = ownKafka;
        this.bootstrapServers = bootstrapServers;
        this.flink = flink;
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

        /** Where Flink's REST interface listens; 0 takes a free port. */
        public Builder webPort(int port) {
            webPort = port;
            return this;
        }

        /** How many tasks Flink runs side by side, and partitions new topics have. */
        public Builder slots(int count) {
            slots = count;
            return this;
        }

        /** Returns when the broker has its topics; Flink may still be starting. */
        public LocalStack start() throws IOException {
            CompletableFuture<EmbeddedFlink> flink =
                    started(() -> EmbeddedFlink.start(slots, webPort));
            Optional<EmbeddedKafka> kafka = Optional.empty();
            try {
                if (otherKafka.isEmpty()) {
                    kafka = Optional.of(EmbeddedKafka.start(kafkaPort));
                }
                String servers =
                        kafka.map(EmbeddedKafka::bootstrapServers)
                                .orElseGet(() -> otherKafka.orElseThrow());
                createTopics(servers);
                return new LocalStack(kafka, servers, flink);
            } catch (IOException | RuntimeException e) {
                kafka.ifPresent(EmbeddedKafka::close);
                flink.thenAccept(EmbeddedFlink::close).join();
                throw e;
            }
        }

        private void createTopics(String servers) {
            try {
                TraceTopics.create(servers, slots);
            } catch (IOException e) {
                throw new Failure(
                        otherKafka.isPresent() ? ExitCode.BAD_INPUT : ExitCode.INTERNAL_ERROR,
                        e.getMessage() + "; is a broker there?",
                        e);
            }
        }
    }

    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Waits until Flink is there. */
    public EmbeddedFlink flink() throws IOException {
        try {
            return flink.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
        }
    }

    @Override
    public void close() {
        try {
            flink.thenAccept(EmbeddedFlink::close).join();
        } finally {
            ownKafka.ifPresent(EmbeddedKafka::close);
        }
    }

    private static <T> CompletableFuture<T> started(Callable<T> start) {
        CompletableFuture<T> future = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                future.complete(start.call());
                            } catch (Exception e) {
                                future.completeExceptionally(e);
                            }
                        },
                        "start Flink");
        thread.setDaemon(true);
        thread.start();
        return future;
    }
}
