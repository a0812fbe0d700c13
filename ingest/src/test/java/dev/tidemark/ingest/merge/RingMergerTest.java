package dev.tidemark.ingest.merge;

import static dev.tidemark.ingest.merge.WrittenRings.START;
import static dev.tidemark.ingest.merge.WrittenRings.Written.free;
import static dev.tidemark.ingest.merge.WrittenRings.Written.malloc;
import static dev.tidemark.ingest.merge.WrittenRings.Written.realloc;
import static dev.tidemark.ingest.merge.WrittenRings.Written.reallocFrom;
import static dev.tidemark.ingest.merge.WrittenRings.Written.thread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.ingest.ring.RecordDescriptor;
import dev.tidemark.ingest.ring.RingFormatException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stamps are nanoseconds from START on, so that an event of stamp START + 100 is at 100 ns. */
final class RingMergerTest {
    private static final int MAX_QUEUED = 1 << 16;

    /** Long after the start by the agent's clock, so that no first sync is waited for. */
    private static final long NOW = 60_000_000_000L;

    /** Long enough after NOW for what is visible to be all there is. */
    private static final long QUIET = NOW + 1_000_000_000L;

    @TempDir Path folder;

    private final ToldEvents told = new ToldEvents();
    private WrittenRings rings;

    @BeforeEach
    void write() throws Exception {
        rings = new WrittenRings(folder.resolve("77.ring"), 3, 64);
        for (int ring = 0; ring < 3; ring++) {
            rings.put(ring, thread(START, ring));
        }
    }

    @AfterEach
    void close() throws Exception {
        rings.close();
    }

    private RingMerger merger(boolean isContinuation) {
        return new RingMerger(rings.file(), rings.clock(), told, isContinuation, MAX_QUEUED);
    }

    private static long at(long nanos) {
        return START + nanos;
    }

    @Test
    void placesAllocationsByReturnAndReleasesByBegin() throws Exception {
        // The free begins before the malloc of ring 1 returns, though it returns later.
        rings.put(0, malloc(at(100), at(200), 0x10, 8), free(at(300), at(900), 0x10));
        rings.put(1, malloc(at(250), at(400), 0x10, 16));

        merger(false).drain();

        assertThat(told.lines)
                .containsExactly("malloc t0 @200 +0", "free t0 @300 -0", "malloc t1 @400 +1");
    }

    @Test
    void atATieTheReleaseComesFirstAcrossThreads() throws Exception {
        rings.put(0, malloc(at(100), at(200), 0x10, 8));
        rings.put(1, malloc(at(150), at(500), 0x10, 8));
        rings.put(2, free(at(500), at(510), 0x10));

        merger(false).drain();

        assertThat(told.lines)
                .containsExactly("malloc t0 @200 +0", "free t2 @500 -0", "malloc t1 @500 +1");
    }

    @Test
    void keepsAThreadsOwnOrderAtATie() throws Exception {
        rings.put(0, malloc(at(100), at(200), 0x10, 8), free(at(200), at(200), 0x10));

        merger(false).drain();

        assertThat(told.lines).containsExactly("malloc t0 @200 +0", "free t0 @200 -0");
    }

    @Test
    void movesALateReleaseBeforeTheAllocationOfItsAddressAndCounts() throws Exception {
        rings.put(0, malloc(at(100), at(200), 0x10, 8));
        rings.put(1, malloc(at(2_000), at(2_100), 0x10, 8));
        rings.put(2, free(at(3_099), at(3_200), 0x10));
        RingMerger merger = merger(false);

        merger.drain();

        assertThat(told.lines)
                .containsExactly("malloc t0 @200 +0", "free t2 @2100 -0", "malloc t1 @2100 +1");
        assertThat(merger.counts().timeInversions()).isEqualTo(1);
        assertThat(merger.counts().missedFrees()).isZero();
    }

    @Test
    void tellsAMissedFreeWhereTheReleaseIsNoMicrosecondAway() throws Exception {
        rings.put(0, malloc(at(100), at(200), 0x10, 8));
        rings.put(1, malloc(at(2_000), at(2_100), 0x10, 8));
        rings.put(2, free(at(3_102), at(3_200), 0x10));
        RingMerger merger = merger(false);

        merger.drain();

        assertThat(told.lines)
                .containsExactly(
                        "malloc t0 @200 +0",
                        "missed free t1 @2100 -0",
                        "malloc t1 @2100 +1",
                        "free t2 @3102 -1");
        assertThat(merger.counts().missedFrees()).isEqualTo(1);
    }

