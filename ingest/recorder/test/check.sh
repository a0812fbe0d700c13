#!/usr/bin/env bash
# The recorder's checks. check.sh OUT: OUT has libtidemark.so, and test/ with the fixtures and drain. Prints a line a check; 1 if one failed.
# A check needs what it needs: where an allocator, root or a program is missing it is skipped, loudly.
out=$(cd "$1" && pwd); t=$out/test; src=$(cd "$(dirname "$0")" && pwd)
lib=$out/libtidemark.so; fails=0; skips=0
base=/dev/shm; [ -w $base ] || base=${TMPDIR:-/tmp}
work=$(mktemp -d "$base/tidemark-check.XXXXXX"); trap 'rm -rf "$work"' EXIT
export DRAIN_PRELOAD=$lib TIDEMARK_WAIT_MAX=30 TIDEMARK_ON_FULL=wait LC_ALL=C

ok()   { printf 'ok    %s\n' "$1"; }
fail() { printf 'FAIL  %s: %s\n' "$1" "$2"; fails=$((fails + 1)); }
skip() { printf 'SKIP  %s: %s\n' "$1" "$2"; skips=$((skips + 1)); }
same() { if [ "$2" = "$3" ]; then ok "$1"; else fail "$1" "expected [$2] but saw [$3]"; fi; }
# drained [-OPTIONS] CMD...: the command under the recorder, drained; the report is in $report
drained() {
  local options=(); while [[ ${1:-} == -* ]]; do options+=("$1"); shift; done
  rm -rf "$work/rings"; mkdir "$work/rings"; report=$work/report
  timeout 120 "$t/drain" "${options[@]}" "$work/rings" "$@" > "$report" 2> "$work/stderr" < /dev/null || fail "$*" "drain ended with $? $(head -c 300 "$work/stderr")"
}
# field KEY [LINE]: of the last session line, or of the line that matches
field() { grep -a "${2:-^session}" "$report" | tail -1 | tr ' ' '\n' | sed -n "s/^$1=//p" | tail -1; }
fields() { local k v=""; for k in $1; do v="$v $k=$(field "$k" "${2:-^session}")"; done; echo "${v# }"; }
# between KEY: what a counter grew by from the phase begin to the phase end
between() { echo $(( $(field "$1" '^phase name=end') - $(field "$1" '^phase name=begin') )); }
healthy="dropped=0 lost_without_ring=0 late=0 descending=0 unknown_frees=0 missed_frees=0"
health() { fields "dropped lost_without_ring late descending unknown_frees missed_frees"; }
# the calls between the phases; the exception that a throwing new allocates has no fixed size, nor what a trim gives back
known() { sed -n '/^phase name=begin/,/^phase name=end/p' "$report" | sed -n 's/^event 0 \(.*\) address=.*/\1/p' | grep -v '^phase' \
          | sed 's/^malloc size=1[2-9][0-9] /malloc size=EXCEPTION /; s/^trim size=[0-9]* /trim size=RETURNED /'; }

declare -A allocators=([glibc]="")
for name in jemalloc:libjemalloc.so.2 mimalloc:libmimalloc.so.[23] tcmalloc:libtcmalloc_minimal.so.4; do
  file=$(ldconfig -p | sed -n "s/.*${name#*:} .*=> //p" | head -1)
  if [ -n "$file" ]; then allocators[${name%:*}]=:$file; else skip "behind ${name%:*}" "${name#*:} is not installed"; fi
done

