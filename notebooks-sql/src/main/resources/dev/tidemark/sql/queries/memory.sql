-- Live and resident memory of a session at its telling moments: first sample, most live, most resident, last sample, and the session's own totals. $session (latest).
--
-- resident_less_live_mib is what the process keeps beyond what the game asked for: the allocator's keep, code, stacks.
WITH picked AS (
    SELECT found.*
    FROM find_session(coalesce(getvariable('session'), 'latest')) AS found
),
samples AS (
    SELECT samples.*
    FROM memory AS samples
    JOIN picked ON picked.session_id = samples.session_id
),
moments AS (
    SELECT 1 AS place, 'first sample' AS moment, samples.*
    FROM samples
    QUALIFY row_number() OVER (PARTITION BY samples.session_id ORDER BY samples.at_ns) = 1
    UNION ALL
    SELECT 2, 'most live', samples.*
    FROM samples
    WHERE samples.live_bytes IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY samples.session_id ORDER BY samples.live_bytes DESC, samples.at_ns) = 1
    UNION ALL
    SELECT 3, 'most resident', samples.*
    FROM samples
    WHERE samples.rss_bytes IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY samples.session_id ORDER BY samples.rss_bytes DESC, samples.at_ns) = 1
    UNION ALL
    SELECT 4, 'last sample', samples.*
    FROM samples
    QUALIFY row_number() OVER (PARTITION BY samples.session_id ORDER BY samples.at_ns DESC) = 1
),
totals AS (
    SELECT 5 AS place, 'peak of session' AS moment, picked.session_id, NULL AS at_ns, picked.peak_live_bytes AS live_bytes, picked.peak_rss_bytes AS rss_bytes, picked.peak_anonymous_bytes AS anonymous_bytes
    FROM picked
    UNION ALL
    SELECT 6, 'end of session', picked.session_id, picked.duration_ns, picked.end_live_bytes, picked.end_rss_bytes, NULL
    FROM picked
),
rows_shown AS (
    SELECT moments.place, moments.moment, moments.session_id, moments.at_ns, moments.live_bytes, moments.rss_bytes, moments.anonymous_bytes
    FROM moments
    UNION ALL
    SELECT totals.*
    FROM totals
)
SELECT
    rows_shown.moment,
    round(rows_shown.at_ns / 1e9, 1) AS at_s,
    round(rows_shown.live_bytes / 1048576, 1) AS live_mib,
    round(rows_shown.rss_bytes / 1048576, 1) AS resident_mib,
    round(rows_shown.anonymous_bytes / 1048576, 1) AS anonymous_mib,
    CASE
        WHEN rows_shown.place <> 5
        THEN round((rows_shown.rss_bytes - rows_shown.live_bytes) / 1048576, 1)
    END AS resident_less_live_mib
FROM rows_shown
ORDER BY rows_shown.session_id, rows_shown.place
