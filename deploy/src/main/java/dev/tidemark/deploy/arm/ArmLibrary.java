package dev.tidemark.deploy.arm;

import dev.tidemark.deploy.Executables;
import dev.tidemark.deploy.Failure;
import dev.tidemark.deploy.doctor.ElfFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The LIB of an arm: {@code glibc} (nothing is preloaded), an allocator by name ({@code jemalloc},
 * {@code mimalloc}, {@code tcmalloc}: Debian's libraries; {@code rusty_alloc}: built here), a path,
 * or one of the replayer's own, which may stand in front of another ({@code frame-arena:mimalloc}).
 *
 * @param builtIn the replayer's own
 * @param path what is preloaded
 */
record ArmLibrary(Optional<BuiltInAllocator> builtIn, Optional<Path> path) {
    private static final String GLIBC = "glibc";
    private static final String RUSTY_ALLOC = "rusty_alloc";

    /** What LIB may be called, other than a path. */
    static List<String> names() {
        List<String> names = new ArrayList<>(List.of(GLIBC));
        names.addAll(Executables.allocators());
        names.add(RUSTY_ALLOC);
        Arrays.stream(BuiltInAllocator.values()).map(BuiltInAllocator::text).forEach(names::add);
        return names;
    }

    static boolean isName(String library) {
        return names().contains(library.split(":", 2)[0]);
    }

    /**
     * Finds it.
     *
     * @param arm for whom, in a message
     */
    static ArmLibrary named(String library, String arm) {
        String[] parts = library.split(":", 2);
        Optional<BuiltInAllocator> builtIn = BuiltInAllocator.named(parts[0]);
        if (builtIn.isEmpty()) {
            return new ArmLibrary(builtIn, path(library, arm));
        }
        if (parts.length == 1) {
            return new ArmLibrary(builtIn, Optional.empty());
        }
        if (builtIn.get() == BuiltInAllocator.FLOOR) {
            throw Failure.badInput(
                    "arm '%s': floor has no allocator behind it; write %s=floor"
                            .formatted(arm, arm));
        }
        return new ArmLibrary(builtIn, path(parts[1], arm));
    }

    Arm arm(String name, Map<String, String> policy) {
        return new Arm(name, builtIn, path, policy);
    }

    private static Optional<Path> path(String library, String arm) {
        if (library.equals(GLIBC)) {
            return Optional.empty();
        }
        if (library.equals(RUSTY_ALLOC)) {
            return Optional.of(RustyAlloc.library(arm));
        }
        if (Executables.isAllocator(library)) {
            return Optional.of(installed(library, arm));
        }
        Path path = Path.of(library).toAbsolutePath();
        check(path, library, arm);
        return Optional.of(path);
    }

    private static Path installed(String library, String arm) {
        return Executables.allocator(library)
                .orElseThrow(
                        () ->
                                Failure.missingHere(
                                        "arm '%s': %s is not installed: sudo apt-get install %s"
                                                .formatted(
                                                        arm,
                                                        library,
                                                        Executables.allocatorPackage(library))));
    }

    /** That the loader will take it, and that it is an allocator. */
    private static void check(Path path, String library, String arm) {
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            String hint = library.contains("/") ? "" : Spelling.hint(library, names());
            throw Failure.badInput("arm '%s': %s: no such library%s".formatted(arm, path, hint));
        }
        ElfFile elf;
        try {
            elf = ElfFile.read(path);
        } catch (IOException e) {
            throw Failure.badInput(
                    "arm '%s': %s; expected a shared library for %s"
                            .formatted(arm, e.getMessage(), ElfFile.nameOf(ElfFile.ownMachine())));
        }
        if (elf.machine() != ElfFile.ownMachine()) {
            throw Failure.badInput(
                    "arm '%s': %s is for %s, this machine is %s: build it for this one"
                            .formatted(
                                    arm,
                                    path,
                                    ElfFile.nameOf(elf.machine()),
                                    ElfFile.nameOf(ElfFile.ownMachine())));
        }
        if (!elf.defined().contains("malloc") || !elf.defined().contains("free")) {
            throw Failure.badInput(
                    "arm '%s': %s defines no malloc and free: it is no allocator"
                            .formatted(arm, path));
        }
    }
}
