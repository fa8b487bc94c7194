#!/bin/sh
# abi.sh ROOT CC MAJOR [--renew]: programs compiled with an earlier library of this major version
# work with this one. abidiff compares the headers, as a library whose functions do nothing, with
# tests/data/libpenumbra.so.MAJOR.abi; --renew writes that file. house_symbols and the compiler
# make sure that the library has these functions.
set -u
root=$(cd "$1" && pwd) || exit 1
kept=$root/tests/data/libpenumbra.so.$3.abi
command -v abidiff >/dev/null && [ "$(getconf LONG_BIT)" = 64 ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root/include/penumbra" || exit 1
# Constants of enums without a name are in no type of a function: each such enum gets a variable.
headers="model.h files.h $(ls | grep -vE '^(model|files)\.h$')" # these two are used by others
awk '/^#include <penumbra/ { next }
     /^#define PEN_UNLABELLED \(/ { print "enum { macro_" $2 " = " $3 " } enum_macro_" $2 ";" }
     /^[a-z].*pen_[a-z_0-9]+\(/ && !/^(typedef|static)/ { inside = 1 }
     inside && sub(/\);.*/, ") { __builtin_trap(); }") { inside = 0 }
     /^enum \{/ { unnamed = 1; name = "" }
     unnamed && name == "" && match($0, /PEN_[A-Z_]+/) { name = substr($0, RSTART, RLENGTH) }
     unnamed && sub(/};/, "} enum_" name ";") { unnamed = 0 }
     { print }' $headers >"$work/all.c" &&
    cd "$work" && $2 -std=c11 -g -O0 -fPIC -shared -Wl,-soname,"libpenumbra.so.$3" all.c \
        -o all.so || exit 1
if [ "${4-}" = --renew ]; then
    exec abidw --no-architecture --no-corpus-path --no-comp-dir-path --no-elf-needed \
        --no-show-locs --no-parameter-names --type-id-style hash --out-file "$kept" all.so
fi
abidiff --no-architecture --no-added-syms "$kept" all.so || {
    echo "abi: not what $kept describes: undo that, or set another major version."
    echo "Use of reserved members, and new ones at the end of pen_method, are compatible:"
    echo "sh tests/house/abi.sh . cc $3 --renew"
    exit 1
}
abidiff --no-architecture --harmless "$kept" all.so ||
    echo "abi: compatible additions; before a release: sh tests/house/abi.sh . cc $3 --renew"
