-- The ticks and frames whose marking thread waited longest on the allocator, worst first. $session (latest), $n (10).
WITH picked AS (
    SELECT found.session_id
    FROM find_session(coalesce(getvariable('session'), 'latest')) AS found
),
spans AS (
    SELECT 'tick' AS span, ticks.tick AS number, ticks.* EXCLUDE (tick)
    FROM ticks
    UNION ALL BY NAME
    SELECT 'frame' AS span, frames.frame AS number, frames.* EXCLUDE (frame)
    FROM frames
)
SELECT
    spans.span,
    spans.number,
    round(spans.start_ns / 1e9, 3) AS at_s,
    round(spans.duration_ns / 1e6, 3) AS duration_ms,
    round(spans.marking_thread_allocator_ns / 1e6, 3) AS waited_ms,
    round(100 * spans.marking_thread_allocator_ns / nullif(spans.duration_ns, 0), 1) AS waited_percent,
    round(spans.allocator_ns / 1e6, 3) AS all_threads_ms,
    round(spans.max_call_ns / 1e6, 3) AS longest_call_ms,
    spans.alloc_calls + spans.free_calls + spans.realloc_calls AS calls,
    round(spans.live_bytes / 1048576, 1) AS live_mib,
    spans.phase
FROM spans
JOIN picked ON picked.session_id = spans.session_id
WHERE spans.is_complete AND spans.marking_thread_allocator_ns IS NOT NULL
ORDER BY spans.marking_thread_allocator_ns DESC, spans.allocator_ns DESC, spans.session_id, spans.span, spans.number
LIMIT CAST(coalesce(getvariable('n'), '10') AS BIGINT)
