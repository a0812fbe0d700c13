SELECT session_id, name, value FROM values
