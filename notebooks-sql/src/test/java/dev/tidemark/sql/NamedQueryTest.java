package dev.tidemark.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queries that come along, over a server of 200 ticks and a client of 3 frames. */
final class NamedQueryTest {
    @TempDir private static Path temp;
    private static Lake lake;

    @BeforeAll
    static void fillLake() throws Exception {
        lake = Lake.create(temp.resolve("lake"));
        Path given = Files.createDirectory(temp.resolve("given"));
        Files.writeString(
                given.resolve("given_sessions.csv"),
                """
                session_id,title,arm,state,started_at,duration_ns,ticks,frames,events,alloc_calls,allocator_ns,peak_live_bytes,peak_rss_bytes,end_live_bytes,end_rss_bytes,is_whole_load,load_id,revision,day,load
                0-client-11111111,sky,glibc,open,2026-03-01 10:00:00+00,1500000000,0,3,77,7,2500000,,,,,true,a-1,0,2026-03-01,a-1
                0-server-22222222,minetest,jemalloc,closed,2026-03-01 11:00:00+00,2000000000,202,0,1000,500,20300000,3145728,5242880,1048576,4194304,true,a-1,0,2026-03-01,a-1
                """);
        Files.writeString(given.resolve("given_ticks.csv"), ticks());
        Files.writeString(
                given.resolve("given_frames.csv"),
                """
                session_id,frame,start_ns,duration_ns,is_complete,marking_thread_allocator_ns,allocator_ns,day,load
                0-client-11111111,0,0,500000000,false,2000000,2000000,2026-03-01,a-1
                0-client-11111111,1,500000000,500000000,true,250000,500000,2026-03-01,a-1
                0-client-11111111,2,1000000000,500000000,false,0,0,2026-03-01,a-1
                """);
        Files.writeString(
                given.resolve("given_memory.csv"),
                """
                session_id,at_ns,rss_bytes,anonymous_bytes,live_bytes,day,load
                0-server-22222222,0,1048576,524288,0,2026-03-01,a-1
                0-server-22222222,600000000,5242880,3145728,2097152,2026-03-01,a-1
                0-server-22222222,1200000000,4194304,3145728,3145728,2026-03-01,a-1
                0-server-22222222,1800000000,4194304,,1048576,2026-03-01,a-1
                """);
        GivenFiles.write(given, lake.folder());
    }

    /** Tick i waits i × 10 µs and all threads twice that; 0 and 201 are not complete. */
    private static String ticks() {
        StringBuilder csv =
                new StringBuilder(
                        "session_id,tick,phase,start_ns,duration_ns,is_complete,alloc_calls,free_calls,realloc_calls,alloc_bytes,free_bytes,adjusted_live_bytes,live_bytes,live_blocks,marking_thread_allocator_ns,allocator_ns,max_call_ns,day,load\n");
        for (int i = 0; i <= 201; i++) {
            csv.append(
                    "0-server-22222222,%d,play,%d,10000000,%s,3,2,1,2048,1024,0,%d,%d,%d,%d,5000,2026-03-01,a-1\n"
                            .formatted(
                                    i,
                                    i * 10_000_000L,
                                    i > 0 && i < 201,
                                    i * 1024,
                                    i,
                                    i * 10_000,
                                    i * 20_000));
        }
        return csv.toString();
    }

    @Test
    void listsSessionsNewestFirst() throws Exception {
        assertThat(csv(Query.named("sessions")))
                .containsExactly(
                        "id,title,arm,state,started_utc,seconds,spans,events,alloc_ms,p99_ms,rss_mib,quality",
                        "22222222,minetest,jemalloc,closed,03-01 11:00,2.0,202 ticks,1000,20.3,3.96,5.0,good",
                        "11111111,sky,glibc,open,03-01 10:00,1.5,3 frames,77,2.5,0.5,,still open");
        assertThat(csv(Query.named("sessions").with("n", "1"))).hasSize(2);
    }

