#!/bin/sh
# layers.sh ROOT: a lower layer never includes a higher one, no files include each other, file names
# are unique but for the public headers; the command and the examples see these only; no file-scope
# state is mutable, but for what BLAS the process has loaded and which instruction set it uses,
# which are the same for all calls; intrinsics are in src/products/ only.
set -eu
cd "$1"
bad=0
complain() {
    echo "$1"
    bad=1
}

level() {
    case $1 in
    core) echo 1 ;;
    products) echo 2 ;;
    linalg) echo 3 ;;
    pairs) echo 4 ;;
    neighbors) echo 5 ;;
    kernels) echo 6 ;;
    graph) echo 7 ;;
    scatter) echo 8 ;;
    solve) echo 9 ;;
    classifiers) echo 10 ;;
    methods) echo 11 ;;
    model) echo 12 ;;
    io) echo 12 ;;
    stats) echo 13 ;;
    eval) echo 14 ;;
    *) echo 99 ;;
    esac
}

twice=$(git ls-files 2>/dev/null | grep '\.[ch]$' | grep -v '^include/' | xargs -n1 basename |
    sort | uniq -d)
[ -z "$twice" ] || complain "file names that occur twice: $twice"
for file in src/*/*.[ch]; do # who includes whom, header and source as one
    own=$(echo "${file%.*}" | sed 's/^src.//; s/\//\\\//')
    sed -n "s/^#include \"\([a-z]*\/.*\)\.h\"/\1 $own/p" "$file"
done | awk '$1 != $2' | tsort >/dev/null 2>&1 || complain "files include each other in a circle"
for file in src/*/*.[ch]; do
    own=$(basename "$(dirname "$file")")
    for included in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$file"); do
        [ "$(level "$included")" -le "$(level "$own")" ] ||
            complain "$file: includes $included/, a higher layer"
        case $own/$included in
        io/model | model/io) complain "$file: $own must not include $included" ;;
        esac
    done
done
rooms='core|products|linalg|pairs|neighbors|kernels|graph|scatter|solve|classifiers'
rooms="$rooms|methods|model|io|stats|eval"
grep -nE "#include \"($rooms)/" cli/*.[ch] cli/*/*.[ch] examples/*.c |
    grep -v '#include "core/meant.h"$' && # what a typing error may mean, said in one way
    complain "cli/ and examples/ include the public headers only"
grep -lE '\b(cblas_|d[a-z]{4,5}_\()' src/*/*.c | grep -v '^src/linalg/blas.c$' &&
    complain "BLAS and LAPACK are named in src/linalg/blas.c only"
grep -lE '(immintrin|arm_neon)\.h' src/*/*.[ch] cli/*.c cli/*/*.c | grep -v '^src/products/' &&
    complain "intrinsics are in src/products/ only"
stateless='const |typedef |^[^:]*:[0-9]*:(extern|enum|struct [a-z_]+;|pen_status|return)'
grep -nE '^(static )?[a-z_][a-z0-9_ *]* \**[a-z_0-9]+(\[[^]]*\])* *(=|;)' src/*/*.c |
    grep -vE '^src/(linalg/blas_turn|core/isa).c:' | grep -vE "$stateless" &&
    complain "file-scope state must be const"
grep -nE '\bworker \*|\* worker\b|worker\) \*' src/*/*.c | grep -vE ':[0-9]*: \* ' &&
    complain "the memory of workers is cut by pen_slices_new and pen_slice"
for file in src/*/*.c; do
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
grep -nE "\b($shared)\(" src/*/*.c && complain "functions that write what all threads see"
page=60 # lines of a method
lines_of() {
    case $1 in
    clpp) echo 69 ;; # a signed graph, its two scatters and the span they are solved in
    lpp) echo 62 ;; # what makes its denominator regular, and its smallest values
    self) echo 73 ;; # one of its parameters is chosen, and each scatter has a share
    self_mix) echo 71 ;; # three methods in one, with the parameters of all
    stsd) echo 67 ;; # a criterion within the criterion
    self_ilpp) echo 63 ;; # two methods in one
    fme | soge) echo 65 ;; # weights of labels, a graph, a prior of the classes
    soda) echo 72 ;; # label propagation and the scatters of soft classes before the solver
    cfld) echo 77 ;; # three lengths of columns, one of which may not exist
    sodrpac) echo 72 ;; # three weighted terms, seven parameters, three graphs
    npssdr) echo 95 ;; # two criteria, each with its own needs
    rssdr) echo 88 ;; # nine parameters
    *) echo $page ;;
    esac
}
for file in src/methods/*.c; do
    name=$(basename "$file" .c)
    lines=$(wc -l <"$file")
    case $name in table | needs) continue ;; esac
    [ "$lines" -le "$(lines_of "$name")" ] ||
        complain "$file: $lines lines, more than $(lines_of "$name")"
done
wide=$(git ls-files '*.c' '*.h' '*.cmake' '*CMakeLists.txt' Makefile 'tests/house/*.sh' tools \
    'python/*.py' 2>/dev/null | grep -v '^tools/mutations$' |
    xargs awk 'length($0) > 100 { print FILENAME ":" FNR }')
[ -z "$wide" ] || complain "more than 100 columns: $wide"
[ "$bad" = 0 ] && echo "layers: as they should be"
exit "$bad"
