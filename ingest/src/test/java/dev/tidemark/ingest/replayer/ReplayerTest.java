package dev.tidemark.ingest.replayer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.Detail;
import dev.tidemark.schemas.avro.Kind;
import dev.tidemark.schemas.avro.MarkCounters;
import dev.tidemark.schemas.avro.RoundKind;
import dev.tidemark.schemas.avro.SessionStart;
import dev.tidemark.schemas.avro.ThreadCounters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings of known calls through real allocators, right ones and broken ones. */
@Timeout(180)
final class ReplayerTest {
    private static final ReplayArm GLIBC = ReplayArm.of("glibc", Optional.empty(), Map.of());

    @TempDir Path folder;

    private final Scene scene = Scene.of(7);
    private Replayer replayer;
    private Path out;

    @BeforeEach
    void prepare() {
        replayer = new Replayer(Native.PROGRAM, folder, null);
        out = folder.resolve("replay.trace.avro");
    }

    private ReplayPlan plan() throws Exception {
        return plan(scene.recording);
    }

    private ReplayPlan plan(WrittenRecording recording) throws Exception {
        return ReplayPlan.of(
                recording.write(folder.resolve("source.trace.avro")), folder.resolve("plan"));
    }

    @ParameterizedTest
    @CsvSource({
        "NONE,",
        "NONE,libjemalloc.so.2",
        "NONE,libmimalloc.so.2",
        "NONE,libtcmalloc_minimal.so.4",
        "FLOOR,",
        "FRAME_ARENA,",
        "DOUBLE_BUFFER,",
        "DOUBLE_BUFFER,libmimalloc.so.2"
    })
    void findsNothingWrongWithRightAllocators(Front front, String library) throws Exception {
        Optional<Path> path =
                Optional.ofNullable(library).map(Path.of("/usr/lib/x86_64-linux-gnu")::resolve);
        assumeTrue(path.map(Files::exists).orElse(true), library + " is not installed");

        assertThat(replayer.check(plan(), new ReplayArm("right", front, path, Map.of()))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "leak     | leaks: every replay of the same calls leaves at least .* KiB more resident .*",
                "overlap  | malloc of 4099 bytes \\(operation \\d+ of thread 1\\): overlaps a live block",
                "misalign | aligned of \\d+ bytes .*: misaligned: the address is no multiple of 64",
                "unzeroed | calloc of \\d+ bytes .*: not zeroed: byte 0 is not 0",
                "resize   | realloc of \\d+ bytes .*: contents lost on resize from \\d+: byte \\d+ has changed",
                "null     | malloc of 4099 bytes .*: returned NULL, and had a block when it was recorded",
                "crash    | died of signal 11 \\(check\\)",
                "remote   | malloc of 4099 bytes .*: overlaps a live block"
            })
    void refusesABrokenAllocatorWithTheReason(String name, String reason) throws Exception {
        Optional<String> refusal = replayer.check(plan(), Native.broken(name));

        assertThat(refusal).isPresent();
        assertThat(refusal.get()).matches(reason);
    }

    @Test
    void writesARefusalIntoASessionOfItsOwn() throws Exception {
        ReplayOptions options = ReplayOptions.plain(Touch.ALL).inRound("run", 3);

        ReplayedSession refused = replayer.run(plan(), Native.broken("null"), options, out);

        assertThat(refused.refusal().orElseThrow()).contains("returned NULL");
        ReadSession session = ReadSession.of(out);
        assertThat(session.start().getLabels())
                .containsEntry(Replayer.REFUSED, refused.refusal().get())
                .containsEntry("made", "by hand");
        assertThat(session.start().getArm()).isEqualTo("null");
        assertThat(session.start().getRound()).isEqualTo(3);
        assertThat(session.payloads).hasSize(2);
        assertThat(session.end().getReplay().getPeakRssBytes()).isNull();
    }

