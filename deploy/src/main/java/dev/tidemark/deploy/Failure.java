package dev.tidemark.deploy;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * An end that the person at the terminal can do something about: one line that says what, where,
 * which value and what to do, and the exit code that goes with it.
 */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String line;

    public Failure(int exitCode, String line) {
        super(line);
        this.exitCode = exitCode;
        this.line = line;
    }

    public Failure(int exitCode, String line, Throwable cause) {
        super(line, cause);
        this.exitCode = exitCode;
        this.line = line;
    }

    public static Failure wrongUsage(String line) {
        return new Failure(ExitCode.WRONG_USAGE, line);
    }

    public static Failure badInput(String line) {
        return new Failure(ExitCode.BAD_INPUT, line);
    }

    public static Failure missingHere(String line) {
        return new Failure(ExitCode.MISSING_HERE, line);
    }

    /** The first line of what began it all, for an end that wraps other ends. */
    public static String reason(Throwable end) {
        Throwable root = end;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof FileSystemException file && file.getReason() == null) {
            return file.getFile() + ": " + whatIsWrong(file);
        }
        String message = root.getMessage();
        return message == null || message.isBlank()
                ? root.getClass().getSimpleName()
                : message.strip().lines().findFirst().orElseThrow();
    }

    /** Java leaves the reason out of these and gives the path alone. */
    private static String whatIsWrong(FileSystemException file) {
        if (file instanceof NoSuchFileException) {
            return "no such file, or its folder does not exist";
        }
        if (file instanceof AccessDeniedException) {
            return "permission denied";
        }
        return file instanceof FileAlreadyExistsException
                ? "it exists already"
                : file.getClass().getSimpleName();
    }

    /** The same end with the place that it comes from in front. */
    public Failure at(String place) {
        return new Failure(exitCode, place + ": " + line, this);
    }

    /** Whether it is for want of something that can be installed. */
    public boolean isMissingHere() {
        return exitCode == ExitCode.MISSING_HERE;
    }

    /** The same end under another code, where a command gives it another meaning. */
    Failure withExitCode(int other) {
        return new Failure(other, line, this);
    }

    int exitCode() {
        return exitCode;
    }
}
