-- The {span}s that spent longest in the allocator: one row per session and scope, over its complete {span}s.
--
-- metric: spike_{span}s | {span}s | lower | count | 10% | live, replay | any | plain | headline | spike {span}s | Complete {span}s whose marking thread spent over 1 ms in the allocator.
-- metric: spike_{span}s_per_minute | 1/min | lower | count | 10% | live, replay | any | plain |  | spike {span}s per minute | The same per minute.
-- metric: p99_{span}_allocator_ms | ms | lower | 0.00001 | 10% | live, replay | any | plain | headline | p99 {span} time in the allocator | 99th percentile over {span}s of the marking thread's time in the allocator.
-- metric: worst_1pct_{span}_allocator_ms | ms | lower | 0.00001 | 10% | live, replay | any | plain | headline | worst 1% {span} time in the allocator | Mean over the worst 1% of {span}s of the marking thread's time in the allocator.
-- metric: spike_{span}s_all_threads | {span}s | lower | count | 10% | live, replay | any | plain |  | spike {span}s of all threads | Complete {span}s in which all threads added spent over 1 ms in the allocator.
-- metric: spike_{span}s_per_minute_all_threads | 1/min | lower | count | 10% | live, replay | any | plain |  | spike {span}s per minute of all threads | The same per minute.
-- metric: p99_{span}_allocator_ms_all_threads | ms | lower | 0.00001 | 10% | live, replay | any | plain |  | p99 {span} time in the allocator of all threads | 99th percentile over {span}s of all threads' time in the allocator.
-- metric: worst_1pct_{span}_allocator_ms_all_threads | ms | lower | 0.00001 | 10% | live, replay | any | plain |  | worst 1% {span} time in the allocator of all threads | Mean over the worst 1% of {span}s of all threads' time in the allocator.
-- metric: spike_{span}s_with_first_writes | {span}s | lower | count | 10% | replay | any | any |  | spike {span}s with first writes | Complete {span}s in which all threads spent over 1 ms in the allocator and in first writes.
-- metric: spike_{span}s_per_minute_with_first_writes | 1/min | lower | count | 10% | replay | any | any |  | spike {span}s per minute with first writes | The same per minute.
-- metric: p99_{span}_allocator_ms_with_first_writes | ms | lower | 0.00001 | 10% | replay | any | any |  | p99 {span} time in the allocator with first writes | 99th percentile over {span}s of all threads' time in the allocator and in first writes.
-- metric: worst_1pct_{span}_allocator_ms_with_first_writes | ms | lower | 0.00001 | 10% | replay | any | any |  | worst 1% {span} time in the allocator with first writes | Mean over the worst 1% of {span}s of all threads' time in the allocator and in first writes.
--
-- Requires used_{span}s. Of n {span}s the worst 1% are the ceil(n / 100) longest. None of them is shorter than the 99th percentile by nearest
-- rank, at most so many are longer, and what is missing of them equals it.
WITH spans AS (
    SELECT
        used.session,
        used.scope,
        used.duration_ns,
        used.marking_thread_allocator_ns AS marking_ns,
        used.allocator_ns AS all_ns,
        used.allocator_ns + used.first_write_ns AS written_ns
    FROM used_{span}s AS used
    WHERE used.is_complete
),
limits AS (
    SELECT
        spans.session,
        spans.scope,
        quantile_disc(spans.marking_ns, 0.99) AS marking_p99,
        quantile_disc(spans.all_ns, 0.99) AS all_p99,
        quantile_disc(spans.written_ns, 0.99) AS written_p99
    FROM spans
    GROUP BY spans.session, spans.scope
),
sums AS (
    SELECT
        spans.session,
        spans.scope,
        sum(spans.duration_ns) / 6e10 AS minutes,
        any_value(limits.marking_p99) AS marking_p99,
        any_value(limits.all_p99) AS all_p99,
        any_value(limits.written_p99) AS written_p99,
        ceil(count(spans.marking_ns) / 100) AS marking_worst,
        ceil(count(spans.all_ns) / 100) AS all_worst,
        ceil(count(spans.written_ns) / 100) AS written_worst,
        count(*) FILTER (WHERE spans.marking_ns > 1000000) AS marking_spikes,
        count(*) FILTER (WHERE spans.all_ns > 1000000) AS all_spikes,
        count(*) FILTER (WHERE spans.written_ns > 1000000) AS written_spikes,
        count(*) FILTER (WHERE spans.marking_ns > limits.marking_p99) AS marking_longer,
        count(*) FILTER (WHERE spans.all_ns > limits.all_p99) AS all_longer,
        count(*) FILTER (WHERE spans.written_ns > limits.written_p99) AS written_longer,
        coalesce(sum(spans.marking_ns) FILTER (WHERE spans.marking_ns > limits.marking_p99), 0) AS marking_longer_ns,
        coalesce(sum(spans.all_ns) FILTER (WHERE spans.all_ns > limits.all_p99), 0) AS all_longer_ns,
        coalesce(sum(spans.written_ns) FILTER (WHERE spans.written_ns > limits.written_p99), 0) AS written_longer_ns
    FROM spans
    JOIN limits ON limits.session = spans.session AND limits.scope = spans.scope
    GROUP BY spans.session, spans.scope
)
SELECT
    sums.session,
    sums.scope,
    CASE WHEN sums.marking_worst > 0 THEN sums.marking_spikes END AS spike_{span}s,
    CASE WHEN sums.marking_worst > 0 THEN sums.marking_spikes / nullif(sums.minutes, 0) END AS spike_{span}s_per_minute,
    sums.marking_p99 / 1e6 AS p99_{span}_allocator_ms,
    (sums.marking_longer_ns + (sums.marking_worst - sums.marking_longer) * sums.marking_p99)
        / nullif(sums.marking_worst, 0) / 1e6 AS worst_1pct_{span}_allocator_ms,
    CASE WHEN sums.all_worst > 0 THEN sums.all_spikes END AS spike_{span}s_all_threads,
    CASE WHEN sums.all_worst > 0 THEN sums.all_spikes / nullif(sums.minutes, 0) END AS spike_{span}s_per_minute_all_threads,
    sums.all_p99 / 1e6 AS p99_{span}_allocator_ms_all_threads,
    (sums.all_longer_ns + (sums.all_worst - sums.all_longer) * sums.all_p99)
        / nullif(sums.all_worst, 0) / 1e6 AS worst_1pct_{span}_allocator_ms_all_threads,
    CASE WHEN sums.written_worst > 0 THEN sums.written_spikes END AS spike_{span}s_with_first_writes,
    CASE WHEN sums.written_worst > 0 THEN sums.written_spikes / nullif(sums.minutes, 0) END
        AS spike_{span}s_per_minute_with_first_writes,
    sums.written_p99 / 1e6 AS p99_{span}_allocator_ms_with_first_writes,
    (sums.written_longer_ns + (sums.written_worst - sums.written_longer) * sums.written_p99)
        / nullif(sums.written_worst, 0) / 1e6 AS worst_1pct_{span}_allocator_ms_with_first_writes
FROM sums
