-- What the lake holds: a row per session, newest first. $n (50): how many.
--
-- alloc_ms is time in the allocator, all threads added; p99_ms its 99th percentile over complete ticks (frames, where
-- there are no ticks); rss_mib is the most that was resident.
WITH listed AS (
    SELECT *
    FROM sessions
    ORDER BY sessions.started_at DESC NULLS LAST, sessions.session_id DESC
    LIMIT CAST(coalesce(getvariable('n'), '50') AS BIGINT)
),
spans AS (
    SELECT ticks.session_id, ticks.allocator_ns
    FROM ticks
    JOIN listed ON listed.session_id = ticks.session_id
    WHERE ticks.is_complete
    UNION ALL
    SELECT frames.session_id, frames.allocator_ns
    FROM frames
    JOIN listed ON listed.session_id = frames.session_id AND coalesce(listed.ticks, 0) = 0
    WHERE frames.is_complete
),
tails AS (
    SELECT spans.session_id, quantile_disc(spans.allocator_ns, 0.99) AS p99_ns
    FROM spans
    GROUP BY spans.session_id
)
SELECT
    right(listed.session_id, 8) AS id,
    listed.title,
    listed.arm,
    listed."state",
    strftime(listed.started_at, '%m-%d %H:%M') AS started_utc,
    round(listed.duration_ns / 1e9, 1) AS seconds,
    CASE
        WHEN listed.ticks > 0 THEN listed.ticks || ' ticks'
        WHEN listed.frames > 0 THEN listed.frames || ' frames'
    END AS spans,
    listed.events,
    round(listed.allocator_ns / 1e6, 1) AS alloc_ms,
    round(tails.p99_ns / 1e6, 3) AS p99_ms,
    round(listed.peak_rss_bytes / 1048576, 1) AS rss_mib,
    coalesce(listed.not_comparable_reason, 'good') AS quality
FROM listed
LEFT JOIN tails ON tails.session_id = listed.session_id
ORDER BY listed.started_at DESC NULLS LAST, listed.session_id DESC
