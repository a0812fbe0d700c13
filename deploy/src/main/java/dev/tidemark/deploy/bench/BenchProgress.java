package dev.tidemark.deploy.bench;

import java.io.PrintWriter;
import java.time.Duration;

/** Says, a line each, what runs, what is left, what was voided and why. */
public final class BenchProgress {
    private final PrintWriter out;
    private int planned;
    private int ended;
    private int made;
    private double seconds;

    /**
     * For a bench of so many sessions.
     *
     * @param expectedSeconds of one session, until some have been made; 0 when not known
     */
    public BenchProgress(PrintWriter out, int planned, double expectedSeconds) {
        this.out = out;
        this.planned = planned;
        this.seconds = expectedSeconds;
        this.made = expectedSeconds > 0 ? 1 : 0;
    }

    void begins(SessionTask task) {
        note("%d of %d: %s%s".formatted(ended + 1, planned, task.key(), left()));
    }

    void ended(SessionTask task, SessionOutcome outcome) {
        ended++;
        made++;
        seconds += outcome.seconds();
        String fault = outcome.fault();
        if (task.isDiscarded()) {
            note("  discarded, as the first session of each run is");
        } else if (outcome.refused() == null && fault != null) {
            note("  " + fault);
        }
    }

    void known(SessionTask task, SessionOutcome outcome) {
        ended++;
        made++;
        seconds += outcome.seconds();
    }

    /** That all these sessions of a round are made again, or would be. */
    void isVoid(SessionTask task, int sessions, String why) {
        planned += task.attempt() < BenchPlan.REPEATS ? sessions : 0;
        note(
                "run %d, %s round %d is void for every arm: %s"
                        .formatted(task.run() + 1, task.kind(), task.round() + 1, why));
    }

    void loads(int sessions) {
        note("  %d %s to the lake".formatted(sessions, sessions == 1 ? "session" : "sessions"));
    }

    void note(String line) {
        out.println("tidemark: " + line);
        out.flush();
    }

    private String left() {
        if (made == 0 || planned <= ended) {
            return "";
        }
        double left = seconds / made * (planned - ended);
        return ", about " + text(Duration.ofMillis((long) (left * 1000))) + " left";
    }

    /** Hours and minutes, or seconds where it is short. */
    public static String text(Duration time) {
        if (time.toMinutes() < 2) {
            return time.toSeconds() + " s";
        }
        return time.toHours() == 0
                ? time.toMinutes() + " min"
                : "%d h %d min".formatted(time.toHours(), time.toMinutesPart());
    }
}
