SELECT session_id, state, events, revision, is_comparable FROM sessions
