-- One row for a session: what it asked for and what was resident, in MiB.
SELECT
    round(peak_live_bytes / 1048576.0, 1) AS peak_live_mib,
    round(end_live_bytes / 1048576.0, 1) AS end_live_mib,
    round(peak_rss_bytes / 1048576.0, 1) AS peak_resident_mib,
    round(end_rss_bytes / 1048576.0, 1) AS end_resident_mib,
    round(retained_bytes / 1048576.0, 1) AS resident_over_live_mib,
    round(coverage_ratio, 2) AS coverage_ratio
FROM sessions
WHERE session_id = $session
