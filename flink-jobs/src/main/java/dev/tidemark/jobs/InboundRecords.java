package dev.tidemark.jobs;

import dev.tidemark.jobs.wire.WireType;
import dev.tidemark.replay.InboundRecord;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Records as they lie in Kafka, each with its place and the broker's time stamp. */
final class InboundRecords {
    private static final String MAX_FETCH_BYTES = Integer.toString(16 << 20);

    private InboundRecords() {}

    static KafkaSource<InboundRecord> source(TraceJobOptions options) {
        KafkaSourceBuilder<InboundRecord> builder =
                KafkaSource.<InboundRecord>builder()
                        .setBootstrapServers(options.bootstrapServers())
                        .setTopics(options.topics())
                        .setGroupId("tidemark-" + options.submissionId())
                        .setClientIdPrefix("tidemark-" + options.submissionId())
                        .setStartingOffsets(OffsetsInitializer.earliest())
                        .setProperty(
                                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, MAX_FETCH_BYTES)
                        .setDeserializer(new Reader());
        return options.isBounded()
                ? builder.setBounded(OffsetsInitializer.latest()).build()
                : builder.build();
    }

    private static final class Reader implements KafkaRecordDeserializationSchema<InboundRecord> {
        private static final long serialVersionUID = 1;
        private static final byte[] NOTHING = new byte[0];

        @Override
        public void deserialize(
                ConsumerRecord<byte[], byte[]> record, Collector<InboundRecord> out) {
            out.collect(
                    new InboundRecord(
                            record.topic(),
                            record.partition(),
                            record.offset(),
                            record.timestamp(),
                            record.value() == null ? NOTHING : record.value()));
        }

        @Override
        public TypeInformation<InboundRecord> getProducedType() {
            return WireType.INBOUND;
        }
    }
}
