#!/bin/sh
# man.sh PENUMBRA BUILD: mandoc accepts each manual page; the pages name all flags and all methods.
set -u
penumbra=$1 build=$2 bad=0
[ -d "$build/man" ] && command -v mandoc >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# mandoc looks for referenced pages in the current folder
cp "$build"/man/man?/* "$work" && cd "$work" && mandoc -T lint * || bad=1
check() { # PAGE WORD...: lines of the page begin with these
    page=$1
    shift
    mandoc -T ascii "$page" | col -b | sed 's/^[ 	]*//' >text
    for word; do
        grep -qE -e "^(-[a-z], )?$word($|[ 	,(])" text || { echo "man: $page lacks $word"; bad=1; }
    done
}
flags() { "$penumbra" "$@" | sed -nE 's/^  (-[a-z], )?(--[a-z0-9-]+).*/\2/p'; }
for command in $("$penumbra" -h | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    check "penumbra-$command.1" "penumbra $command" $(flags "$command" --help)
    check penumbra.1 "penumbra-$command"
done
methods=$("$penumbra" methods | sed -n '/^$/q; s/^  \([a-z-]*\)  .*/\1/p' | grep -v '^method$')
[ "$(echo "$methods" | wc -l)" -gt 20 ] || bad=1
check penumbra-methods.7 $methods
for name in $methods; do # flags of its own section, or of the shared one
    sed -n "/^\.Ss $name\$/,/^\.S[sh] /p; /^\.Sh PARAMETERS/,\$p" penumbra-methods.7 >section
    for flag in $(flags methods "$name"); do
        grep -qE "^\.It (Fl [a-z] , )?Fl ${flag#-}( |\$)" section ||
            { echo "man: $name lacks $flag"; bad=1; }
    done
done
for name in $(nm -D --defined-only "$build/libpenumbra.so" | sed -n 's/.* T //p'); do
    grep -qw "$name" libpenumbra.3 || { echo "man: libpenumbra.3 lacks $name"; bad=1; }
done
[ "$bad" = 0 ] && echo "man: $(ls *.[1-9] | wc -l) pages"
exit "$bad"
