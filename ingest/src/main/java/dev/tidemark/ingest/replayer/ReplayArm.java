package dev.tidemark.ingest.replayer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a recording is replayed under.
 *
 * @param name the label
 * @param front what stands in front of the allocator
 * @param library the allocator's, preloaded; empty for that of the C library
 * @param policy environment variables that steer the allocator
 */
public record ReplayArm(
        String name, Front front, Optional<Path> library, Map<String, String> policy) {
    private static final Path SELF = Path.of("/proc/self/exe");
    private static final int ELF_BYTES = 20;
    private static final int CLASS = 4;
    private static final int MACHINE = 18;

    public ReplayArm {
        policy = Map.copyOf(policy);
    }

    /** An arm with nothing in front of its allocator. */
    public static ReplayArm of(String name, Optional<Path> library, Map<String, String> policy) {
        return new ReplayArm(name, Front.NONE, library, policy);
    }

    /** The replay's own cost. */
    public static ReplayArm floor() {
        return new ReplayArm("floor", Front.FLOOR, Optional.empty(), Map.of());
    }

    /**
     * Looks at the library's file.
     *
     * @throws ReplayException when it is missing, no library, or of another architecture
     */
    public void requireLibrary() throws ReplayException {
        if (library.isEmpty()) {
            return;
        }
        Path file = library.get();
        byte[] head = head(file);
        byte[] self = head(SELF);
        if (head.length < ELF_BYTES || head[0] != 0x7f || head[1] != 'E' || head[2] != 'L') {
            throw bad(file, Files.exists(file) ? "no ELF library" : "no such library");
        }
        if (head[CLASS] != self[CLASS] || machine(head) != machine(self)) {
            throw bad(
                    file,
                    "built for another machine (ELF class %d, machine %d; here %d, %d)"
                            .formatted(head[CLASS], machine(head), self[CLASS], machine(self)));
        }
    }

    private ReplayException bad(Path file, String what) {
        return ReplayException.badInput("arm '%s': %s: %s".formatted(name, file, what));
    }

    private static int machine(byte[] head) {
        return (head[MACHINE] & 0xff) | (head[MACHINE + 1] & 0xff) << 8;
    }

    private static byte[] head(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(ELF_BYTES);
        } catch (IOException e) {
            return new byte[0];
        }
    }
}
