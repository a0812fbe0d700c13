-- Where phases lie: one row per frame, or per tick of sessions without frames, with the scope of its phase, 0 where it has none. Empty where no
-- phase is asked for.
CREATE OR REPLACE TEMP TABLE used_spans_of_phases AS
WITH frames_first AS (
    SELECT used_frames.session, used_frames.start_ns, max(used_frames.duration_ns) AS duration_ns, max(used_frames.scope) AS scope
    FROM used_frames
    WHERE EXISTS (SELECT 1 FROM used_scopes)
    GROUP BY used_frames.session, used_frames.start_ns
),
then_ticks AS (
    SELECT used_ticks.session, used_ticks.start_ns, max(used_ticks.duration_ns) AS duration_ns, max(used_ticks.scope) AS scope
    FROM used_ticks
    WHERE EXISTS (SELECT 1 FROM used_scopes)
        AND used_ticks.session NOT IN (SELECT frames_first.session FROM frames_first)
    GROUP BY used_ticks.session, used_ticks.start_ns
)
SELECT frames_first.* FROM frames_first
UNION ALL
SELECT then_ticks.* FROM then_ticks
