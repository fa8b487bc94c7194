#!/bin/sh
# calls.sh ROOT OBJECTS NM: by the objects of the library in OBJECTS, no file calls what is defined
# in a later room (rooms.txt), and no files call each other in a circle.
set -eu
circle=$(mktemp)
trap 'rm -f "$circle"' EXIT
cd "$1"
objects=$(find src -name '*.c' | sed 's/$/.o/')
cd "$2"
# shellcheck disable=SC2086 # names without blanks
"$3" -gA $objects | awk -v rooms="$1/tests/house/rooms.txt" \
    -v circle="$circle" '
    function room(path) { sub(/\/[^\/]*$/, "", path); return path }
    BEGIN {
        while ((getline line <rooms) > 0) level[line] = ++count
        tsort = "tsort >/dev/null 2>" circle
    }
    {
        file = $1
        sub(/\.c\.o:.*/, "", file)
        sub(/^src\//, "", file)
        if ($(NF - 1) == "U") used[file " " $NF]
        else at[$NF] = file
    }
    END {
        for (key in used) {
            split(key, part, " ")
            to = at[part[2]]
            if (to == "" || to == part[1]) continue
            called[part[1] " " to] = part[2]
            if (level[room(to)] > level[room(part[1])]) {
                print "up: " part[1] " calls " part[2] " of " to
                bad = 1
            }
        }
        for (key in called) print key | tsort
        close(tsort)
        while ((getline line <circle) > 0)
            if (!sub(/^tsort: /, "", line) || line !~ /loop/) { print "circle: " line; bad = 1 }
        exit bad
    }' && echo "calls: none goes up or in a circle"
