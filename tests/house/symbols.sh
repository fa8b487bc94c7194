#!/bin/sh
# symbols.sh ROOT SHARED STATIC: the shared library exports exactly the names in tools/symbols.txt,
# which are the functions of the headers. The static library defines them; all its names begin with
# pen_.
set -eu
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sort "$1/tools/symbols.txt" >"$work/listed"
grep -ohE '\bpen_[a-z_0-9]+\(' "$1"/include/penumbra/*.h | tr -d '(' |
    grep -vxE 'pen_dense|pen_csr' | sort -u >"$work/declared"
nm -D --defined-only "$2" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort >"$work/shared"
nm -g --defined-only "$3" | awk 'NF == 3 { print $3 }' | sort >"$work/static"
for kind in declared shared; do
    diff -u "$work/listed" "$work/$kind" || {
        echo "symbols: tools/symbols.txt and the $kind names differ"
        exit 1
    }
done
undefined=$(comm -23 "$work/listed" "$work/static")
[ -z "$undefined" ] || {
    echo "symbols: the static library lacks" $undefined
    exit 1
}
foreign=$(grep -v '^pen_' "$work/static" || true)
[ -z "$foreign" ] || {
    echo "symbols: names in the static library without pen_:" $foreign
    exit 1
}
twice=$(uniq -d "$work/static")
[ -z "$twice" ] || {
    echo "symbols: defined twice in the static library:" $twice
    exit 1
}
echo "symbols: $(wc -l <"$work/listed") exported, $(wc -l <"$work/static") in the static library"
