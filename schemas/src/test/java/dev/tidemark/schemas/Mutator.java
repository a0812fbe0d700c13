package dev.tidemark.schemas;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Damages bytes as a fuzzer does: flipped bits, cuts, parts moved, doubled or taken from elsewhere,
 * and absurd numbers where a length or a count may stand. The same random numbers damage alike.
 */
final class Mutator {
    /** Avro's zig-zag numbers at the edges of what readers hold, and one that never ends. */
    private static final List<byte[]> NUMBERS =
            List.of(
                    number(0),
                    number(-1),
                    number(1),
                    number(-64),
                    number(64),
                    number(1 << 20),
                    number(Integer.MAX_VALUE),
                    number(Integer.MIN_VALUE),
                    number(1L << 32),
                    number(1L << 62),
                    number(Long.MAX_VALUE),
                    number(Long.MIN_VALUE),
                    new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1});

    private final Random random;

    Mutator(Random random) {
        this.random = random;
    }

    /**
     * Damages a copy in one to four places.
     *
     * @param from where the first byte is that may be damaged
     * @param other where parts may come from
     */
    byte[] damage(byte[] bytes, int from, byte[] other) {
        byte[] damaged = bytes;
        for (int i = random.nextInt(4); i >= 0; i--) {
            damaged = damageOnce(damaged, Math.min(from, damaged.length), other);
        }
        return damaged;
    }

    private byte[] damageOnce(byte[] bytes, int from, byte[] other) {
        int at = from + random.nextInt(bytes.length - from + 1);
        int length = Math.min(bytes.length - at, 1 + random.nextInt(1 << random.nextInt(8)));
        return switch (random.nextInt(9)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> splice(bytes, at, 0, NUMBERS.get(random.nextInt(NUMBERS.size())));
            case 2 -> splice(bytes, at, length, new byte[0]);
            case 3 -> splice(bytes, at, 0, Arrays.copyOfRange(bytes, at, at + length));
            case 4 -> {
                int start = random.nextInt(other.length);
                int end = Math.min(other.length, start + length);
                yield splice(bytes, at, length, Arrays.copyOfRange(other, start, end));
            }
            case 5, 6 -> splice(bytes, at, 1, NUMBERS.get(random.nextInt(NUMBERS.size())));
            default -> flip(bytes, at);
        };
    }

    private byte[] flip(byte[] bytes, int at) {
        if (at == bytes.length) {
            return bytes;
        }
        byte[] flipped = bytes.clone();
        flipped[at] ^= (byte) (random.nextBoolean() ? 1 << random.nextInt(8) : random.nextInt());
        return flipped;
    }

    /** The bytes with {@code length} of them replaced by others. */
    static byte[] splice(byte[] bytes, int at, int length, byte[] by) {
        int behind = Math.min(bytes.length, at + length);
        byte[] spliced = Arrays.copyOf(bytes, bytes.length - (behind - at) + by.length);
        System.arraycopy(by, 0, spliced, at, by.length);
        System.arraycopy(bytes, behind, spliced, at + by.length, bytes.length - behind);
        return spliced;
    }

    private static byte[] number(long value) {
        AvroBuffer out = new AvroBuffer();
        out.writeLong(value);
        return out.toByteArray();
    }
}
