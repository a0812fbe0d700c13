package dev.tidemark.deploy.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.deploy.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArmTest {
    @Test
    void aNameAloneIsALabel() {
        assertThat(Arm.parse("baseline"))
                .isEqualTo(new Arm("baseline", Optional.empty(), Map.of()));
    }

    @Test
    void glibcPreloadsNothing() {
        assertThat(Arm.parse("two-arenas=glibc,MALLOC_ARENA_MAX=2"))
                .isEqualTo(
                        new Arm("two-arenas", Optional.empty(), Map.of("MALLOC_ARENA_MAX", "2")));
    }

    @Test
    void aPartWithoutEqualsBelongsToTheValueBeforeIt(@TempDir Path folder) throws Exception {
        Path library = Files.writeString(folder.resolve("lib.so"), "");
        assertThat(Arm.parse("tuned=" + library + ",MALLOC_CONF=dirty_decay_ms:0,muzzy:1,X=a=b"))
                .isEqualTo(
                        new Arm(
                                "tuned",
                                Optional.of(library),
                                Map.of("MALLOC_CONF", "dirty_decay_ms:0,muzzy:1", "X", "a=b")));
    }

    @Test
    void refusesWhatItCantRead() {
        assertThatThrownBy(() -> Arm.parse("=glibc"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("no name");
        assertThatThrownBy(() -> Arm.parse("a=glibc,loose"))
                .hasMessage("policy 'loose' has no '='; write NAME=LIB,K=V");
        assertThatThrownBy(() -> Arm.parse("a=/no/such/lib.so"))
                .hasMessage("arm 'a=/no/such/lib.so': /no/such/lib.so: no such library");
    }
}
