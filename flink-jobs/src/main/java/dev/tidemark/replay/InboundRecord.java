package dev.tidemark.replay;

/**
 * A record as the broker gave it.
 *
 * @param topic where it lay
 * @param partition where it lay
 * @param offset where it lay
 * @param brokerTimeMs the broker's time stamp, milliseconds since 1970 UTC
 * @param bytes the record in single-object encoding; never changed
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record InboundRecord(
        String topic, int partition, long offset, long brokerTimeMs, byte[] bytes) {

    @Override
    public String toString() {
        return topic + " partition " + partition + " offset " + offset;
    }

    void write(StateWriter out) {
        out.writeString(topic).writeLong(partition).writeLong(offset);
        out.writeLong(brokerTimeMs).writeBytes(bytes);
    }

    static InboundRecord read(StateReader in) {
        String topic = in.readString();
        int partition = in.readInt();
        long offset = in.readLong();
        long brokerTimeMs = in.readLong();
        byte[] bytes = in.readBytes();
        return new InboundRecord(
                topic == null ? "" : topic,
                partition,
                offset,
                brokerTimeMs,
                bytes == null ? new byte[0] : bytes);
    }
}
