package dev.tidemark.schemas.lake;

import static dev.tidemark.schemas.lake.ColumnType.BIGINT;
import static dev.tidemark.schemas.lake.ColumnType.BOOLEAN;
import static dev.tidemark.schemas.lake.ColumnType.DOUBLE;
import static dev.tidemark.schemas.lake.ColumnType.INTEGER;
import static dev.tidemark.schemas.lake.ColumnType.MAP;
import static dev.tidemark.schemas.lake.ColumnType.TIMESTAMPTZ;
import static dev.tidemark.schemas.lake.ColumnType.VARCHAR;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Every table of the lake. Times are nanoseconds since the session's start, sizes bytes that the
 * program asked for, unless a comment says else.
 */
public final class LakeTables {
    /** One row per session in the view; the files hold its revisions. */
    public static final LakeTable SESSIONS = sessions();

    /** One row per frame of a session. */
    public static final LakeTable FRAMES = spans("frames", "frame");

    /** One row per server tick of a session. */
    public static final LakeTable TICKS = spans("ticks", "tick");

    /** One row per thread of a session. */
    public static final LakeTable THREADS = threads();

    /** One row per phase of a session. */
    public static final LakeTable PHASES = phases();

    /** One row per value that the program told. */
    public static final LakeTable VALUES = values();

    /** One row per memory sample. */
    public static final LakeTable MEMORY = memory();

    /** One row per arena and memory sample. */
    public static final LakeTable ARENAS = arenas();

    /** One row per call that trimmed the allocator. */
    public static final LakeTable TRIMS = trims();

    /** One row per event, for sessions that were loaded with events. */
    public static final LakeTable EVENTS = events();

    /** One row per comparison of arms. */
    public static final LakeTable COMPARISONS = comparisons();

    /**
     * One row per candidate, metric, phase and run of a comparison, and one for its runs together.
     */
    public static final LakeTable VERDICTS = verdicts();

    /** All tables, in the order of the dictionary. */
    public static final List<LakeTable> ALL =
            List.of(
                    SESSIONS,
                    FRAMES,
                    TICKS,
                    THREADS,
                    PHASES,
                    VALUES,
                    MEMORY,
                    ARENAS,
                    TRIMS,
                    EVENTS,
                    COMPARISONS,
                    VERDICTS);

    private LakeTables() {}

    /**
     * The table of that name.
     *
     * @throws NoSuchElementException when there is none
     */
    public static LakeTable table(String name) {
        return ALL.stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no table " + name));
    }

