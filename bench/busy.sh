#!/bin/sh
# busy.sh PENUMBRA DATA LABELS: the cost of threads while other programs keep the cores busy: a
# method with many short parallel loops, on one thread and on two, alongside two busy loops. One
# JSON line: seconds, CPU seconds, and their ratios to one thread.
set -eu
penumbra=$1 data=$2 labels=$3
work=$(mktemp -d)
for loop in 1 2; do
    sh -c 'while :; do :; done' &
    echo $! >>"$work/loops"
done
trap 'kill $(cat "$work/loops"); rm -rf "$work"' EXIT
measure() { # THREADS: best wall and CPU seconds of three fits
    for repeat in 1 2 3; do
        LC_ALL=C bash -c "TIMEFORMAT='%R %U %S'; time \"\$@\" >/dev/null" - "$penumbra" fit saloe "$data" --labels "$labels" --threads "$1" --quiet -o "$work/model" 2>&1
    done | awk '{ cpu = $2 + $3; if (NR == 1 || $1 < w) w = $1; if (NR == 1 || cpu < c) c = cpu } END { print w, c }'
}
one=$(measure 1) two=$(measure 2)
echo "$one $two" | awk '{ printf "{\"bench\": \"busy\", \"method\": \"saloe\", \"wall_1\": %s, \"cpu_1\": %s, \"wall_2\": %s, \"cpu_2\": %s, \"cpu_ratio\": %.2f, \"wall_ratio\": %.2f}\n", $1, $2, $3, $4, $4 / $2, $3 / $1 }'
