SELECT session_id, is_comparable, not_comparable_reason FROM sessions ORDER BY session_id
