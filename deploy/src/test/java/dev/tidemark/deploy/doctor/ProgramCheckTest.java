package dev.tidemark.deploy.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.deploy.doctor.Finding.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs are compiled here, so that what they import is known. */
class ProgramCheckTest {
    @TempDir private Path folder;

    private Path compile(String source, String... flags) throws Exception {
        Path code = Files.writeString(folder.resolve("program.c"), source);
        Path program = folder.resolve("program");
        List<String> command = new ArrayList<>(List.of("gcc", "-o", program.toString()));
        command.add(code.toString());
        command.addAll(List.of(flags));
        Process gcc = new ProcessBuilder(command).inheritIO().start();
        assertThat(gcc.waitFor()).isZero();
        return program;
    }

    private Finding finding(Path program, String subject) throws IOException {
        return ProgramCheck.of(program).stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing about " + subject));
    }

    @Test
    void namesTheCallThatMayPaceAServer() throws Exception {
        Path program = compile("#include <unistd.h>\nint main(void) { return usleep(1); }\n");
        assertThat(finding(program, "marks"))
                .isEqualTo(Finding.ok("marks", "ticks may be: usleep"));
        assertThat(ProgramCheck.of(program)).allMatch(finding -> finding.state() == State.OK);
    }

    @Test
    void namesTheProgramsOwnMarks() throws Exception {
        Path program =
                compile(
                        """
                        __attribute__((weak)) void tidemark_frame(void);
                        int main(void) { if (tidemark_frame) tidemark_frame(); }
                        """);
        assertThat(finding(program, "marks").detail()).isEqualTo("its own: tidemark_frame");
    }

    @Test
    void saysThatAStaticProgramStaysUnseen() throws Exception {
        Path program = compile("int main(void) { return 0; }\n", "-static");
        assertThat(finding(program, "loader").state()).isEqualTo(State.MISSING);
        assertThat(finding(program, "loader").detail()).contains("static");
    }

    @Test
    void saysThatASetuidProgramDropsThePreload() throws Exception {
        Path program = compile("int main(void) { return 0; }\n");
        Files.setAttribute(program, "unix:mode", 04755);
        assertThat(finding(program, "privileges").state()).isEqualTo(State.MISSING);
    }

    @Test
    void noticesAnAllocatorInside() throws Exception {
        Path program =
                compile(
                        "int main(void) { return 0; }\nvoid *je_malloc(unsigned long n) { return (void *)n; }\n");
        assertThat(finding(program, "allocator").state()).isEqualTo(State.NOTE);
        assertThat(finding(program, "allocator").detail()).contains("je_malloc");
    }

    @Test
    void namesTheCallOfAFortifiedProgram() throws Exception {
        Path program =
                compile(
                        """
                        #include <sys/socket.h>
                        char text[9];
                        int main(int count, char **words) { return words && recvfrom(0, text, count, 0, 0, 0) > 0; }
                        """,
                        "-O2",
                        "-U_FORTIFY_SOURCE",
                        "-D_FORTIFY_SOURCE=2");
        assertThat(finding(program, "marks").detail()).isEqualTo("ticks may be: recvfrom");
        assertThat(ProgramCheck.tickCalls(program)).containsExactly("recvfrom");
    }

    @Test
    void putsTheLikeliestTickFirst() throws Exception {
        Path program =
                compile(
                        "#include <poll.h>\n#include <unistd.h>\nint main(void) { return poll(0, 0, 1) + usleep(1); }\n");
        assertThat(ProgramCheck.tickCalls(program)).containsExactly("usleep", "poll");
    }

    @Test
    void followsAScriptToTheProgramThatItEndsIn() throws Exception {
        Path program = compile("#include <unistd.h>\nint main(void) { return usleep(1); }\n");
        Path script =
                script(
                        "#!/bin/sh\nif [ $# = 9 ]; then\n  exec /bin/true\nfi\nexec %s \\\n  --quiet \"$@\"\n"
                                .formatted(program));
        assertThat(finding(script, "marks")).isEqualTo(Finding.ok("marks", "ticks may be: usleep"));
        assertThat(finding(script, script.toString()).detail()).contains("exec " + program);
        assertThat(ProgramCheck.tickCalls(script)).isEmpty();
    }

    private Path script(String text) throws IOException {
        Path script = Files.writeString(folder.resolve("start.sh"), text);
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void followsAScriptToItsInterpreter() throws Exception {
        Path script = script("#!/usr/bin/env sh\nexec true\n");
        List<Finding> findings = ProgramCheck.of(script);
        assertThat(findings.get(0).detail()).contains("a script");
        assertThat(findings).anyMatch(finding -> finding.subject().equals("loader"));
    }

    @Test
    void anElfFileCutAnywhereIsOneFinding() throws Exception {
        byte[] whole = Files.readAllBytes(compile("int main(void) { return 0; }\n"));
        Path cut = folder.resolve("cut");
        for (int length = 0; length < whole.length; length += 61) {
            Files.write(cut, Arrays.copyOf(whole, length));
            assertThat(ProgramCheck.of(cut)).isNotEmpty();
        }
    }

    @Test
    void aFileThatIsNoProgramCantBeRecorded() throws Exception {
        Path text = Files.writeString(folder.resolve("notes.txt"), "ebb and flow");
        assertThat(ProgramCheck.of(text)).anyMatch(finding -> finding.state() == State.MISSING);
    }
}
