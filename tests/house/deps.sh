#!/bin/sh
# deps.sh ROOT CC: if a library or tool is missing, `make` names it and the command that installs
# it, without building or installing anything.
set -eu
root=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# All tools except cmake; installers leave a note.
mkdir "$work/bin"
for tool in sh make cat mktemp rm mkdir nproc as ld id grep dirname; do
    path=$(command -v "$tool") && ln -s "$path" "$work/bin/$tool"
done
for tool in apt-get sudo dpkg-query; do
    printf '#!/bin/sh\necho %s >>"%s/installed"\nexit 1\n' "$tool" "$work" >"$work/bin/$tool"
    chmod +x "$work/bin/$tool"
done
expect() { # THING PACKAGE COMMAND...: the command fails and names both
    thing=$1 package=$2
    shift 2
    if "$@" >"$work/said" 2>&1; then
        echo "deps: make succeeds without $thing"
        exit 1
    fi
    grep -q "^    $thing" "$work/said" && grep -q "apt-get install.* $package" "$work/said" &&
        grep -q 'make deps' "$work/said" || {
        echo "deps: without $thing make prints:"
        cat "$work/said"
        exit 1
    }
    [ ! -e "$work/installed" ] && [ ! -e "$work/build" ] || {
        echo "deps: without $thing make installs or builds"
        exit 1
    }
}
unset MAKEFLAGS FLAGS
build() { env "$@" make -C "$root" BUILD="$work/build" CC="$compiler"; }
compiler=$(command -v "$cc")
expect cmake cmake build PATH="$work/bin"
without() { # WORD: a compiler that fails if the word is among its arguments
    printf '#!/bin/sh\ncase " $* " in *%s*) exit 1 ;; esac\nexec "%s" "$@"\n' "$1" "$cc_path" \
        >"$work/lacking"
    chmod +x "$work/lacking"
}
cc_path=$compiler
compiler=$work/lacking
without openblas
expect OpenBLAS libopenblas-openmp-dev build PATH="$work/bin:$PATH"
without ' -lz '
expect zlib zlib1g-dev build PATH="$work/bin:$PATH"
compiler=$work/no-compiler
expect 'a C compiler' build-essential build PATH="$work/bin:$PATH"
compiler=$(command -v "$cc")
CC=$compiler "$root/tools/check-deps"
echo "deps: missing packages are named, nothing is installed"
