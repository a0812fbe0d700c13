-- Slow calls: one row per session and scope, over all of its frames, or of its ticks where nothing marks a frame; incomplete ones too.
--
-- metric: calls_over_100us | calls | lower | count | 10% | live, replay | any | profiled | headline | calls over 100 us | Calls of the allocator that took more than 100 microseconds.
--
-- Requires used_frames and used_ticks.
WITH of_frames AS (
    SELECT used_frames.session, used_frames.scope, sum(used_frames.calls_over_100us) AS calls_over_100us
    FROM used_frames
    GROUP BY used_frames.session, used_frames.scope
),
of_ticks AS (
    SELECT used_ticks.session, used_ticks.scope, sum(used_ticks.calls_over_100us) AS calls_over_100us
    FROM used_ticks
    GROUP BY used_ticks.session, used_ticks.scope
)
SELECT
    coalesce(of_frames.session, of_ticks.session) AS session,
    coalesce(of_frames.scope, of_ticks.scope) AS scope,
    coalesce(of_frames.calls_over_100us, of_ticks.calls_over_100us) AS calls_over_100us
FROM of_frames
FULL JOIN of_ticks ON of_ticks.session = of_frames.session AND of_ticks.scope = of_frames.scope
