-- Nearest-rank quantile of a histogram (STRUCT(upper_ns, calls)[]): the upper edge of the bucket that holds it. q is from 0 to 1. NULL for a histogram without calls.
CREATE MACRO histogram_quantile(h, q) AS
list_min(list_transform(
    list_filter(h, lambda edge:
        list_sum(list_transform(list_filter(h, lambda bucket: bucket.upper_ns <= edge.upper_ns), lambda bucket: bucket.calls))
            >= greatest(1, ceil(q * list_sum(list_transform(h, lambda bucket: bucket.calls))))),
    lambda edge: edge.upper_ns))
