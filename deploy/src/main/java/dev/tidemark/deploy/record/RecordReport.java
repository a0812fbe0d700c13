package dev.tidemark.deploy.record;

import dev.tidemark.deploy.Executables;
import dev.tidemark.deploy.doctor.Finding;
import dev.tidemark.deploy.doctor.ProgramCheck;
import dev.tidemark.ingest.agent.SessionSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/** Says on stderr what a recording has, or why it has nothing. */
public final class RecordReport {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MEBIBYTE = 1 << 20;

    private final PrintWriter err;

    public RecordReport(PrintWriter err) {
        this.err = err;
    }

    public void print(RecordRequest request, RecordRun.Result result) throws IOException {
        result.errors().forEach(line -> err.println("tidemark: " + line));
        if (result.sessions().isEmpty()) {
            err.println(
                    "tidemark: nothing was recorded of " + request.command().get(0) + why(request));
            return;
        }
        for (SessionSummary session : result.sessions()) {
            printSession(session);
        }
    }

    private void printSession(SessionSummary session) {
        row("session", session.sessionId());
        row("title", session.title() + ", pid " + session.pid());
        row("ended", end(session));
        row("time", "%.1f s".formatted(session.durationNs() / NANOS_PER_SECOND));
        row(
                "events",
                "%,d (%,d allocations) in %,d threads"
                        .formatted(session.events(), session.allocations(), session.threads()));
        row("frames", "%,d marks (%s)".formatted(session.frames(), session.frameDefinition()));
        row("ticks", "%,d marks (%s)".formatted(session.ticks(), session.tickDefinition()));
        row(
                "live at end",
                "%.1f MiB in %,d blocks"
                        .formatted(session.liveBytes() / MEBIBYTE, session.liveBlocks()));
        row("dropped", "%,d events".formatted(session.droppedEvents()));
        if (session.events() == 0 && session.childProcesses() > 0) {
            err.printf(
                    "tidemark: the program itself allocated nothing, but %s did, which it started: record that, or use --children%n",
                    session.childExecutable());
        }
    }

    private void row(String name, String value) {
        err.printf("  %-12s %s%n", name, value);
    }

    private static String end(SessionSummary session) {
        Integer signal = session.signal();
        Integer exitCode = session.exitCode();
        if (signal != null) {
            return "by signal " + signal;
        }
        return exitCode == null ? "unseen" : "with exit code " + exitCode;
    }

    /** What is known to keep programs from being recorded, if this one has it. */
    private static String why(RecordRequest request) throws IOException {
        List<String> reasons =
                ProgramCheck.of(Executables.find(request.command().get(0))).stream()
                        .filter(finding -> finding.state() == Finding.State.MISSING)
                        .map(Finding::detail)
                        .toList();
        return reasons.isEmpty()
                ? "; ./tidemark doctor -- PROGRAM may say why"
                : ": " + String.join("; ", reasons);
    }
}