    private static LakeTable sessions() {
        return new Columns()
                .session()
                .stored("title", VARCHAR, "The game or server, such as minetest.")
                .stored("role", VARCHAR, "client or server.")
                .stored("build", VARCHAR, "Build of the title. NULL when not said.")
                .stored("scene", VARCHAR, "What was played or served. NULL when not said.")
                .stored(
                        "run_id",
                        VARCHAR,
                        "Batch of sessions measured together on one machine. NULL outside of one.")
                .stored("round", INTEGER, "Round within the run, from 0. NULL outside of a bench.")
                .stored("arm", VARCHAR, "Label of the allocator and policy that it ran under.")
                .stored("allocator", VARCHAR, "Allocator that answered, such as glibc or jemalloc.")
                .stored("allocator_version", VARCHAR, "Its version. NULL when it doesn't say.")
                .stored("policy", MAP, "Environment variables that steer the allocator, by name.")
                .stored("labels", MAP, "Labels given by the user.")
                .stored("kind", VARCHAR, "live, replay or import.")
                .stored(
                        "clock",
                        VARCHAR,
                        "What measured durations: live, replay, op or none. Never mix clocks.")
                .stored(
                        "detail",
                        VARCHAR,
                        "events (every call) or counters (sums per mark and thread).")
                .stored("size_basis", VARCHAR, "What sizes mean: requested or usable.")
                .stored(
                        "round_kind",
                        VARCHAR,
                        "How a replay was timed: plain or profiled. NULL unless a replay.")
                .stored(
                        "touch",
                        VARCHAR,
                        "What a replay wrote into new blocks: all, first or none. NULL unless a replay.")
                .stored(
                        "pacing",
                        VARCHAR,
                        "How a replay kept time: recorded or none. NULL unless a replay.")
                .stored(
                        "frame_definition",
                        VARCHAR,
                        "What marks a frame: a call's name, fixed:MS or none.")
                .stored(
                        "tick_definition",
                        VARCHAR,
                        "What marks a tick: a call's name, fixed:MS or none.")
                .stored(
                        "source_session_id",
                        VARCHAR,
                        "The recorded session that a replay replays. NULL unless a replay.")
                .stored(
                        "continues_session_id",
                        VARCHAR,
                        "The session of the same process that this one goes on from. Else NULL.")
                .stored(
                        "recorder_version",
                        VARCHAR,
                        "Version of the recorder, replayer or importer.")
                .stored(
                        "host",
                        VARCHAR,
                        "Salted hash of the host's name. NULL when there is no salt.")
                .stored("cpu_model", VARCHAR, "CPU as the kernel names it. NULL when it doesn't.")
                .stored("cores", INTEGER, "Logical processors that the process could run on.")
                .stored("kernel", VARCHAR, "Kernel release.")
                .stored("memory_bytes", BIGINT, "Memory of the machine.")
                .stored("huge_pages", VARCHAR, "Transparent huge pages: always, madvise or never.")
                .stored(
                        "governor",
                        VARCHAR,
                        "CPU frequency governor. NULL where it is not the guest's to say.")
                .stored("clock_source", VARCHAR, "The kernel's clock source.")
                .stored(
                        "started_at",
                        TIMESTAMPTZ,
                        "Wall clock at the session's time 0. NULL when the session's first record was never seen.")
                .stored(
                        "state",
                        VARCHAR,
                        "open, closed (its end was seen) or lost (silence without an end).")
                .stored(
                        "observed_at",
                        TIMESTAMPTZ,
                        "Wall clock up to which the session's records have been read: started_at plus the newest time seen.")
                .stored("ended_at", TIMESTAMPTZ, "Wall clock at its end. NULL while open.")
                .stored(
                        "end_reason",
                        VARCHAR,
                        "exit, signal N, exec, stopped or lost. NULL while open.")
                .stored(
                        "exit_code",
                        INTEGER,
                        "Exit code. NULL unless it exited and the code is known.")
                .stored(
                        "duration_ns",
                        BIGINT,
                        "From its start to its end, or to the newest time seen. Samples of a replay after its end are not in it.")
                .stored("events", BIGINT, "Events read, marks included.")
                .stored("threads", BIGINT, "Threads that called the allocator.")
                .stored(
                        "frames",
                        BIGINT,
                        "Rows of the session in frames; 0 when nothing marks a frame.")
                .stored(
                        "ticks",
                        BIGINT,
                        "Rows of the session in ticks; 0 when nothing marks a tick.")
                .totals()
                .stored("end_live_bytes", BIGINT, "Bytes live at the end, or so far.")
                .stored("end_live_blocks", BIGINT, "Blocks live at the end, or so far.")
                .stored(
                        "peak_rss_bytes",
                        BIGINT,
                        "Most resident bytes, the recorder's ring left out, and a replay's baseline_rss_bytes. NULL without a sample, and until a replay has ended.")
                .stored(
                        "end_rss_bytes",
                        BIGINT,
                        "Resident bytes in the last sample, a replay's baseline_rss_bytes among them. NULL without one.")
                .stored(
                        "baseline_rss_bytes",
                        BIGINT,
                        "Resident before a replay's first event, its plan loaded and touched: the replayer's own. NULL unless a replay that ended.")
                .stored(
                        "retained_bytes",
                        BIGINT,
                        "Live: resident less live at the end. Replay: resident right after everything was freed less baseline_rss_bytes, below 0 when less was resident. NULL while open and when not sampled.")
                .stored(
                        "retained_1s_bytes",
                        BIGINT,
                        "Likewise of a replay 1 s after its last release, idle. NULL unless a replay, and when not measured, as in the next columns.")
                .stored("retained_5s_bytes", BIGINT, "Likewise 5 s after.")
                .stored("retained_15s_bytes", BIGINT, "Likewise 15 s after.")
                .stored(
                        "retained_after_calls_bytes",
                        BIGINT,
                        "Likewise after that and a thousand small calls: some allocators give back only when called.")
                .stored(
                        "return_half_ns",
                        BIGINT,
                        "From a replay's last release until half of retained_bytes was given back. NULL if never, or unless a replay.")
                .stored(
                        "peak_anonymous_bytes",
                        BIGINT,
                        "Most resident anonymous memory, a replay's baseline_rss_bytes among it. NULL without a sample.")
                .stored(
                        "dropped_events",
                        BIGINT,
                        "Events lost to full rings and to threads without one.")
                .stored("gaps", BIGINT, "Holes in the stream: records that never came.")
                .stored(
                        "unknown_frees",
                        BIGINT,
                        "Releases of addresses never seen being handed out.")
                .stored(
                        "preexisting_frees",
                        BIGINT,
                        "Releases of blocks made before the session began, in one that continues another.")
                .stored(
                        "missed_frees",
                        BIGINT,
                        "Releases that were not seen, told by their address being handed out again.")
                .stored(
                        "time_inversions",
                        BIGINT,
                        "Time stamps that came too late and were clamped.")
                .stored(
                        "adjusted_live_bytes",
                        BIGINT,
                        "Sum of what gaps and drops changed in live bytes without an event seen.")
                .stored(
                        "unknown_payloads",
                        BIGINT,
                        "Records of a type that the job does not know, skipped.")
                .stored(
                        "late_ratio",
                        DOUBLE,
                        "How far a replay fell behind: the larger of replayed over recorded duration less 1, and the 99th percentile of the lag of frames' starts over the frame period. NULL unless a replay that kept time.")
                .stored(
                        "coverage_ratio",
                        DOUBLE,
                        "Peak live bytes over peak anonymous memory; below 0.5 the program has an allocator of its own. NULL without a sample, and in a replay, whose memory is the replayer's too.")
                .stored(
                        "load_id",
                        VARCHAR,
                        "The pass through the pipeline that these rows come from.")
                .stored("loaded_at", TIMESTAMPTZ, "When that pass was submitted.")
                .stored(
                        "is_whole_load",
                        BOOLEAN,
                        "Whether that pass has seen the session from its first record without a hole.")
                .stored(
                        "revision",
                        BIGINT,
                        "Counts the rows of this session within the load; the view shows the last.")
                .stored(
                        "losses",
                        BIGINT,
                        "How many times the session fell silent without an end so far; records that came after opened it again.")
                .made("is_comparable", BOOLEAN, "Whether verdicts may use the session.")
                .made("not_comparable_reason", VARCHAR, "Why not. NULL when they may.")
                .build(
                        "sessions",
                        "One row per session: what ran, how it ended, its totals and how far they can be trusted.");
    }

