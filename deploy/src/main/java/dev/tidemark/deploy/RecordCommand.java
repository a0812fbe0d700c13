package dev.tidemark.deploy;

import dev.tidemark.deploy.record.RecordOptions;
import dev.tidemark.deploy.record.RecordRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a program under the recorder and passes its exit code on. */
@Command(
        name = "record",
        description = "Runs a program under the recorder and passes its exit code on.",
        mixinStandardHelpOptions = true)
final class RecordCommand implements Callable<Integer> {
    @Mixin private RecordOptions options = new RecordOptions();
    @Mixin private ArmOption arm = new ArmOption();
    @Mixin private LakeOptions lake = new LakeOptions();
    @Mixin private RecordingOptions recording = new RecordingOptions();

    @Parameters(
            arity = "1..*",
            paramLabel = "CMD",
            description = "The program and its arguments, after --.")
    private List<String> command = List.of();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        options.setArm(arm.arm());
        return recording.record(
                spec.commandLine(),
                lake,
                new RecordRequest(
                        command, options, Map.of(), recording.duration(), Optional.empty()));
    }
}
