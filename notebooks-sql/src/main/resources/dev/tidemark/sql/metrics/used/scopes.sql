-- The phases that are compared, numbered from 1: one row per phase. Scope 0 is the whole session. The parameter has a line for each.
CREATE OR REPLACE TEMP TABLE used_scopes AS
WITH wanted AS (
    SELECT unnest(string_split(?, chr(10))) AS phase
)
SELECT
    CAST(row_number() OVER (ORDER BY wanted.phase) AS INTEGER) AS scope,
    wanted.phase
FROM wanted
WHERE wanted.phase <> ''
