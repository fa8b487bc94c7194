#!/bin/sh
# layers.sh ROOT: a room includes and declares only itself and rooms before it in rooms.txt,
# without circles; file names are unique except for public headers; the command and the examples
# include only these; file-scope state is const, except for the loaded BLAS, whether it is wrong,
# and the instruction set of the process; intrinsics are in src/products/ only. calls.sh checks
# calls.
set -eu
cd "$1"
bad=0
complain() {
    echo "$1"
    bad=1
}

sources=$(find src -name '*.[ch]' | sort) command=$(find cli -name '*.[ch]' | sort)

twice=$(git ls-files 2>/dev/null | grep '\.[ch]$' | grep -v '^include/' | xargs -n1 basename |
    sort | uniq -d)
[ -z "$twice" ] || complain "file names that occur twice: $twice"
for file in $sources $command; do # includes, with header and source as one
    own=$(echo "${file%.*}" | sed 's/^[a-z]*.//; s/\//\\\//g')
    sed -n "s/^#include \"\([a-z0-9/_]*\)\.h\"/\1 $own/p" "$file"
done | awk '$1 != $2' | tsort >/dev/null 2>&1 || complain "files include each other in a circle"
# shellcheck disable=SC2086 # names without blanks
awk 'function room(path) { sub(/^(src|cli)\//, "", path); sub(/\/[^\/]*$/, "", path); return path }
    FILENAME == "tests/house/rooms.txt" { level[$1] = FNR; next }
    FNR == 1 { own = level[room(FILENAME)] }
    FNR == 1 && !own { print FILENAME ": its folder is not in rooms.txt"; bad = 1 }
    /^#include "[a-z]*\// && !/"penumbra\// {
        split($0, part, "\"")
        if (!(room(part[2]) in level) || level[room(part[2])] > own) {
            print FILENAME ": includes " part[2] ", of a later room"
            bad = 1
        }
    }
    /^(typedef )?struct [a-z_0-9]+ \{/ { at[$(NF - 1)] = FILENAME }
    /^(typedef )?struct [a-z_0-9]+( [a-z_0-9]+)?;$/ {
        sub(/^typedef /, "")
        sub(/;/, "")
        declared[FILENAME " " $2] = own
    }
    END {
        for (key in declared) {
            split(key, part, " ")
            if (!(part[2] in at && level[room(at[part[2]])] <= declared[key])) {
                print part[1] ": declares struct " part[2] ", of a later room: " at[part[2]]
                bad = 1
            }
        }
        exit bad
    }' tests/house/rooms.txt $sources $command || complain "a room may use only rooms before it"
grep -nE "#include \"($(tr '\n' '|' <tests/house/rooms.txt | sed 's/|$//; s/|base.*//'))/" \
    $command examples/*.c |
    grep -vE '^cli.*"core/(array|file|json|meant|textbuf|utf8)\.h"$' && # values, texts and files
    complain "cli/ and examples/ include the public headers, cli/ a few of core"
grep -lE '\b(cblas_|d[a-z]{4,5}_\()' $sources | grep -vE '^src/linalg/blas(_check)?\.' &&
    complain "BLAS and LAPACK are named in blas.c and blas_check.c only"
grep -lE '(immintrin|arm_neon)\.h' $sources $command | grep -v '^src/products/' &&
    complain "intrinsics are in src/products/ only"
stateless='const |typedef |^[^:]*:[0-9]*:(extern|enum|struct [a-z_]+;|pen_status|return)'
grep -nE '^(static )?[a-z_][a-z0-9_ *]* \**[a-z_0-9]+(\[[^]]*\])* *(=|;)' $sources |
    grep -vE '^src/(linalg/blas_turn|core/(isa|run)).c:' | grep -vE "$stateless" &&
    complain "file-scope state must be const"
grep -nE '\bworker \*|\* worker\b|worker\) \*' $sources | grep -vE ':[0-9]*: \* ' &&
    complain "the memory of workers is cut by pen_slices_new and pen_slice"
for file in $(find src -name '*.c'); do
    awk '/(PEN_NEW[234]?|pen_scratch|pen_keep|pen_slices_new)\(/ || more {
        all = all $0
        more = $0 !~ /[;{]$/
        if (!more && all ~ /([a-z)\]] \* |[^ ] \* [a-z(])/) {
            print FILENAME ":" FNR ": " all
            bad = 1
        }
        if (!more) all = ""
    }
    END { exit bad }' "$file" ||
        complain "$file: sizes are multiplied by pen_times where memory is asked for"
done
shared='lgammaf?|strtok|rand|srand|localtime|gmtime|ctime|asctime|setlocale|setenv|putenv'
grep -nE "\b($shared)\(" $sources && complain "functions that write shared state"
# A method has at most 60 lines without comments and blank lines.
code_lines() {
    awk '{
        line = $0
        while (inside || match(line, /\/\*/)) {
            start = inside ? "" : substr(line, 1, RSTART - 1)
            rest = inside ? line : substr(line, RSTART + 2)
            end = index(rest, "*/")
            inside = !end
            line = end ? start substr(rest, end + 2) : start
            if (inside) break
        }
        if (line ~ /[^ ]/) count++
    }
    END { print count }' "$1"
}
for file in src/methods/*.c; do
    case $(basename "$file" .c) in
    table | needs | method_params) continue ;;
    npssdr) most=75 ;; # two criteria, a difference and a ratio
    rssdr) most=70 ;;  # the rows of the relative space, and nine parameters
    *) most=60 ;;
    esac
    lines=$(code_lines "$file")
    [ "$lines" -le "$most" ] || complain "$file: $lines lines of code, more than $most"
done
wide=$(git ls-files '*.c' '*.h' '*.cmake' '*CMakeLists.txt' Makefile 'tests/house/*.sh' tools \
    'python/*.py' 2>/dev/null | grep -v '^tools/mutations$' |
    xargs awk 'length($0) > 100 { print FILENAME ":" FNR }')
[ -z "$wide" ] || complain "more than 100 columns: $wide"
[ "$bad" = 0 ] && echo "layers: in order"
exit "$bad"
