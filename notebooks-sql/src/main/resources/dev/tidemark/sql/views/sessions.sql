-- One row per session, with a word on whether verdicts may use it.
--
-- Requires staging.shown_sessions. A session is not comparable when one of these holds; not_comparable_reason names
-- all that do:
--   * it is still open, or lost: its totals are not its last;
--   * its load did not see it from its first record without a hole, or skipped records of an unknown type;
--   * events were dropped, or records never came;
--   * it goes on from another session, so that its beginning lies elsewhere;
--   * no allocator call was seen;
--   * more than one release in a thousand had no known block, or was only told by its address coming again. (A few are
--     usual: blocks made before the recorder was there);
--   * peak live bytes are below half of peak anonymous memory: the program has an allocator of its own inside;
--   * a replay fell more than 10% behind.
WITH shown AS (
    SELECT * FROM staging.shown_sessions
),
reasons AS (
    SELECT
        shown.*,
        concat_ws('; ',
            CASE shown."state" WHEN 'open' THEN 'still open' WHEN 'lost' THEN 'lost without an end' END,
            CASE WHEN shown.is_whole_load IS DISTINCT FROM TRUE THEN 'not loaded whole' END,
            CASE WHEN shown.unknown_payloads > 0 THEN shown.unknown_payloads || ' records of an unknown type' END,
            CASE WHEN shown.dropped_events > 0 THEN shown.dropped_events || ' events dropped' END,
            CASE WHEN shown.gaps > 0 THEN shown.gaps || ' gaps in the stream' END,
            CASE WHEN shown.continues_session_id IS NOT NULL THEN 'goes on from another session' END,
            CASE WHEN shown.alloc_calls = 0 THEN 'no allocator call seen' END,
            CASE
                WHEN 1000 * (coalesce(shown.unknown_frees, 0) + coalesce(shown.missed_frees, 0)) > shown.free_calls
                THEN (coalesce(shown.unknown_frees, 0) + coalesce(shown.missed_frees, 0))
                    || ' of ' || shown.free_calls || ' releases without a known block'
            END,
            CASE
                WHEN shown.coverage_ratio < 0.5
                THEN format('malloc covers {:.0f}% of anonymous memory', 100 * shown.coverage_ratio)
            END,
            CASE WHEN shown.late_ratio > 0.10 THEN format('{:.0f}% late', 100 * shown.late_ratio) END
        ) AS reason
    FROM shown
)
SELECT
    reasons.* EXCLUDE (reason),
    reasons.reason = '' AS is_comparable,
    nullif(reasons.reason, '') AS not_comparable_reason
FROM reasons
