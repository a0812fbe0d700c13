-- Live is live before + allocated - freed + adjusted; the ticks add up to the session.
WITH steps AS (
    SELECT
        ticks.*,
        coalesce(lag(ticks.live_bytes) OVER (PARTITION BY ticks.session_id ORDER BY ticks.tick), 0)
            + ticks.alloc_bytes - ticks.free_bytes + ticks.adjusted_live_bytes AS expected_live_bytes
    FROM ticks
)
SELECT
    sessions.session_id,
    sessions.load_id,
    count(*) = sessions.ticks AS is_every_tick_once,
    bool_and(steps.live_bytes = steps.expected_live_bytes) AS is_live_continuous,
    sum(steps.alloc_calls) = sessions.alloc_calls
        AND sum(steps.alloc_bytes) = sessions.alloc_bytes
        AND sum(steps.free_bytes) = sessions.free_bytes AS is_sum_of_ticks,
    arg_max(steps.live_bytes, steps.tick) = sessions.end_live_bytes AS is_end_live,
    max(steps."at") AS last_at
FROM sessions
JOIN steps ON steps.session_id = sessions.session_id
GROUP BY sessions.session_id, sessions.load_id, sessions.ticks, sessions.alloc_calls, sessions.alloc_bytes, sessions.free_bytes, sessions.end_live_bytes
ORDER BY sessions.session_id
