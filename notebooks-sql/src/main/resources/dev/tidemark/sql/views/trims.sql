-- One row per call that trimmed the allocator, of the load that its session shows.
--
-- Requires staging.stored_trims and staging.shown_sessions.
SELECT
    stored.* EXCLUDE ("day", "load"),
    shown.title,
    shown.role,
    shown.build,
    shown.arm,
    shown.run_id,
    shown.started_at + to_microseconds(stored.at_ns // 1000) AS at
FROM staging.stored_trims AS stored
JOIN staging.shown_sessions AS shown ON shown.session_id = stored.session_id AND shown.load_id = stored."load"
