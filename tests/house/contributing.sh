#!/bin/sh
# contributing.sh ROOT: the commands of CONTRIBUTING.md work in a clone, from the first build to a
# test that fails because the code was broken. The clone has the last commit; the programs that the
# commands need are compiled without optimization. Each target listed in the Makefile has a rule.
set -eu
cd "$1"
git rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: not a repository"; exit 77; }
for target in $(sed -n 's/^# make  *\([a-z][a-z-]*\) .*/\1/p' Makefile | grep -v '^build$'); do
    grep -q "^$target:" Makefile || { echo "no rule: $target"; exit 1; }
done
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
