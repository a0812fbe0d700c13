-- Complete frames and ticks that spent more than limit_ms milliseconds in the allocator, worst first; spike_of says where: in the marking thread, the one that waits, or only in all threads added.
CREATE MACRO spikes(limit_ms) AS TABLE
WITH spans AS (
    SELECT
        frames.session_id, frames.title, frames.role, frames.build, frames.arm, frames.run_id, frames.at,
        'frame' AS span, frames.frame AS number, frames.phase, frames.start_ns, frames.duration_ns,
        frames.marking_thread_allocator_ns, frames.allocator_ns, frames.max_call_ns
    FROM frames
    WHERE frames.is_complete
    UNION ALL
    SELECT
        ticks.session_id, ticks.title, ticks.role, ticks.build, ticks.arm, ticks.run_id, ticks.at,
        'tick' AS span, ticks.tick AS number, ticks.phase, ticks.start_ns, ticks.duration_ns,
        ticks.marking_thread_allocator_ns, ticks.allocator_ns, ticks.max_call_ns
    FROM ticks
    WHERE ticks.is_complete
)
SELECT
    spans.*,
    CASE
        WHEN spans.marking_thread_allocator_ns > limit_ms * 1000000 THEN 'marking thread'
        ELSE 'all threads'
    END AS spike_of
FROM spans
WHERE spans.marking_thread_allocator_ns > limit_ms * 1000000 OR spans.allocator_ns > limit_ms * 1000000
ORDER BY
    greatest(spans.marking_thread_allocator_ns, spans.allocator_ns) DESC,
    spans.session_id, spans.span, spans.number
