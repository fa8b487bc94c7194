#!/bin/sh
# page.sh PENUMBRA PAGE.md - run the commands of a page and compare their output.
#
# Indented blocks that begin with "    $ command" are commands, continued by lines "    > " and
# followed by their standard output, then standard error; "    ..." stands for any lines. Blocks in
# ``` are not run, and times may differ. All commands run in one folder with the files of
# tests/data/files and examples/data, and the functions of data.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
binary=$1 page=$2
if grep -q '^    \$ .*penumbra plot' "$page" && ! command -v gnuplot >/dev/null; then
    echo "skipped: no gnuplot"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```/ { fence = !fence } fence || /^( |  |   )?[^ ]/ { block = 0; next }
     !block && NF { block = /^    \$ / ? 1 : 2 } block == 1 && NF { print substr($0, 5) }' "$page" >"$work/expected"
{
    echo '  $ cp -r "$EXAMPLES/../../tests/data/files/." . && cp "$EXAMPLES"/*.csv .'
    awk '{ is_command = /^\$ / || is_command && /^> / } is_command { print "  " $0 }' "$work/expected"
} >"$work/page.session"
sh "$here/run.sh" "$binary" "$work/page.session" --update
sed -e 1d -e '/^  \[[0-9]*\]$/d' -e 's/^  ! //' -e t -e 's/^  //' "$work/page.session" | grep . >"$work/actual"
times='s/ in [0-9.]+ s;/ in .. s;/; s/  +[0-9]+\.[0-9]( *(  baseline|  experimental)?)$/  #\1/'
for which in expected actual; do sed -E "$times" "$work/$which" >"$work/$which.timeless"; done
awk 'NR == FNR { said[++count] = $0; next }
     { if (more) { while (at < count && said[at + 1] != $0) at++; more = 0 }
       if ($0 == "...") { more = 1; next }
       if (said[++at] != $0) { print "the page:  " $0; print "penumbra:  " said[at]; bad = 1; exit } }
     END { if (!bad && !more && at < count) { print "the page ends before: " said[at + 1]; bad = 1 }; exit bad }' \
    "$work/actual.timeless" "$work/expected.timeless" && exit 0
diff -u "$work/expected.timeless" "$work/actual.timeless"
exit 1
