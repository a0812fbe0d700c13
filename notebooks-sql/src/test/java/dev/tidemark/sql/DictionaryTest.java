package dev.tidemark.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import org.junit.jupiter.api.Test;

final class DictionaryTest {
    @Test
    void saysWhatEveryViewColumnMacroAndQueryMeans() {
        String text = Dictionary.markdown();

        assertThat(text)
                .contains("### values\n\nOne row per value")
                .contains("| `value` | DOUBLE | The number. |")
                .contains("| `spikes(limit_ms)` | Complete frames and ticks")
                .contains("| `tail` | What complete ticks");
        long columns =
                LakeTables.ALL.stream()
                        .map(LakeTable::columns)
                        .mapToLong(java.util.List::size)
                        .sum();
        assertThat(text.lines().filter(line -> line.matches("\\| `.*` \\| [A-Z].* \\| .+ \\|")))
                .hasSize((int) columns);
        assertThat(text.lines().filter(line -> line.startsWith("|")))
                .allMatch(line -> line.endsWith(" |"));
    }
}
