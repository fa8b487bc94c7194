#!/bin/sh
# surface.sh ROOT PENUMBRA: limits on the size of the interface and of the code.
set -u
root=$1 penumbra=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

commands() { $penumbra -h | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v '^penumbra$'; }
# names of the parameters of all methods (with `none`: the common ones)
parameters() {
    $penumbra methods ${1-} --json | grep -o '"name": "[a-z0-9_]*", "type' | cut -d'"' -f4 | tr _ -
}
auto='^(dim|row-steps|ensemble|effort|seed|contradictions|closure|pair-weights|sample-pairs)$'
flags() { # other than parameters
    for command in $(commands); do $penumbra "$command" --help; done |
        sed -nE 's/^  (-[a-z], )?--([a-z0-9-]+).*/\2/p' | sort -u >"$work/flags"
    { parameters; echo classifier; } | sort -u | comm -23 "$work/flags" - | grep -vE "$auto"
}
functions() {
    grep -ohE '^[a-z][a-z0-9_ *]*pen_[a-z_0-9]+\(' "$root/include/penumbra/$1.h" |
        grep -oE 'pen_[a-z_0-9]+\($' | sort -u
}

lines() { cat "$root/include/penumbra/$1.h"; }
folders() { # separated by commas
    for folder in $(echo "$1" | tr , ' '); do
        find "$root/$folder" -name '*.[ch]' -o -name '*.py' | xargs cat
    done
}

bad=0
while read -r most what of; do
    count=$($what $of | wc -l)
    echo "$count $what $of, at most $most"
    [ "$count" -gt 0 ] && [ "$count" -le "$most" ] || bad=1
done <<END
10 commands
41 flags
15 parameters none
35 functions model
500 lines model
7910 folders cli
86786 folders src,cli,python/penumbra
8458 folders python/penumbra
20 functions files
12 functions compare
14 functions statistics
END
exit "$bad"
