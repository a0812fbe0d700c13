package dev.tidemark.jobs;

import dev.tidemark.jobs.wire.DeadLetter;
import dev.tidemark.replay.InboundRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The dead-letter topic: the record's own bytes, with where it lay and why it could not be read in
 * headers. Written at least once; the key names the record, so that a second copy shows as one.
 */
final class DeadLetters {
    static final String TOPIC = "topic";
    static final String PARTITION = "partition";
    static final String OFFSET = "offset";
    static final String REASON = "reason";

    private DeadLetters() {}

    static KafkaSink<DeadLetter> sink(TraceJobOptions options) {
        return KafkaSink.<DeadLetter>builder()
                .setBootstrapServers(options.bootstrapServers())
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setRecordSerializer(new Writer(options.deadLetterTopic()))
                .build();
    }

    private static final class Writer implements KafkaRecordSerializationSchema<DeadLetter> {
        private static final long serialVersionUID = 1;

        private final String topic;

        Writer(String topic) {
            this.topic = topic;
        }

        @Override
        public ProducerRecord<byte[], byte[]> serialize(
                DeadLetter letter, KafkaSinkContext context, Long timestamp) {
            InboundRecord record = letter.record();
            String place = record.topic() + "/" + record.partition() + "/" + record.offset();
            List<Header> headers =
                    List.of(
                            header(TOPIC, record.topic()),
                            header(PARTITION, Integer.toString(record.partition())),
                            header(OFFSET, Long.toString(record.offset())),
                            header(REASON, letter.reason()));
            return new ProducerRecord<>(
                    topic, null, record.brokerTimeMs(), bytes(place), record.bytes(), headers);
        }

        private static Header header(String name, String value) {
            return new RecordHeader(name, bytes(value));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
