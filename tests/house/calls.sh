#!/bin/sh
# calls.sh ROOT BUILD NM: according to the symbols of the objects, no file of src/ and cli/ calls a
# function of a later room (rooms.txt), and calls between files form no circle. layers.sh checks
# #include in the same way.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$1"
sources=$(find src cli -name '*.c')
for folder in src:objects cli:cli; do
    (
        cd "$2/CMakeFiles/penumbra_${folder#*:}.dir"
        # shellcheck disable=SC2046,SC2086 # names without blanks
        "$3" -gA $(printf '%s.o\n' $sources | grep "^${folder%:*}/")
    ) >>"$work/symbols"
done
awk -v work="$work" '
    function room(path) { sub(/\/[^\/]*$/, "", path); return path }
    FILENAME == "tests/house/rooms.txt" { level[$1] = FNR; next }
    {
        file = $1
        sub(/\.c\.o:.*/, ".c", file)
        sub(/^(src|cli)\//, "", file)
        if ($(NF - 1) == "U") used[file " " $NF]
        else at[$NF] = file
    }
    END {
        for (key in used) {
            split(key, part, " ")
            to = at[part[2]]
            if (to == "" || to == part[1]) continue
            print part[1], to >(work "/called")
            if (!(room(to) in level) || !(level[room(to)] <= level[room(part[1])])) {
                print part[1] " calls " part[2] " of " to ", of a later room"
                bad = 1
            }
        }
        exit bad
    }' tests/house/rooms.txt "$work/symbols"
sort -u "$work/called" | tsort >/dev/null
echo "calls: $(sort -u "$work/called" | wc -l) pairs of files in order"
