#!/bin/sh
# symbols.sh ROOT SHARED STATIC: both libraries show exactly the names in tools/symbols.txt, which are the functions the header declares.
set -eu
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sort "$1/tools/symbols.txt" >"$work/listed"
grep -oE '\bpen_[a-z_0-9]+\(' "$1/include/penumbra.h" | tr -d '(' | grep -vxE 'pen_dense' | sort -u >"$work/declared"
nm -D --defined-only "$2" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort >"$work/shared"
nm -g --defined-only "$3" | awk 'NF == 3 { print $3 }' | sort >"$work/static"
for kind in declared shared static; do
    diff -u "$work/listed" "$work/$kind" || {
        echo "symbols: tools/symbols.txt and what is $kind differ"
        exit 1
    }
done
echo "symbols: $(wc -l <"$work/listed") names"
