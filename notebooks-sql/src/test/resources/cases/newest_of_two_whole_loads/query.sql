SELECT session_id, tick, alloc_bytes, title, role, build, arm, run_id, "at"
FROM ticks
ORDER BY session_id, tick
