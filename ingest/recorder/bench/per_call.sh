#!/usr/bin/env bash
# What the recorder adds to a call, with one and with two threads, beside no recorder and heaptrack. per_call.sh OUT [ROUNDS]
# The least of ROUNDS interleaved rounds, since whatever else runs on the machine only adds. `recorder` records every call and
# waits where it must, a drainer beside it keeps nothing; `idle` is the recorder loaded and off.
out=$(cd "$1" && pwd); rounds=${2:-5}; calls=4000000
work=$(mktemp -d /dev/shm/tidemark-bench.XXXXXX); trap 'rm -rf "$work"' EXIT
export DRAIN_PRELOAD=$out/libtidemark.so TIDEMARK_ON_FULL=wait
declare -A cpu wall
variants="none idle recorder"; command -v heaptrack > /dev/null && variants="$variants heaptrack" || echo "heaptrack is not installed: left out"
run() {
  case $1 in
    none) "$out/test/per_call" "$2" "$calls" ;;
    idle) LD_PRELOAD=$DRAIN_PRELOAD "$out/test/per_call" "$2" "$calls" ;;
    recorder) rm -rf "$work/rings"; mkdir "$work/rings"; "$out/test/drain" -c "$work/rings" "$out/test/per_call" "$2" "$calls" ;;
    heaptrack) heaptrack -o "$work/heaptrack" "$out/test/per_call" "$2" $((calls / 8)) 2> /dev/null; rm -f "$work"/heaptrack* ;;
  esac | sed -n 's/^cpu_ns=\([0-9.]*\) wall_ns=\([0-9.]*\)$/\1 \2/p'
}
least() { awk -v a="${1:-1e9}" -v b="$2" 'BEGIN { print (a < b ? a : b) }'; }
for round in $(seq "$rounds"); do
  for threads in 1 2; do
    for variant in $variants; do
      read -r c w <<< "$(run "$variant" "$threads")"
      cpu[$variant$threads]=$(least "${cpu[$variant$threads]:-}" "$c"); wall[$variant$threads]=$(least "${wall[$variant$threads]:-}" "$w")
    done
  done
done
printf '%-10s %8s %12s %12s %14s %10s\n' variant threads cpu_ns wall_ns added_cpu_ns cpu_ratio
for threads in 1 2; do
  for variant in $variants; do
    awk -v v="$variant" -v t="$threads" -v c="${cpu[$variant$threads]}" -v w="${wall[$variant$threads]}" -v n="${cpu[none$threads]}" \
      'BEGIN { printf "%-10s %8d %12.1f %12.1f %14.1f %9.1fx\n", v, t, c, w, c - n, c / n }'
  done
done
echo "budget: recorder 20 ns CPU a call added, with 1 and 2 threads"
