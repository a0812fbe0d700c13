package dev.tidemark.deploy;

import dev.tidemark.deploy.arm.Arm;
import picocli.CommandLine.Option;

/** For commands that record under one arm. */
final class ArmOption {
    @Option(
            names = "--arm",
            paramLabel = "NAME[=LIB][,K=V]",
            converter = Arm.Converter.class,
            description =
                    "A label, an allocator's library (glibc, jemalloc, mimalloc, tcmalloc, rusty_alloc or a path), its environment.")
    private Arm arm = Arm.DEFAULT;

    Arm arm() {
        return arm;
    }
}
