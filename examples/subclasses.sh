#!/bin/sh
# subclasses.sh BUILD: the example that motivates SODRPaC. One class lies on both sides of another;
# all three clusters are long and upright, and five nearly level must-links join the sides. Methods
# that keep must-links short find the direction along the clusters; SODRPaC finds the one across.
# Prints the first direction of each method and draws its two dimensions:
# BUILD/subclasses/sodrpac_motive.png.
set -eu
build=$1 out=$1/subclasses
mkdir -p "$out"

# Rows x, y, class; pairs i, j, 1 or -1. The generator is written out so that every awk draws the
# same numbers.
awk -v folder="$out" '
function uniform() { state = (16807 * state) % 2147483647; return state / 2147483647 }
function normal() { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()) }
function any(cluster) { return 100 * cluster + int(100 * uniform()) }
# A random row of the cluster at about the height of row i.
function level_with(i, cluster,  j, room) {
    room = 0.3
    do { j = any(cluster); room += 0.01 } while ((y[i] - y[j]) ^ 2 > room ^ 2)
    return j
}
BEGIN {
    state = 2010
    print "x,y,class" > (folder "/rows.csv")
    for (i = 0; i < 300; i++) {
        cluster = int(i / 100)
        x[i] = 3 * (cluster - 1) + 0.6 * normal()
        y[i] = 4 * normal()
        name[i] = cluster == 1 ? "middle" : "sides"
        printf "%.4f,%.4f,%s\n", x[i], y[i], name[i] > (folder "/rows.csv")
        known[i] = "?"
    }
    for (p = 0; p < 5; p++) {
        i = any(0); j = level_with(i, 2)
        k = any(2 * int(2 * uniform())); l = level_with(k, 1)
        print i "," j ",1\n" k "," l ",-1" > (folder "/pairs.csv")
        known[i] = name[i]; known[j] = name[j]; known[k] = name[k]; known[l] = name[l]
    }
    for (i = 0; i < 300; i++) {
        print known[i] > (folder "/known.txt")
        print name[i] > (folder "/truth.txt")
    }
}'
cut -d, -f1,2 "$out/rows.csv" >"$out/data.csv"

for method in pca ssdr cmm sodrpac; do
    pairs="--pairs $out/pairs.csv"
    [ "$method" = pca ] && pairs=
    # shellcheck disable=SC2086
    "$build/penumbra" fit "$method" "$out/data.csv" $pairs --dim 2 -o "$out/$method.pen" --quiet
    "$build/penumbra" transform "$out/$method.pen" "$out/data.csv" -o "$out/$method.csv" --quiet
    "$build/penumbra" info "$out/$method.pen" --json | tr -d '[],' | awk -v method="$method" '
        row && row <= 2 { w[row++] = $1 }
        /"projection"/ { row = 1 }
        END {
            level = w[1] < 0 ? -w[1] : w[1]; upright = w[2] < 0 ? -w[2] : w[2]
            printf "%-8s  first direction %.1f degrees from level\n", method, atan2(upright, level) * 180 / 3.141592653589793
        }'
done
set --
for name in 'data=the rows; filled: in a pair' ssdr=SSDR cmm=CMM sodrpac=SODRPaC; do
    { echo class && cat "$out/truth.txt"; } |
        paste -d, "$out/${name%%=*}.csv" - >"$out/${name#*=}.csv"
    set -- "$@" "$out/${name#*=}.csv"
done
"$build/penumbra" plot "$@" --label-column class --labels "$out/known.txt" --size 1000x760 -o "$out/sodrpac_motive.png"
