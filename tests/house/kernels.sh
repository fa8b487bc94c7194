#!/bin/sh
# kernels.sh PENUMBRA SHIM: with a BLAS that took kernels for a lesser CPU (SHIM), the command
# starts itself once more with OPENBLAS_CORETYPE set; not if the user has set it, and never twice.
set -eu
penumbra=$1 shim=$2
unset OPENBLAS_CORETYPE
$penumbra --version --json | grep -q '"avx"' || {
    echo "skipped: this CPU has nothing that the oldest kernels do not use"
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
expect "by itself" "$(core $penumbra)" "$better"
expect "told already" "$(core env OPENBLAS_CORETYPE=Prescott $penumbra)" Prescott
expect "started twice" "$(core env PENUMBRA_RESTARTED=1 $penumbra)" Prescott
# standard input is still there
printf '1,2,a\n3,4,b\n5,7,a\n' |
    LD_PRELOAD=$shim $penumbra fit pca - --label-column 2 --quiet -o /dev/null
echo "kernels: $better is taken"
