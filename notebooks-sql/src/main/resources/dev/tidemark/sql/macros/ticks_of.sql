-- Ticks of all sessions of an arm.
CREATE MACRO ticks_of(arm) AS TABLE
SELECT ticks.*
FROM ticks
WHERE ticks.arm = arm
