-- What a comparison must know of each session: one row per session, the newest first. {where} is what the user asks for.
WITH asked AS (
    SELECT * FROM sessions WHERE (
{where}
    )
)
SELECT
    asked.session_id,
    asked.run_id,
    asked.round,
    coalesce(epoch_us(asked.started_at), 0) AS started_us,
    CASE
        WHEN asked.labels['refused'] IS NOT NULL THEN concat('refused: ', asked.labels['refused'])
        WHEN asked.labels['cannot_keep_pace'] IS NOT NULL THEN concat('cannot keep pace: ', asked.labels['cannot_keep_pace'])
        WHEN asked.labels['void'] IS NOT NULL THEN concat('void: ', asked.labels['void'])
        WHEN asked.labels['discarded'] IS NOT NULL THEN concat('discarded: ', asked.labels['discarded'])
        ELSE asked.not_comparable_reason
    END AS unusable_reason,
    asked.labels['null_of'] AS null_of,
    asked.arm, asked.build, asked.title, asked.scene, asked.role, asked.host,
    asked.kind, asked.clock, asked.detail, asked.size_basis, asked.round_kind, asked.touch, asked.pacing,
    asked.source_session_id, asked.frame_definition, asked.tick_definition,
    asked.cpu_model, CAST(asked.cores AS VARCHAR) AS cores, asked.kernel, asked.huge_pages, asked.governor
FROM asked
ORDER BY started_us DESC, asked.session_id DESC
