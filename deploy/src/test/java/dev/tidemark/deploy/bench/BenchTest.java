package dev.tidemark.deploy.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.deploy.Failure;
import dev.tidemark.deploy.arm.Arm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs, what counts and what is made again, with sessions that are only told. */
class BenchTest {
    private static final Map<String, String> SETTINGS = Map.of("recording", "a");

    @TempDir private Path folder;

    private final StringWriter said = new StringWriter();
    private final List<String> made = new ArrayList<>();
    private final List<SessionMarks> loaded = new ArrayList<>();
    private final Map<String, Integer> loads = new HashMap<>();
    private boolean isLateSessionAlone;
    private int runs = 1;

    private static Arm arm(String name) {
        return Arm.of(name, Optional.empty(), Map.of());
    }

    private BenchPlan plan(int reps) {
        List<BenchArm> arms = BenchArm.of(List.of(arm("a"), arm("b"), arm("c")));
        return new BenchPlan("x", arms, List.of("plain"), reps, runs, 7, isLateSessionAlone);
    }

    private Bench.Result run(
            BenchPlan plan,
            boolean isResumed,
            Function<SessionTask, @Nullable String> fault,
            Function<SessionTask, @Nullable String> refused)
            throws Exception {
        SessionRunner runner =
                (task, recording) -> {
                    made.add(task.key());
                    SessionOutcome outcome =
                            new SessionOutcome(
                                    "id of " + task.key(),
                                    1,
                                    fault.apply(task),
                                    refused.apply(task));
                    Files.writeString(recording, task.key());
                    return outcome;
                };
        SessionStore store =
                sessions -> {
                    for (Map.Entry<Path, SessionMarks> session : sessions.entrySet()) {
                        loads.merge(Files.readString(session.getKey()), 1, Integer::sum);
                        loaded.add(session.getValue());
                    }
                };
        BenchProgress progress = new BenchProgress(new PrintWriter(said), plan.sessions(), 0);
        return new Bench(plan, folder, runner, store, progress).run(SETTINGS, isResumed);
    }

    private Bench.Result run(int reps, Function<SessionTask, @Nullable String> fault)
            throws Exception {
        return run(plan(reps), false, fault, task -> null);
    }

    private static boolean is(SessionTask task, String arm, int round) {
        return !task.isDiscarded() && task.arm().name().equals(arm) && task.round() == round;
    }

    @Test
    void eachRunDiscardsItsFirstSessionAndHasEveryArmInEachRound() throws Exception {
        runs = 2;
        run(3, task -> null);

        assertThat(made).hasSize(2 * (1 + 3 * 4)).doesNotHaveDuplicates();
        assertThat(made.get(0)).isEqualTo("run 1, discarded, a");
        assertThat(made.get(13)).isEqualTo("run 2, discarded, a");
        assertThat(made.subList(1, 5))
                .containsExactlyInAnyOrder(
                        "run 1, plain round 1, attempt 1, a",
                        "run 1, plain round 1, attempt 1, a-null",
                        "run 1, plain round 1, attempt 1, b",
                        "run 1, plain round 1, attempt 1, c");
        assertThat(loads).hasSize(26).allSatisfy((key, times) -> assertThat(times).isOne());
        assertThat(loaded.get(0))
                .isEqualTo(
                        new SessionMarks(
                                "x-1",
                                null,
                                "a",
                                Map.of("bench", "x", "discarded", "first session of its run")));
        assertThat(loaded)
                .filteredOn(marks -> marks.arm().equals("a-null"))
                .hasSize(6)
                .allMatch(marks -> marks.labels().equals(Map.of("bench", "x", "null", "a")));
        assertThat(folder).isDirectoryNotContaining("glob:**.avro");
    }

    @Test
    void ordersAreShuffledAndTheSameForASeed() {
        BenchPlan plan = plan(40);
        List<List<BenchArm>> orders = new ArrayList<>();
        for (int round = 0; round < 40; round++) {
            List<BenchArm> order = plan.shuffled(plan.arms(), 0, "plain", round, 0);
            assertThat(order).containsExactlyInAnyOrderElementsOf(plan.arms());
            assertThat(plan.shuffled(plan.arms(), 0, "plain", round, 0)).isEqualTo(order);
            orders.add(order);
        }
        // Of 24 orders, 40 rounds see more than half; each arm is first now and then.
        assertThat(orders.stream().distinct().count()).isGreaterThan(12);
        assertThat(orders.stream().map(order -> order.get(0)).distinct()).hasSize(4);
    }

    @Test
    void aLateSessionVoidsItsWholeRoundWhichIsMadeAgain() throws Exception {
        Bench.Result result =
                run(2, task -> is(task, "b", 0) && task.attempt() == 0 ? "late by 0.20" : null);

        assertThat(result.leftOut()).isEmpty();
        assertThat(made).hasSize(1 + 4 + 4 + 4);
        List<SessionMarks> voided =
                loaded.stream().filter(marks -> marks.labels().containsKey("void")).toList();
        assertThat(voided)
                .hasSize(4)
                .allMatch(marks -> "b: late by 0.20".equals(marks.labels().get("void")));
        assertThat(loaded)
                .filteredOn(marks -> "2".equals(marks.labels().get("attempt")))
                .hasSize(4);
        assertThat(said.toString())
                .contains("run 1, plain round 1 is void for every arm: b: late by 0.20");
    }

    @Test
    void lateSessionsAloneAreVoidWhereThatIsAskedFor() throws Exception {
        isLateSessionAlone = true;
        Bench.Result result = run(2, task -> is(task, "b", 0) ? "late by 0.20" : null);

        assertThat(result).isEqualTo(new Bench.Result(Map.of(), 0));
        assertThat(made).hasSize(1 + 4 + 4);
        assertThat(loaded)
                .filteredOn(marks -> marks.labels().containsKey("void"))
                .singleElement()
                .matches(marks -> marks.arm().equals("b"));
    }

