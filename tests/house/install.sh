#!/bin/sh
# install.sh ROOT BUILD CC: an installed penumbra serves a program through pkg-config, shared and static, and through CMake.
set -eu
root=$1 build=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/usr" >"$work/log" || {
    cat "$work/log"
    exit 1
}
PKG_CONFIG_PATH=$(dirname "$(find "$work/usr" -name penumbra.pc)")${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
libraries=$(dirname "$PKG_CONFIG_PATH" | cut -d: -f1)
pkg() { pkg-config --define-variable=prefix="$work/usr" --define-variable=libdir="$libraries" --define-variable=includedir="$work/usr/include" "$@" penumbra; }

$cc "$root/examples/few_labels.c" -o "$work/shared" $(pkg --cflags --libs) -lm -Wl,-rpath,"$libraries"
$cc "$root/examples/few_labels.c" -o "$work/static" $(pkg --cflags) "$libraries/libpenumbra.a" $(pkg --libs --static | sed 's/-lpenumbra//')
cmake -S "$root/tests/house/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/usr" -DEXAMPLE="$root/examples/few_labels.c" -DCMAKE_C_COMPILER="$cc" >"$work/log"
cmake --build "$work/consumer" >>"$work/log" || {
    cat "$work/log"
    exit 1
}
mkdir "$work/out"
for program in "$work/shared" "$work/static" "$work/consumer/few_labels"; do
    "$program" "$root/examples/data/wine.csv" 5 1 "$work/out" >"$work/result"
    grep -q '^  self  *[01]\.[0-9]* ' "$work/result"
done
"$work/usr/bin/penumbra" --version