for name in "${!allocators[@]}"; do
  export DRAIN_PRELOAD=$lib${allocators[$name]}
  drained -d "$t/known_c"
  # glibc, jemalloc and tcmalloc release in realloc(p, 0); mimalloc makes a block, whose release follows
  expected=$(cat "$src/expected_known_c"); seen=$(known)
  [ "$name" = mimalloc ] && expected=$(awk '{print} /^realloc size=0 /{print "free size=0 align=0 failed=0"}' "$src/expected_known_c")
  if [ "$expected" = "$seen" ]; then ok "$name: every C call as made"; else fail "$name: every C call as made" "$(diff <(echo "$expected") <(echo "$seen") | head -5)"; fi
  same "$name: exit code and nothing unknown, C" "exit=7 $healthy live_bytes=0" "exit=$(field exit ^command) $(health) live_bytes=$(between live_bytes)"
  for language in c cc; do
    [ -x "$t/churn_$language" ] || continue
    drained "$t/churn_$language" "$work/own" 8 10000
    totals="allocs alloc_bytes frees reallocs live_bytes live_blocks"
    seen=""; for key in $totals; do seen="$seen $key=$(between $key)"; done
    same "$name: churn of 8 threads, $language: exact" "$(cat "$work/own") $healthy" "${seen# } $(health)"
  done
  [ -x "$t/known_cc" ] || { skip "$name: C++" "no g++ to build the fixtures with"; continue; }
  if [ "$name" = mimalloc ]; then throws=no-throw expected=$(grep -v 'failed=1\|EXCEPTION\|AFTER' "$src/expected_known_cc"); else throws="" expected=$(cat "$src/expected_known_cc"); fi # its C build ends the program
  drained -d "$t/known_cc" $throws
  seen=$(known)
  expected=${expected//AFTER /}
  if [ "$expected" = "$seen" ]; then ok "$name: every new and delete as made"; else fail "$name: every new and delete as made" "$(diff <(echo "$expected") <(echo "$seen") | head -5)"; fi
  same "$name: exit code and nothing unknown, C++" "exit=7 $healthy live_bytes=0" "exit=$(field exit ^command) $(health) live_bytes=$(between live_bytes)"
done
export DRAIN_PRELOAD=$lib

rm -rf "$work/rings"; mkdir "$work/rings"; report=$work/report
if ! "$t/step" "$work/rings" "$t/known_c" > "$report" 2> "$work/stderr"; then skip "order of writing at every instruction" "$(cat "$work/stderr")"
else
  same "order of writing holds at every instruction" "records=39 broken=0 exit=7" "$(fields "records broken exit" ^steps)"
  [ "$(field in_flight ^steps)" -gt 1000 ] && ok "order of writing: looked inside of calls" || fail "order of writing" "only $(field in_flight ^steps) points inside of calls"
fi

for round in 1 2 3; do # rings of 64 records, threads that stand still anywhere, four times as many as cores
  TIDEMARK_RING_BYTES=2048 drained -l0 "$t/churn_c" "$work/own" $((4 * $(nproc))) 3000 1500
  same "small rings, stopped threads, round $round" "$(cat "$work/own") $healthy" \
    "$(for key in allocs alloc_bytes frees reallocs live_bytes live_blocks; do printf '%s=%s ' $key "$(between $key)"; done)$(health)"
done
whole=$(field events)
TIDEMARK_RING_BYTES=2048 TIDEMARK_ON_FULL=drop drained "$t/churn_c" "$work/own" $((4 * $(nproc))) 3000 100
same "dropping: what is seen and what is dropped add up" "$whole late=0 descending=0" "$(( $(field events) + $(field dropped) )) $(fields "late descending")"
[ "$(field dropped)" -gt 0 ] && ok "dropping: there was something to drop" || fail "dropping" "nothing was dropped"
[ "$(field told)" -gt 0 ] && [ "$(field told)" = "$(field told_dropped)" ] && ok "dropping: DROPPED records tell what the counter says" || fail "dropping" "told $(field told), records $(field told_dropped)"
TIDEMARK_RING_BYTES=2048 TIDEMARK_WAIT_MAX=0.2 drained -n "$t/churn_c" "$work/own" 4 2000
[ "$(field waited_ms)" -lt $(($(field dropped) * 20)) ] && ok "no agent: threads wait once, not at each call" || fail "no agent" "waited $(field waited_ms) ms"
rm -rf "$work/rings"; mkdir "$work/rings"; rm -f "$work/own" # an agent that dies: the program waits no more and ends as ever
TIDEMARK_RING_BYTES=2048 "$t/drain" "$work/rings" sh -c '"$@"; echo $? > "$0"' "$work/code" env TIDEMARK_CHILDREN=1 TIDEMARK_WAIT_MAX=300 "$t/churn_c" "$work/own" 4 200000 > /dev/null & agent=$!
until [ -n "$(ls "$work"/rings/*.ring 2> /dev/null)" ]; do sleep 0.05; done; sleep 0.5; kill -9 $agent; wait $agent 2> /dev/null
for i in $(seq 300); do [ -s "$work/code" ] && break; sleep 0.1; done
[ -s "$work/code" ] || for file in "$work"/rings/*.ring; do file=${file##*/}; kill -9 "${file%%-*}" 2> /dev/null; done
same "the agent was killed: the program ends as ever" "0 kept" "$(cat "$work/code") $(grep -q live_blocks=4 "$work/own" && echo kept)"
TIDEMARK_RINGS=3 drained "$t/churn_c" "$work/own" 8 1000
same "more threads than rings: counted" "rings=3 without_ring=6 threads=3" "$(fields "rings without_ring threads")"
[ "$(field lost_without_ring)" -gt 0 ] && ok "more threads than rings: events counted" || fail "more threads than rings" "no event was counted"