    @Test
    void findsTheWorstTicks() throws Exception {
        assertThat(csv(Query.named("worst").with("n", "2")))
                .containsExactly(
                        "span,number,at_s,duration_ms,waited_ms,waited_percent,all_threads_ms,longest_call_ms,calls,live_mib,phase",
                        "tick,200,2.0,10.0,2.0,20.0,4.0,0.005,6,0.2,play",
                        "tick,199,1.99,10.0,1.99,19.9,3.98,0.005,6,0.2,play");
        assertThat(csv(Query.named("worst").with("session", "11111111")).get(1))
                .startsWith("frame,1,0.5,500.0,0.25,0.1,0.5,,");
    }

    /**
     * 200 complete ticks wait 10, 20 ... 2000 µs: rank 100 is 1000 µs, rank 198 is 1980 µs, the
     * worst two average 1995 µs, and 100 are over 1 ms.
     */
    @Test
    void measuresTheTail() throws Exception {
        assertThat(csv(Query.named("tail")))
                .containsExactly(
                        "span,measure,spans,p50_ms,p99_ms,worst_1_percent_mean_ms,max_ms,over_1_ms",
                        "tick,\"allocator, marking thread\",200,1.0,1.98,1.995,2.0,100",
                        "tick,\"allocator, all threads\",200,2.0,3.96,3.99,4.0,150",
                        "tick,whole duration,200,10.0,10.0,10.0,10.0,200");
        assertThat(csv(Query.named("tail").with("session", "11111111")).get(1))
                .isEqualTo("frame,\"allocator, marking thread\",1,0.25,0.25,0.25,0.25,0");
    }

    @Test
    void showsLiveAndResidentMemory() throws Exception {
        assertThat(csv(Query.named("memory")))
                .containsExactly(
                        "moment,at_s,live_mib,resident_mib,anonymous_mib,resident_less_live_mib",
                        "first sample,0.0,0.0,1.0,0.5,1.0",
                        "most live,1.2,3.0,4.0,3.0,1.0",
                        "most resident,0.6,2.0,5.0,3.0,3.0",
                        "last sample,1.8,1.0,4.0,,3.0",
                        "peak of session,,3.0,5.0,,",
                        "end of session,2.0,1.0,4.0,,3.0");
    }

    @Test
    void tellsWhichTicksWaitedAndWhatWasLive() throws Exception {
        List<String> rows = csv(Query.named("waits"));

        // All threads spend twice 510 µs from tick 51 on; the marking thread over 1 ms from 101.
        assertThat(rows).hasSize(151);
        assertThat(rows.get(0))
                .isEqualTo(
                        "span,number,at_s,duration_ms,waited_ms,all_threads_ms,spike_of,live_mib,resident_mib,change_kib,live_blocks,longest_call_ms,alloc_calls,free_calls,phase");
        assertThat(rows.get(1))
                .isEqualTo("tick,51,0.51,10.0,0.51,1.02,all threads,0.0,1.0,1.0,51,0.005,3,2,play");
        assertThat(rows.get(51))
                .isEqualTo(
                        "tick,101,1.01,10.0,1.01,2.02,marking thread,0.1,5.0,1.0,101,0.005,3,2,play");
        assertThat(csv(Query.named("waits").with("limit_ms", "3.9799")).subList(1, 3))
                .containsExactly(
                        "tick,199,1.99,10.0,1.99,3.98,all threads,0.2,4.0,1.0,199,0.005,3,2,play",
                        "tick,200,2.0,10.0,2.0,4.0,all threads,0.2,4.0,1.0,200,0.005,3,2,play");
    }

    @Test
    void aSessionThatIsNoneGivesNoRows() throws Exception {
        for (String name : List.of("worst", "tail", "memory", "waits")) {
            assertThat(csv(Query.named(name).with("session", "../../x' OR TRUE --")))
                    .as(name)
                    .hasSize(1);
        }
    }

    private static List<String> csv(Query query) throws Exception {
        StringWriter printed = new StringWriter();
        try (Connection connection = lake.connect()) {
            new QueryRunner(connection)
                    .run(
                            query,
                            List.of(
                                    new QueryOutput.ToWriter(
                                            new PrintWriter(printed),
                                            ResultFormat.CSV,
                                            TableLayout.UNBOUNDED)));
        }
        return printed.toString().lines().toList();
    }
}
