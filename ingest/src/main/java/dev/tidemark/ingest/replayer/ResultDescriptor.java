package dev.tidemark.ingest.replayer;

/** Layout of a result file, as {@code ingest/replayer/result_format.h} draws it. Little endian. */
final class ResultDescriptor {
    static final long MAGIC = 0x5345524b4d4454ffL;
    static final int VERSION = 1;

    /** Of a signed figure: not measured. */
    static final long UNKNOWN = Long.MIN_VALUE;

    static final int REFUSED = 1;

    static final int HEADER_BYTES = 1024;
    static final int HEADER_MAGIC = 0;
    static final int HEADER_VERSION = 8;
    static final int HEADER_HEADER_BYTES = 12;
    static final int HEADER_FILE_BYTES = 16;
    static final int HEADER_STATUS = 24;
    static final int HEADER_THREADS = 28;
    static final int HEADER_STRETCHES = 32;
    static final int HEADER_LAGS = 40;
    static final int HEADER_CALLS = 48;
    static final int HEADER_SAMPLES = 56;
    static final int HEADER_THREADS_OFFSET = 64;
    static final int HEADER_STRETCHES_OFFSET = 72;
    static final int HEADER_LAGS_OFFSET = 80;
    static final int HEADER_CALLS_OFFSET = 88;
    static final int HEADER_SAMPLES_OFFSET = 96;
    static final int HEADER_STARTED_REALTIME_NS = 104;
    static final int HEADER_DURATION_NS = 112;
    static final int HEADER_BASELINE_RSS_BYTES = 120;
    static final int HEADER_PEAK_RSS_BYTES = 128;
    static final int HEADER_RETAINED_BYTES = 136;
    static final int HEADER_RETAINED_1S_BYTES = 144;
    static final int HEADER_RETAINED_5S_BYTES = 152;
    static final int HEADER_RETAINED_15S_BYTES = 160;
    static final int HEADER_RETAINED_AFTER_CALLS_BYTES = 168;
    static final int HEADER_RETURN_HALF_NS = 176;
    static final int HEADER_LONGEST_CALLS = 184;
    static final int HEADER_ALLOCATOR = 256;
    static final int ALLOCATOR_BYTES = 512;
    static final int HEADER_REASON = 768;
    static final int REASON_BYTES = 256;

    static final int THREAD_BYTES = 64;
    static final int THREAD_OPERATIONS = 0;
    static final int THREAD_ALLOC_CALLS = 8;
    static final int THREAD_FREE_CALLS = 16;
    static final int THREAD_REALLOC_CALLS = 24;
    static final int THREAD_FAILED_CALLS = 32;
    static final int THREAD_ALLOC_BYTES = 40;
    static final int THREAD_FREE_BYTES = 48;

    static final int STRETCH_BYTES = 16;
    static final int STRETCH_ALLOCATOR_NS = 0;
    static final int STRETCH_SPAN = 8;
    static final int STRETCH_INVOLUNTARY_SWITCHES = 12;

    static final int LAG_BYTES = 8;

    static final int CALL_BYTES = 8;
    static final int CALL_DURATION_NS = 0;
    static final int CALL_FIRST_WRITE_NS = 4;

    static final int SAMPLE_BYTES = 48;
    static final int SAMPLE_AT_NS = 0;
    static final int SAMPLE_RSS_BYTES = 8;
    static final int SAMPLE_MINOR_FAULTS = 16;
    static final int SAMPLE_MAJOR_FAULTS = 24;
    static final int SAMPLE_INVOLUNTARY_SWITCHES = 32;

    private ResultDescriptor() {}
}
