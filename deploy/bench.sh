#!/usr/bin/env bash
# Prints what each stage costs, a row each; by hand, on a machine that does nothing else, in about five minutes:
#
#     deploy/bench.sh [RECORDING.trace.avro]
#
# Without a recording it records the built-in sample server for 20 seconds. What the rows mean, and figures with the machine
# they come from, are in deploy/README.md.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tidemark() { "$root/tidemark" "$@"; }
java_main() {
  local main=$1
  shift
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" --add-opens=java.base/java.util=ALL-UNNAMED \
    -Dorg.apache.avro.SERIALIZABLE_PACKAGES=dev.tidemark.schemas.avro \
    -cp "ingest/target/test-classes:flink-jobs/target/test-classes:deploy/target/lib/*" "$main" "$@" 2> "$work/err" ||
    { tail -3 "$work/err" >&2; return 1; }
}
now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.2f s", b - a }'; }

tidemark --version > /dev/null
[ -f flink-jobs/target/test-classes/dev/tidemark/jobs/ChainBenchmark.class ] || mvn -q -B test-compile

echo "== recorder, CPU ns a call"
make -s -C ingest/recorder bench OUT="$root/ingest/target/native"

recording=${1:-$work/sample.trace.avro}
if [ $# = 0 ]; then
  gcc -O1 -pthread -o "$work/server" deploy/src/main/resources/dev/tidemark/deploy/demo/sample_server.c
  tidemark record --duration 20 --out "$recording" --ticks call:usleep --role server -- "$work/server" > "$work/out" 2>&1 || true
fi
echo "== agent"
java_main dev.tidemark.ingest.agent.AgentBenchmark "$recording"
echo "== replay core, and state per live block"
java_main dev.tidemark.replay.ReplayBenchmark
echo "== Kafka to finished Parquet, 12 million events"
java_main dev.tidemark.jobs.ChainBenchmark 3000000 100000 "$work/chain"

echo "== broker and Flink ready, from the shell"
begun=$(now)
"$root/tidemark" up --lake "$work/lake" > "$work/up" 2>&1 &
up=$!
while ! grep -q ':[0-9]' "$work/up"; do sleep 0.02; kill -0 $up 2> /dev/null || { cat "$work/up" >&2; exit 1; }; done
echo "up: $(since "$begun")"
kill -TERM $up && wait $up || true

echo "== sql to first row, from the shell"
tidemark ingest --lake "$work/lake" "$recording" > /dev/null 2>&1
for _ in 1 2 3; do
  begun=$(now)
  tidemark sql --lake "$work/lake" "SELECT count(*) FROM ticks" > /dev/null
  echo "sql: $(since "$begun")"
done
