package dev.tidemark.deploy;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What an option is when no flag says it: {@code TIDEMARK_NAME} from the environment, else {@code
 * name:} from {@code tidemark.yaml} in the working folder (below the command's own name, or at the
 * top for all commands), else the option's own default.
 */
final class Settings implements IDefaultValueProvider {
    private static final Path FILE = Path.of("tidemark.yaml");

    private final Map<String, String> environment;
    private final JsonNode file;

    Settings(Map<String, String> environment, JsonNode file) {
        this.environment = environment;
        this.file = file;
    }

    /** Reads {@code tidemark.yaml} below this folder, if there is one. */
    static Settings read(Map<String, String> environment, Path folder) {
        Path path = folder.resolve(FILE);
        YAMLMapper yaml = new YAMLMapper();
        if (!Files.exists(path)) {
            return new Settings(environment, yaml.createObjectNode());
        }
        try {
            JsonNode root = yaml.readTree(Files.readString(path));
            if (root.isObject() || root.isMissingNode() || root.isNull()) {
                return new Settings(environment, root);
            }
            throw Failure.badInput(path + ": expected settings as NAME: VALUE lines");
        } catch (JacksonException e) {
            throw new Failure(
                    ExitCode.BAD_INPUT,
                    "%s: line %d: not YAML: %s"
                            .formatted(path, e.getLocation().getLineNr(), e.getOriginalMessage()),
                    e);
        } catch (IOException e) {
            throw new Failure(ExitCode.BAD_INPUT, path + ": can't be read: " + e.getMessage(), e);
        }
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || option.usageHelp()) {
            return null;
        }
        String name = option.longestName().replaceFirst("^--", "");
        String fromEnvironment = environment.get(variable(name));
        if (fromEnvironment != null) {
            return fromEnvironment;
        }
        JsonNode ofCommand = file.path(argument.command().name()).path(name);
        JsonNode value = ofCommand.isMissingNode() ? file.path(name) : ofCommand;
        return value.isValueNode() && !value.isNull() ? value.asText() : null;
    }

    private static String variable(String name) {
        return "TIDEMARK_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