    @ParameterizedTest
    @EnumSource(Front.class)
    void carriesAllCallsOfAPlainRoundInTheFramesInWhichTheyWereRecorded(Front front)
            throws Exception {
        // A last frame closes the scene, so that all its calls lie before a mark.
        scene.recording.frame(0, (Scene.FRAMES + 1) * Scene.FRAME_NS);
        ReplayOptions options = ReplayOptions.plain(Touch.ALL).withPace(Pace.NONE);

        ReplayedSession replayed =
                replayer.run(
                        plan(),
                        new ReplayArm("a", front, Optional.empty(), Map.of()),
                        options,
                        out);

        assertThat(replayed.outcome().getLateRatio()).isNull();
        ReadSession session = ReadSession.of(out);
        SessionStart start = session.start();
        assertThat(start.getKind()).isEqualTo(Kind.REPLAY);
        assertThat(start.getClock()).isEqualTo(Clock.REPLAY);
        assertThat(start.getDetail()).isEqualTo(Detail.COUNTERS);
        assertThat(start.getRoundKind()).isEqualTo(RoundKind.PLAIN);
        assertThat(start.getTouch()).isEqualTo("all");
        assertThat(start.getPacing()).isEqualTo("none");
        assertThat(start.getSourceSessionId()).isEqualTo(WrittenRecording.SESSION);
        assertThat(start.getTitle()).isEqualTo("written");
        assertThat(session.marks()).hasSize(Scene.FRAMES);
        assertThat(session.marks().get(4).getOrdinal()).isEqualTo(5);
        assertThat(session.marks().get(4).getAtNs()).isEqualTo(6 * Scene.FRAME_NS);
        assertThat(totals(session)).isEqualTo(scene.totals());
        // Each frame keeps five blocks more of thread 1 and releases five of those before.
        assertThat(session.marks().get(10).getLiveBlocks()).isEqualTo(5 + 40);
    }

    /** The newest sums of each thread, added up. */
    private static CallTotals totals(ReadSession session) {
        Map<Integer, ThreadCounters> newest = new HashMap<>();
        for (MarkCounters mark : session.marks()) {
            mark.getThreads().forEach(sums -> newest.put(sums.getThread(), sums));
        }
        assertThat(newest.values()).allMatch(sums -> sums.getAllocatorNs() > 0);
        assertThat(newest.values()).allMatch(sums -> sums.getInvoluntarySwitches() != null);
        CallTotals all = CallTotals.NONE;
        for (ThreadCounters sums : newest.values()) {
            all =
                    all.plus(
                            new CallTotals(
                                    sums.getAllocCalls(),
                                    sums.getFreeCalls(),
                                    sums.getReallocCalls(),
                                    sums.getFailedCalls(),
                                    sums.getAllocBytes(),
                                    sums.getFreeBytes()));
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"PLAIN", "PROFILED"})
    void callsTheAllocatorAsOftenAsTheRecordingDid(RoundKind kind) throws Exception {
        Path count = folder.resolve("count");
        ReplayArm arm =
                ReplayArm.of(
                        "count",
                        Optional.of(Native.build("libcount.so")),
                        Map.of("COUNT_FILE", count.toString()));
        ReplayOptions options =
                new ReplayOptions(kind, Touch.NONE, Pace.NONE, false, 0, null, null, Map.of());

        replayer.run(plan(), arm, options, out);

        // And one call of each frame fails, for as many bytes as the scene says.
        assertThat(Files.readString(count))
                .isEqualTo(
                        "calls=%d bytes=%d"
                                .formatted(
                                        scene.largeCalls + Scene.FRAMES,
                                        scene.largeBytes + Scene.FRAMES * Scene.HUGE));
    }

    @Test
    void carriesTheRecordingsEventsWithDurationsOfTheirOwnInAProfiledRound() throws Exception {
        ReplayOptions options =
                ReplayOptions.profiled().withPace(Pace.RECORDED).withObserved(false);

        ReplayedSession replayed = replayer.run(plan(), GLIBC, options, out);

        ReadSession source = ReadSession.of(folder.resolve("source.trace.avro"));
        ReadSession session = ReadSession.of(out);
        assertThat(session.events).isEqualTo(source.events);
        assertThat(session.end().getEventsSent()).isEqualTo(source.events.size());
        assertThat(session.isFirstWriteTimed).isTrue();
        assertThat(session.areSwitchesCounted).isTrue();
        assertThat(session.durationsNs.stream().mapToLong(Long::longValue).sum()).isPositive();
        assertThat(session.firstWritesNs.stream().mapToLong(Long::longValue).sum()).isPositive();
        assertThat(replayed.counted()).isEqualTo(scene.totals());
        assertThat(replayed.outcome().getLateRatio()).isNotNull();
        assertThat(replayed.outcome().getPeakRssBytes()).isPositive();
        assertThat(replayed.outcome().getRetainedBytes()).isNotNull();
        assertThat(replayed.outcome().getRetained1sBytes()).isNull();
        assertThat(session.start().getDetail()).isEqualTo(Detail.EVENTS);
    }

