package dev.tidemark.replay;

/** A record that decodes and yet can't be: its message, of one line, says why. */
final class IllegalRecordException extends Exception {
    IllegalRecordException(String message) {
        super(message);
    }
}
