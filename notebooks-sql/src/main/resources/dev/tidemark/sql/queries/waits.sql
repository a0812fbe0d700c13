-- Which ticks and frames waited on malloc, in order of time, and what was live: those that spent more than $limit_ms (1) in the allocator, in the marking thread or in all threads added; spike_of says which. $session (latest).
--
-- resident_mib is the memory sample before or at the tick's end. change_kib is what the tick added to live bytes.
WITH picked AS (
    SELECT found.session_id
    FROM find_session(coalesce(getvariable('session'), 'latest')) AS found
),
limits AS (
    SELECT CAST(coalesce(getvariable('limit_ms'), '1') AS DOUBLE) * 1e6 AS limit_ns
),
spans AS (
    SELECT 'tick' AS span, ticks.tick AS number, ticks.* EXCLUDE (tick)
    FROM ticks
    UNION ALL BY NAME
    SELECT 'frame' AS span, frames.frame AS number, frames.* EXCLUDE (frame)
    FROM frames
),
waiting AS (
    SELECT
        spans.*,
        spans.start_ns + spans.duration_ns AS end_ns,
        CASE
            WHEN spans.marking_thread_allocator_ns > limits.limit_ns THEN 'marking thread'
            ELSE 'all threads'
        END AS spike_of
    FROM spans
    CROSS JOIN limits
    JOIN picked ON picked.session_id = spans.session_id
    WHERE spans.is_complete
        AND (spans.marking_thread_allocator_ns > limits.limit_ns OR spans.allocator_ns > limits.limit_ns)
)
SELECT
    waiting.span,
    waiting.number,
    round(waiting.start_ns / 1e9, 3) AS at_s,
    round(waiting.duration_ns / 1e6, 3) AS duration_ms,
    round(waiting.marking_thread_allocator_ns / 1e6, 3) AS waited_ms,
    round(waiting.allocator_ns / 1e6, 3) AS all_threads_ms,
    waiting.spike_of,
    round(waiting.live_bytes / 1048576, 1) AS live_mib,
    round(samples.rss_bytes / 1048576, 1) AS resident_mib,
    round((waiting.alloc_bytes - waiting.free_bytes + coalesce(waiting.adjusted_live_bytes, 0)) / 1024, 1) AS change_kib,
    waiting.live_blocks,
    round(waiting.max_call_ns / 1e6, 3) AS longest_call_ms,
    waiting.alloc_calls,
    waiting.free_calls,
    waiting.phase
FROM waiting
ASOF LEFT JOIN memory AS samples ON samples.session_id = waiting.session_id AND samples.at_ns <= waiting.end_ns
ORDER BY waiting.session_id, waiting.start_ns, waiting.span, waiting.number
