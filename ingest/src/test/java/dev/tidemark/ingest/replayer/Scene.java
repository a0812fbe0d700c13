package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.Operation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/**
 * Frames of calls of every kind by three threads, the same for the same seed: blocks that live
 * within a frame, over several, for ever; blocks made by thread 1 and released by thread 2. Keeps
 * its own count.
 */
final class Scene {
    static final int FRAMES = 30;
    static final long FRAME_NS = 2_000_000;

    /** What no allocator has. */
    static final long HUGE = 1L << 56;

    final WrittenRecording recording = new WrittenRecording();
    long allocCalls;
    long freeCalls;
    long reallocCalls;
    long failedCalls;
    long allocBytes;
    long freeBytes;

    /** Calls for more than 1,000 bytes, and what they ask for. */
    long largeCalls;

    long largeBytes;

    private record Kept(long block, long bytes) {}

    private final Random random;
    private final Deque<Kept> handed = new ArrayDeque<>();
    private final Deque<Kept> longer = new ArrayDeque<>();
    private long nowNs;

    private Scene(long seed) {
        random = new Random(seed);
    }

    static Scene of(long seed) {
        Scene scene = new Scene(seed);
        for (int frame = 0; frame < FRAMES; frame++) {
            scene.nowNs = (frame + 1) * FRAME_NS;
            if (frame > 0) {
                scene.recording.frame(0, scene.nowNs);
            }
            scene.frame();
        }
        return scene;
    }

    private long next() {
        nowNs += 500;
        return nowNs;
    }

    private void frame() {
        for (int i = 0; i < 20; i++) {
            shortLife(i % 3);
        }
        for (int i = 0; i < 5; i++) {
            handed.add(make(Operation.MALLOC, 1, 4099, 0));
            longer.add(make(Operation.NEW, 0, 1 + random.nextInt(500), 0));
        }
        while (handed.size() > 5) {
            release(Operation.FREE, 2, handed.remove());
        }
        while (longer.size() > 40) {
            release(Operation.DELETE, 0, longer.remove());
        }
        recording.fail(Operation.MALLOC, 0, next(), HUGE);
        failedCalls++;
    }

    private void shortLife(int thread) {
        Kept block =
                switch (random.nextInt(4)) {
                    case 0 -> make(Operation.CALLOC, thread, 2000 + random.nextInt(3000), 0);
                    case 1 -> make(Operation.ALIGNED, thread, 100 + random.nextInt(900), 64);
                    default -> make(Operation.MALLOC, thread, random.nextInt(900), 0);
                };
        long bytes = 5000L + random.nextInt(20_000);
        Kept grown = new Kept(recording.resize(thread, next(), block.block(), bytes), bytes);
        reallocCalls++;
        freeBytes += block.bytes();
        asked(bytes);
        release(Operation.FREE, thread, grown);
    }

    private Kept make(int operation, int thread, long bytes, long alignment) {
        long block = recording.make(operation, thread, next(), bytes, alignment);
        allocCalls++;
        asked(bytes);
        return new Kept(block, bytes);
    }

    private void asked(long bytes) {
        allocBytes += bytes;
        largeCalls += bytes > 1000 ? 1 : 0;
        largeBytes += bytes > 1000 ? bytes : 0;
    }

    private void release(int operation, int thread, Kept block) {
        recording.release(operation, thread, next(), block.block());
        freeCalls++;
        freeBytes += block.bytes();
    }

    CallTotals totals() {
        return new CallTotals(
                allocCalls, freeCalls, reallocCalls, failedCalls, allocBytes, freeBytes);
    }
}
