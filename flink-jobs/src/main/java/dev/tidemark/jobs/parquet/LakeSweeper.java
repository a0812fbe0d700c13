package dev.tidemark.jobs.parquet;

import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.function.Predicate;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Removes what killed writers left behind: files whose names begin with a dot, which no checkpoint
 * will ever finish. Finished files are never touched.
 */
public final class LakeSweeper {
    private static final String LOAD_FOLDER = LakeTable.LOAD + "=";
    private static final String IN_PROGRESS = ".inprogress.";

    private LakeSweeper() {}

    /**
     * Sweeps the loads of one submission, whose job must have ended.
     *
     * @return how many files were removed
     */
    public static int sweepSubmission(Path lake, String submissionId) throws IOException {
        return sweep(lake, submissionId, file -> true);
    }

    /**
     * Sweeps all loads of files that nobody has written to since then, milliseconds since 1970.
     *
     * @return how many files were removed
     */
    public static int sweepOlderThan(Path lake, long modifiedBeforeMs) throws IOException {
        return sweep(lake, "", file -> file.getModificationTime() < modifiedBeforeMs);
    }

    private static int sweep(Path lake, String submissionId, Predicate<FileStatus> isOrphan)
            throws IOException {
        FileSystem files = lake.getFileSystem();
        String loads = LOAD_FOLDER + (submissionId.isEmpty() ? "" : submissionId + "-");
        int removed = 0;
        for (LakeTable table : LakeTables.ALL) {
            for (FileStatus day : list(files, new Path(lake, table.name()))) {
                for (FileStatus load : list(files, day.getPath())) {
                    if (load.getPath().getName().startsWith(loads)) {
                        removed += sweepFolder(files, load.getPath(), isOrphan);
                    }
                }
            }
        }
        return removed;
    }

    private static int sweepFolder(FileSystem files, Path load, Predicate<FileStatus> isOrphan)
            throws IOException {
        int removed = 0;
        for (FileStatus file : list(files, load)) {
            String name = file.getPath().getName();
            if (name.startsWith(".") && name.contains(IN_PROGRESS) && isOrphan.test(file)) {
                files.delete(file.getPath(), false);
                removed++;
            }
        }
        return removed;
    }

    private static FileStatus[] list(FileSystem files, Path folder) throws IOException {
        try {
            FileStatus[] found = files.listStatus(folder);
            return found == null ? new FileStatus[0] : found;
        } catch (FileNotFoundException e) {
            return new FileStatus[0]; // a table without rows has no folder
        }
    }
}
