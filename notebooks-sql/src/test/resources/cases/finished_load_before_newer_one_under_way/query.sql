SELECT session_id, load_id, revision, state FROM sessions ORDER BY session_id
