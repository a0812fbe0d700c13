-- Ticks that came late: one row per session and scope, over its complete ticks.
--
-- metric: tick_overrun_ratio | ratio | lower | 0.001 | 10% | live, replay | any | plain |  | late ticks | Share of ticks that took over 1.1 times the median tick of their session.
--
-- Requires used_ticks.
WITH periods AS (
    SELECT used_ticks.session, quantile_disc(used_ticks.duration_ns, 0.5) AS median_ns
    FROM used_ticks
    WHERE used_ticks.is_complete AND used_ticks.scope = 0
    GROUP BY used_ticks.session
)
SELECT
    used_ticks.session,
    used_ticks.scope,
    count(*) FILTER (WHERE 10 * used_ticks.duration_ns > 11 * periods.median_ns) / count(*) AS tick_overrun_ratio
FROM used_ticks
JOIN periods ON periods.session = used_ticks.session
WHERE used_ticks.is_complete
GROUP BY used_ticks.session, used_ticks.scope
