-- The sessions that are compared, numbered: one row per session. $session_ids has a line for each.
CREATE OR REPLACE TEMP TABLE used_sessions AS
WITH wanted AS (
    SELECT unnest(string_split(?, chr(10))) AS session_id
)
SELECT
    CAST(row_number() OVER (ORDER BY sessions.session_id) AS INTEGER) AS session,
    sessions.*
FROM sessions
JOIN wanted ON wanted.session_id = sessions.session_id
