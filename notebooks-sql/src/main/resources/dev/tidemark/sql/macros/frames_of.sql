-- Frames of all sessions of an arm.
CREATE MACRO frames_of(arm) AS TABLE
SELECT frames.*
FROM frames
WHERE frames.arm = arm
