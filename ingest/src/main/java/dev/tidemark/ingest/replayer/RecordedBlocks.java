package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import java.util.Arrays;

/**
 * First reading of a recording: who made and who released each block, and in which frames; how many
 * slots each thread needs. Blocks are known by their ordinals, 18 bytes each.
 */
final class RecordedBlocks implements SourceRecording.Visitor {
    private static final byte REMOTE = 1;
    private static final byte SAME_FRAME = 2;
    private static final byte NEXT_FRAME = 4;
    private static final byte SAME_TICK = 8;
    private static final byte NEXT_TICK = 16;

    private int[] makers = new int[1024];
    private int[] frames = new int[1024];
    private int[] ticks = new int[1024];
    private byte[] lives = new byte[1024];

    private int threads;
    private long[] live = new long[16];
    private long[] mostLive = new long[16];
    private long[] remote = new long[16];

    private int frame;
    private int tick;
    private long calls;
    private long leftOut;
    private long originNs = Long.MAX_VALUE;
    private long firstNs = Long.MAX_VALUE;
    private long lastNs = Long.MIN_VALUE;
    private long dropped;

    @Override
    public void events(EventColumns events) {
        dropped += events.droppedBefore();
        for (int i = 0; i < events.size(); i++) {
            seeTime(events.timeNs(i));
            seeThread(events.thread(i));
            int operation = events.operation(i);
            if (operation == Operation.FRAME) {
                frame++;
            } else if (operation == Operation.TICK) {
                tick++;
            } else if (RecordedCall.isReplayed(events, i)) {
                call(events, i);
            } else if (RecordedCall.isLeftOut(events, i)) {
                leftOut++;
            }
        }
    }

    private void seeTime(long timeNs) {
        firstNs = Math.min(firstNs, timeNs);
        lastNs = Math.max(lastNs, timeNs);
    }

    private void seeThread(int thread) {
        if (thread >= threads) {
            threads = thread + 1;
            if (threads > live.length) {
                int capacity = Math.max(threads, live.length * 2);
                live = Arrays.copyOf(live, capacity);
                mostLive = Arrays.copyOf(mostLive, capacity);
                remote = Arrays.copyOf(remote, capacity);
            }
        }
    }

    private void call(EventColumns events, int i) {
        calls++;
        originNs = Math.min(originNs, RecordedCall.beginNs(events, i));
        int thread = events.thread(i);
        long given = events.released(i);
        if (given >= 0) {
            touched((int) given, thread);
        }
        long ended = RecordedCall.ended(events, i);
        if (ended >= 0) {
            ended((int) ended);
        }
        if (RecordedCall.makesBlock(events, i)) {
            made((int) events.made(i), thread);
        }
    }

    private void touched(int block, int thread) {
        if (makers[block] != thread && (lives[block] & REMOTE) == 0) {
            lives[block] |= REMOTE;
            remote[makers[block]]++;
        }
    }

    private void ended(int block) {
        live[makers[block]]--;
        lives[block] |= life(frame - frames[block], SAME_FRAME, NEXT_FRAME);
        lives[block] |= life(tick - ticks[block], SAME_TICK, NEXT_TICK);
    }

    private static byte life(int spans, byte same, byte next) {
        return switch (spans) {
            case 0 -> same;
            case 1 -> next;
            default -> 0;
        };
    }

    private void made(int block, int thread) {
        if (block >= makers.length) {
            int capacity = Math.max(block + 1, makers.length * 2);
            makers = Arrays.copyOf(makers, capacity);
            frames = Arrays.copyOf(frames, capacity);
            ticks = Arrays.copyOf(ticks, capacity);
            lives = Arrays.copyOf(lives, capacity);
        }
        makers[block] = thread;
        frames[block] = frame;
        ticks[block] = tick;
        mostLive[thread] = Math.max(mostLive[thread], ++live[thread]);
    }

    int threads() {
        return threads;
    }

    /** Frame marks. */
    int frames() {
        return frame;
    }

    /** Tick marks. */
    int ticks() {
        return tick;
    }

    /** Calls to replay. */
    long calls() {
        return calls;
    }

    /** Releases of blocks that nobody saw made. */
    long leftOut() {
        return leftOut;
    }

    /** Events that the recording lost. */
    long dropped() {
        return dropped;
    }

    /** Session time at which the first call began. */
    long originNs() {
        return calls == 0 ? 0 : originNs;
    }

    /** Whether its events have times. */
    boolean hasTimes() {
        return lastNs > firstNs;
    }

    /** The most slots that a thread's blocks can need. */
    long slots(int thread) {
        return mostLive[thread] + remote[thread];
    }

    int maker(long block) {
        return makers[(int) block];
    }

    /** Whether another thread than its maker released or resized it. */
    boolean isRemote(long block) {
        return (lives[(int) block] & REMOTE) != 0;
    }

    /** The plan's flags: whether a stack that is reset each frame can serve it. */
    int arenaFlags(long block) {
        int life = lives[(int) block];
        if ((life & REMOTE) != 0) {
            return 0;
        }
        boolean isSame = (life & (frame > 0 ? SAME_FRAME : SAME_TICK)) != 0;
        boolean isNext = (life & (frame > 0 ? NEXT_FRAME : NEXT_TICK)) != 0;
        return (isSame ? PlanDescriptor.FLAG_SAME_FRAME : 0)
                | (isSame || isNext ? PlanDescriptor.FLAG_BY_NEXT_FRAME : 0);
    }
}
