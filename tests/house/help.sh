#!/bin/sh
# help.sh PENUMBRA: -h of each command has at most 25 lines of 80 columns and two examples that
# work; its flags are in --help, whose first line names -h.
set -u
here=$(dirname "$(realpath "$0")") penumbra=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
    echo "help: $*"
    bad=1
}
mkdir "$work/bin" && ln -s "$(realpath "$penumbra")" "$work/bin/penumbra"
PATH=$work/bin:$PATH
cd "$work" || exit 2

# the files of the examples: five classes; half of the rows are labelled
. "$here/../cli/data.sh"
blobs 50 5 5 | awk -F, -v OFS=, 'NR % 2 { $NF = NR == 1 ? $NF : "" } { print }' >data.csv
blobs 30 5 5 >test.csv
penumbra fit data.csv --label-column class -q -o data.pen || complain "fit fails"
penumbra convert test.csv new.csv --drop class && penumbra convert new.csv new.npz
penumbra convert test.csv data.npz --label-column class 2>/dev/null

penumbra >said 2>&1
[ $? = 2 ] || complain "the status of penumbra without arguments is not 2"
penumbra -h | cmp -s - said || complain "penumbra without arguments and penumbra -h differ"
commands=$(sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' said | grep -v '^penumbra$')
cp said all
for command in $commands; do
    penumbra "$command" -h >short || complain "$command -h fails"
    penumbra "$command" --help >long || complain "$command --help fails"
    cat short >>all
    [ "$(wc -l <short)" -le 25 ] || complain "$command -h has more than 25 lines"
    [ "$(grep -c '^  penumbra ' short)" = 2 ] || complain "$command -h does not have two examples"
    head -n 1 long | grep -q -e "penumbra $command -h" || complain "$command --help: no -h"
    { cat long; [ "$command" != fit ] || penumbra fit auto --help; } |
        grep -oe '--[a-z][a-z-]*' | sort -u >known
    for flag in $(grep -oe '--[a-z][a-z-]*' short | sort -u); do
        grep -qx -e "$flag" known || complain "$command has no $flag"
    done
done
awk 'length > 80 { print "help: more than 80 columns: " $0; bad = 1 } END { exit bad }' all || bad=1
grep '^  penumbra .* ' all | sort -u >lines
while read -r line; do
    case $line in
    *"-h"* | *" COMMAND "*) continue ;;
    *explore*) line="PENUMBRA_PYTHON=echo TMPDIR=. $line" ;;
    *plot*) command -v gnuplot >/dev/null || continue ;;
    *compare*) line="$line --effort 0.1" ;;
    esac
    cp data.pen kept.pen
    (eval "$line") >out 2>&1 </dev/null || complain "$line: $(cat out)"
    made=$(printf '%s\n' "$line" | sed -n 's/.*\(-o\|--report\) \([^ ]*\).*/\2/p')
    [ -z "$made" ] || [ "$made" = - ] || [ -s "$made" ] || complain "$line: $made is missing"
    mv kept.pen data.pen
done <lines
[ "$bad" -eq 0 ] && echo "help: $(wc -l <lines) examples"
exit "$bad"
