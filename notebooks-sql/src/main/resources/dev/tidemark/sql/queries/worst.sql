-- The ticks and frames that waited longest on the allocator, worst first. $session (latest), $n (10).
--
-- They rank by the time of the marking thread (waited_ms), or by that of all threads where in most of them the marking
-- thread has less than a twentieth of it: another thread does the work then.
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
),
ranked AS (
    SELECT
        spans.*,
        CASE
            WHEN 2 * count_if(20 * spans.marking_thread_allocator_ns < spans.allocator_ns) OVER (PARTITION BY spans.session_id, spans.span)
                > count(*) OVER (PARTITION BY spans.session_id, spans.span)
            THEN spans.allocator_ns
            ELSE spans.marking_thread_allocator_ns
        END AS waited_ns
    FROM spans
    JOIN picked ON picked.session_id = spans.session_id
    WHERE spans.is_complete
)
SELECT
    ranked.span,
    ranked.number,
    round(ranked.start_ns / 1e9, 3) AS at_s,
    round(ranked.duration_ns / 1e6, 3) AS duration_ms,
    round(ranked.marking_thread_allocator_ns / 1e6, 3) AS waited_ms,
    round(100 * ranked.marking_thread_allocator_ns / nullif(ranked.duration_ns, 0), 1) AS waited_percent,
    round(ranked.allocator_ns / 1e6, 3) AS all_threads_ms,
    round(ranked.max_call_ns / 1e6, 3) AS longest_call_ms,
    ranked.alloc_calls + ranked.free_calls + ranked.realloc_calls AS calls,
    round(ranked.live_bytes / 1048576, 1) AS live_mib,
    ranked.phase
FROM ranked
WHERE ranked.waited_ns IS NOT NULL
ORDER BY ranked.waited_ns DESC, ranked.allocator_ns DESC, ranked.session_id, ranked.span, ranked.number
LIMIT CAST(coalesce(getvariable('n'), '10') AS BIGINT)
