#!/bin/sh
# man.sh PENUMBRA BUILD: mandoc accepts every manual page; pages name all flags and all methods.
set -u
penumbra=$1 build=$2
[ -d "$build/man" ] && command -v mandoc >/dev/null || {
    echo "skipped: no pages, or no mandoc"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
# mandoc looks for the pages that others name in the folder
cp "$build"/man/man?/* "$work" && cd "$work" || exit 2
mandoc -T lint * || bad=1
check() { # PAGE WORD...: the page has these at the beginning of a line
    mandoc -T ascii "$1" | col -b | sed 's/^[ 	]*//' >text
    page=$1
    shift
    for word; do
        grep -qE -e "^(-[a-z], )?$word($|[ 	,(])" text || { echo "man: $page lacks $word"; bad=1; }
    done
}
flags() { "$penumbra" "$@" | sed -nE 's/^  (-[a-z], )?(--[a-z0-9-]+).*/\2/p'; }
commands=$("$penumbra" -h | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v '^penumbra$')
methods=$("$penumbra" methods | sed -n '/^$/q; s/^  \([a-z-]*\)  .*/\1/p' | grep -v '^method$')
for command in $commands; do
    check "penumbra-$command.1" $(flags "$command" --help) "penumbra $command"
done
check penumbra.1 $(printf 'penumbra-%s ' $commands)
parameters=$(for method in $methods; do flags methods "$method"; done | sort -u)
check penumbra-methods.7 $methods $parameters
check libpenumbra.3 penumbra/model.h 'pen_fit\(\)' 'pen_read\(\)' 'pen_stats_fit\(\)'
[ "$bad" = 0 ] && echo "man: $(ls *.[1-9] | wc -l) pages"
exit "$bad"
