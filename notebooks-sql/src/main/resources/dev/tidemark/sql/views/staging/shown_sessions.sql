-- One row per session: the last revision of the load that the views show.
--
-- Requires staging.stored_sessions. A whole load comes before a partial one (a job that started late saw only the
-- tail), a load that saw the session's end before one that is still under way, then the newest. So reading a session
-- again never doubles a row, and what is complete stays in sight until what replaces it is complete, too.
WITH revisions AS (
    SELECT stored.* EXCLUDE ("day", "load") FROM staging.stored_sessions AS stored
),
loads AS (
    SELECT revisions.*
    FROM revisions
    QUALIFY row_number() OVER (
        PARTITION BY revisions.session_id, revisions.load_id
        ORDER BY revisions.revision DESC NULLS LAST, revisions.observed_at DESC NULLS LAST) = 1
)
SELECT loads.*
FROM loads
QUALIFY row_number() OVER (
    PARTITION BY loads.session_id
    ORDER BY
        coalesce(loads.is_whole_load, FALSE) DESC,
        coalesce(loads."state" = 'closed', FALSE) DESC,
        loads.loaded_at DESC NULLS LAST,
        loads.load_id DESC) = 1
