package dev.tidemark.deploy.arm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.deploy.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArmsFileTest {
    @TempDir private Path folder;

    private Path file(String... lines) throws IOException {
        return Files.writeString(folder.resolve("a.yaml"), String.join("\n", lines));
    }

    private void assertRefused(String message, String... lines) throws IOException {
        Path file = file(lines);
        assertThatThrownBy(() -> ArmsFile.read(file))
                .isInstanceOf(Failure.class)
                .hasMessage(message, file);
    }

    @Test
    void armsKeepTheirOrderAndTheirPolicies() throws Exception {
        Path file =
                file(
                        "arms:",
                        "  glibc:",
                        "  two-arenas:",
                        "    library: glibc",
                        "    policy: {MALLOC_ARENA_MAX: 2}",
                        "  floor:");
        assertThat(ArmsFile.read(file))
                .containsExactly(
                        Arm.of("glibc", Optional.empty(), Map.of()),
                        Arm.of("two-arenas", Optional.empty(), Map.of("MALLOC_ARENA_MAX", "2")),
                        Arm.parse("floor"));
    }

    @Test
    void aTypoIsOneLineWithItsPlaceAndTheNearestKey() throws Exception {
        assertRefused(
                "%s:3: 'libary' is not known in two, did you mean library?",
                "arms:", "  two:", "    libary: glibc");
        assertRefused("%s:1: 'arm' is not known in the file, did you mean arms?", "arm:");
        assertRefused(
                "%s:3: arm 'mimaloc' has no library:, and no allocator is called so, did you mean mimalloc?",
                "arms:", "  glibc:", "  mimaloc:");
        assertRefused(
                "%s:3: arm 'x': /no/lib.so: no such library",
                "arms:", "  x:", "    library: /no/lib.so");
        assertRefused("%s:3: 'a' comes twice in arms", "arms:", "  a: {library: glibc}", "  a:");
    }

    @Test
    void whatIsNoFileOfArmsIsOneLine() throws Exception {
        assertRefused("%s: empty; expected arms: with a NAME: below for each");
        assertRefused("%s:1: the file: expected KEY: VALUE lines", "- glibc");
        assertRefused("%s:1: arms: expected KEY: VALUE lines", "arms: [glibc]");
        assertRefused("%s:2: not YAML: found unknown escape character q(113)", "a:", " \"\\q\"");
        assertThatThrownBy(() -> ArmsFile.read(folder.resolve("none")))
                .hasMessageEndingWith("no such file, or its folder does not exist");
    }

    @Test
    void theUsualArmsBeginWithTheBaselineAndSayWhatIsLeftOut() {
        ArmsFile.Contents usual = ArmsFile.usual();
        assertThat(usual.arms().get(0)).isEqualTo(Arm.parse("glibc"));
        assertThat(usual.arms()).extracting(Arm::name).contains("glibc-keep", "floor");
        assertThat(usual.leftOut()).allMatch(line -> line.startsWith("arm '"));
        // 13 in the file: each is either there or told.
        assertThat(usual.arms().size() + usual.leftOut().size()).isEqualTo(13);
    }
}
