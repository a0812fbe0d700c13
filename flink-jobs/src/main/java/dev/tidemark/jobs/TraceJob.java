package dev.tidemark.jobs;

import dev.tidemark.jobs.parquet.LakeSinks;
import dev.tidemark.jobs.parquet.LakeSweeper;
import dev.tidemark.jobs.wire.DeadLetter;
import dev.tidemark.jobs.wire.SessionRecord;
import dev.tidemark.jobs.wire.WireType;
import dev.tidemark.replay.InboundRecord;
import dev.tidemark.replay.LakeRow;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The job from trace records in Kafka to finished Parquet files in the lake. */
public final class TraceJob {
    private static final int SPAN_WRITERS = 2;
    private static final int BOUNDED_RESTARTS = 3;

    private TraceJob() {}

    /** Runs the job on the cluster that it was submitted to; {@code --help} says the flags. */
    public static void main(String[] args) {
        int code = TraceJobMain.run(args);
        if (code != 0) {
            // Kafka's threads would keep the process alive.
            Runtime.getRuntime().exit(code);
        }
    }

    /**
     * Builds the graph, from Kafka to the lake. The environment is configured too: checkpoints,
     * state backend, parallelism, no generic types.
     */
    public static void define(StreamExecutionEnvironment environment, TraceJobOptions options) {
        configure(environment, options);
        define(
                environment
                        .fromSource(
                                InboundRecords.source(options),
                                WatermarkStrategy.noWatermarks(),
                                "Trace records",
                                WireType.INBOUND)
                        .uid("trace-records")
                        .setParallelism(options.parallelism()),
                options);
    }

    /** Builds the graph behind a source. */
    static void define(DataStream<InboundRecord> records, TraceJobOptions options) {
        SingleOutputStreamOperator<SessionRecord> sessionRecords =
                records.process(new HeadReader(options), WireType.SESSION_RECORD)
                        .uid("heads")
                        .name("Find the session");
        SingleOutputStreamOperator<LakeRow> rows =
                sessionRecords
                        .keyBy(SessionRecord::sessionId, Types.STRING)
                        .transform("Replay", WireType.ROW, new ReplayOperator(options))
                        .uid("replay");
        sink(rows, options);
        sinkDeadLetters(
                sessionRecords
                        .getSideOutput(HeadReader.DEAD_LETTERS)
                        .union(rows.getSideOutput(ReplayOperator.DEAD_LETTERS)),
                options);
    }

    private static void sink(SingleOutputStreamOperator<LakeRow> rows, TraceJobOptions options) {
        Path lake = new Path(options.lake());
        rows.sinkTo(LakeSinks.rows(lake))
                .uid("small-tables")
                .name("Small tables")
                .setParallelism(1);
        rows.getSideOutput(ReplayOperator.SPANS)
                .keyBy(LakeRow::sessionId, Types.STRING)
                .sinkTo(LakeSinks.rows(lake))
                .uid("frames-and-ticks")
                .name("Frames and ticks")
                .setParallelism(Math.min(SPAN_WRITERS, options.parallelism()));
        if (options.isWithEvents()) {
            rows.getSideOutput(ReplayOperator.EVENTS)
                    .sinkTo(LakeSinks.events(lake))
                    .uid("events")
                    .name("Events")
                    .setParallelism(options.parallelism());
        }
    }

    private static void sinkDeadLetters(DataStream<DeadLetter> letters, TraceJobOptions options) {
        letters.sinkTo(DeadLetters.sink(options))
                .uid("dead-letters")
                .name("Dead letters")
                .setParallelism(1);
    }

    /**
     * Removes unfinished files that killed writers of this submission left in the lake. Call it
     * when the job has ended, and no sooner.
     *
     * @return how many were removed
     */
    public static int sweep(TraceJobOptions options) throws IOException {
        return LakeSweeper.sweepSubmission(new Path(options.lake()), options.submissionId());
    }

    /** Removes unfinished files of any submission that were not written to for a day. */
    static int sweepOld(TraceJobOptions options) throws IOException {
        long yesterdayMs = System.currentTimeMillis() - Duration.ofDays(1).toMillis();
        return LakeSweeper.sweepOlderThan(new Path(options.lake()), yesterdayMs);
    }

    static void configure(StreamExecutionEnvironment environment, TraceJobOptions options) {
        Configuration settings = new Configuration();
        settings.set(PipelineOptions.GENERIC_TYPES, false);
        settings.set(PipelineOptions.OBJECT_REUSE, true);
        settings.set(PipelineOptions.NAME, "tidemark trace " + options.submissionId());
        settings.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        if (options.stateBackend() != null) {
            settings.set(StateBackendOptions.STATE_BACKEND, options.stateBackend());
        }
        if (options.checkpointFolder() != null) {
            settings.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
            settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, options.checkpointFolder());
        }
        if (options.isBounded()) {
            settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
            settings.set(
                    RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, BOUNDED_RESTARTS);
            settings.set(
                    RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY,
                    Duration.ofSeconds(1));
        }
        environment.configure(settings);
        environment.setParallelism(options.parallelism());
        environment.enableCheckpointing(options.checkpointInterval().toMillis());
    }
}
