-- Time in the allocator: one row per session and scope, over all of its frames or ticks, incomplete ones too.
--
-- metric: allocator_ms | ms | lower | 0.00001 | 5% | live, replay | any | plain | headline | allocator time | Time in the allocator, all threads added.
-- metric: allocator_ms_with_first_writes | ms | lower | 0.00001 | 5% | replay | any | any | headline | allocator time with first writes | The same and the first writes into new memory: allocators fault pages at different moments.
--
-- Requires used_sessions, used_phases, used_frames and used_ticks. First writes are told per frame, or per tick where nothing marks a frame.
WITH totals AS (
    SELECT used_sessions.session, 0 AS scope, used_sessions.allocator_ns
    FROM used_sessions
    UNION ALL
    SELECT used_phases.session, used_phases.scope, used_phases.allocator_ns
    FROM used_phases
),
frame_writes AS (
    SELECT used_frames.session, used_frames.scope, sum(used_frames.first_write_ns) AS first_write_ns
    FROM used_frames
    GROUP BY used_frames.session, used_frames.scope
),
tick_writes AS (
    SELECT used_ticks.session, used_ticks.scope, sum(used_ticks.first_write_ns) AS first_write_ns
    FROM used_ticks
    GROUP BY used_ticks.session, used_ticks.scope
)
SELECT
    totals.session,
    totals.scope,
    totals.allocator_ns / 1e6 AS allocator_ms,
    (totals.allocator_ns + coalesce(frame_writes.first_write_ns, tick_writes.first_write_ns)) / 1e6
        AS allocator_ms_with_first_writes
FROM totals
LEFT JOIN frame_writes ON frame_writes.session = totals.session AND frame_writes.scope = totals.scope
LEFT JOIN tick_writes ON tick_writes.session = totals.session AND tick_writes.scope = totals.scope
