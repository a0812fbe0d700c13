package dev.tidemark.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every folder of {@code cases}: the files given, {@code query.sql}, and the rows {@code
 * expected.csv} in that order, worked out by hand.
 */
final class SqlCaseTest {
    @TempDir private Path temp;

    static Stream<String> cases() throws IOException, URISyntaxException {
        try (Stream<Path> folders = Files.list(root())) {
            List<String> names =
                    folders.map(folder -> folder.getFileName().toString()).sorted().toList();
            return names.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givesTheExpectedRows(String name) throws Exception {
        Path folder = root().resolve(name);
        Lake lake = Lake.create(temp.resolve("lake"));
        GivenFiles.write(folder, lake.folder());
        Path result = temp.resolve("result.csv");
        try (Connection connection = lake.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "COPY (%s) TO '%s' (FORMAT csv, HEADER)"
                            .formatted(Files.readString(folder.resolve("query.sql")), result));
        }
        assertThat(Files.readAllLines(result))
                .containsExactlyElementsOf(Files.readAllLines(folder.resolve("expected.csv")));
    }

    private static Path root() throws URISyntaxException {
        return Path.of(
                Objects.requireNonNull(SqlCaseTest.class.getResource("/cases"), "no cases")
                        .toURI());
    }
}
