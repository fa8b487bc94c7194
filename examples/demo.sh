#!/bin/sh
# demo.sh BUILD: hides all but a few labels of real data, learns two dimensions by four methods, and
# scores them on the hidden labels. Draws the fit of ten digits with three labels each. Then learns
# from a few pairs instead of labels.
set -eu
build=$1 data=$(dirname "$0")/data out=$1/demo
mkdir -p "$out"

# The five digits that two principal components mix up.
awk -F, 'NR == 1 || $NF ~ /^[12389]$/' "$data/digits.csv" >"$out/digits.csv"

echo "Learning from 3 labels per class:"
echo
"$build/examples/few_labels" "$out/digits.csv" 3 50 "$out"
mkdir -p "$out/fit"
"$build/penumbra" convert "$data/digits.csv" "$out/fit/digits.csv" --label-column class \
    --keep-labels 3 --quiet
"$build/penumbra" fit "$out/fit/digits.csv" --label-column class --quiet -o "$out/fit/digits.pen"
"$build/penumbra" plot "$out/fit/digits.pen" "$out/fit/digits.csv" --label-column class \
    -o "$out/few_labels.png"
echo
mkdir -p "$out/wine"
"$build/examples/few_labels" "$data/wine.csv" 3 50 "$out/wine"
echo
echo "Learning from 30 must-links and 30 cannot-links (columns in their own units, then scaled):"
echo
mkdir -p "$out/pairs" "$out/scaled"
"$build/examples/few_pairs" "$data/wine.csv" 30 30 50 "$out/pairs" scale none
{ echo class && cat "$out/pairs/truth.txt"; } >"$out/pairs/class.txt"
paste -d, "$out/pairs/pca.csv" "$out/pairs/class.txt" >"$out/pairs/PCA.csv"
paste -d, "$out/pairs/wbdr.csv" "$out/pairs/class.txt" >"$out/pairs/WBDR, 60 pairs.csv"
"$build/penumbra" plot "$out/pairs/PCA.csv" "$out/pairs/WBDR, 60 pairs.csv" --label-column class \
    --labels "$out/pairs/known.txt" --size 1000x480 -o "$out/few_pairs.png"
echo
"$build/examples/few_pairs" "$data/wine.csv" 30 30 50 "$out/scaled"
echo
peers=$build/venv-demo
sh "$(dirname "$0")/../tools/make-venv" "$peers" "$(dirname "$0")/requirements.txt"
if [ -x "$peers/bin/python" ]; then
    echo "Classes of 1767 digits from 3 labels per class, by four programs (ten draws, a minute):"
    echo
    mkdir -p "$out/peers"
    "$peers/bin/python" "$(dirname "$0")/peers.py" "$build/penumbra" "$data/digits.csv" "$out/peers"
else
    echo "No Python environment with scikit-learn: skipping the comparison with it."
fi
echo
echo "All ten digits as penumbra fit shows them: $out/few_labels.png (filled: labelled; hollow:"
echo "predicted, paler where doubtful). The third table: $out/few_pairs.png (filled: in a pair)"
