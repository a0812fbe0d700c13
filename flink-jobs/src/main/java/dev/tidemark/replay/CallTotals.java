package dev.tidemark.replay;

/** Sums over calls, of a span, a phase or a session. */
final class CallTotals {
    private static final long NS_10US = 10_000;
    private static final long NS_100US = 100_000;
    private static final long NS_1MS = 1_000_000;

    long allocCalls;
    long freeCalls;
    long reallocCalls;
    long failedCalls;
    long allocBytes;
    long freeBytes;
    long allocatorNs;
    long maxCallNs = -1;
    long firstWriteNs;
    long callsOver10us;
    long callsOver100us;
    long callsOver1ms;
    long peakLiveBytes;

    CallTotals(long liveBytes) {
        peakLiveBytes = liveBytes;
    }

    /** Adds what a call took. */
    void took(long durationNs) {
        allocatorNs += durationNs;
        if (durationNs > maxCallNs) {
            maxCallNs = durationNs;
        }
        if (durationNs > NS_10US) {
            callsOver10us++;
            callsOver100us += durationNs > NS_100US ? 1 : 0;
            callsOver1ms += durationNs > NS_1MS ? 1 : 0;
        }
    }

    void add(CallTotals more) {
        allocCalls += more.allocCalls;
        freeCalls += more.freeCalls;
        reallocCalls += more.reallocCalls;
        failedCalls += more.failedCalls;
        allocBytes += more.allocBytes;
        freeBytes += more.freeBytes;
        allocatorNs += more.allocatorNs;
        maxCallNs = Math.max(maxCallNs, more.maxCallNs);
        firstWriteNs += more.firstWriteNs;
        callsOver10us += more.callsOver10us;
        callsOver100us += more.callsOver100us;
        callsOver1ms += more.callsOver1ms;
        peakLiveBytes = Math.max(peakLiveBytes, more.peakLiveBytes);
    }

    /** Begins anew, with so many bytes live. */
    void clear(long liveBytes) {
        allocCalls = 0;
        freeCalls = 0;
        reallocCalls = 0;
        failedCalls = 0;
        allocBytes = 0;
        freeBytes = 0;
        allocatorNs = 0;
        maxCallNs = -1;
        firstWriteNs = 0;
        callsOver10us = 0;
        callsOver100us = 0;
        callsOver1ms = 0;
        peakLiveBytes = liveBytes;
    }

    /** Sets the columns that frames, ticks, phases and sessions share. */
    void fill(RowBuilder row, Measured measured) {
        row.set("alloc_calls", allocCalls)
                .set("free_calls", freeCalls)
                .set("realloc_calls", reallocCalls)
                .set("failed_calls", failedCalls)
                .set("alloc_bytes", allocBytes)
                .set("free_bytes", freeBytes)
                .setIf(measured.isTimed(), "allocator_ns", allocatorNs)
                .setIf(measured.isFirstWriteTimed(), "first_write_ns", firstWriteNs)
                .set("peak_live_bytes", peakLiveBytes);
    }

    /** Sets the columns of single calls, which frames and ticks have. */
    void fillCalls(RowBuilder row, Measured measured) {
        boolean isTimed = measured.isEachCallTimed();
        row.setIf(isTimed && maxCallNs >= 0, "max_call_ns", maxCallNs)
                .setIf(isTimed, "calls_over_10us", callsOver10us)
                .setIf(isTimed, "calls_over_100us", callsOver100us)
                .setIf(isTimed, "calls_over_1ms", callsOver1ms);
    }

    void write(StateWriter out) {
        out.writeLong(allocCalls).writeLong(freeCalls).writeLong(reallocCalls);
        out.writeLong(failedCalls).writeLong(allocBytes).writeLong(freeBytes);
        out.writeLong(allocatorNs).writeLong(maxCallNs).writeLong(firstWriteNs);
        out.writeLong(callsOver10us);
        out.writeLong(callsOver100us).writeLong(callsOver1ms).writeLong(peakLiveBytes);
    }

    static CallTotals read(StateReader in) {
        CallTotals totals = new CallTotals(0);
        totals.allocCalls = in.readLong();
        totals.freeCalls = in.readLong();
        totals.reallocCalls = in.readLong();
        totals.failedCalls = in.readLong();
        totals.allocBytes = in.readLong();
        totals.freeBytes = in.readLong();
        totals.allocatorNs = in.readLong();
        totals.maxCallNs = in.readLong();
        totals.firstWriteNs = in.readLong();
        totals.callsOver10us = in.readLong();
        totals.callsOver100us = in.readLong();
        totals.callsOver1ms = in.readLong();
        totals.peakLiveBytes = in.readLong();
        return totals;
    }
}
