package dev.tidemark.deploy.arm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.deploy.Executables;
import dev.tidemark.deploy.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArmTest {
    private static final Path LIBC = Executables.library("libc.so.6").orElseThrow();

    @TempDir private Path folder;

    private static Arm system(String name, Map<String, String> policy) {
        return Arm.of(name, Optional.empty(), policy);
    }

    @Test
    void aNameAloneIsALabel() {
        assertThat(Arm.parse("baseline")).isEqualTo(system("baseline", Map.of()));
    }

    @Test
    void whereArmsAreComparedANameAloneIsAnAllocators() {
        assertThat(Arm.parseNamed("glibc")).isEqualTo(system("glibc", Map.of()));
        assertThat(Arm.parseNamed("mine=glibc")).isEqualTo(system("mine", Map.of()));
        assertThatThrownBy(() -> Arm.parseNamed("jemaloc"))
                .isInstanceOf(Failure.class)
                .hasMessage(
                        "arm 'jemaloc': no allocator of that name, did you mean jemalloc?; a label of your own is NAME=LIB");
    }

    @Test
    void glibcPreloadsNothing() {
        assertThat(Arm.parse("two-arenas=glibc,MALLOC_ARENA_MAX=2"))
                .isEqualTo(system("two-arenas", Map.of("MALLOC_ARENA_MAX", "2")));
    }

    @Test
    void aPolicyMayFollowTheNameAlone() {
        assertThat(Arm.parse("glibc,MALLOC_ARENA_MAX=2"))
                .isEqualTo(system("glibc", Map.of("MALLOC_ARENA_MAX", "2")));
    }

    @Test
    void aPartWithoutEqualsBelongsToTheValueBeforeIt() {
        assertThat(Arm.parse("tuned=" + LIBC + ",MALLOC_CONF=dirty_decay_ms:0,muzzy:1,X=a=b"))
                .isEqualTo(
                        Arm.of(
                                "tuned",
                                Optional.of(LIBC),
                                Map.of("MALLOC_CONF", "dirty_decay_ms:0,muzzy:1", "X", "a=b")));
    }

    @Test
    void findsDebiansLibraries() {
        assumeTrue(Executables.allocator("jemalloc").isPresent(), "libjemalloc2 is not installed");
        assertThat(Arm.parse("jemalloc").library().orElseThrow())
                .hasFileName("libjemalloc.so.2")
                .isReadable();
    }

    @Test
    void theReplayersOwnMayStandInFrontOfALibrary() {
        assertThat(Arm.parse("floor"))
                .isEqualTo(
                        new Arm(
                                "floor",
                                Optional.of(BuiltInAllocator.FLOOR),
                                Optional.empty(),
                                Map.of()));
        Arm arena = Arm.parse("arena=frame-arena:" + LIBC);
        assertThat(arena.builtIn()).contains(BuiltInAllocator.FRAME_ARENA);
        assertThat(arena.library()).contains(LIBC);
        assertThatThrownBy(() -> Arm.parse("a=floor:glibc"))
                .hasMessage("arm 'a': floor has no allocator behind it; write a=floor");
    }

    @Test
    void refusesWhatItCantRead() {
        assertThatThrownBy(() -> Arm.parse("=glibc"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("no name");
        assertThatThrownBy(() -> Arm.parse("a=glibc,loose"))
                .hasMessage("policy 'loose' has no '='; write NAME=LIB,K=V");
        assertThatThrownBy(() -> Arm.parse("a=/no/such/lib.so"))
                .hasMessage("arm 'a': /no/such/lib.so: no such library");
        assertThatThrownBy(() -> Arm.parse("a=mimaloc"))
                .hasMessageEndingWith("no such library, did you mean mimalloc?");
        assertThatThrownBy(() -> Arm.parse("x\ny=glibc"))
                .hasMessage("arm 'x?y...': a name has up to 100 printable characters");
    }

    @Test
    void saysWhatALibraryOfAnotherKindIs() throws Exception {
        Path text = Files.writeString(folder.resolve("lib.so"), "no library");
        assertThatThrownBy(() -> Arm.parse("a=" + text))
                .hasMessageStartingWith("arm 'a': " + text + ": not an ELF file; expected");
        byte[] bytes = Files.readAllBytes(LIBC);
        bytes[18] = (byte) 243;
        Path other = Files.write(folder.resolve("other.so"), bytes);
        assertThatThrownBy(() -> Arm.parse("a=" + other))
                .hasMessageMatching(
                        "arm 'a': .*/other.so is for riscv, this machine is (x86-64|aarch64): build it for this one");
        Path maths = Executables.library("libm.so.6").orElseThrow();
        assertThatThrownBy(() -> Arm.parse("a=" + maths))
                .hasMessage("arm 'a': %s defines no malloc and free: it is no allocator", maths);
    }
}
