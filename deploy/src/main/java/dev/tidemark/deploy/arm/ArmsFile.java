package dev.tidemark.deploy.arm;

import dev.tidemark.deploy.ExitCode;
import dev.tidemark.deploy.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Arms in YAML, in the order in which tables show them:
 *
 * <pre>{@code
 * arms:
 *   glibc:                      # the library of that name
 *   two-arenas:
 *     library: glibc            # a name or a path
 *     policy: {MALLOC_ARENA_MAX: 2}
 * }</pre>
 *
 * <p>What can't be read is one line with file and line, and the key that was probably meant.
 */
public final class ArmsFile {
    private static final List<String> ROOT_KEYS = List.of("arms");
    private static final List<String> ARM_KEYS = List.of("library", "policy");

    private final String file;
    private final boolean skipMissing;
    private final List<String> leftOut = new ArrayList<>();

    private ArmsFile(String file, boolean skipMissing) {
        this.file = file;
        this.skipMissing = skipMissing;
    }

    /**
     * Arms of a file.
     *
     * @param arms in the file's order
     * @param leftOut a line for each arm that this machine has no library for
     */
    public record Contents(List<Arm> arms, List<String> leftOut) {}

    /** Reads a file; an arm whose library is missing is a {@link Failure}. */
    public static List<Arm> read(Path path) {
        try {
            String text = Files.readString(path);
            return new ArmsFile(path.toString(), false).parse(text).arms();
        } catch (IOException e) {
            throw new Failure(
                    ExitCode.BAD_INPUT, path + ": can't be read: " + Failure.reason(e), e);
        }
    }

    /** Every allocator, alone and with the opposite of its own policy, as far as they are here. */
    public static Contents usual() {
        return new ArmsFile("arms.yaml", true).parse(usualText());
    }

    /** The file of {@link #usual}, to be edited. */
    public static String usualText() {
        try (InputStream in =
                Objects.requireNonNull(ArmsFile.class.getResourceAsStream("arms.yaml"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("arms.yaml of the jar can't be read", e);
        }
    }

    private Contents parse(String text) {
        List<Arm> arms = new ArrayList<>();
        Map<String, Node> root = mapping(compose(text), "the file", ROOT_KEYS);
        Node listed = root.get("arms");
        if (listed == null) {
            throw Failure.badInput(file + ": no 'arms:' in it");
        }
        mapping(listed, "arms", List.of()).forEach((name, node) -> add(arms, name, node));
        if (arms.isEmpty()) {
            throw bad(listed, "no arm in it that this machine can run");
        }
        return new Contents(List.copyOf(arms), List.copyOf(leftOut));
    }

    private Node compose(String text) {
        try {
            Node node = new Yaml(new LoaderOptions()).compose(new StringReader(text));
            if (node == null) {
                throw Failure.badInput(
                        file + ": empty; expected arms: with a NAME: below for each");
            }
            return node;
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw new Failure(
                    ExitCode.BAD_INPUT,
                    "%s:%d: not YAML: %s".formatted(file, line, e.getProblem()),
                    e);
        }
    }

    private void add(List<Arm> arms, String name, Node node) {
        Map<String, Node> parts = isNull(node) ? Map.of() : mapping(node, name, ARM_KEYS);
        Node libraryNode = parts.get("library");
        String library = libraryNode == null ? name : scalar(libraryNode, "library");
        try {
            Arm.checkedName(name, name);
            if (libraryNode == null && !ArmLibrary.isName(name)) {
                throw Failure.badInput(
                        "arm '%s' has no library:, and no allocator is called so%s"
                                .formatted(name, Spelling.hint(name, ArmLibrary.names())));
            }
            arms.add(ArmLibrary.named(library, name).arm(name, policy(parts.get("policy"))));
        } catch (Failure e) {
            if (skipMissing && e.isMissingHere()) {
                leftOut.add(String.valueOf(e.getMessage()));
                return;
            }
            throw e.at("%s:%d".formatted(file, node.getStartMark().getLine() + 1));
        }
    }

    private Map<String, String> policy(@Nullable Node node) {
        Map<String, String> policy = new LinkedHashMap<>();
        if (node != null && !isNull(node)) {
            mapping(node, "policy", List.of())
                    .forEach((key, value) -> policy.put(key, scalar(value, key)));
        }
        return policy;
    }

    /** The keys and values of a mapping; a key that is not known or comes twice is refused. */
    private Map<String, Node> mapping(Node node, String what, List<String> known) {
        if (!(node instanceof MappingNode mapping)) {
            throw bad(node, what + ": expected KEY: VALUE lines");
        }
        Map<String, Node> entries = new LinkedHashMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            String key = scalar(entry.getKeyNode(), what);
            if (!known.isEmpty() && !known.contains(key)) {
                throw bad(
                        entry.getKeyNode(),
                        "'%s' is not known in %s%s"
                                .formatted(key, what, Spelling.hint(key, known)));
            }
            if (entries.put(key, entry.getValueNode()) != null) {
                throw bad(entry.getKeyNode(), "'%s' comes twice in %s".formatted(key, what));
            }
        }
        return entries;
    }

    private String scalar(Node node, String what) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw bad(node, what + ": expected one value");
    }

    private static boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private Failure bad(Node node, String what) {
        return Failure.badInput(
                "%s:%d: %s".formatted(file, node.getStartMark().getLine() + 1, what));
    }
}
