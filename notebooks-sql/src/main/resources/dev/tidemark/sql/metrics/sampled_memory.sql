-- Memory as it was sampled: one row per session and scope.
--
-- metric: peak_rss_mib | MiB | lower | 0.25 | 5% | live, replay | any | any | headline | at peak | Most resident memory; of a replay without the replayer's own.
-- metric: allocator_free_mib | MiB | lower | 0.01 | 5% | live, replay | any | any |  | kept free | What the allocator kept free, median over samples.
-- metric: free_growth_mib_per_min | MiB/min | lower | 0.01 | 10% | live, replay | any | any |  | growth of free memory | How fast that grew, by least squares.
-- metric: arenas | arenas | lower | 0.1 | 5% | live, replay | any | any |  | arenas | Most arenas of the allocator.
-- metric: available_min_mib | MiB | higher | 1 | 5% | live | any | any |  | left to the machine | Least memory that the machine could still give.
-- metric: swap_mib | MiB | lower | 0.01 | 5% | live, replay | any | any |  | swapped out | Most memory of the process swapped out.
--
-- Requires used_sessions, used_spans_of_phases and memory. A sample belongs to the phase of the frame, or tick, that holds its time.
WITH samples AS (
    SELECT
        used_sessions.session,
        memory.at_ns,
        memory.rss_bytes - coalesce(used_sessions.baseline_rss_bytes, 0) AS rss_bytes,
        memory.allocator_free_bytes,
        memory.arenas,
        memory.available_bytes,
        memory.swap_bytes
    FROM memory
    JOIN used_sessions ON used_sessions.session_id = memory.session_id
),
placed AS (
    SELECT samples.*, 0 AS scope
    FROM samples
    UNION ALL
    SELECT samples.*, spans.scope
    FROM samples
    ASOF JOIN used_spans_of_phases AS spans ON spans.session = samples.session AND spans.start_ns <= samples.at_ns
    WHERE spans.scope > 0 AND samples.at_ns < spans.start_ns + spans.duration_ns
),
sampled AS (
    SELECT
        placed.session,
        placed.scope,
        max(placed.rss_bytes) AS rss_bytes,
        quantile_disc(placed.allocator_free_bytes, 0.5) AS allocator_free_bytes,
        regr_slope(placed.allocator_free_bytes / 1048576, placed.at_ns / 6e10) AS free_growth_mib_per_min,
        max(placed.arenas) AS arenas,
        min(placed.available_bytes) AS available_bytes,
        max(placed.swap_bytes) AS swap_bytes
    FROM placed
    GROUP BY placed.session, placed.scope
),
whole AS (
    SELECT used_sessions.session, 0 AS scope, used_sessions.peak_rss_bytes
    FROM used_sessions
)
SELECT
    coalesce(sampled.session, whole.session) AS session,
    coalesce(sampled.scope, whole.scope) AS scope,
    CASE WHEN coalesce(sampled.scope, 0) = 0 THEN whole.peak_rss_bytes ELSE sampled.rss_bytes END / 1048576 AS peak_rss_mib,
    sampled.allocator_free_bytes / 1048576 AS allocator_free_mib,
    CASE WHEN isfinite(sampled.free_growth_mib_per_min) THEN sampled.free_growth_mib_per_min END AS free_growth_mib_per_min,
    sampled.arenas AS arenas,
    sampled.available_bytes / 1048576 AS available_min_mib,
    sampled.swap_bytes / 1048576 AS swap_mib
FROM sampled
FULL JOIN whole ON whole.session = sampled.session AND whole.scope = sampled.scope