drained -d "$t/short_threads"
same "40,000 short threads: none lost" "serials=40001 $healthy exit=0" "serials=$(field serials) $(health) exit=$(field exit ^command)"
same "40,000 short threads stay apart" "40000 0" "$(awk '$1 == "event" && ($3 == "malloc" || $3 == "free") { size = substr($4, 6) + 0
    if (size >= 100000) { made[$2]++; block[$2] = $7; sizes[size]++ } else if ($3 == "free" && $7 == block[$2]) released[$2]++ }
  END { for (i in made) { if (made[i] == 1 && released[i] == 1) good++; else bad++ } for (s in sizes) if (sizes[s] != 1) bad++; print good + 0, bad + 0 }' "$report")"
if [ -x "$t/late_calls" ]; then
drained -d "$t/late_calls"
same "clean-up of threads that allocates is seen" "400 100 $healthy" "$(grep -c 'malloc size=1009 ' "$report") $(grep -c 'malloc size=2003 ' "$report") $(health)"
drained "$t/plugin_host" "$t/plugin.so"
same "libstdc++ by a local dlopen" "exit=101 $healthy" "exit=$(field exit ^command) $(health)"
else skip "clean-up of threads, libstdc++ by a local dlopen" "no g++ to build the fixtures with"; fi
drained -d "$t/forks"
same "storm of forks: children inert, the parent exact" "400 0 children=300 sessions=1 exit=0 $healthy" \
  "$(grep -c 'malloc size=7919 ' "$report") $(grep -c 'size=104729 ' "$report") children=$(field children) sessions=$(field sessions ^command) exit=$(field exit ^command) $(health)"
TIDEMARK_CHILDREN=1 drained -d "$t/forks"
same "storm of forks: each child a session" "100 sessions=301 exit=0" "$(grep -c 'malloc size=104729 ' "$report") sessions=$(field sessions ^command) exit=$(field exit ^command)"

drained "$t/marks" "$t/libfakeswap.so"
same "swap calls, however found, outermost only" "frames=26 mark8=3 mark11=5 mark12=7 mark13=11 exit=0" "$(fields "frames mark8 mark11 mark12 mark13") exit=$(field exit ^command)"
drained "$t/marks" "$t/libfakeswap.so" api
same "the program's own marks end the found ones" "frames=39 ticks=13 mark8=16 exit=0" "$(fields "frames ticks mark8") exit=$(field exit ^command)"
drained "$t/fixed_address" "$t/libfakeswap.so" api
same "marks of a program at a fixed address" "frames=39 ticks=13 exit=0" "$(fields "frames ticks") exit=$(field exit ^command)"
TIDEMARK_FRAMES=fixed:16 TIDEMARK_TICKS=none drained "$t/marks" "$t/libfakeswap.so" api
same "no marks where others are asked for" "frames=0 ticks=0 mark8=16 exit=0" "$(fields "frames ticks mark8") exit=$(field exit ^command)"
TIDEMARK_TICKS=call:usleep drained "$t/marks" "$t/libfakeswap.so" calls
same "library call of the main thread alone" "ticks=23 mark2=23 exit=0" "$(fields "ticks mark2") exit=$(field exit ^command)"
"$t/marks" "$t/libfakeswap.so" api; same "marks without the recorder do nothing" 0 $?

