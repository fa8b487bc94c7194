#!/bin/sh
# old_names.sh ROOT PENUMBRA: every old name in cli/base/old_flags.c is refused with status 2 and
# the text of its row; flags in these texts exist.
set -u
root=$1 penumbra=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
commands=$($penumbra 2>&1 | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v '^penumbra$')
for command in $commands; do $penumbra "$command" --help; done |
    sed -n 's/^ .*--\([a-z0-9-]*\).*/\1/p' >"$work/flags"
$penumbra methods --json | grep -o '{"name": "[a-z0-9_]*"' | sed 's/.*"\(.*\)"/\1/; s/_/-/g' |
    sort -u >"$work/parameters"
cat "$work/flags" "$work/parameters" >"$work/names"

sed -n 's/^    { "\([a-z0-9-]*\)",* *\("\(.*\)"\)* *}*,*$/\1|\3/p' "$root/cli/base/old_flags.c" |
    awk -F'|' '$2 == "" { held = $1; next } { print }' >"$work/rows"
awk '/old_commands\[\]/ { kind = "command" } /old_flags\[\]/ { kind = "flag" }
     /^    \{ "/ { print kind }' "$root/cli/base/old_flags.c" >"$work/kinds"
paste -d'|' "$work/kinds" "$work/rows" >"$work/all"
[ "$(wc -l <"$work/all")" -gt 80 ] || { echo "old_names: the table cannot be read"; exit 1; }

while IFS='|' read -r kind name now; do
    if [ "$kind" = command ]; then
        [ -z "$($penumbra "$name" --help 2>/dev/null)" ] || continue # still a command
        set -- "$name"
        said="penumbra: $name $now"
    else
        grep -qx -e "$name" "$work/names" && continue # still a name
        set -- fit data.csv --"$name"
        said="penumbra fit: --$name $now"
    fi
    $penumbra "$@" >"$work/out" 2>&1
    status=$?
    if [ "$status" != 2 ] || [ "$(cat "$work/out")" != "$said" ]; then
        echo "penumbra $*: status $status, prints: $(cat "$work/out")"
        bad=1
    fi
    for flag in $(printf '%s\n' "$now" | sed 's/python -m.*//' | grep -oe '--[a-z][a-z0-9-]*'); do
        grep -qx -e "${flag#--}" "$work/names" || { echo "$kind $name: $flag is unknown"; bad=1; }
    done
done <"$work/all"
[ "$bad" -eq 0 ] && echo "old_names: $(wc -l <"$work/all") names"
exit "$bad"
