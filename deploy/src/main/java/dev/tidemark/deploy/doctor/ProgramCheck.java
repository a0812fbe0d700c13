package dev.tidemark.deploy.doctor;

import dev.tidemark.deploy.Executables;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Whether a program can be recorded, and which marks it may bring, judged from its files alone. */
public final class ProgramCheck {
    private static final int SET_USER_OR_GROUP = 06000;

    private static final List<String> FRAME_MARKS =
            List.of(
                    "SDL_GL_SwapWindow",
                    "SDL_RenderPresent",
                    "SDL_UpdateWindowSurface",
                    "glXSwapBuffers",
                    "eglSwapBuffers",
                    "vkQueuePresentKHR");
    private static final List<String> TICK_MARKS =
            List.of(
                    "usleep",
                    "nanosleep",
                    "clock_nanosleep",
                    "recvfrom",
                    "select",
                    "pselect",
                    "epoll_wait",
                    "epoll_pwait",
                    "poll",
                    "ppoll",
                    "recv",
                    "recvmsg",
                    "recvmmsg",
                    "sem_timedwait");
    private static final List<String> API_MARKS =
            List.of("tidemark_frame", "tidemark_tick", "tidemark_phase", "tidemark_value");
    private static final List<String> OWN_ALLOCATORS =
            List.of("je_malloc", "mi_malloc", "tc_malloc", "rpmalloc", "scalable_malloc", "malloc");

    private static final Pattern EXEC = Pattern.compile("(?m)^[ \\t]*exec[ \\t]+(/[^\\s;'\"$]+)");
    private static final int MAX_SCRIPTS = 4;

    private final List<Finding> findings = new ArrayList<>();

    private ProgramCheck() {}

    /** Looks at this program. */
    public static List<Finding> of(Path program) throws IOException {
        ProgramCheck check = new ProgramCheck();
        check.program(program, 0);
        return List.copyOf(check.findings);
    }

    /**
     * The calls that may pace a server, of those that the program itself imports, likeliest first;
     * none of a script.
     */
    public static List<String> tickCalls(Path program) throws IOException {
        return scriptInterpreter(program).isPresent()
                ? List.of()
                : tickCalls(ElfFile.read(program));
    }

    /** A fortified build imports {@code __recvfrom_chk} for {@code recvfrom}. */
    private static List<String> tickCalls(ElfFile program) {
        Set<String> imported = program.imported();
        return TICK_MARKS.stream()
                .filter(name -> imported.contains(name) || imported.contains(checked(name)))
                .toList();
    }

    private static String checked(String name) {
        return "__" + name + "_chk";
    }

    private void program(Path path, int depth) throws IOException {
        Optional<String> interpreter = scriptInterpreter(path);
        Optional<Path> replacement = interpreter.isPresent() ? execOf(path) : Optional.empty();
        if (replacement.isPresent() && depth < MAX_SCRIPTS) {
            findings.add(
                    Finding.ok(
                            path.toString(),
                            "a script that ends in exec " + replacement.get() + ": of that"));
            program(replacement.get(), depth + 1);
            return;
        }
        if (interpreter.isPresent() && depth < MAX_SCRIPTS) {
            findings.add(
                    Finding.note(
                            path.toString(),
                            "a script: what is recorded is "
                                    + interpreter.get()
                                    + ", or the program that the script ends in with exec",
                            "let the script end in: exec PROGRAM"));
            program(Executables.find(interpreter.get()), depth + 1);
            return;
        }
        findings.add(privileges(path));
        ElfFile elf;
        try {
            elf = ElfFile.read(path);
        } catch (IOException e) {
            findings.add(
                    Finding.missing(path.toString(), e.getMessage() + ": can't be recorded", ""));
            return;
        }
        findings.add(architecture(path, elf));
        findings.add(loader(path, elf));
        if (elf.interpreter().isPresent()) {
            Map<Path, ElfFile> images = withLibraries(path, elf);
            findings.add(ownAllocator(path, elf));
            findings.add(marks(elf, images));
        }
    }

    /** The program that the last exec of a script names by its path, if it is there. */
    private static Optional<Path> execOf(Path script) throws IOException {
        String text = Files.readString(script, StandardCharsets.ISO_8859_1);
        return EXEC.matcher(text)
                .results()
                .reduce((earlier, later) -> later)
                .map(last -> Path.of(last.group(1)))
                .filter(Files::isExecutable);
    }