    @Test
    void anArmThatVoidsTwoRoundsCannotKeepPaceAndTheOthersGoOn() throws Exception {
        Bench.Result result = run(2, task -> task.arm().name().equals("c") ? "late" : null);

        assertThat(result).isEqualTo(new Bench.Result(Map.of("c", "cannot keep pace: late"), 0));
        // Two void attempts with four arms, then each round with three.
        assertThat(made).hasSize(1 + 4 + 4 + 3 + 3);
    }

    @Test
    void aRoundIsGivenUpAfterTwoRepeats() throws Exception {
        String[] late = {"a", "b", "c"};
        Bench.Result result = run(1, task -> is(task, late[task.attempt()], 0) ? "late" : null);

        assertThat(result).isEqualTo(new Bench.Result(Map.of(), 1));
        assertThat(made).hasSize(1 + 3 * 4);
        assertThat(said.toString()).contains("run 1, plain round 1: given up after 3 attempts");
    }

    @Test
    void aRefusedArmVoidsNothingAndIsLeftOut() throws Exception {
        Bench.Result result =
                run(
                        plan(2),
                        false,
                        task -> null,
                        task -> task.arm().name().equals("b") ? "misaligned" : null);

        assertThat(result).isEqualTo(new Bench.Result(Map.of("b", "refused: misaligned"), 0));
        assertThat(made).hasSize(1 + 4 + 3);
        assertThat(loaded)
                .filteredOn(marks -> "misaligned".equals(marks.labels().get("refused")))
                .hasSize(1);
        assertThat(loaded).noneMatch(marks -> marks.labels().containsKey("void"));
    }

    @Test
    void withoutABaselineThereIsNothingToGoOnWith() {
        assertThatThrownBy(
                        () ->
                                run(
                                        plan(2),
                                        false,
                                        task -> null,
                                        task -> task.arm().name().equals("a") ? "leaks" : null))
                .isInstanceOf(Failure.class)
                .hasMessage("a, the baseline, refused: leaks: nothing to compare with");
    }

    @Test
    void aResumedBenchMakesWhatIsMissingAndNothingTwice() throws Exception {
        Function<SessionTask, @Nullable String> fault =
                task -> is(task, "b", 0) && task.attempt() == 0 ? "late" : null;
        run(2, fault);
        List<String> whole = List.copyOf(made);
        for (int killedAt = 0; killedAt < whole.size(); killedAt++) {
            made.clear();
            loads.clear();
            Files.delete(folder.resolve("journal"));
            runFirst(killedAt, fault);
            assertThat(made.remove(made.size() - 1)).isEqualTo(whole.get(killedAt));
            run(plan(2), true, fault, task -> null);
            assertThat(made).isEqualTo(whole);
            assertThat(loads).hasSize(13).allSatisfy((key, times) -> assertThat(times).isOne());
        }
    }

    /** Ends from within, at a session. */
    private void runFirst(int sessions, Function<SessionTask, @Nullable String> fault) {
        int[] begun = {0};
        assertThatThrownBy(
                        () ->
                                run(
                                        2,
                                        task -> {
                                            if (begun[0]++ == sessions) {
                                                throw new IllegalStateException("killed");
                                            }
                                            return fault.apply(task);
                                        }))
                .hasMessage("killed");
    }

    @Test
    void aLineThatWasCutIsAsIfItHadNotBeenBegun() throws Exception {
        run(1, task -> null);
        Path journal = folder.resolve("journal");
        List<String> lines = Files.readAllLines(journal);
        // Settings, the discarded session and its load, four sessions, of which the last is cut.
        assertThat(lines).hasSize(8);
        String cut = String.join("\n", lines.subList(0, 6)) + "\n" + lines.get(6).substring(0, 9);
        Files.writeString(journal, cut);
        for (String name : List.of("0", "1", "2", "3")) {
            Files.writeString(folder.resolve("1-plain-1-1-" + name + ".trace.avro"), "earlier");
        }
        String last = made.get(4);
        made.clear();

        run(plan(1), true, task -> null, task -> null);

        assertThat(made).containsExactly(last);
        assertThat(Files.readAllLines(journal)).hasSize(8);
        run(plan(1), true, task -> null, task -> null);
        assertThat(made).containsExactly(last);
    }

    @Test
    void resumesOnlyWhatItBegan() throws Exception {
        assertThatThrownBy(() -> run(plan(1), true, task -> null, task -> null))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("nothing to resume");
        run(1, task -> null);
        assertThatThrownBy(() -> run(1, task -> null))
                .hasMessageContaining("--resume goes on, --work DIR starts another");
        assertThatThrownBy(
                        () ->
                                Journal.open(
                                        folder.resolve("journal"), Map.of("recording", "b"), true))
                .hasMessageContaining("was begun with recording 'a', not 'b'");
        try (Journal held = Journal.open(folder.resolve("journal"), SETTINGS, true)) {
            assertThatThrownBy(() -> Journal.open(folder.resolve("journal"), SETTINGS, true))
                    .hasMessageContaining("another bench is writing it");
            assertThat(held).isNotNull();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anArmNamedTwiceIsRefused() {
        assertThatThrownBy(() -> BenchArm.of(List.of(arm("a"), arm("b"), arm("b"))))
                .hasMessage("arm 'b' comes twice; give one another label: NAME=LIB");
        assertThatThrownBy(() -> BenchArm.of(List.of(arm("a"), arm("a-null"))))
                .hasMessageContaining("arm 'a-null' comes twice");
    }
}
