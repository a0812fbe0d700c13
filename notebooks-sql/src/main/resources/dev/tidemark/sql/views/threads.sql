-- One row per thread of the load that its session shows.
--
-- Requires staging.stored_threads and staging.shown_sessions. Rows written at a loss count only while the session is lost.
SELECT
    stored.* EXCLUDE ("day", "load"),
    shown.title,
    shown.role,
    shown.build,
    shown.arm,
    shown.run_id,
    shown.started_at AS at
FROM staging.stored_threads AS stored
JOIN staging.shown_sessions AS shown ON shown.session_id = stored.session_id AND shown.load_id = stored."load"
WHERE stored.loss IS NULL OR (shown."state" = 'lost' AND shown.losses = stored.loss)
