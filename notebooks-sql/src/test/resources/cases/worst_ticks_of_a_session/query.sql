SELECT 'latest' AS asked, tick, marking_thread_allocator_ns AS ns FROM worst_ticks('latest', 2)
UNION ALL
SELECT 'end of id', tick, marking_thread_allocator_ns FROM worst_ticks('-0000001', 9)
UNION ALL
SELECT 'id', tick, marking_thread_allocator_ns FROM worst_ticks('s-newer-0000002', 1)
UNION ALL
SELECT 'too short', tick, marking_thread_allocator_ns FROM worst_ticks('0000001', 9)
UNION ALL
SELECT 'nothing', tick, marking_thread_allocator_ns FROM worst_ticks('', 9)
UNION ALL
SELECT 'of arm ' || arm, count(*), sum(marking_thread_allocator_ns) FROM ticks_of('mimalloc') GROUP BY arm
UNION ALL
SELECT 'another thread works', tick, allocator_ns FROM worst_ticks('-0000003', 9)
