#!/bin/sh
# words.sh ROOT PENUMBRA: texts follow words.txt; flags in pages and names of functions exist; the
# first line of a source file has its name.
set -u
cd "$1" || exit 2
penumbra=$2
git rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: not a repository"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
texts() { # arguments of git grep, in all texts of the tree
    git grep -I "$@" -- . ':!tests/data' ':!*.seeds' ':!*.svg' ':!*/words.txt'
}
grep -v '^#' tests/house/words.txt | grep . | sed 's/   */\t/g' >"$work/rows"
tab=$(printf '\t')
while IFS=$tab read -r never may say; do
    [ -n "$say" ] || { echo "words.txt: needs three parts: $never"; bad=1; }
    [ "$may" != - ] || may='^$'
    texts -nE -e "$never" | grep -vE -e "$may" >"$work/found" || continue
    sed "s|\$|  <- say $say|" "$work/found"
    bad=1
done <"$work/rows"

# flags of other programs and of benches in pages
others='cflags|libs|static|no-build-isolation|strict|one-hot|like|name|keep|redraw|picture|splits'
others="$others|build|install|prefix|parallel|test-dir|output-on-failure"
others="$others|ilpp-splits|within|rows|draws|before|full|million|counts"
commands=$($penumbra 2>&1 | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v '^penumbra$')
{
    for command in $commands 'fit auto'; do $penumbra $command --help; done |
        grep -oE -e '--[a-z][a-z0-9-]*' | sed 's/^--//'
    $penumbra methods --json | grep -o '"name": "[a-z0-9_]*", "type' | cut -d'"' -f4 | tr _ -
    echo "$others" | tr '|' '\n'
} | sort -u >"$work/flags"
git grep -IonE -e '(^|[^-a-z])--[a-z][a-z0-9-]*' -- '*.md' 'examples/*.sh' \
    ':!bench/results' |
    sed 's/^\([^:]*:[0-9]*\):.*--/\1 /' |
    awk 'NR == FNR { known[$1]; next } !($2 in known) { print $1 ": there is no flag --" $2 }' \
        "$work/flags" - >"$work/found"
# functions and types of the library; a name that ends in _ stands for several
git grep -IohE '\bpen_[a-z0-9_]+' -- src include | sort -u >"$work/names"
git grep -IonE '\bpen_[a-z0-9_]+' -- '*.md' '*.[ch]' '*.py' ':!tests/kit' |
    awk -F: 'NR == FNR { known[$1]; next } !($3 in known) && $3 !~ /_$/ {
        print $1 ":" $2 ": there is no " $3
    }' "$work/names" - >>"$work/found"
for file in $(git ls-files '*.[ch]'); do
    name=$(sed -n '1s,^/\* \([A-Za-z0-9_]*\.[ch]\) - .*,\1,p' "$file")
    [ "${name:-${file##*/}}" = "${file##*/}" ] || echo "$file: its first line has the name $name"
done >>"$work/found"
cat "$work/found"
[ "$bad" = 0 ] && [ ! -s "$work/found" ] || exit 1
echo "words: $(wc -l <"$work/rows") phrases, $(wc -l <"$work/flags") flags, \
$(wc -l <"$work/names") names"
