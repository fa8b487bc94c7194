#!/bin/sh
# run.sh BUILD: a custom kernel for structured data: 300 short DNA sequences of three kinds, with
# five labels a kind. The kernel counts the four-letter words that two sequences share. Embeds the
# sequences and 60 new ones, prints the 1-NN accuracy on the unlabelled sequences, averaged over ten
# draws of labels, and draws BUILD/strings/strings.png.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
out=$build/strings words=4
penumbra=$build/penumbra
mkdir -p "$out"
cd "$out"

# The kernel: 300 x 300 values, with row names and classes.
python3 "$here/spectrum.py" $words "$here/promoters.fasta" >kernel.csv
cut -d, -f2 kernel.csv | tail -n +2 >truth.txt

# Five labels of each kind, a model, and the sequences in two dimensions.
# known N: writes known_N.txt, one label a line, -1 if hidden.
known() {
    "$penumbra" convert kernel.csv - --label-column class --keep-labels 5 --seed "$1" --quiet |
        cut -d, -f2 | sed -e 1d -e 's/^$/-1/' >"known_$1.txt"
}
known 1
"$penumbra" fit self kernel.csv --kernel precomputed --drop class --labels known_1.txt --beta 0.5 \
    --dim 2 -o strings.pen
"$penumbra" transform strings.pen kernel.csv --carry class -o embedded.csv --quiet

# New sequences need their kernel values with the sequences of the fit.
python3 "$here/spectrum.py" $words "$here/new.fasta" "$here/promoters.fasta" >new.csv
cut -d, -f2 new.csv | tail -n +2 >new_truth.txt
"$penumbra" transform strings.pen new.csv --carry class -o new_embedded.csv --quiet

# A model of 60 landmarks needs only kernel values with these, in the order of landmark_rows.
"$penumbra" fit self kernel.csv --kernel precomputed --drop class --labels known_1.txt --beta 0.5 \
    --dim 2 --kernel-landmarks 60 -o landmarks.pen
"$penumbra" info landmarks.pen --json | sed -n 's/.*"landmark_rows": \[\(.*\)\].*/\1/p' |
    tr -d ' ' | tr , '\n' | while read -r row; do
        sed -n "$((2 * row + 1)),$((2 * row + 2))p" "$here/promoters.fasta"
    done >landmarks.fasta
python3 "$here/spectrum.py" $words "$here/new.fasta" landmarks.fasta >new_short.csv
"$penumbra" transform landmarks.pen new_short.csv --ignore-names --carry class \
    -o new_landmarks.csv --quiet

# Accuracy over ten draws of labels: the kernel itself, pca and self with it, and self with word
# counts as columns.
python3 "$here/spectrum.py" $words "$here/promoters.fasta" --counts >counts.csv
# learn NAME METHOD FILE [PARAMETERS]: learns two dimensions from each draw and prints the accuracy.
learn() {
    name=$1 method=$2 file=$3 draws=
    shift 3
    for seed in 1 2 3 4 5 6 7 8 9 10; do
        "$penumbra" fit "$method" "$file" --drop class --labels known_$seed.txt --dim 2 "$@" \
            -o draw.pen --quiet
        "$penumbra" transform draw.pen "$file" --carry class -o z_$seed.csv --quiet
        draws="$draws z_$seed.csv known_$seed.txt"
    done
    # shellcheck disable=SC2086
    echo "$name $(python3 "$here/nearest.py" $draws)"
}
draws=
for seed in 1 2 3 4 5 6 7 8 9 10; do
    known $seed
    draws="$draws kernel.csv known_$seed.txt"
done
# shellcheck disable=SC2086
echo "nearest by the kernel    $(python3 "$here/nearest.py" --kernel $draws)"
learn "pca, kernel precomputed " pca kernel.csv --kernel precomputed
learn "self, kernel precomputed" self kernel.csv --kernel precomputed --beta 0.5
learn "self, counts of words   " self counts.csv --scale none --beta 0.5

if command -v gnuplot >/dev/null; then
    # Filled points: the 15 labels of the fit, and all new sequences.
    tail -n +2 new_embedded.csv | cat embedded.csv - >"300 sequences and 60 new ones.csv"
    cat known_1.txt new_truth.txt >filled.txt
    "$penumbra" plot "300 sequences and 60 new ones.csv" --label-column class --labels filled.txt \
        -o strings.png --quiet
    echo "$out/strings.png"
fi
