-- The {span}s of the sessions that are compared: one row per {span} and scope, in scope 0 for the whole session and once more in its phase.
CREATE OR REPLACE TEMP TABLE used_{span}s AS
WITH stored AS (
    SELECT
        used_sessions.session,
        {span}s.phase,
        {span}s.start_ns,
        {span}s.duration_ns,
        {span}s.is_complete,
        {span}s.allocator_ns,
        {span}s.marking_thread_allocator_ns,
        {span}s.first_write_ns,
        {span}s.calls_over_100us
    FROM {span}s
    JOIN used_sessions ON used_sessions.session_id = {span}s.session_id
)
SELECT stored.* EXCLUDE (phase), 0 AS scope
FROM stored
UNION ALL
SELECT stored.* EXCLUDE (phase), used_scopes.scope
FROM stored
JOIN used_scopes ON used_scopes.phase = stored.phase
