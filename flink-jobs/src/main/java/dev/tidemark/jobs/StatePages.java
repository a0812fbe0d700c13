package dev.tidemark.jobs;

import dev.tidemark.replay.PageStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.flink.util.function.SupplierWithException;
import org.apache.flink.util.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** Pages in Flink's keyed state: always those of the session that is the current key. */
final class StatePages implements PageStore {
    private final MapState<Long, byte[]> state;

    StatePages(MapState<Long, byte[]> state) {
        this.state = state;
    }

    @Override
    public byte @Nullable [] get(long key) {
        return read(() -> state.get(key));
    }

    @Override
    public void put(long key, byte[] page) {
        change(() -> state.put(key, page));
    }

    @Override
    public void remove(long key) {
        change(() -> state.remove(key));
    }

    @Override
    public Iterable<Long> keys() {
        return read(state::keys);
    }

    @Override
    public void clear() {
        state.clear();
    }

    private static <T extends @Nullable Object> T read(SupplierWithException<T, Exception> from) {
        try {
            return from.get();
        } catch (Exception e) {
            throw new FlinkRuntimeException("the state backend could not be read", e);
        }
    }

    private static void change(ThrowingRunnable<Exception> what) {
        try {
            what.run();
        } catch (Exception e) {
            throw new FlinkRuntimeException("the state backend could not be written", e);
        }
    }
}
