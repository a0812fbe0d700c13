-- One row per candidate, metric, phase and run of a comparison, and one for its runs together.
--
-- Requires staging.stored_verdicts and staging.stored_comparisons: a comparison is written last, so that one is there whole or not at all.
SELECT stored.* EXCLUDE ("day", "load")
FROM staging.stored_verdicts AS stored
JOIN staging.stored_comparisons AS comparisons ON comparisons.comparison_id = stored.comparison_id