for how in kill:-1:9 term:-1:15 abort:-1:6 _exit:6:0 plain:5:0 locked:5:0; do
  IFS=: read -r what code signal <<< "$how"
  [ "$what" = locked ] && [ "$(id -u)" != 0 ] && { skip "mlockall" "needs root"; continue; }
  drained "$t/death" "$what"
  same "death by $what: all that was whole, same end" "exit=$code signal=$signal allocs=1000 alloc_bytes=1009000" "$(fields "exit signal" ^command) $(fields "allocs alloc_bytes")"
done
drained -d "$t/death" closed
same "a program that closed its descriptors" "1000 exit=5 $healthy" "$(grep -c 'malloc size=1009 ' "$report") exit=$(field exit ^command) $(health)"
drained "$t/death" exec "$t/death" exec "$t/death"
same "a chain of exec starts over in each image" "3 sessions=3 exit=5" "$(grep -c '^session.*allocs=1000 ' "$report") $(fields "sessions exit" ^command)"
drained -d "$t/trims" "$work/own"
read -r first second <<< $(sed -n 's/^event 0 trim size=\([0-9]*\) .*/\1/p' "$report" | tr '\n' ' ')
own=$(cat "$work/own"); off=$((own - first)) # the program's own reading costs a page or two, and the kernel counts by batches
[ "$own" -gt 30000000 ] && [ ${off#-} -lt 1000000 ] && ok "what a trim gave back: $first of $own bytes" || fail "what a trim gave back" "$first, the program counted $own"
same "a trim without a descriptor: not known, same end" "9223372036854775808 exit=7" "$second exit=$(field exit ^command)"
drained sh -c "\"$t/death\"; exit 4"
same "a wrapper's child stays inert and is named" "children=1 child=$t/death exit=4" "$(fields "children child") exit=$(field exit ^command)"

# Other people's programs: the same output, errors and exit code as without.
transparent() {
  local name=$1; shift
  command -v "$1" > /dev/null || { skip "$name" "$1 is not installed"; return; }
  "$@" > "$work/out.0" 2> "$work/err.0" < /dev/null; local code=$?
  mkdir -p "$work/transparent"; chmod 1733 "$work/transparent"
  env LD_PRELOAD="$lib" TIDEMARK_RING_DIR="$work/transparent" TIDEMARK_ON_FULL=drop "$@" > "$work/out.1" 2> "$work/err.1" < /dev/null; local seen=$?
  rm -rf "$work/transparent"
  if [ $code != $seen ]; then fail "$name" "exit code $code without, $seen with"
  elif ! cmp -s "$work/out.0" "$work/out.1" || ! cmp -s "$work/err.0" "$work/err.1"; then fail "$name" "other output: $(diff "$work/out.0" "$work/out.1" | head -3) $(diff "$work/err.0" "$work/err.1" | head -3)"
  else ok "$name: same output and exit code ($code)"; fi
}
chmod 755 "$work"
transparent ls ls -l /usr/lib
transparent "ls of nothing" ls /nonexistent
transparent bash bash -c 'for i in 1 2 3; do echo $(seq $i | sort -r); done; exit 9'
transparent python3 python3 -c 'import json, threading, subprocess, sys; subprocess.run(["true"]); print(json.dumps([str(i) for i in range(1000)])); sys.exit(3)'
transparent "java -version" java -version
transparent perl perl -e 'fork; wait; print "x" x 100'
TIDEMARK_CHILDREN=1 transparent "perl, its children recorded" perl -e '$ENV{A} = 1; fork; wait; print "x" x 100'
TIDEMARK_CHILDREN=1 transparent "bash, its children recorded" bash -c 'for i in 1 2 3; do echo $(seq $i | sort -r | (cat; echo 7)); done; exit 9'
TIDEMARK_CHILDREN=1 transparent "python3, its children recorded" python3 -c 'import os, subprocess, sys
pid = os.fork()
x = [str(i) for i in range(10000)]
os.environ["A"] = "b"
subprocess.run(["true"])
if pid: os.waitpid(pid, 0)
print(len(x)); sys.exit(3)'
transparent "static binary" "$t/static"
transparent "signals" "$t/signals"
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
  transparent setpriv setpriv --reuid=65534 --regid=65534 --clear-groups id -u
  chmod 1733 "$work"; mkdir "$work/rings2"; chmod 1733 "$work/rings2"; cp "$t/death" "$work/death"; cp "$lib" "$work/lib.so"; chmod 755 "$work" "$work/death" "$work/lib.so"
  env LD_PRELOAD="$work/lib.so" TIDEMARK_RING_DIR="$work/rings2" setpriv --reuid=65534 --regid=65534 --clear-groups "$work/death"
  same "setpriv: the other user's image records" "5 65534" "$? $(stat -c %u "$work"/rings2/*.ring | sort -n | tail -1)"
  same "rings are their owner's alone" "600" "$(stat -c %a "$work"/rings2/*.ring | sort -u)"
else skip setpriv "needs root and setpriv"; fi

if [ "$(id -u)" = 0 ] && mkdir "$work/small" && mount -t tmpfs -o size=256k tmpfs "$work/small" 2> /dev/null; then
  env LD_PRELOAD="$lib" TIDEMARK_RING_DIR="$work/small" "$t/death"; code=$?
  report=$work/report; "$t/drain" -g "$work"/small/*.ring > "$report"
  same "full /dev/shm: no ring, counted, same exit code" "5 rings=0 without_ring=1 lost_without_ring=1000" "$code $(fields "rings without_ring lost_without_ring")"
  same "full /dev/shm: what did not fit was given back" "32" "$(($(stat -c %b "$work"/small/*.ring) / 2))"
  umount "$work/small"; mount -t tmpfs -o size=16k tmpfs "$work/small"
  env LD_PRELOAD="$lib" TIDEMARK_RING_DIR="$work/small" "$t/death"; code=$?
  same "fuller /dev/shm: says so by a name" "5 no-space.error" "$code $(ls "$work/small" | sed 's/^[0-9]*-[0-9a-f]*\.//')"
  umount "$work/small"
else skip "full /dev/shm" "needs root and a tmpfs mount"; fi
mkdir "$work/limit"
(ulimit -f 8; exec env LD_PRELOAD="$lib" TIDEMARK_RING_DIR="$work/limit" "$t/death"); code=$?
same "a file size limit: says so, no SIGXFSZ" "5 file-size-limit.error" "$code $(ls "$work/limit" | sed 's/^[0-9]*-[0-9a-f]*\.//')"
mkdir "$work/space"
(ulimit -v 300000; exec env LD_PRELOAD="$lib" TIDEMARK_RING_DIR="$work/space" "$t/death"); code=$?
report=$work/report; "$t/drain" -g "$work"/space/*.ring > "$report"
same "little address space: fewer rings" "5 allocs=1000" "$code $(fields allocs)"
env LD_PRELOAD="$lib" TIDEMARK_RING_DIR=/proc/nowhere "$t/death"; same "no folder: same exit code" 5 $?
env LD_PRELOAD="$lib" "$t/death"; same "not asked to record: same exit code" 5 $?

"$t/golden" "$work/golden.ring" && "$t/drain" -g "$work/golden.ring" > "$work/golden.txt"
if diff "$src/expected_golden" "$work/golden.txt"; then ok "golden file reads as written"; else fail "golden file" "reads otherwise"; fi
lines=$(wc -l < "$src/../record.c"); [ "$lines" -lt 200 ] && ok "the call path has $lines lines" || fail "the call path" "$lines lines"

echo "$fails failed, $skips skipped"
[ "$fails" = 0 ]
