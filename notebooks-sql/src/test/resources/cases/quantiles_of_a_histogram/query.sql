WITH histograms AS (
    -- ranks: 10 holds 1 to 5, 20 holds 6 to 9, 30 holds 10
    SELECT [{upper_ns: 20, calls: 4}, {upper_ns: 10, calls: 5}, {upper_ns: 30, calls: 1}] AS h
)
SELECT
    histogram_quantile(h, 0) AS q0,
    histogram_quantile(h, 0.5) AS q50,
    histogram_quantile(h, 0.51) AS q51,
    histogram_quantile(h, 0.9) AS q90,
    histogram_quantile(h, 0.91) AS q91,
    histogram_quantile(h, 1) AS q100,
    histogram_quantile([], 0.5) AS of_none,
    histogram_quantile(NULL, 0.5) AS of_null
FROM histograms
