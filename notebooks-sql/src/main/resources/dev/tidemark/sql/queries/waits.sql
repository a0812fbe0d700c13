-- Which ticks and frames waited on malloc, in order of time, and what was live: those whose marking thread spent more than $limit_ms (1) in the allocator. $session (latest).
--
-- resident_mib is the memory sample before or at the tick's end. change_kib is what the tick added to live bytes.
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
waiting AS (
    SELECT spans.*, spans.start_ns + spans.duration_ns AS end_ns
    FROM spans
    JOIN picked ON picked.session_id = spans.session_id
    WHERE spans.is_complete
        AND spans.marking_thread_allocator_ns > CAST(coalesce(getvariable('limit_ms'), '1') AS DOUBLE) * 1e6
)
SELECT
    waiting.span,
    waiting.number,
    round(waiting.start_ns / 1e9, 3) AS at_s,
    waiting.phase,
    round(waiting.duration_ns / 1e6, 3) AS duration_ms,
    round(waiting.marking_thread_allocator_ns / 1e6, 3) AS waited_ms,
    round(waiting.max_call_ns / 1e6, 3) AS longest_call_ms,
    waiting.alloc_calls,
    waiting.free_calls,
    round((waiting.alloc_bytes - waiting.free_bytes + coalesce(waiting.adjusted_live_bytes, 0)) / 1024, 1) AS change_kib,
    waiting.live_blocks,
    round(waiting.live_bytes / 1048576, 1) AS live_mib,
    round(samples.rss_bytes / 1048576, 1) AS resident_mib
FROM waiting
ASOF LEFT JOIN memory AS samples ON samples.session_id = waiting.session_id AND samples.at_ns <= waiting.end_ns
ORDER BY waiting.session_id, waiting.start_ns, waiting.span, waiting.number
