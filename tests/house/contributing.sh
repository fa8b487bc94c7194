#!/bin/sh
# contributing.sh ROOT: the commands of CONTRIBUTING.md work in a clone, from the first build to a
# test that fails because the code was broken. Only what they use is compiled, without optimization.
set -eu
cd "$1"
git rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: not a repository"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q . "$work/penumbra"
cp CONTRIBUTING.md "$work/penumbra"
cd "$work/penumbra"
sed -n '/^```sh/,/^```/p' CONTRIBUTING.md | grep -v '^```' | grep -v '^make' |
    sed -e 's/^cmake -S.*/& -DCMAKE_BUILD_TYPE=None >log/' \
        -e 's/^cmake --build.*/& --target test_fda penumbra_cli >log/' \
        -e 's/^! \(.*\)/if \1; then echo "broken, and the test passed"; exit 1; fi/' >commands
[ "$(grep -c '^cmake --build' commands)" = 2 ]
sh -e commands || { cat log; exit 1; }
git diff --quiet -- src
