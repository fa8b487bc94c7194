#!/bin/sh
# kernels.sh PENUMBRA SHIM: if the BLAS chose kernels of a lesser CPU (simulated by SHIM), the
# command restarts itself with OPENBLAS_CORETYPE, but only once and not if the user has set it.
set -eu
penumbra=$1 shim=$2
unset OPENBLAS_CORETYPE
$penumbra --version --json | grep -q '"avx"' || {
    echo "skipped: the oldest kernels use all features of this CPU"
    exit 77
}
core() { LD_PRELOAD=$shim "$@" --version --json | sed 's/.*"core":"\([^"]*\)".*/\1/'; }
expect() {
    [ "$2" = "$3" ] || {
        echo "$1: the core is $2, expected $3"
        exit 1
    }
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
# the restarted command reads standard input
printf '1,2,a\n3,4,b\n5,7,a\n' |
    LD_PRELOAD=$shim $penumbra fit pca - --label-column 2 --quiet -o /dev/null
echo "kernels: the core is $better"
