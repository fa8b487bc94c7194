#!/bin/sh
# page.sh PENUMBRA PAGE.md - run the commands of a page and compare what they say with what the page says. Indented
# lines "    $ command" are commands, with further lines "    > "; the indented lines after them are what they write on standard
# output and then on standard error. The commands of a page are run in one folder, which has the files of tests/data/files, with
# the functions of data.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
binary=$1 page=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's/^    //p' "$page" >"$work/expected"
{
    echo '  $ cp -r "$EXAMPLES/../../tests/data/files/." .'
    sed -n 's/^\([$>] \)/  \1/p' "$work/expected"
} >"$work/page.session"
sh "$here/run.sh" "$binary" "$work/page.session" --update
sed -e 1d -e '/^  \[[0-9]*\]$/d' -e 's/^  ! //' -e 's/^  //' "$work/page.session" >"$work/actual"
diff -u "$work/expected" "$work/actual"
