package dev.tidemark.deploy.demo;

import dev.tidemark.deploy.CProgram;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A server that is ready to be recorded. Both kinds are paced by {@code usleep} on their main
 * thread.
 *
 * @param title its name
 * @param description what it is, for a person
 * @param command what to run
 * @param variables what it needs in its environment
 */
public record DemoServer(
        String title, String description, List<String> command, Map<String, String> variables) {
    /** The call between two of its ticks. */
    public static final String TICKS = "call:usleep";

    public static final String MINETEST = "minetest";
    public static final String SAMPLE = "sample";

    /** The Minetest server's program, where there is one. */
    public static Optional<Path> minetestProgram() {
        return Stream.of("/usr/lib/minetest/minetestserver", "/usr/games/minetestserver")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Makes a new world in the folder, for the Minetest server. */
    public static DemoServer minetest(Path program, Path folder) throws IOException {
        Path world = Files.createDirectories(folder.resolve("world"));
        Path mod = Files.createDirectories(world.resolve("worldmods/explorers"));
        copy("world.mt", world.resolve("world.mt"));
        copy("init.lua", mod.resolve("init.lua"));
        copy("mod.conf", mod.resolve("mod.conf"));
        Path configuration = folder.resolve("server.conf");
        copy("server.conf", configuration);
        return new DemoServer(
                MINETEST,
                "Minetest's dedicated server, generating a world",
                List.of(
                        program.toString(),
                        "--config",
                        configuration.toString(),
                        "--world",
                        world.toString(),
                        "--gameid",
                        "minetest_game",
                        "--port",
                        Integer.toString(freePort()),
                        "--logfile",
                        folder.resolve("debug.txt").toString()),
                Map.of("HOME", folder.toString()));
    }

    /** Compiles the built-in server into the folder. */
    public static DemoServer sample(Path folder) throws IOException, InterruptedException {
        Path program = CProgram.compile(folder, DemoServer.class, "sample_server", List.of());
        return new DemoServer(
                SAMPLE, "the built-in sample server", List.of(program.toString()), Map.of());
    }

    private static void copy(String resource, Path target) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(DemoServer.class.getResourceAsStream(resource), resource)) {
            Files.copy(in, target);
        }
    }

    private static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
