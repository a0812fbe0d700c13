-- What complete ticks and frames of a session cost: nearest-rank percentiles, the mean of the worst 1% (at least one), and how many took over 1 ms. $session (latest).
WITH picked AS (
    SELECT found.session_id
    FROM find_session(coalesce(getvariable('session'), 'latest')) AS found
),
spans AS (
    SELECT
        ticks.session_id, 'tick' AS span,
        ticks.marking_thread_allocator_ns, ticks.allocator_ns, ticks.duration_ns
    FROM ticks
    WHERE ticks.is_complete
    UNION ALL
    SELECT
        frames.session_id, 'frame' AS span,
        frames.marking_thread_allocator_ns, frames.allocator_ns, frames.duration_ns
    FROM frames
    WHERE frames.is_complete
),
measured AS (
    SELECT
        spans.session_id, spans.span,
        unnest([
            {place: 1, measure: 'allocator, marking thread', ns: spans.marking_thread_allocator_ns},
            {place: 2, measure: 'allocator, all threads', ns: spans.allocator_ns},
            {place: 3, measure: 'whole duration', ns: spans.duration_ns}
        ], recursive := TRUE)
    FROM spans
    JOIN picked ON picked.session_id = spans.session_id
),
ranked AS (
    SELECT
        measured.*,
        row_number() OVER (
            PARTITION BY measured.session_id, measured.span, measured.place ORDER BY measured.ns DESC) AS rank_from_worst,
        count(*) OVER (PARTITION BY measured.session_id, measured.span, measured.place) AS spans
    FROM measured
    WHERE measured.ns IS NOT NULL
)
SELECT
    ranked.span,
    ranked.measure,
    count(*) AS spans,
    round(quantile_disc(ranked.ns, 0.5) / 1e6, 3) AS p50_ms,
    round(quantile_disc(ranked.ns, 0.99) / 1e6, 3) AS p99_ms,
    round(avg(ranked.ns) FILTER (WHERE 100 * (ranked.rank_from_worst - 1) < ranked.spans) / 1e6, 3) AS worst_1_percent_mean_ms,
    round(max(ranked.ns) / 1e6, 3) AS max_ms,
    count(*) FILTER (WHERE ranked.ns > 1000000) AS over_1_ms
FROM ranked
GROUP BY ranked.session_id, ranked.span, ranked.place, ranked.measure
ORDER BY ranked.session_id, ranked.span DESC, ranked.place
