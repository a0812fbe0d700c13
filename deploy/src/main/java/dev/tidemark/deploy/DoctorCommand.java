package dev.tidemark.deploy;

import dev.tidemark.deploy.doctor.Finding;
import dev.tidemark.deploy.doctor.Finding.State;
import dev.tidemark.deploy.doctor.MachineCheck;
import dev.tidemark.deploy.doctor.ProgramCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what this machine lacks, or whether a program can be recorded, and what helps. */
@Command(
        name = "doctor",
        description = {
            "What this machine lacks and the command that brings it.",
            "With a program: whether it can be recorded, and which marks it may bring."
        },
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..*",
            paramLabel = "PROGRAM",
            description = "the program, and its arguments")
    private List<String> program = List.of();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<Finding> findings =
                program.isEmpty() ? MachineCheck.all() : ProgramCheck.of(found(program.get(0)));
        PrintWriter out = spec.commandLine().getOut();
        int width = findings.stream().mapToInt(f -> f.subject().length()).max().orElse(0);
        for (Finding finding : findings) {
            out.printf(
                    "%-7s  %-" + width + "s  %s%n",
                    finding.state().name().toLowerCase(Locale.ROOT),
                    finding.subject(),
                    finding.detail());
            if (!finding.remedy().isEmpty()) {
                out.printf("%-7s  %-" + width + "s  -> %s%n", "", "", finding.remedy());
            }
        }
        boolean isWell = findings.stream().allMatch(finding -> finding.state() != State.MISSING);
        if (isWell) {
            return ExitCode.DONE;
        }
        return program.isEmpty() ? ExitCode.MISSING_HERE : ExitCode.BAD_INPUT;
    }

    private static Path found(String command) {
        try {
            return Executables.find(command);
        } catch (Failure e) {
            throw e.withExitCode(ExitCode.BAD_INPUT);
        }
    }
}
