package dev.tidemark.deploy.demo;

import dev.tidemark.deploy.CProgram;
import dev.tidemark.deploy.doctor.ProgramCheck;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A server that is ready to be recorded.
 *
 * @param title its name
 * @param description what it is, for a person
 * @param command what to run
 * @param variables what it needs in its environment
 * @param ticks what marks them, as {@code --ticks} says it
 */
public record DemoServer(
        String title,
        String description,
        List<String> command,
        Map<String, String> variables,
        String ticks) {
    private static final String FIXED_TICKS = "fixed:33.333";

    public static final String MINETEST = "minetest";
    public static final String SAMPLE = "sample";

    /** The call that paces a program, by what it imports; a fixed period where it imports none. */
    static String ticksOf(Path program) throws IOException {
        return ProgramCheck.tickCalls(program).stream()
                .findFirst()
                .map(call -> "call:" + call)
                .orElse(FIXED_TICKS);
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
                Map.of("HOME", folder.toString()),
                ticksOf(program));
    }

    /** Compiles the built-in server into the folder. */
    public static DemoServer sample(Path folder) throws IOException, InterruptedException {
        Path program = CProgram.compile(folder, DemoServer.class, "sample_server", List.of());
        return new DemoServer(
                SAMPLE,
                "the built-in sample server",
                List.of(program.toString()),
                Map.of(),
                ticksOf(program));
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
