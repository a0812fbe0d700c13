package dev.tidemark.jobs;

import dev.tidemark.jobs.wire.DeadLetter;
import dev.tidemark.replay.InboundRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The dead-letter topic: the record's own bytes, with where it lay and why it could not be read in
 * headers. Of a large one only the first 512 KiB are kept, since a letter that the broker refuses
 * would stop the job. Written at least once; the key names the record, so that a second copy shows
 * as one.
 */
final class DeadLetters {
    static final String TOPIC = "topic";
    static final String PARTITION = "partition";
    static final String OFFSET = "offset";
    static final String REASON = "reason";
    static final String LENGTH = "length";
    static final int MAX_BYTES = 512 << 10;

    private static final int MAX_REASON = 1024;

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
            byte[] kept = Arrays.copyOf(record.bytes(), Math.min(record.bytes().length, MAX_BYTES));
            List<Header> headers =
                    List.of(
                            header(TOPIC, record.topic()),
                            header(PARTITION, Integer.toString(record.partition())),
                            header(OFFSET, Long.toString(record.offset())),
                            header(REASON, cut(letter.reason())),
                            header(LENGTH, Integer.toString(record.bytes().length)));
            return new ProducerRecord<>(
                    topic, null, record.brokerTimeMs(), bytes(place), kept, headers);
        }

        private static String cut(String reason) {
            return reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON);
        }

        private static Header header(String name, String value) {
            return new RecordHeader(name, bytes(value));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
