package dev.tidemark.ingest.merge;

import dev.tidemark.ingest.ring.RecordDescriptor;
import dev.tidemark.ingest.ring.Ring;
import dev.tidemark.ingest.ring.RingFormatException;
import java.util.Arrays;

/** Records copied out of one ring and not handed on yet, and what is known of its thread. */
final class RingQueue {
    private static final int WORDS = RecordDescriptor.WORDS;

    /** A release told before its turn; its record is passed over. */
    static final int DONE = 0;

    /** A REALLOC_FROM resolved before its turn: address holds the ordinal, size the size. */
    static final int RESOLVED_FROM = 31;

    /** The second half of a DROPPED. */
    static final int DROPPED_REST = 30;

    final Ring ring;
    private long[] words = new long[256 * WORDS];
    private int start;
    private int end;
    private long nextIndex;

    long key;
    int rank;

    int thread;
    long missingOwner;
    boolean isInRealloc;
    long reallocAddress;
    long reallocReleased;
    long reallocReleasedBytes;

    RingQueue(Ring ring) {
        this.ring = ring;
        nextIndex = ring.tail();
    }

    /** Index in the ring of the first record not copied out. */
    long nextIndex() {
        return nextIndex;
    }

    int size() {
        return (end - start) / WORDS;
    }

    boolean isEmpty() {
        return start == end;
    }

    /**
     * Copies readable records out and gives their room back.
     *
     * @param head what the ring's head said
     * @param atMost how many are wanted
     * @return how many came
     */
    int take(long head, int atMost) throws RingFormatException {
        int count = Math.min(ring.readable(nextIndex, head), atMost);
        if (count <= 0) {
            return 0;
        }
        makeRoom(count * WORDS);
        ring.copy(nextIndex, count, words, end);
        end += count * WORDS;
        nextIndex += count;
        ring.tail(nextIndex);
        return count;
    }

    private void makeRoom(int more) {
        if (start == end) {
            start = 0;
            end = 0;
        }
        if (words.length - end >= more) {
            return;
        }
        int used = end - start;
        long[] into = words;
        if (used + more > words.length / 2) {
            into = new long[Math.max(words.length * 2, used + more)];
        }
        System.arraycopy(words, start, into, 0, used);
        words = into;
        start = 0;
        end = used;
    }

    /** Loads key and rank of the first record. */
    void load() {
        long word = words[start + RecordDescriptor.WORD];
        int operation = RecordDescriptor.operation(word);
        long begin = words[start + RecordDescriptor.BEGIN];
        boolean isPlacedByBegin =
                RecordDescriptor.isRelease(operation) || operation == RecordDescriptor.DROPPED;
        key = isPlacedByBegin ? begin : begin + RecordDescriptor.duration(word);
        rank = RecordDescriptor.isRelease(operation) ? 0 : 1;
    }

    /** Drops the first record. */
    void advance() {
        start += WORDS;
    }

    int operation() {
        return RecordDescriptor.operation(words[start + RecordDescriptor.WORD]);
    }

    long word() {
        return words[start + RecordDescriptor.WORD];
    }

    long address() {
        return words[start + RecordDescriptor.ADDRESS];
    }

    long size64() {
        return words[start + RecordDescriptor.SIZE];
    }

    /** Whether record {@code i}, 0 being the first, is a realloc that left the old block alone. */
    boolean isFailedRealloc(int i) {
        return i < size()
                && operationAt(i) == RecordDescriptor.REALLOC
                && addressAt(i) == 0
                && sizeAt(i) != 0;
    }

    int operationAt(int i) {
        return RecordDescriptor.operation(words[start + i * WORDS + RecordDescriptor.WORD]);
    }

    long wordAt(int i) {
        return words[start + i * WORDS + RecordDescriptor.WORD];
    }

    long beginAt(int i) {
        return words[start + i * WORDS + RecordDescriptor.BEGIN];
    }

    long addressAt(int i) {
        return words[start + i * WORDS + RecordDescriptor.ADDRESS];
    }

    long sizeAt(int i) {
        return words[start + i * WORDS + RecordDescriptor.SIZE];
    }

    /** Rewrites record {@code i}, its begin staying as it is. */
    void rewrite(int i, int operation, long duration, long address, long size) {
        int at = start + i * WORDS;
        words[at + RecordDescriptor.WORD] = RecordDescriptor.word(operation, false, 0, duration);
        words[at + RecordDescriptor.ADDRESS] = address;
        words[at + RecordDescriptor.SIZE] = size;
    }

    /** Gives the first record another begin. */
    void delayTo(long begin) {
        words[start + RecordDescriptor.BEGIN] = begin;
    }

    /** Gives memory back that a burst has taken. */
    void shrink() {
        if (isEmpty() && words.length > 64 * 1024) {
            words = Arrays.copyOf(words, 256 * WORDS);
        }
    }
}
