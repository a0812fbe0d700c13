package dev.tidemark.deploy.bench;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.deploy.Failure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a bench has done, a JSON object a line, each on disk before the next step: {@code settings}
 * first, then {@code session} with its outcome and {@code loaded} with the keys of sessions that
 * the lake has. A last line that was cut by a kill is as if it had not been begun.
 */
final class Journal implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SETTINGS = "settings";
    private static final String SESSION = "session";
    private static final String LOADED = "loaded";

    private final Path path;
    private final FileChannel file;
    private final Map<String, SessionOutcome> sessions = new HashMap<>();
    private final Set<String> loaded = new HashSet<>();
    private @Nullable JsonNode settings;

    private Journal(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
    }

    /**
     * Opens it, for this process alone, and reads what it has.
     *
     * @param wanted the bench's settings; a journal of other settings is a {@link Failure}
     * @param isResumed whether there should be one already
     */
    static Journal open(Path path, Map<String, String> wanted, boolean isResumed)
            throws IOException {
        if (isResumed && !path.toFile().exists()) {
            throw Failure.badInput(path + ": nothing to resume: no such journal");
        }
        FileChannel file =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        try {
            Journal journal = new Journal(path, file);
            journal.lock();
            journal.read();
            journal.begin(wanted, isResumed);
            return journal;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private void lock() throws IOException {
        try {
            if (file.tryLock() != null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            throw Failure.badInput(path + ": another bench is writing it");
        }
        throw Failure.badInput(path + ": another bench is writing it");
    }

    private void read() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
        while (bytes.hasRemaining() && file.read(bytes) >= 0) {}
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        int end = text.lastIndexOf('\n') + 1;
        int line = 0;
        for (String entry : text.substring(0, end).lines().toList()) {
            line++;
            try {
                add(JSON.readTree(entry));
            } catch (JacksonException e) {
                throw Failure.badInput(
                        "%s:%d: not a journal's line; remove the folder to start anew"
                                .formatted(path, line));
            }
        }
        file.truncate(text.substring(0, end).getBytes(StandardCharsets.UTF_8).length);
        file.position(file.size());
    }

    private void add(JsonNode entry) throws JacksonException {
        if (entry.has(SETTINGS)) {
            settings = entry.get(SETTINGS);
        } else if (entry.has(SESSION)) {
            sessions.put(
                    entry.get(SESSION).asText(),
                    JSON.treeToValue(entry.get("outcome"), SessionOutcome.class));
        } else if (entry.has(LOADED)) {
            entry.get(LOADED).forEach(key -> loaded.add(key.asText()));
        }
    }

    private void begin(Map<String, String> wanted, boolean isResumed) throws IOException {
        ObjectNode asked = JSON.valueToTree(wanted);
        if (settings == null) {
            settings = asked;
            write(JSON.createObjectNode().set(SETTINGS, asked));
            return;
        }
        if (!isResumed) {
            throw Failure.badInput(
                    path
                            + ": a bench was begun there: --resume goes on, --work DIR starts another");
        }
        for (Iterator<String> names = asked.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            String before = settings.path(name).asText();
            if (!before.equals(asked.get(name).asText())) {
                throw Failure.badInput(
                        "%s: was begun with %s '%s', not '%s': resume it with the same, or start another with --work DIR"
                                .formatted(path, name, before, asked.get(name).asText()));
            }
        }
    }

    /** How a session ended; null when it has not. */
    @Nullable SessionOutcome outcome(SessionTask task) {
        return sessions.get(task.key());
    }

    boolean isLoaded(SessionTask task) {
        return loaded.contains(task.key());
    }

    void ended(SessionTask task, SessionOutcome outcome) throws IOException {
        ObjectNode entry = JSON.createObjectNode().put(SESSION, task.key());
        entry.set("outcome", JSON.valueToTree(outcome));
        write(entry);
        sessions.put(task.key(), outcome);
    }

    void loaded(Iterable<SessionTask> tasks) throws IOException {
        ObjectNode entry = JSON.createObjectNode();
        tasks.forEach(task -> entry.withArray("/" + LOADED).add(task.key()));
        write(entry);
        tasks.forEach(task -> loaded.add(task.key()));
    }

    private void write(JsonNode entry) throws IOException {
        byte[] line = (JSON.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.wrap(line);
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
        file.force(true);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
