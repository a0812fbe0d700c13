#!/usr/bin/env bash
# Real programs against an independent count, by hand: titles.sh OUT SECONDS SCRIPT [KEY=VALUE...]
# SCRIPT takes a work folder, seconds, and a prefix to put before its own command line. Behind the recorder a second library
# counts the same calls by itself; both must say the same of each process, to the byte. Needs `make check` before it.
out=$(cd "$1" && pwd); seconds=$2; script=$3; shift 3
work=$(mktemp -d /dev/shm/tidemark-title.XXXXXX); trap 'rm -rf "$work"' EXIT
mkdir "$work/rings" "$work/counts" "$work/title"
env ORACLE_FILE="$work/counts/o" TIDEMARK_ON_FULL=wait DRAIN_PRELOAD="$out/libtidemark.so:$out/test/oracle.so" "$@" \
  bash "$script" "$work/title" "$seconds" "$out/test/drain" "$work/rings" > "$work/report" 2> "$work/stderr"
echo "script ended with $?"; grep -a '^session\|^command' "$work/report"
fails=0; processes=0
for file in "$work"/counts/o.*; do
  pid=${file##*.}
  counted=$(od -An -td8 -w40 "$file" | awk '{print "allocs=" $1 " alloc_bytes=" $2 " frees=" $3 " reallocs=" $4 " failed=" $5}')
  seen=$(grep -a "^session pid=$pid " "$work/report" | tail -1 | grep -o ' allocs=[0-9]* .*failed=[0-9]*')
  [ -n "$seen" ] || continue # a child: inert
  processes=$((processes + 1))
  if [ " $counted" = "$seen" ]; then echo "ok    $pid: $counted"; else echo "FAIL  $pid: counted $counted but recorded$seen"; fails=1; fi
done
[ $processes -gt 0 ] || { echo "FAIL  no process was recorded"; head -5 "$work/stderr"; fails=1; }
exit $fails