    @Test
    void aThreadsOwnQuickReleaseIsOfItsNewBlock() throws Exception {
        rings.put(0, malloc(at(100), at(200), 0x10, 8));
        rings.put(1, malloc(at(2_000), at(2_100), 0x10, 8), free(at(2_200), at(2_210), 0x10));

        merger(false).drain();

        assertThat(told.lines)
                .containsExactly(
                        "malloc t0 @200 +0",
                        "missed free t1 @2100 -0",
                        "malloc t1 @2100 +1",
                        "free t1 @2200 -1");
    }

    @Test
    void putsAReleaseThatSeemsToComeBeforeItsAllocationBehindIt() throws Exception {
        rings.put(0, free(at(170), at(180), 0x10));
        rings.put(1, malloc(at(100), at(200), 0x10, 8));
        RingMerger merger = merger(false);

        merger.drain();

        assertThat(told.lines).containsExactly("malloc t1 @200 +0", "free t0 @201 -0");
        assertThat(merger.counts().unknownFrees()).isZero();
        assertThat(merger.counts().timeInversions()).isEqualTo(1);
    }

    @Test
    void aReallocsOldAddressIsFreeFromItsBegin() throws Exception {
        rings.put(0, malloc(at(100), at(200), 0x10, 8));
        rings.put(0, reallocFrom(at(300), at(5_000), 0x10), realloc(at(300), at(5_000), 0x20, 16));
        rings.put(1, malloc(at(350), at(400), 0x10, 4));
        RingMerger merger = merger(false);

        merger.drain();

        assertThat(told.lines)
                .containsExactly(
                        "malloc t0 @200 +0", "malloc t1 @400 +1", "realloc t0 @5000 +2 -0");
        assertThat(merger.counts()).isEqualTo(new MergeCounts(0, 0, 0, 0, 0));
    }

    @Test
    void aFailedReallocLeavesItsBlockAlone() throws Exception {
        rings.put(
                0,
                malloc(at(100), at(200), 0x10, 8),
                reallocFrom(at(300), at(310), 0x10),
                realloc(at(300), at(310), 0, 1L << 60),
                free(at(400), at(410), 0x10));

        merger(false).drain();

        assertThat(told.lines)
                .containsExactly("malloc t0 @200 +0", "realloc t0 @310 -0", "free t0 @400 -0");
    }

    @Test
    void countsReleasesOfUnknownAddressesAndOfWhatWasThereBefore() throws Exception {
        rings.put(0, free(at(100), at(110), 0x10));

        RingMerger merger = merger(false);
        merger.drain();
        assertThat(told.lines).containsExactly("free t0 @100 -unknown");
        assertThat(merger.counts().unknownFrees()).isEqualTo(1);

        rings.put(0, free(at(200), at(210), 0x20));
        RingMerger next = merger(true);
        next.drain();
        assertThat(told.lines).endsWith("free t0 @200 -preexisting");
        assertThat(next.counts().preexistingFrees()).isEqualTo(1);
    }

    @Test
    void waitsForACallInFlight() throws Exception {
        rings.put(0, malloc(at(100), at(200), 0x10, 8), malloc(at(100_000), at(200_000), 0x30, 8));
        rings.inflight(1, at(150));
        RingMerger merger = merger(false);
        merger.poll(NOW);
        merger.poll(QUIET);
        assertThat(told.lines).isEmpty();

        rings.put(1, malloc(at(150), at(180), 0x20, 8));
        rings.inflight(1, 0);
        merger.poll(QUIET + 1);

        assertThat(told.lines).startsWith("malloc t1 @180 +0", "malloc t0 @200 +1");
        assertThat(merger.counts().timeInversions()).isZero();
    }

