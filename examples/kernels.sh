#!/bin/sh
# kernels.sh BUILD: embeds two moons and three rings, with three labels a class, in two dimensions
# by four methods, linear and with an RBF kernel. No linear projection separates them. Prints the
# 1-NN accuracy on the unlabelled rows; draws BUILD/kernels/kernels_moons.png and kernels_rings.png.
set -eu
build=$1 out=$1/kernels

# generate KIND CLASSES: rows.csv, their classes truth.txt, and known.txt with the classes of the
# first three rows of each class only. The generator is written out so that every awk draws the same
# numbers.
generate() {
    mkdir -p "$out/$1"
    awk -v kind="$1" -v classes="$2" -v folder="$out/$1" '
    function uniform() { state = (16807 * state) % 2147483647; return state / 2147483647 }
    function normal() { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()) }
    function row(x, y) { return sprintf("%.4f,%.4f", x + 0.04 * normal(), y + 0.04 * normal()) }
    function moon(c,  a) {
        a = 3.141592653589793 * uniform()
        return c ? row(1 - cos(a), 0.5 - sin(a)) : row(cos(a), sin(a))
    }
    function ring(c,  a) {
        a = 6.283185307179586 * uniform()
        return row(0.5 * (c + 1) * cos(a), 0.5 * (c + 1) * sin(a))
    }
    BEGIN {
        state = 2010
        for (i = 0; i < 200 * classes; i++) {
            c = i % classes
            print (kind == "moons" ? moon(c) : ring(c)) > (folder "/rows.csv")
            print c > (folder "/truth.txt")
            print (i < 3 * classes ? c : "?") > (folder "/known.txt")
        }
    }'
}

# learn KIND NAME METHOD [PARAMETERS]: writes the rows in two dimensions, NAME.csv.
learn() {
    folder=$out/$1 name=$2 method=$3
    shift 3
    "$build/penumbra" fit "$method" "$folder/rows.csv" --labels "$folder/known.txt" "$@" \
        -o "$folder/$name.pen" --quiet
    "$build/penumbra" transform "$folder/$name.pen" "$folder/rows.csv" --quiet -o - |
        cut -d, -f1,2 >"$folder/$name.csv"
}

# accuracy KIND NAME: the fraction of unlabelled rows whose nearest labelled row has their class.
accuracy() {
    tail -n +2 "$out/$1/$2.csv" | paste -d, - "$out/$1/known.txt" "$out/$1/truth.txt" |
        awk -f "$(dirname "$0")/nearest.awk"
}

# The ridge of sda and mu of fme are absolute: rows of an RBF kernel have length one, so small
# values suit them.
for kind in moons rings; do
    generate $kind "$([ $kind = moons ] && echo 2 || echo 3)"
    for kernel in none rbf; do
        narrow=auto
        [ $kernel = rbf ] && narrow='auto*4'
        learn $kind "self-$kernel" self --beta 0.01 --dim 2 --kernel $kernel --kernel-gamma "$narrow"
        learn $kind "sda-$kernel" sda --ridge 0.001 --kernel $kernel --kernel-gamma "$narrow"
        learn $kind "fme-$kernel" fme --mu 0.001 --kernel $kernel --kernel-gamma "$narrow"
        learn $kind "self-ilpp-$kernel" self-ilpp --dim 2 --kernel $kernel
    done
    set --
    for name in self-none sda-none fme-none self-rbf sda-rbf fme-rbf self-ilpp-none self-ilpp-rbf; do
        kernel=${name##*-}
        title="${name%-*}, $([ "$kernel" = none ] && echo linear || echo "$kernel")"
        title="$title: $(accuracy $kind $name)"
        echo "$kind, $title"
        { echo class && cat "$out/$kind/truth.txt"; } |
            paste -d, "$out/$kind/$name.csv" - >"$out/$kind/$title.csv"
        set -- "$@" "$out/$kind/$title.csv"
    done
    "$build/penumbra" plot "$@" --label-column class --labels "$out/$kind/known.txt" \
        --size 1000x620 -o "$out/kernels_$kind.png" --quiet
done
