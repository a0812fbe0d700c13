-- One row for a session: what was recorded, and whether anything was lost.
SELECT
    title,
    arm,
    state,
    round(duration_ns / 1e9, 1) AS seconds,
    threads,
    frames,
    ticks,
    alloc_calls,
    free_calls,
    realloc_calls,
    round(allocator_ns / 1e6, 1) AS allocator_ms,
    dropped_events,
    unknown_frees
FROM sessions
WHERE session_id = $session
