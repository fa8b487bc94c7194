#!/bin/sh
# install.sh ROOT BUILD CC: programs build with an installed penumbra by pkg-config and by CMake,
# shared and static, with the flags of these tools only.
set -eu
root=$1 build=$2 cc=$3
example=$root/examples/few_labels.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quietly() {
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
}
quietly cmake --install "$build" --prefix "$work/usr"

quietly cmake -S "$root/tests/house/consumer" -B "$work/consumer" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$work/usr" -DEXAMPLE="$example"
quietly cmake --build "$work/consumer"

others=${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
pc=$(dirname "$(find "$work/usr" -name penumbra.pc)")
libraries=$(dirname "$pc")
export PKG_CONFIG_PATH="$pc$others"
quietly $cc "$example" -o "$work/pc_shared" $(pkg-config --cflags --libs penumbra) -lm \
    -Wl,-rpath,"$libraries"

# the example at the head of model.h
{
    echo '#include <penumbra.h>'
    echo '#include <stdio.h>'
    echo 'void example(double *X, int32_t *y, double *Z, int64_t n, int64_t d);'
    echo 'void example(double *X, int32_t *y, double *Z, int64_t n, int64_t d) {'
    sed -n '/^ \* Conventions/q; s/^ \*     //p' "$root/include/penumbra/model.h"
    echo '}'
} >"$work/example.c"
grep -q pen_fit "$work/example.c"
quietly $cc -c -Wall -Werror "$work/example.c" -o "$work/example.o" \
    $(pkg-config --cflags penumbra)

cp -r "$work/usr" "$work/moved" # penumbra.pc finds its folders relative to itself
rm "$work/moved/${libraries#"$work/usr/"}"/libpenumbra.so*
export PKG_CONFIG_PATH="$work/moved/${pc#"$work/usr/"}$others"
rm "$libraries/libpenumbra.a"
quietly $cc "$example" -o "$work/pc_static" $(pkg-config --static --cflags --libs penumbra)

mkdir "$work/out"
for program in pc_shared pc_static consumer/with_penumbra consumer/with_static; do
    "$work/$program" "$root/examples/data/wine.csv" 5 1 "$work/out" >"$work/result"
    grep -q '^  self  *[01]\.[0-9]* ' "$work/result"
    needs=$(ldd "$work/$program" | grep -c libpenumbra || true)
    case $program:$needs in
    *static:0 | *shared:1 | *penumbra:1) ;;
    *)
        echo "install: $program is linked with the wrong library"
        exit 1
        ;;
    esac
done
"$work/moved/bin/penumbra" --version

blas() { ldd "$1" | awk '/blas/ { print $3 }' | grep /; } # its path
! readelf -d "$build/penumbra" "$build/libpenumbra.so" | grep -E 'RUNPATH.*(\[:|::|:\])' || {
    echo "install: the current folder is in the RUNPATH"
    exit 1
}
[ "$(blas "$work/usr/bin/penumbra")" = "$(blas "$libraries/libpenumbra.so")" ] || {
    echo "install: command and library load different BLAS"
    exit 1
}