    private static LakeTable spans(String table, String span) {
        return new Columns()
                .session()
                .stored(
                        span,
                        BIGINT,
                        "Its number, from 0; 0 runs from the session's start to the first mark.")
                .stored("phase", VARCHAR, "Phase that it began in. NULL before the first phase.")
                .stored("start_ns", BIGINT, "When it began.")
                .stored("duration_ns", BIGINT, "How long it took, mark to mark.")
                .stored(
                        "is_complete",
                        BOOLEAN,
                        "False for the first and last, and where events are missing: leave those out of tails and rates.")
                .calls()
                .stored(
                        "allocator_ns",
                        BIGINT,
                        "Time in the allocator, all threads added, so that it can exceed the duration. NULL without durations.")
                .stored(
                        "marking_thread_allocator_ns",
                        BIGINT,
                        "Time in the allocator of the thread that marks the "
                                + span
                                + ": what it waited for. NULL without durations.")
                .stored(
                        "first_write_ns",
                        BIGINT,
                        "Time of first writes into new memory, all threads added; allocator_ns leaves it out. NULL where not measured, as in every live session.")
                .stored(
                        "marking_thread_first_write_ns",
                        BIGINT,
                        "Likewise of the thread that marks the "
                                + span
                                + " alone. NULL where first_write_ns is.")
                .stored(
                        "max_call_ns",
                        BIGINT,
                        "Longest call. NULL without durations or without a call.")
                .stored(
                        "calls_over_10us",
                        BIGINT,
                        "Calls that took more than 10 microseconds. NULL without durations.")
                .stored(
                        "calls_over_100us",
                        BIGINT,
                        "Calls that took more than 100 microseconds. NULL without durations.")
                .stored(
                        "calls_over_1ms",
                        BIGINT,
                        "Calls that took more than 1 millisecond. NULL without durations.")
                .stored(
                        "involuntary_switches",
                        BIGINT,
                        "Involuntary context switches of the replaying threads. NULL where not counted, as in every live session and after the last mark.")
                .stored(
                        "live_bytes",
                        BIGINT,
                        "Bytes live at its end: those of the "
                                + span
                                + " before + alloc_bytes - free_bytes + adjusted_live_bytes.")
                .stored("live_blocks", BIGINT, "Blocks live at its end.")
                .stored("peak_live_bytes", BIGINT, "Most bytes live at any time in it.")
                .stored(
                        "adjusted_live_bytes",
                        BIGINT,
                        "What a gap or drop in it changed in live bytes without an event seen.")
                .stored(
                        "same_" + span + "_blocks",
                        BIGINT,
                        "Blocks made and released in it. NULL without events.")
                .stored("same_" + span + "_bytes", BIGINT, "Their bytes. NULL without events.")
                .stored(
                        "next_" + span + "_blocks",
                        BIGINT,
                        "Blocks made in it and released in the next. NULL without events.")
                .stored("next_" + span + "_bytes", BIGINT, "Their bytes. NULL without events.")
                .stored(
                        span + "_arena_bytes",
                        BIGINT,
                        "What a stack that is reset every "
                                + span
                                + " would have to hold for its same-"
                                + span
                                + " blocks, each rounded up to max(16, alignment). NULL without events.")
                .stored(
                        "double_buffer_bytes",
                        BIGINT,
                        "Likewise for blocks dead by the end of the next "
                                + span
                                + "; each of the two buffers must hold the maximum. NULL without events.")
                .loss()
                .header("start_ns")
                .build(
                        table,
                        "One row per "
                                + span
                                + " of a session: the span between two "
                                + span
                                + " marks, half open.");
    }

