#!/bin/sh
# run.sh BUILD: the benchmarks, one JSON line per case. PENUMBRA_DATA names the folder that holds
# mnist70000/X.npy and y.npy.
set -eu
build=$1 data=${PENUMBRA_DATA:-}/mnist70000 threads=${THREADS:-2}
if [ ! -e "$data/X.npy" ]; then
    echo "skipped: PENUMBRA_DATA names no folder with mnist70000/X.npy and y.npy" >&2
    exit 0
fi
"$build/penumbra" --version --json
"$build/bench/bench_tiles"
fit=$build/bench/bench_fit
#                                     method dim labelled (0: all) dtype
"$fit" "$data/X.npy" "$data/y.npy" self 30 1000 file "$threads"
"$fit" "$data/X.npy" "$data/y.npy" pca 30 1000 file "$threads"
"$fit" "$data/X.npy" "$data/y.npy" pca 30 1000 f64 "$threads"
"$fit" "$data/X.npy" "$data/y.npy" fda 9 0 file "$threads"
"$fit" "$data/X.npy" "$data/y.npy" fda 9 0 f64 "$threads"
"$fit" "$data/X.npy" "$data/y.npy" lfda 10 40000 file "$threads" # affinities of 8e7 pairs
pairs=$build/bench/bench_pairs
"$pairs" "$data/X.npy" "$data/y.npy" sample 6000 file "$threads"
"$pairs" "$data/X.npy" "$data/y.npy" sample 6000 f64 "$threads"
"$pairs" "$data/X.npy" "$data/y.npy" labels 60000 file "$threads"
"$pairs" "$data/X.npy" "$data/y.npy" labels 60000 f64 "$threads"
"$build/bench/bench_products"
"$build/bench/bench_transform" "$data/X.npy" 30 "$threads"
"$build/bench/bench_kernel" "$data/X.npy" 1000 10 "$threads"
"$build/bench/bench_knn" "$data/X.npy" 10 0 "$threads"
"$build/bench/bench_sodrpac" "$data/X.npy" "$data/y.npy" 2000 0 "$threads"
"$build/bench/bench_sale" "$data/X.npy" "$data/y.npy" 30 10 1000 0 4 "$threads"
"$build/bench/bench_fme" "$data/X.npy" "$data/y.npy" 1000 0 0 "$threads"
"$build/bench/bench_fme" "$data/X.npy" "$data/y.npy" 1000 0.95 0 "$threads"
"$build/bench/bench_relative" 8000 64 "$threads"
"$build/bench/bench_relative" "$data/X.npy" 500 "$threads"
here=$(dirname "$0")
sh "$here/busy.sh" "$build/penumbra" \
    "$PENUMBRA_DATA/mfeat_factors/X.npy" "$PENUMBRA_DATA/mfeat_factors/y.npy"
sh "$here/../tools/make-venv" "$build/venv" "$here/requirements.txt"
if [ -x "$build/venv/bin/python" ]; then
    PENUMBRA_LIBRARY=$build/libpenumbra.so OMP_NUM_THREADS=$threads OPENBLAS_NUM_THREADS=$threads \
        "$build/venv/bin/python" "$here/peers.py" "$data"
    PENUMBRA_LIBRARY=$build/libpenumbra.so OMP_NUM_THREADS=$threads OPENBLAS_NUM_THREADS=$threads \
        "$build/venv/bin/python" "$here/knn_peers.py" "$data"
fi
