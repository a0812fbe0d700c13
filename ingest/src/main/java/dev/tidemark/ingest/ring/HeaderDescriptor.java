package dev.tidemark.ingest.ring;

/**
 * The head of a ring file.
 *
 * <pre>
 *     +-----------------------------+ 0      constant but for state and exit_code
 *     | identity, clock, layout     |
 *     +-----------------------------+ 128    a sequence lock
 *     | newest sync of the clock    |
 *     +-----------------------------+ 256    counters of the process
 *     | rings_used, threads, ...    |
 *     +-----------------------------+ 384    by the agent
 *     | heartbeat_ns, agent_pid     |
 *     +-----------------------------+ 512
 *     | mark_counts                 |
 *     +-----------------------------+ 1024   texts ended by a zero
 *     | executable, allocator, ...  |
 *     +-----------------------------+ 4096
 *     | settings: KEY=VALUE         |
 *     +-----------------------------+ 16384
 *     | names of phases and values  |
 *     +-----------------------------+ 32768
 * </pre>
 */
final class HeaderDescriptor {
    static final long MAGIC = 0x4b52_414d_4544_4954L;
    static final int VERSION = 1;
    static final int BYTES = 32768;

    static final int MAGIC_AT = 0;
    static final int VERSION_AT = 8;
    static final int HEADER_BYTES = 12;
    static final int STATE = 16;
    static final int EXIT_CODE = 20;
    static final int PID = 24;
    static final int PARENT_PID = 28;
    static final int PROCESS_START_TICKS = 32;
    static final int CLOCK = 40;
    static final int ON_FULL = 44;
    static final int WAIT_MAX_NS = 48;
    static final int RING_COUNT = 56;
    static final int RING_RECORDS = 60;
    static final int RINGS_OFFSET = 64;
    static final int RING_STRIDE = 72;
    static final int STAMPS_PER_SECOND = 80;
    static final int START_STAMP = 88;
    static final int START_MONOTONIC_RAW_NS = 96;
    static final int START_MONOTONIC_NS = 104;
    static final int START_REALTIME_NS = 112;
    static final int USER_ID = 120;
    static final int PAGE_BYTES = 124;
    static final int SYNC_SEQUENCE = 128;
    static final int SYNC_STAMP = 136;
    static final int SYNC_MONOTONIC_RAW_NS = 144;
    static final int SYNC_MONOTONIC_NS = 152;
    static final int RINGS_USED = 256;
    static final int THREADS = 264;
    static final int THREADS_WITHOUT_RING = 272;
    static final int DROPPED_WITHOUT_RING = 280;
    static final int CHILD_PROCESSES = 288;
    static final int NAMES_LOST = 296;
    static final int WAITED_NS = 304;
    static final int HEARTBEAT_NS = 384;
    static final int AGENT_PID = 392;
    static final int MARK_COUNTS = 512;
    static final int EXECUTABLE = 1024;
    static final int ALLOCATOR = 1536;
    static final int CHILD_EXECUTABLE = 2048;
    static final int TEXT_BYTES = 512;
    static final int SETTINGS = 4096;
    static final int SETTINGS_BYTES = 12288;
    static final int NAMES = 16384;
    static final int NAME_COUNT = 256;
    static final int NAME_BYTES = 64;
    static final int NAME_TEXT = 4;
    static final int NAME_READABLE = 2;

    static final int STATE_EXITED = 2;

    private HeaderDescriptor() {}
}