    private static LakeTable threads() {
        return new Columns()
                .session()
                .stored("thread", INTEGER, "Dense number, from 0 in order of first call.")
                .stored("name", VARCHAR, "Its last name, or a hash of it. NULL when not recorded.")
                .stored("alloc_calls", BIGINT, "Successful allocations.")
                .stored("free_calls", BIGINT, "Releases, unknown ones too.")
                .stored("alloc_bytes", BIGINT, "Bytes asked for by successful calls.")
                .stored("allocator_ns", BIGINT, "Time in the allocator. NULL without durations.")
                .stored(
                        "cross_thread_frees",
                        BIGINT,
                        "Blocks that it released and another thread made. NULL without events.")
                .loss()
                .header("")
                .build(
                        "threads",
                        "One row per thread of a session that called the allocator or was named.");
    }

    private static LakeTable phases() {
        return new Columns()
                .session()
                .stored("phase", VARCHAR, "Its name.")
                .stored("start_ns", BIGINT, "When it first began.")
                .stored("duration_ns", BIGINT, "How long it took, all its stretches added.")
                .stored("frames", BIGINT, "Frames that began in it.")
                .stored("ticks", BIGINT, "Ticks that began in it.")
                .totals()
                .loss()
                .header("start_ns")
                .build("phases", "One row per phase of a session.");
    }

