-- Phases of the sessions that are compared: one row per session and phase asked for.
CREATE OR REPLACE TEMP TABLE used_phases AS
SELECT used_sessions.session, used_scopes.scope, phases.start_ns, phases.duration_ns, phases.allocator_ns, phases.peak_live_bytes
FROM phases
JOIN used_sessions ON used_sessions.session_id = phases.session_id
JOIN used_scopes ON used_scopes.phase = phases.phase
