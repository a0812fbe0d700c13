-- One row per comparison.
--
-- Requires staging.stored_comparisons.
SELECT stored.* EXCLUDE ("day", "load")
FROM staging.stored_comparisons AS stored