    private static LakeTable values() {
        return new Columns()
                .session()
                .stored("at_ns", BIGINT, "When it was told.")
                .stored("name", VARCHAR, "Its name.")
                .stored("value", DOUBLE, "The number.")
                .header("at_ns")
                .build("values", "One row per value that the program told with tidemark_value.");
    }

    private static LakeTable memory() {
        return new Columns()
                .session()
                .stored("at_ns", BIGINT, "When it was sampled.")
                .stored(
                        "rss_bytes",
                        BIGINT,
                        "Resident bytes, the recorder's ring left out, as in every figure here.")
                .stored("swap_bytes", BIGINT, "Swapped out bytes.")
                .stored("anonymous_bytes", BIGINT, "Resident anonymous bytes.")
                .stored("heap_rss_bytes", BIGINT, "Resident bytes of the brk heap.")
                .stored("minor_faults", BIGINT, "Minor page faults since the process began.")
                .stored("major_faults", BIGINT, "Major page faults since the process began.")
                .stored(
                        "involuntary_switches",
                        BIGINT,
                        "Involuntary context switches of all threads since the process began.")
                .stored("available_bytes", BIGINT, "Memory that the machine could still give.")
                .stored(
                        "live_bytes",
                        BIGINT,
                        "Bytes live at that time, from the events. NULL without events.")
                .stored(
                        "allocator_system_bytes",
                        BIGINT,
                        "Bytes that the allocator holds from the system. NULL when it doesn't say.")
                .stored(
                        "allocator_in_use_bytes",
                        BIGINT,
                        "Bytes that the allocator says are handed out. NULL when it doesn't say.")
                .stored(
                        "allocator_free_bytes",
                        BIGINT,
                        "Bytes that the allocator keeps free. NULL when it doesn't say.")
                .stored("arenas", BIGINT, "Arenas of the allocator. NULL when not sampled.")
                .loss()
                .header("at_ns")
                .build(
                        "memory",
                        "One row per memory sample of a session, seen from outside; NULL is what could not be read.");
    }

    private static LakeTable arenas() {
        return new Columns()
                .session()
                .stored("at_ns", BIGINT, "When it was sampled.")
                .stored("arena", INTEGER, "Its number, from 0.")
                .stored("system_bytes", BIGINT, "Bytes obtained from the system.")
                .stored(
                        "in_use_bytes",
                        BIGINT,
                        "Bytes handed out. NULL when the allocator doesn't say.")
                .stored(
                        "free_bytes",
                        BIGINT,
                        "Bytes kept free. NULL when the allocator doesn't say.")
                .stored(
                        "top_bytes",
                        BIGINT,
                        "Bytes at the top that could be given back. NULL when the allocator doesn't say.")
                .header("at_ns")
                .build("arenas", "One row per arena and memory sample.");
    }

    private static LakeTable trims() {
        return new Columns()
                .session()
                .stored("at_ns", BIGINT, "When the call returned.")
                .stored("thread", INTEGER, "Thread that called.")
                .stored("duration_ns", BIGINT, "What it took. NULL without durations.")
                .stored(
                        "returned_bytes",
                        BIGINT,
                        "Resident bytes before less after, to a few pages. NULL where they could not be read.")
                .header("at_ns")
                .build("trims", "One row per call that told the allocator to give memory back.");
    }

