package dev.tidemark.ingest.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Serves figures for Prometheus under /metrics. */
public final class MetricsServer implements Closeable {
    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;

    private MetricsServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Begins to serve.
     *
     * @param address where to listen; port 0 takes any free one
     * @param text the figures, asked for at each request
     * @throws IOException when the address can't be had
     */
    public static MetricsServer start(InetSocketAddress address, Supplier<String> text)
            throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new IOException(
                    "metrics can't be served at %s: %s".formatted(address, e.getMessage()), e);
        }
        server.createContext("/metrics", exchange -> answer(exchange, text.get()));
        server.start();
        return new MetricsServer(server);
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", TYPE);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** The port it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
