#!/bin/sh
# command_calls.sh ROOT BUILD: a file of cli/ calls files of its own folder and of those before it,
# base < flags < work < pictures < commands < main.c, and no files call each other in a circle.
# layers.sh says the same of #include.
set -u
command -v nm >/dev/null || { echo "skipped: there is no nm"; exit 77; }
cd "$1" || exit 2
objects=$2/CMakeFiles/penumbra_cli.dir
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in cli/*.c cli/*/*.c; do
    nm "$objects/$file.o" | sed "s|^|$file |"
done | awk '$(NF - 1) ~ /^[TDRBVW]$/ { home[$NF] = $1 }
    $(NF - 1) == "U" { from[++count] = $1; to[count] = $NF }
    END {
        for (i = 1; i <= count; i++)
            if (to[i] in home && home[to[i]] != from[i]) print home[to[i]], from[i], to[i]
    }' >"$work/calls"
awk 'BEGIN {
        split("base flags work pictures commands main.c", folder)
        for (i in folder) level[folder[i]] = i + 0
    }
    {
        split($1, to, "/")
        split($2, from, "/")
        if (!(to[2] in level) || level[to[2]] > level[from[2]]) {
            print $2 ": calls " $3 " of " $1
            bad = 1
        }
    }
    END { exit bad }' "$work/calls" || exit 1
cut -d' ' -f1,2 "$work/calls" | tsort >/dev/null || exit 1
echo "command_calls: $(wc -l <"$work/calls") calls"
