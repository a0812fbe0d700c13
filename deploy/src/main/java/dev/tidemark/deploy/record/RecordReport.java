package dev.tidemark.deploy.record;

import dev.tidemark.deploy.Executables;
import dev.tidemark.deploy.doctor.Finding;
import dev.tidemark.deploy.doctor.ProgramCheck;
import dev.tidemark.ingest.agent.RingShortage;
import dev.tidemark.ingest.agent.SessionSummary;
import dev.tidemark.schemas.avro.EndReason;
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
            String why = result.errors().isEmpty() ? why(request) : "";
            err.println("tidemark: nothing was recorded of " + request.command().get(0) + why);
            return;
        }
        for (SessionSummary session : result.sessions()) {
            if (session.reason() == EndReason.EXEC) {
                printReplaced(session);
            } else {
                printSession(session);
            }
        }
    }

    /** An image of a process that goes on in another one: a session, too, but rarely the wanted. */
    private void printReplaced(SessionSummary session) {
        row(
                "replaced",
                "%s by exec after %.1f s and %,d events, pid %d, session %s"
                        .formatted(
                                session.executable().isEmpty()
                                        ? session.title()
                                        : session.executable(),
                                session.durationNs() / NANOS_PER_SECOND,
                                session.events(),
                                session.pid(),
                                session.sessionId()));
        printShortage(session);
    }

    private void printShortage(SessionSummary session) {
        RingShortage shortage = session.shortage();
        if (shortage != null) {
            err.println("tidemark: " + shortage.line("use --ring-dir DIR or a larger tmpfs there"));
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
        printShortage(session);
        if (session.events() == 0 && session.shortage() == null && session.childProcesses() > 0) {
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