    @Test
    void staysWhereItWasWhileAStampIsBeingTaken() throws Exception {
        RingMerger merger = merger(false);
        rings.put(0, malloc(at(100), at(200), 0x10, 8), malloc(at(300), at(90_000), 0x20, 8));
        merger.poll(NOW);
        assertThat(told.lines).containsExactly("malloc t0 @200 +0");

        rings.put(0, malloc(at(95_000), at(200_000), 0x30, 8));
        rings.inflight(2, 1);
        merger.poll(QUIET);
        assertThat(told.lines).hasSize(1);

        rings.inflight(2, 0);
        merger.poll(QUIET);
        merger.poll(QUIET * 2);
        assertThat(told.lines)
                .containsExactly(
                        "malloc t0 @200 +0", "malloc t0 @90000 +1", "malloc t0 @200000 +2");
    }

    @Test
    void clampsAndCountsAKeyThatComesTooLate() throws Exception {
        RingMerger merger = merger(false);
        rings.put(0, malloc(at(100), at(500_000), 0x10, 8));
        merger.poll(NOW);
        merger.poll(QUIET);
        rings.put(1, malloc(at(200), at(300), 0x20, 8));
        merger.drain();

        assertThat(told.lines).containsExactly("malloc t0 @500000 +0", "malloc t1 @500000 +1");
        assertThat(merger.counts().timeInversions()).isEqualTo(1);
    }

    @Test
    void readsARingThatIsExactlyFullAndOneThatWraps() throws Exception {
        rings.startAt(1, 1_000_000_000_037L);
        for (int i = 0; i < 64; i++) {
            rings.put(1, malloc(at(i * 10L), at(i * 10L + 5), 0x1000 + i, 8));
        }
        assertThat(rings.room(1)).isZero();

        merger(false).drain();

        assertThat(told.lines)
                .hasSize(64)
                .startsWith("malloc t0 @5 +0")
                .endsWith("malloc t0 @635 +63");
        assertThat(rings.tail(1)).isEqualTo(1_000_000_000_101L);
    }

    @Test
    void freesTheRingOfAThreadThatDiedInACall() throws Exception {
        rings.owner(1, 2, 101);
        rings.inflight(1, at(50));
        rings.put(0, malloc(at(100), at(200), 0x10, 8));
        RingMerger merger = merger(false);
        merger.poll(NOW);
        merger.expireDeadThreads(tid -> false);
        merger.poll(QUIET);
        assertThat(told.lines).isEmpty();
        assertThat(rings.owner(1)).isEqualTo(2);

        merger.expireDeadThreads(tid -> false);
        merger.poll(QUIET);

        assertThat(rings.owner(1)).isZero();
        assertThat(told.lines).containsExactly("malloc t0 @200 +0");
    }

    @Test
    void leavesTheRingOfALivingThreadAlone() throws Exception {
        rings.owner(1, 2, 101);
        rings.inflight(1, at(50));
        RingMerger merger = merger(false);
        merger.poll(NOW);
        for (int i = 0; i < 3; i++) {
            merger.expireDeadThreads(tid -> tid == 101);
        }
        assertThat(rings.owner(1)).isEqualTo(2);
    }

    @Test
    void tellsADropAtItsBeginAndAtItsEnd() throws Exception {
        rings.put(
                0, new WrittenRings.Written(RecordDescriptor.DROPPED, at(1_000), at(9_000), 5, 0));
        rings.put(
                1,
                new WrittenRings.Written(RecordDescriptor.FRAME, at(500), at(500), 0, 0),
                new WrittenRings.Written(RecordDescriptor.FRAME, at(2_000), at(2_000), 0, 0));

        merger(false).drain();

        assertThat(told.lines)
                .containsExactly("frame t1 @500", "dropped 1", "frame t1 @2000", "dropped 4");
    }

    @Test
    void refusesAHeadThatIsOutOfReach() throws Exception {
        RingMerger merger = merger(false);
        for (long head : new long[] {65, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            rings.head(2, head);
            assertThatThrownBy(() -> merger.poll(NOW))
                    .isInstanceOf(RingFormatException.class)
                    .hasMessageContaining("ring 2")
                    .hasMessageContaining(Long.toString(head));
        }
    }

    @Test
    void refusesAStampInTheFuture() {
        rings.put(0, malloc(at(100), at(100) + (1L << 39), 0x10, 8));
        rings.put(0, malloc(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, 0x20, 8));
        assertThatThrownBy(() -> merger(false).poll(NOW))
                .isInstanceOf(RingFormatException.class)
                .hasMessageContaining("in the future");
    }
}
