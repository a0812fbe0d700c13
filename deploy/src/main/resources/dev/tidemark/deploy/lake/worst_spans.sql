-- A row per complete ${span} of one session, the ones that waited longest for the allocator first.
SELECT
    ${span},
    round(start_ns / 1e9, 2) AS at_s,
    round(duration_ns / 1e6, 2) AS ${span}_ms,
    round(allocator_ns / 1e6, 3) AS all_threads_ms,
    round(marking_thread_allocator_ns / 1e6, 3) AS own_thread_ms,
    round(max_call_ns / 1e3, 1) AS slowest_call_us,
    alloc_calls,
    free_calls,
    round(live_bytes / 1048576.0, 1) AS live_mib
FROM ${span}s
WHERE session_id = $session AND is_complete
ORDER BY allocator_ns DESC NULLS LAST, ${span}
LIMIT 8
