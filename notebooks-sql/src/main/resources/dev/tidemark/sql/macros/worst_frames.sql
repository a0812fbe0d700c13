-- The n complete frames of a session that waited longest on the allocator, worst first: by the time of the marking thread, or of all threads where in most of them the marking thread has less than a twentieth of that (another thread does the work then). session is its id, the last 8 or more characters of it, or 'latest'.
CREATE MACRO worst_frames(session, n) AS TABLE
WITH picked AS (
    SELECT sessions.session_id
    FROM sessions
    WHERE sessions.session_id = session
        OR (length(session) >= 8 AND ends_with(sessions.session_id, session))
        OR session = 'latest'
    QUALIFY session <> 'latest'
        OR row_number() OVER (ORDER BY sessions.started_at DESC NULLS LAST, sessions.session_id DESC) = 1
),
ranked AS (
    SELECT
        frames.*,
        CASE
            WHEN 2 * count_if(20 * frames.marking_thread_allocator_ns < frames.allocator_ns) OVER (PARTITION BY frames.session_id)
                > count(*) OVER (PARTITION BY frames.session_id)
            THEN frames.allocator_ns
            ELSE frames.marking_thread_allocator_ns
        END AS waited_ns
    FROM frames
    WHERE frames.is_complete AND frames.session_id IN (SELECT picked.session_id FROM picked)
)
SELECT ranked.* EXCLUDE (waited_ns)
FROM ranked
ORDER BY ranked.waited_ns DESC NULLS LAST, ranked.allocator_ns DESC NULLS LAST, ranked.session_id, ranked.frame
LIMIT n
