-- Memory of the session as a whole: one row per session, and per phase for what is live.
--
-- metric: peak_live_mib | MiB | lower | 0.00001 | 5% | live, replay, op, none | any | any |  | live at peak | Most bytes that the program held at any time.
-- metric: retained_mib | MiB | lower | 0.25 | 5% | live, replay | any | any | headline | retained | Resident after everything was freed less before (replay), or less what was live at the end.
-- metric: retained_mib_1s | MiB | lower | 0.25 | 5% | replay | any | any |  | retained after 1 s | The same 1 s after the last release.
-- metric: retained_mib_5s | MiB | lower | 0.25 | 5% | replay | any | any |  | retained after 5 s | The same 5 s after.
-- metric: retained_mib_15s | MiB | lower | 0.25 | 5% | replay | any | any |  | retained after 15 s | The same 15 s after.
-- metric: retained_mib_after_calls | MiB | lower | 0.25 | 5% | replay | any | any |  | retained after more calls | The same after a thousand small calls more.
-- metric: return_half_s | s | lower | 0.01 | 5% | replay | any | any |  | time until half is given back | Until half of what was retained was given back; none where it never was.
--
-- Requires used_sessions and used_phases. Resident bytes are counted by the kernel in batches: a quarter of a MiB is noise.
SELECT
    used_sessions.session,
    0 AS scope,
    used_sessions.peak_live_bytes / 1048576 AS peak_live_mib,
    used_sessions.retained_bytes / 1048576 AS retained_mib,
    used_sessions.retained_1s_bytes / 1048576 AS retained_mib_1s,
    used_sessions.retained_5s_bytes / 1048576 AS retained_mib_5s,
    used_sessions.retained_15s_bytes / 1048576 AS retained_mib_15s,
    used_sessions.retained_after_calls_bytes / 1048576 AS retained_mib_after_calls,
    used_sessions.return_half_ns / 1e9 AS return_half_s
FROM used_sessions
UNION ALL
SELECT used_phases.session, used_phases.scope, used_phases.peak_live_bytes / 1048576, NULL, NULL, NULL, NULL, NULL, NULL
FROM used_phases
