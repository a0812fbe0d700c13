package dev.tidemark.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A script of one or more statements and the values for its parameters.
 *
 * @param name what errors call it, such as its file
 * @param text the script
 * @param parameters values by name. A statement reads one as {@code $name} or {@code
 *     getvariable('name')}; a value is never read as SQL
 */
public record Query(String name, String text, Map<String, String> parameters) {
    private static final Pattern PARAMETER = Pattern.compile("[A-Za-z_]\\w*");

    private static final List<String> NAMES =
            List.of("sessions", "worst", "tail", "memory", "waits");

    /** Copies the parameters. */
    public Query {
        parameters = Map.copyOf(parameters);
    }

    /** A query without parameters that was typed. */
    public static Query typed(String text) {
        return new Query("query", text, Map.of());
    }

    /**
     * A query from a file.
     *
     * @throws LakeException when there is no such file of text
     */
    public static Query ofFile(Path file) throws LakeException, IOException {
        try {
            return decode(file.toString(), Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new LakeException(file + ": no such file", e);
        }
    }

    /**
     * A query from a stream, read to its end.
     *
     * @throws LakeException when it is no text
     */
    public static Query ofStream(String name, InputStream in) throws LakeException, IOException {
        return decode(name, in.readAllBytes());
    }

    /** Names of the queries that come with Tidemark. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * One of the queries that come with Tidemark.
     *
     * @throws LakeException when it has no such one
     */
    public static Query named(String name) throws LakeException {
        if (!NAMES.contains(name)) {
            throw new LakeException("no query " + name + "; there are " + String.join(", ", NAMES));
        }
        return new Query(name, file(name).text(), Map.of());
    }

    /** What a query that comes with Tidemark answers. */
    static String comment(String name) {
        return file(name).headComment();
    }

    private static SqlFile file(String name) {
        return SqlFile.read("queries/" + name + ".sql");
    }

    /**
     * The same with another parameter.
     *
     * @throws LakeException when no parameter can be called so
     */
    public Query with(String parameter, String value) throws LakeException {
        if (!PARAMETER.matcher(parameter).matches()) {
            throw new LakeException(
                    "parameter \""
                            + parameter
                            + "\": a name has letters, digits and _, and no digit first");
        }
        Map<String, String> more = new HashMap<>(parameters);
        more.put(parameter, value);
        return new Query(name, text, more);
    }

    private static Query decode(String name, byte[] bytes) throws LakeException {
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return new Query(name, text, Map.of());
        } catch (CharacterCodingException e) {
            throw new LakeException(name + ": not text in UTF-8", e);
        }
    }
}
