#!/bin/sh
# demo.sh BUILD: hide all but a few labels of real data, learn two dimensions by four methods, score them on the hidden labels, draw them.
set -eu
build=$1 data=$(dirname "$0")/data out=$1/demo
mkdir -p "$out"

# Five of the ten digits: the ones that two principal components mix.
awk -F, 'NR == 1 || $NF ~ /^[12389]$/' "$data/digits.csv" >"$out/digits.csv"

echo "Learning from 3 labels a class:"
echo
"$build/examples/few_labels" "$out/digits.csv" 3 50 "$out"
"$build/penumbra" plot "$out/pca.csv" "$out/fda.csv" "$out/lfda.csv" "$out/self.csv" --labels "$out/known.txt" --truth "$out/truth.txt" \
    --title PCA --title FDA --title LFDA --title SELF -o "$out/few_labels.png"
echo
mkdir -p "$out/wine"
"$build/examples/few_labels" "$data/wine.csv" 3 50 "$out/wine" scale standard
echo
echo "The first table as a picture: $out/few_labels.png (filled: labelled; hollow: the labels that were hidden)"