    @Test
    void showsACallThatSleepsInItsFrameAlone() throws Exception {
        scene.recording.frame(0, (Scene.FRAMES + 1) * Scene.FRAME_NS);
        scene.recording.malloc(0, (Scene.FRAMES + 1) * Scene.FRAME_NS + 500, 7919);
        scene.recording.frame(0, (Scene.FRAMES + 2) * Scene.FRAME_NS);

        replayer.run(
                plan(),
                Native.broken("sleep"),
                ReplayOptions.profiled().withPace(Pace.NONE).withObserved(false),
                out);

        ReadSession session = ReadSession.of(out);
        int sleeping = 0;
        for (int i = 0; i < session.events.size(); i++) {
            if (session.events.get(i).sizeBytes() == 7919) {
                sleeping = i;
            }
        }
        assertThat(session.durationsNs.get(sleeping)).isGreaterThan(2_000_000);
        assertThat(session.longestNs.get(Scene.FRAMES)).isGreaterThan(2_000_000);
    }

    @Test
    void namesWhatIsWrongWithAnArmsLibrary() throws Exception {
        Path missing = folder.resolve("libnone.so");
        Path foreign = folder.resolve("libforeign.so");
        byte[] head = Files.readAllBytes(Native.build("libnull.so"));
        head[18] = (byte) 183;
        Files.write(foreign, head);
        Path text = Files.writeString(folder.resolve("libtext.so"), "no library at all");

        assertThatThrownBy(() -> replayer.check(plan(), arm(missing)))
                .isInstanceOf(ReplayException.class)
                .hasMessage("arm 'x': " + missing + ": no such library");
        assertThatThrownBy(() -> replayer.check(plan(), arm(text)))
                .hasMessage("arm 'x': " + text + ": no ELF library");
        assertThatThrownBy(() -> replayer.check(plan(), arm(foreign)))
                .hasMessageStartingWith(
                        "arm 'x': "
                                + foreign
                                + ": built for another machine (ELF class 2, machine 183; here 2, ");
    }

    @Test
    void saysThatALibraryDoesNotAnswerMalloc() throws Exception {
        Path library = Path.of("/usr/lib/x86_64-linux-gnu/libm.so.6");
        assumeTrue(Files.exists(library));

        assertThatThrownBy(() -> replayer.check(plan(), arm(library)))
                .isInstanceOf(ReplayException.class)
                .hasMessageContaining("answers malloc, not " + library);
    }

    private static ReplayArm arm(Path library) {
        return ReplayArm.of("x", Optional.of(library), Map.of());
    }

    @Test
    void keepsNoPaceOfARecordingWithoutTimes() throws Exception {
        WrittenRecording timeless = new WrittenRecording();
        long block = timeless.malloc(0, 0, 100);
        timeless.frame(0, 0);
        timeless.free(1, 0, block);
        ReplayPlan plan = plan(timeless);

        assertThatThrownBy(() -> replayer.run(plan, GLIBC, ReplayOptions.plain(Touch.NONE), out))
                .isInstanceOf(ReplayException.class)
                .hasMessage(
                        plan.recording()
                                + ": its calls have no times, so no pace can be kept; use --pace none");
        ReplayOptions unpaced = ReplayOptions.profiled().withPace(Pace.NONE).withObserved(false);
        assertThat(replayer.run(plan, GLIBC, unpaced, out).counted())
                .isEqualTo(new CallTotals(1, 1, 0, 0, 100, 100));
    }

    @Test
    void wantsMarksForAPlainRoundAndForAStack() throws Exception {
        WrittenRecording unmarked = new WrittenRecording();
        unmarked.malloc(0, 1_000, 100);
        unmarked.malloc(0, 2_000, 100);
        ReplayPlan plan = plan(unmarked);
        ReplayArm stack = new ReplayArm("s", Front.FRAME_ARENA, Optional.empty(), Map.of());

        assertThatThrownBy(() -> replayer.run(plan, GLIBC, ReplayOptions.plain(Touch.NONE), out))
                .hasMessageContaining("no frames and no ticks, at which a plain round sums up");
        assertThatThrownBy(() -> replayer.run(plan, stack, ReplayOptions.profiled(), out))
                .hasMessageContaining("no frames and no ticks, at which arm 's' resets its stack");
    }
}