    private static LakeTable events() {
        return new Columns()
                .session()
                .stored(
                        "at_ns",
                        BIGINT,
                        "An allocation's return, a release's begin, a mark's time.")
                .stored("thread", INTEGER, "Thread that called.")
                .stored(
                        "operation",
                        VARCHAR,
                        "malloc, calloc, aligned, new, realloc, free, delete or missed free (a release not seen, told by its address being handed out again).")
                .stored(
                        "size_bytes",
                        BIGINT,
                        "Bytes asked for, or of the block released. NULL when that is not known.")
                .stored("alignment", BIGINT, "Alignment asked for. NULL when none was.")
                .stored(
                        "block",
                        BIGINT,
                        "Ordinal of the block made. NULL for a release and for a failed call.")
                .stored(
                        "released_block",
                        BIGINT,
                        "Ordinal of the block released. NULL where none was known.")
                .stored("duration_ns", BIGINT, "What the call took. NULL without durations.")
                .stored("frame", BIGINT, "Frame that holds it. NULL when nothing marks a frame.")
                .stored("tick", BIGINT, "Tick that holds it. NULL when nothing marks a tick.")
                .stored("phase", VARCHAR, "Phase that holds it. NULL before the first phase.")
                .header("at_ns")
                .build(
                        "events",
                        "One row per allocator call, in order, for sessions loaded with events.");
    }

    private static LakeTable comparisons() {
        return new Columns()
                .stored("comparison_id", VARCHAR, "UUID of the comparison.")
                .stored("made_at", TIMESTAMPTZ, "When it was made.")
                .stored("baseline", VARCHAR, "What candidates were compared with.")
                .stored(
                        "candidates",
                        MAP,
                        "What was judged: better, worse, same and no verdict with how many rows each, by candidate.")
                .stored("filter", VARCHAR, "Condition over sessions, as it was asked for.")
                .stored("method", VARCHAR, "t (the procedure) or bootstrap.")
                .stored("runs", MAP, "Complete rounds by run. Empty for a fleet.")
                .stored("sessions_used", BIGINT, "Sessions that were compared.")
                .stored(
                        "sessions_left_out",
                        MAP,
                        "Sessions of these arms that were not, with the reason.")
                .stored("summary", VARCHAR, "What it says, a sentence for each candidate.")
                .build("comparisons", "One row per comparison of arms.");
    }

    private static LakeTable verdicts() {
        return new Columns()
                .stored("comparison_id", VARCHAR, "The comparison that it belongs to.")
                .stored("metric", VARCHAR, "What is compared, by its name.")
                .stored("unit", VARCHAR, "Unit of the values.")
                .stored("phase", VARCHAR, "Phase of the sessions. NULL for the whole.")
                .stored("clock", VARCHAR, "What measured durations.")
                .stored("round_kind", VARCHAR, "plain or profiled. NULL unless a replay.")
                .stored("baseline", VARCHAR, "What the candidate is compared with.")
                .stored("candidate", VARCHAR, "What is judged.")
                .stored(
                        "baseline_value",
                        DOUBLE,
                        "Median of its sessions. NULL where not measured.")
                .stored(
                        "candidate_value",
                        DOUBLE,
                        "Median of its sessions. NULL where not measured.")
                .stored("ratio", DOUBLE, "Candidate over baseline, the rounds' geometric mean.")
                .stored("ratio_low", DOUBLE, "Lower end of its 95% interval.")
                .stored("ratio_high", DOUBLE, "Upper end of its 95% interval.")
                .stored("null_ratio", DOUBLE, "Null arm over baseline. NULL of runs together.")
                .stored("null_low", DOUBLE, "Lower end of its 95% interval. NULL of runs together.")
                .stored(
                        "null_high",
                        DOUBLE,
                        "Upper end of its 95% interval. NULL of runs together.")
                .stored(
                        "p_value",
                        DOUBLE,
                        "How likely this is where nothing differs: of a run two-sided, of two runs in the direction that they share. NULL by bootstrap.")
                .stored(
                        "p_adjusted",
                        DOUBLE,
                        "The same when every row is looked at (Holm). NULL in the row of a run.")
                .stored(
                        "detectable_ratio",
                        DOUBLE,
                        "A true ratio of so much would be seen in four runs of five.")
                .stored("baseline_sessions", BIGINT, "Sessions of the baseline with a value.")
                .stored("candidate_sessions", BIGINT, "Sessions of the candidate with a value.")
                .stored("rounds", BIGINT, "Rounds compared; of a fleet hosts of the smaller side.")
                .stored("run_id", VARCHAR, "The run. NULL in the row of all runs together.")
                .stored("verdict", VARCHAR, "better, worse, same or no verdict.")
                .stored(
                        "is_finding",
                        BOOLEAN,
                        "Whether it is better or worse in two runs and survives that every row was looked at. A run's own verdict is provisional.")
                .stored("reason", VARCHAR, "Why it says no more. NULL when it does.")
                .build(
                        "verdicts",
                        "One row per candidate, metric, phase and run of a comparison, and one with run_id NULL for its runs together.");
    }

