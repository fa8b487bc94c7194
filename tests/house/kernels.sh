#!/bin/sh
# kernels.sh PENUMBRA SHIM: if the BLAS chose wrong kernels, or those of a lesser CPU (simulated by
# SHIM), the command restarts itself with OPENBLAS_CORETYPE, but only once and not if the user has
# set it. Calls fail if the kernels are wrong.
set -eu
penumbra=$1 shim=$2
unset OPENBLAS_CORETYPE
core() { LD_PRELOAD=$shim "$@" --version --json | sed 's/.*"core":"\([^"]*\)".*/\1/'; }
expect() {
    [ "$2" = "$3" ] || {
        echo "$1: it is $2, expected $3"
        exit 1
    }
}
fit() { # reads standard input, also after a restart
    printf '1,2,a\n3,4,b\n5,7,a\n' |
        LD_PRELOAD=$shim "$@" fit pca - --label-column 2 --quiet -o "$work/model" 2>&1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export TEST_CORE=wrong
case $(uname -m) in aarch64) plain=NEOVERSEN1 ;; *) plain=Prescott ;; esac
expect "restart of wrong kernels" "$(core $penumbra)" $plain
fit $penumbra
wrong="env OPENBLAS_CORETYPE=wrong $penumbra"
message="the BLAS computes dsyrk wrongly with its kernels for wrong"
expect "message" "$(fit $wrong)" \
    "penumbra fit: $message; set OPENBLAS_CORETYPE=$plain, or link another BLAS"
LD_PRELOAD=$shim $wrong --version --json | grep -q '"wrong":"dsyrk"'
LD_PRELOAD=$shim $wrong info "$work/model" | grep -q pca

export TEST_CORE=Prescott
$penumbra --version --json | grep -q '"avx"' || {
    echo "kernels: no test of a restart, as the oldest kernels use all features of this CPU"
    exit 0
}
better=$(LD_PRELOAD=$shim PENUMBRA_RESTARTED=1 $penumbra --version --json |
    sed 's/.*"better_core":"\([^"]*\)".*/\1/')
case $better in SkylakeX | Haswell | Sandybridge) ;; *)
    echo "no better core is named: $better"
    exit 1
    ;;
esac
expect "restart" "$(core $penumbra)" "$better"
expect "OPENBLAS_CORETYPE set" "$(core env OPENBLAS_CORETYPE=Prescott $penumbra)" Prescott
expect "second restart" "$(core env PENUMBRA_RESTARTED=1 $penumbra)" Prescott
fit $penumbra
echo "kernels: the core is $better"
