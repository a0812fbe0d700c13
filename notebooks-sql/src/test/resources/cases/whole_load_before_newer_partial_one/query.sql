SELECT sessions.session_id, sessions.load_id, frames.frame
FROM sessions
JOIN frames ON frames.session_id = sessions.session_id
ORDER BY frames.frame