    private static final class Columns {
        private final List<LakeColumn> columns = new ArrayList<>();

        Columns session() {
            return stored("session_id", VARCHAR, "UUIDv7 of the session.");
        }

        Columns stored(String name, ColumnType type, String comment) {
            columns.add(new LakeColumn(name, type, comment, true));
            return this;
        }

        Columns made(String name, ColumnType type, String comment) {
            columns.add(new LakeColumn(name, type, comment, false));
            return this;
        }

        /**
         * Rows that were not final when a session fell silent. They count while the session is lost
         * and its {@code losses} are the same; records that come after all bring the final rows.
         */
        Columns loss() {
            return stored(
                    "loss",
                    BIGINT,
                    "NULL in a final row. Else the row was written when the session was lost for this many-th time, and counts only while it is: state lost and losses equal to this.");
        }

        Columns calls() {
            return stored(
                            "alloc_calls",
                            BIGINT,
                            "Successful malloc, calloc, aligned forms, operator new and realloc of NULL.")
                    .stored("free_calls", BIGINT, "Releases, unknown ones too; not free of NULL.")
                    .stored("realloc_calls", BIGINT, "Successful reallocations of a block.")
                    .stored(
                            "failed_calls",
                            BIGINT,
                            "Calls that returned no block for a size over 0, or threw.")
                    .stored(
                            "alloc_bytes",
                            BIGINT,
                            "Bytes asked for by successful calls, new sizes of reallocations among them.")
                    .stored(
                            "free_bytes",
                            BIGINT,
                            "Bytes released, old sizes of reallocations among them; unknown releases can't count.");
        }

        Columns totals() {
            return calls().stored(
                            "allocator_ns",
                            BIGINT,
                            "Time in the allocator, all threads added. NULL without durations.")
                    .stored(
                            "first_write_ns",
                            BIGINT,
                            "Time of first writes into new memory, all threads added; allocator_ns leaves it out. NULL where not measured, as in every live session.")
                    .stored("peak_live_bytes", BIGINT, "Most bytes live at any time.");
        }

        /**
         * What views copy from the session's row, so that simple questions need no join; {@code
         * time} is the row's own time, if it has one.
         */
        Columns header(String time) {
            made("title", VARCHAR, "Title of the session.");
            made("role", VARCHAR, "Role of the session: client or server.");
            made("build", VARCHAR, "Build of the session's title. NULL when not said.");
            made("arm", VARCHAR, "Arm of the session.");
            made("run_id", VARCHAR, "Run of the session. NULL outside of one.");
            return made(
                    "at",
                    TIMESTAMPTZ,
                    (time.isEmpty()
                                    ? "Wall clock at the session's start."
                                    : "Wall clock at " + time + ", to the microsecond.")
                            + " A word of SQL: write it \"at\" or with the view's name before it.");
        }

        LakeTable build(String name, String grain) {
            return new LakeTable(name, grain, columns);
        }
    }
}
