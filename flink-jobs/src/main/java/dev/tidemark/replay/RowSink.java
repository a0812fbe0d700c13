package dev.tidemark.replay;

/** Hands on a session's rows with what they all have: session, load, and the day of their time. */
final class RowSink {
    private final ReplayOutput out;
    private final String sessionId;
    private final String loadId;
    private SessionHeader header = SessionHeader.unseen(0);

    RowSink(ReplayOutput out, String sessionId, String loadId) {
        this.out = out;
        this.sessionId = sessionId;
        this.loadId = loadId;
    }

    void header(SessionHeader seen) {
        header = seen;
    }

    void emit(RowBuilder row) {
        out.row(row.build(sessionId, loadId, header.day(row.atNs())));
    }

    EventBatch newBatch(int day, int capacity) {
        return new EventBatch(sessionId, loadId, day, capacity);
    }

    void events(EventBatch batch) {
        out.events(batch);
    }

    void count(ReplayCount what, long times) {
        if (times > 0) {
            out.count(what, times);
        }
    }
}
