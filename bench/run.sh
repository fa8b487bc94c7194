#!/bin/sh
# run.sh BUILD [all|peers]: print the benchmarks as tables, and write JSON lines, one per case, to
# BUILD/bench.jsonl. PENUMBRA_DATA names the folder with mnist70000/X.npy and y.npy; THREADS (2) is
# the number of threads of the library. Peers that `make bench-peers` has installed are compared on
# one thread; `peers` runs only these comparisons. PEER_ROWS (20000): the number of rows for searches
# compared with peers; 0: all rows, which takes many minutes.
set -eu
build=$1 what=${2:-all} data=${PENUMBRA_DATA:-}/mnist70000 threads=${THREADS:-2}
here=$(dirname "$0") rows=$build/embeddings.npy peer_rows=${PEER_ROWS:-20000}

library() {
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
    "$build/bench/bench_knn" "$rows" 10 0 "$threads"
    "$build/bench/bench_sodrpac" "$data/X.npy" "$data/y.npy" 2000 0 "$threads"
    "$build/bench/bench_sale" "$data/X.npy" "$data/y.npy" 30 10 1000 0 4 "$threads"
    "$build/bench/bench_fme" "$data/X.npy" "$data/y.npy" 1000 0 0 "$threads"
    "$build/bench/bench_fme" "$data/X.npy" "$data/y.npy" 1000 0.95 0 "$threads"
    PENUMBRA_THREADS=$threads "$build/bench/bench_text" 1000000 10 "$build/bench_text.csv"
    "$build/bench/bench_relative" 8000 64 "$threads"
    "$build/bench/bench_relative" "$data/X.npy" 500 "$threads"
    sh "$here/busy.sh" "$build/penumbra" \
        "$PENUMBRA_DATA/mfeat_factors/X.npy" "$PENUMBRA_DATA/mfeat_factors/y.npy"
}

compared() { # PROGRAM ARGUMENTS...
    PENUMBRA_LIBRARY=$build/libpenumbra.so OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
        "$build/venv/bin/python" "$here/$@"
}

peers() {
    if [ ! -x "$build/venv/bin/python" ]; then
        echo "no peers: make bench-peers installs them" >&2
        return 0
    fi
    compared knn_peers.py "$rows" --rows "$peer_rows"
    compared sparse_peers.py
    if [ -e "$data/X.npy" ]; then
        compared knn_peers.py "$data/X.npy" --rows "$peer_rows"
        compared knn_peers.py "$data/X.npy" --rows "$peer_rows" --single --peers FAISS
        compared peers.py "$data"
    fi
}

measure() {
    "$build/penumbra" --version --json
    [ -e "$rows" ] || "$build/bench/bench_embeddings" "$rows" 100000
    if [ "$what" = peers ]; then
        peers
    elif [ -e "$data/X.npy" ]; then
        library
        peers
    else
        echo "skipped: PENUMBRA_DATA names no folder with mnist70000/X.npy and y.npy" >&2
    fi
}

touch "$build/bench.failed" # until all of it has run
{
    measure
    rm "$build/bench.failed"
} | tee "$build/bench.jsonl" | python3 "$here/table.py"
[ ! -e "$build/bench.failed" ]
