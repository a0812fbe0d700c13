package dev.tidemark.replay;

import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.Host;
import dev.tidemark.schemas.avro.Kind;
import dev.tidemark.schemas.avro.SessionStart;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a session's first record says, or nothing when it never came: then durations are taken as
 * measured, and days are those of the broker's time stamps.
 */
final class SessionHeader {
    /** The end of the year 9999, microseconds since 1970: time stamps past it are nonsense. */
    private static final long MAX_STARTED_AT_US = 253_402_300_799_999_999L;

    private static final long US_PER_DAY = 86_400_000_000L;
    private static final String NONE = "none";

    private final @Nullable SessionStart start;
    private final long fallbackUs;

    private SessionHeader(@Nullable SessionStart start, long fallbackUs) {
        this.start = start;
        this.fallbackUs = fallbackUs;
    }

    /** A session whose first record was not seen; its first one that was came at that time. */
    static SessionHeader unseen(long brokerTimeMs) {
        return new SessionHeader(null, brokerTimeUs(brokerTimeMs));
    }

    /** A broker's time stamp in microseconds, within the years 1970 to 9999. */
    static long brokerTimeUs(long brokerTimeMs) {
        return Math.max(0, Math.min(brokerTimeMs, MAX_STARTED_AT_US / 1000)) * 1000;
    }

    static SessionHeader of(SessionStart start) throws IllegalRecordException {
        if (start.getStartedAtUs() < 0 || start.getStartedAtUs() > MAX_STARTED_AT_US) {
            throw new IllegalRecordException(
                    "started_at_us is "
                            + start.getStartedAtUs()
                            + ", not within the years 1970 to 9999");
        }
        return new SessionHeader(start, start.getStartedAtUs());
    }

    boolean isSeen() {
        return start != null;
    }

    /** Whether durations were measured. */
    boolean isTimed() {
        return start == null || start.getClock() != Clock.NONE;
    }

    boolean isReplay() {
        return start != null && start.getKind() == Kind.REPLAY;
    }

    boolean definesFrames() {
        return start != null && !NONE.equals(start.getFrameDefinition());
    }

    boolean definesTicks() {
        return start != null && !NONE.equals(start.getTickDefinition());
    }

    /** The UTC day of a time of the session, days since 1970. */
    int day(long atNs) {
        return (int) (Math.min(fallbackUs + atNs / 1000, MAX_STARTED_AT_US) / US_PER_DAY);
    }

    /** Nanoseconds from the session's start to the first midnight after a time of the session. */
    long nextMidnightNs(long atNs) {
        return ((day(atNs) + 1L) * US_PER_DAY - fallbackUs) * 1000;
    }

    /** The wall clock at a time of the session, microseconds since 1970; null when not known. */
    @Nullable Long wallClockUs(long atNs) {
        return start == null ? null : start.getStartedAtUs() + atNs / 1000;
    }

    /** Sets the columns of {@code sessions} that come from the first record. */
    void fill(RowBuilder row) {
        if (start == null) {
            return;
        }
        row.set("title", start.getTitle())
                .set("role", word(start.getRole()))
                .set("build", start.getBuild())
                .set("scene", start.getScene())
                .set("run_id", start.getRunId())
                .set("round", start.getRound())
                .set("arm", start.getArm())
                .set("allocator", start.getAllocator())
                .set("allocator_version", start.getAllocatorVersion())
                .set("policy", start.getPolicy())
                .set("labels", start.getLabels())
                .set("kind", word(start.getKind()))
                .set("clock", word(start.getClock()))
                .set("detail", word(start.getDetail()))
                .set("size_basis", word(start.getSizeBasis()))
                .set("round_kind", word(start.getRoundKind()))
                .set("touch", start.getTouch())
                .set("pacing", start.getPacing())
                .set("frame_definition", start.getFrameDefinition())
                .set("tick_definition", start.getTickDefinition())
                .set("source_session_id", start.getSourceSessionId())
                .set("continues_session_id", start.getContinuesSessionId())
                .set("recorder_version", start.getRecorderVersion())
                .set("started_at", start.getStartedAtUs());
        fillHost(row, start.getHost());
    }

    private static void fillHost(RowBuilder row, Host host) {
        row.set("host", host.getHost())
                .set("cpu_model", host.getCpuModel())
                .set("cores", host.getCores())
                .set("kernel", host.getKernel())
                .set("memory_bytes", host.getMemoryBytes())
                .set("huge_pages", host.getHugePages())
                .set("governor", host.getGovernor())
                .set("clock_source", host.getClockSource());
    }

    /** A constant as the lake writes it; null for none and for one that this build doesn't know. */
    static @Nullable String word(@Nullable Enum<?> constant) {
        return constant == null || constant.name().equals("UNKNOWN")
                ? null
                : constant.name().toLowerCase(Locale.ROOT);
    }
}
