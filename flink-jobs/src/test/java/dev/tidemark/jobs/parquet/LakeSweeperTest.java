package dev.tidemark.jobs.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LakeSweeperTest {
    private static final String FINISHED = "part-a-0.parquet";
    private static final String UNFINISHED = ".part-a-1.parquet.inprogress.b";

    @TempDir Path lake;
    private Path mine = Path.of("");
    private Path other = Path.of("");

    @BeforeEach
    void write() throws Exception {
        mine = Files.createDirectories(lake.resolve("frames/day=2026-01-01/load=me-0"));
        other = Files.createDirectories(lake.resolve("frames/day=2026-01-01/load=me2-0"));
        for (Path load : new Path[] {mine, other}) {
            Files.writeString(load.resolve(FINISHED), "x");
            Files.writeString(load.resolve(UNFINISHED), "x");
            Files.setLastModifiedTime(load.resolve(FINISHED), FileTime.fromMillis(1000));
        }
        Files.setLastModifiedTime(mine.resolve(UNFINISHED), FileTime.fromMillis(1000));
        Files.setLastModifiedTime(other.resolve(UNFINISHED), FileTime.fromMillis(2000));
    }

    private org.apache.flink.core.fs.Path root() {
        return new org.apache.flink.core.fs.Path(lake.toUri());
    }

    @Test
    void removesWhatOneSubmissionLeftAndNothingElse() throws Exception {
        assertThat(LakeSweeper.sweepSubmission(root(), "me")).isEqualTo(1);

        assertThat(mine.resolve(UNFINISHED)).doesNotExist();
        assertThat(mine.resolve(FINISHED)).exists();
        assertThat(other.resolve(UNFINISHED)).exists();
    }

    @Test
    void removesWhatNobodyWroteToForLong() throws Exception {
        assertThat(LakeSweeper.sweepOlderThan(root(), 2000)).isEqualTo(1);

        assertThat(mine.resolve(UNFINISHED)).doesNotExist();
        assertThat(mine.resolve(FINISHED)).exists();
        assertThat(other.resolve(UNFINISHED)).exists();
    }

    @Test
    void findsNothingInALakeThatIsNotThere() throws Exception {
        assertThat(
                        LakeSweeper.sweepSubmission(
                                new org.apache.flink.core.fs.Path(lake.resolve("no").toUri()),
                                "me"))
                .isZero();
    }
}
