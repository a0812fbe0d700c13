SELECT session_id, 'tick' AS row_of, tick AS number, alloc_calls AS n FROM ticks
UNION ALL
SELECT session_id, 'thread', thread, alloc_calls FROM threads
UNION ALL
SELECT session_id, 'phase', NULL, alloc_calls FROM phases
UNION ALL
SELECT session_id, 'memory', at_ns, live_bytes FROM memory
ORDER BY session_id, row_of, number
