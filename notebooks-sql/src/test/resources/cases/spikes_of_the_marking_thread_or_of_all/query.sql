SELECT session_id, arm, span, number, spike_of, allocator_ns FROM spikes(1)
