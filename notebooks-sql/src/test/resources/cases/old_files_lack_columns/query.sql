SELECT frames.frame, frames.alloc_calls, frames.title, frames.at, sessions.events, sessions.not_comparable_reason
FROM frames
JOIN sessions ON sessions.session_id = frames.session_id
ORDER BY frames.frame
