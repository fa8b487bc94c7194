#!/bin/sh
# blas.sh ROOT BUILD CC FOLDER: builds with another BLAS by name give the coordinates of OpenBLAS,
# and an unusable BLAS is refused. Objects are those of BUILD; FOLDER is filled by tools/other-blas.
set -eu
root=$1 build=$2 cc=$3 folder=$4
[ -d "$folder/lapack" ] && [ -d "$folder/blis-pthread" ] || {
    echo "skipped: no packages in $folder"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
complain() {
    echo "blas: $*"
    exit 1
}
configure() { # ARGUMENTS: of cmake
    rm -rf "$work/c"
    env -u BLA_VENDOR -u LD_LIBRARY_PATH CC="$cc" cmake -S "$root" -B "$work/c" "$@" \
        >"$work/log" 2>&1
}

# ---- refused: no dgesvj_, an int of 64 bits ----
names=$(grep -oE 'cblas_[ds][a-z0-9]+|d[a-z]+_' "$root/cmake/blas.c" | sort -u | grep -v dot)
refuse() { # WHAT WORD: the BLAS without WORD lacks WHAT
    {
        for name in $names; do echo "void $name(void) {}"; done | grep -v "$2"
        echo 'double cblas_ddot(void) { return 0; }'
        echo 'double ddot_(const long *n) { return *n == 1; }'
    } | "$cc" -x c -shared -fPIC -o "$work/libfake.so" -
    configure -DPENUMBRA_BLAS="$work/libfake.so" -DPENUMBRA_BLAS_INCLUDE="$include" &&
        complain "it is built without $1"
    grep -q "^ *$1 in $work/libfake.so" "$work/log" || complain "without $1: $(cat "$work/log")"
}
include=$(sed -n 's/^PenumbraBLAS_INCLUDE_DIR:PATH=//p' "$build/CMakeCache.txt")
refuse 'dgesvj_' 'dgesvj_'
refuse 'an int of 32 bits' 'nothing'

# ---- the same coordinates ----
coordinates() { # PENUMBRA: of three methods
    for method in pca fda self; do
        "$1" fit $method "$root/examples/data/wine.csv" --label-column class --dim 2 \
            --scale standard --keep-labels 20 -o "$work/model" --quiet
        "$1" transform "$work/model" "$root/examples/data/wine.csv" --drop class -o - |
            sed 1d
    done
}
same() { # NAME PENUMBRA
    coordinates "$2" | paste -d, "$work/expected" - | awk -F, -v name="$1" '
        { for (j = 1; j <= 2; j++) if (($j - $(j + 2)) ^ 2 > far) far = ($j - $(j + 2)) ^ 2 }
        END { print name ": " NR " rows differ by " sqrt(far); exit !(NR > 500 && far < 1e-18) }'
}
link() { # OUT OBJECTS...: with the BLAS of the last configuration
    out=$1
    shift
    "$cc" -o "$out" "$@" "$build/libpenumbra.a" \
        $(sed -n 's/^Libs.private: //p' "$work/c/penumbra.pc") $cmocka
}
build_with() { # VENDOR FOLDER: its libraries are in FOLDER and lapack
    configure -DBLA_VENDOR="$1" -DCMAKE_LIBRARY_PATH="$folder/$2;$folder/lapack" ||
        complain "$1: $(cat "$work/log")"
    objects=$build/tests/CMakeFiles
    cmocka= link "$work/penumbra" $(find "$build/CMakeFiles/penumbra_cli.dir" -name '*.o')
    same "$1" "$work/penumbra"
    "$work/penumbra" --version --json | grep -q '"name":"unknown",.*"one at a time"' ||
        complain "$1: $("$work/penumbra" --version --json)"
    for test in test_eig test_blas_turn; do
        cmocka=-lcmocka link "$work/$test" "$objects/$test.dir/unit/$test.c.o" \
            "$build/tests/libpenumbra_test_support.a"
        PENUMBRA_TEST_EFFORT=0.1 "$work/$test" >"$work/log" 2>&1 ||
            complain "$1: $(cat "$work/log")"
    done
}
coordinates "$build/penumbra" >"$work/expected"
build_with Generic blas
export LD_LIBRARY_PATH="$folder/blis-pthread:$folder/lapack" # as Debian's alternatives select BLIS
same "Generic, now BLIS" "$work/penumbra"
build_with FLAME blis-pthread
