-- The n complete frames of a session whose marking thread waited longest on the allocator, worst first. session is its id, the last 8 or more characters of it, or 'latest'.
CREATE MACRO worst_frames(session, n) AS TABLE
WITH picked AS (
    SELECT sessions.session_id
    FROM sessions
    WHERE sessions.session_id = session
        OR (length(session) >= 8 AND ends_with(sessions.session_id, session))
        OR session = 'latest'
    QUALIFY session <> 'latest'
        OR row_number() OVER (ORDER BY sessions.started_at DESC NULLS LAST, sessions.session_id DESC) = 1
)
SELECT frames.*
FROM frames
WHERE frames.is_complete AND frames.session_id IN (SELECT picked.session_id FROM picked)
ORDER BY
    frames.marking_thread_allocator_ns DESC NULLS LAST, frames.allocator_ns DESC NULLS LAST,
    frames.session_id, frames.frame
LIMIT n
