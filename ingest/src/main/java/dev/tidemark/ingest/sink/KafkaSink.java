package dev.tidemark.ingest.sink;

import dev.tidemark.schemas.RecordingReader;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEnvelope;
import dev.tidemark.schemas.TraceFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.avro.Schema;
import org.apache.kafka.clients.producer.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records to a topic of a broker: idempotent, acknowledged by all replicas, packed by zstd,
 * keyed by session. When the broker is away they go to a spool, and from there to the broker in
 * order when it is back; what a dead sink left in the spool goes first. Memory is bounded.
 */
public final class KafkaSink implements TraceSink {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaSink.class);
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final long MAX_PENDING_BYTES = 64L << 20;
    private static final long AWAY_NS = 10_000_000_000L;
    private static final long LOOK_MS = 500;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long PATIENCE_NS = 30_000_000_000L;

    /** A record that the broker may not have yet. */
    private static final class Pending {
        final String sessionId;
        final String type;
        final byte[] record;
        final long sentAtNs = System.nanoTime();
        volatile boolean isTaken;

        Pending(String sessionId, String type, byte[] record) {
            this.sessionId = sessionId;
            this.type = type;
            this.record = record;
        }
    }

    private final String servers;
    private final String topic;
    private final @Nullable Spool spool;
    private final Thread keeper;
    private final Deque<Pending> pending = new ArrayDeque<>();
    private long pendingBytes;

    /** Null while the broker is away. */
    private @Nullable TraceProducer producer;

    /** Set by the producer's thread, which must not wait for this sink's lock. */
    private volatile @Nullable Exception failure;

    private volatile @Nullable String trouble;
    private volatile boolean isClosed;

    /**
     * A sink without a spool: a broker that is away for half a minute is an error.
     *
     * @throws IOException when the broker doesn't answer
     */
    public KafkaSink(String servers, String topic) throws IOException {
        this(servers, topic, null);
    }

    /**
     * A sink with a spool, where the broker need not be there yet.
     *
     * @param spoolFolder made when missing; several sinks may share it. Null for no spool
     * @throws IOException when the spool can't be used, or there is none and the broker doesn't
     *     answer
     */
    public KafkaSink(String servers, String topic, @Nullable Path spoolFolder) throws IOException {
        this.servers = servers;
        this.topic = topic;
        spool = spoolFolder == null ? null : new Spool(spoolFolder);
        if (spool == null || spool.isEmpty()) {
            connectFirst();
        }
        keeper = new Thread(this::keep, "tidemark-kafka");
        keeper.setDaemon(true);
        keeper.start();
    }

    private void connectFirst() throws IOException {
        try {
            producer = TraceProducer.connect(servers, topic, CONNECT);
        } catch (IOException e) {
            if (spool == null) {
                throw e;
            }
            isAway(e);
        }
    }

    private void isAway(Exception cause) {
        String reason = String.valueOf(cause.getMessage());
        trouble = reason + (spool == null ? "" : "; records go to the spool");
        LOG.warn("{}", trouble);
    }

    @Override
    public synchronized void send(String sessionId, String type, byte[] record) throws IOException {
        if (producer != null && (failure != null || !hasRoom())) {
            leave();
        }
        TraceProducer direct = producer;
        if (direct != null) {
            Pending added = add(sessionId, type, record);
            try {
                direct.send(sessionId, type, record, callback(added));
            } catch (IOException e) {
                failure = e;
                leave();
            }
        } else if (spool != null) {
            spool.append(record);
        } else {
            awaitBroker();
            send(sessionId, type, record);
        }
    }

    private Pending add(String sessionId, String type, byte[] record) {
        Pending added = new Pending(sessionId, type, record);
        pending.add(added);
        pendingBytes += record.length;
        return added;
    }

    private Callback callback(Pending sent) {
        return (metadata, error) -> {
            if (error == null) {
                sent.isTaken = true;
            } else if (failure == null) {
                failure = TraceProducer.failure(servers, error);
            }
        };
    }

    /** Forgets what has arrived; waits a while when too much has not. */
    private boolean hasRoom() {
        long beganNs = System.nanoTime();
        forgetTaken();
        while (pendingBytes > MAX_PENDING_BYTES && failure == null) {
            if (System.nanoTime() - beganNs > AWAY_NS) {
                failure = new IOException("broker " + servers + ": it does not take records");
                return false;
            }
            pause(1);
            forgetTaken();
        }
        return true;
    }

    private void forgetTaken() {
        for (Pending first = pending.peek(); first != null && first.isTaken; ) {
            pending.remove();
            pendingBytes -= first.record.length;
            first = pending.peek();
        }
    }

    private void pause(long millis) {
        long endNs = System.nanoTime() + millis * NANOS_PER_MILLI;
        try {
            for (long left = millis; left > 0; ) {
                wait(left);
                left = (endNs - System.nanoTime()) / NANOS_PER_MILLI;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = new IOException("interrupted while sending to broker " + servers, e);
        }
    }

    /** From direct to away: what the broker may not have goes to the spool, in order. */
    private void leave() throws IOException {
        TraceProducer old = producer;
        producer = null;
        Exception cause = failure;
        isAway(cause == null ? new IOException("broker " + servers + " is away") : cause);
        if (old != null) {
            old.close();
        }
        forgetTaken();
        if (spool != null) {
            for (Pending record : pending) {
                spool.append(record.record);
            }
            spool.flush();
            pending.clear();
            pendingBytes = 0;
        }
    }

    /** Without a spool there is nothing but to wait. */
    private void awaitBroker() throws IOException {
        long beganNs = System.nanoTime();
        while (producer == null) {
            if (System.nanoTime() - beganNs > PATIENCE_NS || isClosed) {
                throw new IOException(trouble + "; nothing is spooled");
            }
            pause(LOOK_MS);
        }
    }

    /** Looks after the broker until the sink is closed. */
    private void keep() {
        while (!isClosed) {
            try {
                look();
                Thread.sleep(LOOK_MS);
            } catch (IOException e) {
                isAway(e);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void look() throws IOException {
        synchronized (this) {
            forgetTaken();
            Pending oldest = pending.peek();
            if (producer != null
                    && oldest != null
                    && System.nanoTime() - oldest.sentAtNs > AWAY_NS
                    && failure == null) {
                failure = new IOException("broker " + servers + ": it does not answer");
            }
            if (producer != null && failure != null) {
                leave();
            }
            if (producer != null) {
                return;
            }
            if (spool != null) {
                spool.flush();
            }
        }
        comeBack();
    }

    private void comeBack() throws IOException {
        TraceProducer back = TraceProducer.connect(servers, topic, CONNECT);
        failure = null;
        boolean isDirect = false;
        try {
            while (!isDirect && !isClosed) {
                resendFiles(back);
                isDirect = goDirect(back);
            }
        } finally {
            if (!isDirect) {
                back.close();
            }
        }
    }

    /** Sends the spool's files; new records meanwhile go behind them. */
    private void resendFiles(TraceProducer to) throws IOException {
        if (spool == null) {
            return;
        }
        for (Path file : rolledFiles(spool)) {
            resend(file, to);
            to.flush();
            throwFailure();
            synchronized (this) {
                spool.delete(file);
            }
        }
    }

    private synchronized Iterable<Path> rolledFiles(Spool from) throws IOException {
        from.roll();
        return from.files();
    }

    private void resend(Path file, TraceProducer to) throws IOException {
        SchemaCatalog schemas = new SchemaCatalog();
        TraceDecoder decoder = new TraceDecoder(schemas);
        try (RecordingReader reader = new RecordingReader(file, schemas)) {
            boolean isMore = true;
            while (isMore && !isClosed) {
                throwFailure();
                try {
                    byte[] record = reader.next();
                    isMore = record != null;
                    if (record != null) {
                        TraceEnvelope head = decoder.readEnvelope(record);
                        to.send(head.sessionId(), head.payloadName(), record, this::noteError);
                    }
                } catch (TraceFormatException e) {
                    LOG.warn("spool: {}", e.getMessage());
                }
            }
        } catch (TraceFormatException e) {
            // Its writer died before the first record.
            LOG.warn("spool: {}", e.getMessage());
        }
    }

    private void noteError(Object metadata, @Nullable Exception error) {
        if (error != null) {
            failure = TraceProducer.failure(servers, error);
        }
    }

    private void throwFailure() throws IOException {
        Exception cause = failure;
        if (cause != null) {
            throw new IOException(cause.getMessage(), cause);
        }
        if (isClosed) {
            throw new IOException("the sink was closed while it sent its spool");
        }
    }

    private synchronized boolean goDirect(TraceProducer back) throws IOException {
        if (spool != null && !spool.isEmpty()) {
            return false;
        }
        for (Pending record : pending) {
            back.send(record.sessionId, record.type, record.record, callback(record));
        }
        producer = back;
        trouble = null;
        return true;
    }

    @Override
    public synchronized void publishSchema(Schema schema) throws IOException {
        if (producer == null) {
            awaitBroker();
        }
        if (producer != null) {
            producer.publish(schema);
        }
    }

    @Override
    public synchronized void flush() throws IOException {
        if (producer != null) {
            producer.flush();
            if (failure != null) {
                leave();
            }
            forgetTaken();
        }
        if (producer == null && spool == null) {
            awaitBroker();
            flush();
        } else if (producer == null && spool != null) {
            spool.flush();
        }
    }

    /** Whether records go straight to the broker. */
    synchronized boolean isDirect() {
        return producer != null;
    }

    @Override
    public @Nullable String trouble() {
        return trouble;
    }

    /** Sends what it can; the rest stays in the spool for the next sink. */
    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        try {
            flush();
        } finally {
            isClosed = true;
            keeper.interrupt();
            awaitKeeper();
            closeAll();
        }
    }

    private void awaitKeeper() {
        try {
            keeper.join(CONNECT.toMillis() * 2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void closeAll() throws IOException {
        if (producer != null) {
            producer.close();
            producer = null;
        }
        if (spool != null) {
            spool.close();
        }
    }
}
