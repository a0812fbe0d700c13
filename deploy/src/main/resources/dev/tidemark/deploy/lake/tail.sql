-- One row per way to count allocator time in a session's complete ${span}s: the marking thread's own, and all threads'.
WITH costs AS (
    SELECT ${span}, 1 AS ordinal, 'the ${span}''s own thread' AS allocator_time, marking_thread_allocator_ns AS cost_ns
    FROM ${span}s
    WHERE session_id = $session AND is_complete
    UNION ALL
    SELECT ${span}, 2, 'all threads', allocator_ns
    FROM ${span}s
    WHERE session_id = $session AND is_complete
),
ranked AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY ordinal ORDER BY cost_ns DESC, ${span}) AS place,
        count(*) OVER (PARTITION BY ordinal) AS spans
    FROM costs
    WHERE cost_ns IS NOT NULL
)
SELECT
    allocator_time,
    count(*) AS ${span}s,
    round(quantile_disc(cost_ns, 0.5) / 1e3, 1) AS p50_us,
    round(quantile_disc(cost_ns, 0.99) / 1e3, 1) AS p99_us,
    round(avg(cost_ns) FILTER (WHERE place <= ceil(spans / 100.0)) / 1e3, 1) AS worst_1pct_mean_us,
    round(max(cost_ns) / 1e3, 1) AS worst_us,
    count(*) FILTER (WHERE cost_ns > 1000000) AS ${span}s_over_1_ms
FROM ranked
GROUP BY ordinal, allocator_time
ORDER BY ordinal
