-- What a player feels of frames as a whole: one row per session and scope, over its complete frames.
--
-- metric: fps_steady | fps | higher | 0.01 | 5% | live, replay | any | plain |  | frames per second | Frames per second by the median frame of the second half.
-- metric: stall_s | s | lower | 0.001 | 10% | live, replay | any | plain |  | stalling | What frames took beyond 100 ms, added.
--
-- Requires used_frames. The second half begins midway between the first frame's start and the last one's end.
WITH bounds AS (
    SELECT
        used_frames.session,
        used_frames.scope,
        (min(used_frames.start_ns) + max(used_frames.start_ns + used_frames.duration_ns)) // 2 AS midway_ns
    FROM used_frames
    GROUP BY used_frames.session, used_frames.scope
)
SELECT
    used_frames.session,
    used_frames.scope,
    1e9 / nullif(quantile_disc(used_frames.duration_ns, 0.5) FILTER (WHERE used_frames.start_ns >= bounds.midway_ns), 0)
        AS fps_steady,
    sum(greatest(0, used_frames.duration_ns - 100000000)) / 1e9 AS stall_s
FROM used_frames
JOIN bounds ON bounds.session = used_frames.session AND bounds.scope = used_frames.scope
WHERE used_frames.is_complete
GROUP BY used_frames.session, used_frames.scope