    private static Optional<String> scriptInterpreter(Path path) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(256);
        try (SeekableByteChannel channel = Files.newByteChannel(path)) {
            while (head.hasRemaining() && channel.read(head) > 0) {}
        }
        String text = new String(head.array(), 0, head.position(), StandardCharsets.ISO_8859_1);
        if (!text.startsWith("#!")) {
            return Optional.empty();
        }
        String[] words = text.lines().findFirst().orElse("").substring(2).strip().split("\\s+", -1);
        boolean isEnv = words[0].endsWith("/env") && words.length > 1;
        return Optional.of(
                isEnv ? words[words[1].equals("-S") && words.length > 2 ? 2 : 1] : words[0]);
    }

    private static Finding privileges(Path path) throws IOException {
        int mode = (Integer) Files.getAttribute(path, "unix:mode");
        if ((mode & SET_USER_OR_GROUP) == 0) {
            return Finding.ok("privileges", "no setuid or setgid bit, so the preload is kept");
        }
        return Finding.missing(
                "privileges",
                path + " is setuid or setgid: the loader drops LD_PRELOAD, nothing can be recorded",
                "record a copy of it without the bit");
    }

    private static Finding architecture(Path path, ElfFile elf) {
        int own = ElfFile.ownMachine();
        if (elf.machine() == own) {
            return Finding.ok("architecture", "the recorder's own");
        }
        return Finding.missing(
                "architecture",
                "%s is for %s, the recorder for %s: it can't be loaded there"
                        .formatted(path, ElfFile.nameOf(elf.machine()), ElfFile.nameOf(own)),
                "record it on a machine of its own kind");
    }

    private static Finding loader(Path path, ElfFile elf) {
        if (elf.interpreter().isEmpty()) {
            return Finding.missing(
                    "loader",
                    path + " is static: nothing can be preloaded, its allocator stays unseen",
                    "link it dynamically");
        }
        String loader = elf.interpreter().get();
        if (loader.contains("musl")) {
            return Finding.missing(
                    "loader",
                    path + " is for musl (" + loader + "): the recorder here is built for glibc",
                    "build the recorder where the program is built");
        }
        return Finding.ok("loader", loader);
    }

    private static Finding ownAllocator(Path path, ElfFile elf) {
        Set<String> own = new TreeSet<>(OWN_ALLOCATORS);
        own.retainAll(elf.defined());
        if (own.isEmpty()) {
            return Finding.ok("allocator", "takes malloc from outside");
        }
        return Finding.note(
                "allocator",
                path
                        + " defines "
                        + String.join(", ", own)
                        + ": calls inside it may stay unseen, the session's coverage_ratio will tell",
                "build it with the system's allocator");
    }

    /** Swap calls often come from a library, a server's pacing call from the program itself. */
    private static Finding marks(ElfFile program, Map<Path, ElfFile> images) {
        Set<String> found = new TreeSet<>();
        for (ElfFile image : images.values()) {
            found.addAll(image.imported());
        }
        List<String> api = kept(API_MARKS, found);
        List<String> frames = kept(FRAME_MARKS, found);
        List<String> ticks = tickCalls(program);
        List<String> words = new ArrayList<>();
        if (!api.isEmpty()) {
            words.add("its own: " + String.join(", ", api));
        }
        if (!frames.isEmpty()) {
            words.add("frames: " + String.join(", ", frames));
        }
        if (!ticks.isEmpty()) {
            words.add("ticks may be: " + String.join(", ", ticks));
        }
        if (words.isEmpty()) {
            return Finding.note(
                    "marks",
                    "none imported; marks that are looked up at run time are not seen from here",
                    "--frames fixed:16.667 or --ticks fixed:33.333");
        }
        return Finding.ok("marks", String.join("; ", words));
    }

    private static List<String> kept(List<String> names, Set<String> found) {
        return names.stream().filter(found::contains).toList();
    }

    /**
     * The program and those libraries of its own (not the C library's) that are where they usually
     * are.
     */
    private static Map<Path, ElfFile> withLibraries(Path program, ElfFile elf) throws IOException {
        Map<Path, ElfFile> images = new LinkedHashMap<>();
        images.put(program, elf);
        Deque<String> names = new ArrayDeque<>(elf.needed());
        while (!names.isEmpty() && images.size() < 200) {
            Optional<Path> library = Executables.library(names.remove());
            if (library.isPresent()
                    && !images.containsKey(library.get())
                    && !library.get().getFileName().toString().startsWith("libc.so")) {
                ElfFile image = ElfFile.read(library.get());
                images.put(library.get(), image);
                names.addAll(image.needed());
            }
        }
        return images;
    }
}
