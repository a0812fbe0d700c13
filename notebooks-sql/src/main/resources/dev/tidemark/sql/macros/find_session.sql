-- The session that a word names: its id, the last 8 or more characters of it (all that end so), or 'latest'.
CREATE MACRO find_session(session) AS TABLE
SELECT sessions.*
FROM sessions
WHERE sessions.session_id = session
    OR (length(session) >= 8 AND ends_with(sessions.session_id, session))
    OR session = 'latest'
QUALIFY session <> 'latest'
    OR row_number() OVER (ORDER BY sessions.started_at DESC NULLS LAST, sessions.session_id DESC) = 1
