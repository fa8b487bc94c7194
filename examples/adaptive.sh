#!/bin/sh
# adaptive.sh BUILD: classes with several clusters, as in the paper on SALWE and SALOE. The first
# data set has one class on both sides of another; four methods find a direction in it. The second
# has two moons and eight columns of noise; five methods find two dimensions from 10 labels and from
# 100. Prints the 1-NN accuracy on the unlabelled rows; draws BUILD/adaptive/saloe_motive.png and
# saloe_moons.png.
set -eu
build=$1 out=$1/adaptive
command -v gnuplot >/dev/null || { echo "adaptive.sh: gnuplot is not installed; it draws the pictures (on Debian: apt install gnuplot-nox)" >&2; exit 1; }

# generate KIND FOLDER ROWS LABELLED: rows.csv, their classes truth.txt, and known.txt with the
# classes of the first rows only. The generator is written out so that every awk draws the same
# numbers.
generate() {
    mkdir -p "$out/$2"
    awk -v kind="$1" -v folder="$out/$2" -v rows="$3" -v labelled="$4" '
    function uniform() { state = (16807 * state) % 2147483647; return state / 2147483647 }
    function normal() { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()) }
    # One class is in the middle; half of the other is on its left, half on its right.
    function sides(i) { return sprintf("%.4f,%.4f", (i % 2 ? 5 * (i % 4 - 2) : 0) + 0.3 * normal(), 4 * normal()) }
    function moons(i,  angle, row, c) {
        angle = 3.141592653589793 * uniform()
        row = sprintf("%.4f", (i % 2 ? 1 - cos(angle) : cos(angle)) + 0.05 * normal())
        row = sprintf("%s,%.4f", row, (i % 2 ? 0.5 - sin(angle) : sin(angle)) + 0.05 * normal())
        for (c = 0; c < 8; c++)
            row = sprintf("%s,%.4f", row, 0.3 * normal())
        return row
    }
    BEGIN {
        state = 2022
        for (i = 0; i < rows; i++) {
            print (kind == "sides" ? sides(i) : moons(i)) > (folder "/rows.csv")
            print i % 2 > (folder "/truth.txt")
            print (i < labelled ? i % 2 : "?") > (folder "/known.txt")
        }
    }'
}

# learn FOLDER METHOD [PARAMETERS]: writes METHOD.pen and the embedded rows, METHOD.csv.
learn() {
    folder=$out/$1 method=$2
    shift 2
    "$build/penumbra" fit "$method" "$folder/rows.csv" --labels "$folder/known.txt" "$@" -o "$folder/$method.pen" --quiet
    "$build/penumbra" transform "$folder/$method.pen" "$folder/rows.csv" --quiet -o - | tail -n +2 >"$folder/$method.csv"
}

# accuracy FOLDER METHOD: the fraction of unlabelled rows whose nearest labelled row has their
# class.
accuracy() {
    paste -d, "$out/$1/$2.csv" "$out/$1/known.txt" "$out/$1/truth.txt" |
        awk -f "$(dirname "$0")/nearest.awk"
}

# points FOLDER FILE: coordinates (a missing second one is noise about 0), size, shape and color of
# points, for gnuplot. Hollow points come first; each filled point follows a larger dark point, its
# outline.
points() {
    paste -d, "$out/$1/$2.csv" "$out/$1/known.txt" "$out/$1/truth.txt" | awk -F, '
        { color = $NF ? "0xE69F00" : "0x0072B2"; at = $1 " " (NF > 3 ? $2 : (NR * 0.6180339887 % 1) - 0.5) }
        $(NF - 1) == "?" { print at, 0.62, 6, color; next }
        { filled[++count] = at " 1.25 7 0x202020\n" at " 1.0 7 " color }
        END { for (i = 1; i <= count; i++) print filled[i] }' >"$out/$1/$2.points"
}

# line METHOD: the two ends of the line that the method projects on, in the plane of the rows.
line() {
    "$build/penumbra" info "$out/sides/$1.pen" --json | tr -d '[],' | awk '
        row && row <= 2 { w[row++] = $1 }
        /"mean"/ { m[1] = $2; m[2] = $3 }
        /"projection"/ { row = 1 }
        END {
            size = sqrt(w[1] ^ 2 + w[2] ^ 2)
            for (side = -1; side <= 1; side += 2) print m[1] + side * 40 * w[1] / size, m[2] + side * 40 * w[2] / size
        }' >"$out/sides/$1.line"
}

# style SIZE FILE: the common beginning of both pictures.
style() {
    cat <<END
set encoding utf8
set terminal pngcairo size $1 noenhanced font 'Sans,11' background '#ffffff'
set output '$2'
set multiplot
set border linecolor rgb 0xB0B0B0 linewidth 0.8
set tics nomirror out scale 0.6 textcolor rgb 0x404040
set clip two
unset key
rows = "using 1:2:3:4:5 with points pointtype variable pointsize variable linecolor rgb variable linewidth 1.2"
END
}

# entry X Y TEXT POINT: a legend entry, with a point in this style before the text.
entry() {
    echo "set label '' at screen $1,$2 point $4"
    echo "set label '$3' at screen $1 + 0.015,$2 left"
}

# look METHOD: the style of its line.
look() {
    case $1 in
        sda) echo "linewidth 2.2 linecolor rgb 0x009E73" ;;
        tr-fsda) echo "linewidth 2.2 dashtype (8, 5) linecolor rgb 0x4D4D4D" ;;
        salwe) echo "linewidth 8 linecolor rgb 0xE8BFD8" ;;
        saloe) echo "linewidth 2 linecolor rgb 0x7A1F5C" ;;
    esac
}

# Both write gnuplot commands.
draw_sides() {
    style 1000,620 "$out/saloe_motive.png"
    cat <<'END'
set size ratio -1
set lmargin at screen 0.055
set rmargin at screen 0.455
set bmargin at screen 0.14
set tmargin at screen 0.925
set xrange [-10.4:10.4]
set yrange [-12.5:12.5]
set xtics 5
set ytics 5
set grid linetype 1 linecolor rgb 0xE8E8E8 linewidth 0.8
set label 'the rows, and the direction found in them' at screen 0.255,0.958 center font ',12'
set label 'the rows along it' at screen 0.53,0.958 left font ',12'
set label '1-NN accuracy' at screen 0.975,0.958 right font ',12'
END
    entry 0.065 0.04 'class in the middle' 'pointtype 7 pointsize 1.25 linecolor rgb 0x0072B2'
    entry 0.255 0.04 'class on both sides' 'pointtype 7 pointsize 1.25 linecolor rgb 0xE69F00'
    entry 0.53 0.04 'labelled' 'pointtype 7 pointsize 1.25 linecolor rgb 0x8C8C8C'
    entry 0.64 0.04 'unlabelled, in the color of the class' 'pointtype 6 pointsize 0.9 linecolor rgb 0x8C8C8C linewidth 1.2'
    printf 'plot '
    for method in salwe saloe sda tr-fsda; do printf "'%s' with lines %s, " "$out/sides/$method.line" "$(look $method)"; done
    echo "'$out/sides/rows.points' @rows"
    cat <<'END'
set size noratio
set lmargin at screen 0.53
set rmargin at screen 0.975
set border 1
set xrange [*:*]
set yrange [-1:1]
set xtics autofreq
unset grid
unset ytics
END
    top=0.925
    for method in sda tr-fsda salwe saloe; do
        echo "unset label; unset arrow; top = $top; set tmargin at screen top - 0.04; set bmargin at screen top - 0.145"
        echo "set arrow from screen 0.53, screen top - 0.02 to screen 0.575, screen top - 0.02 nohead $(look $method)"
        echo "set label '$method' at screen 0.59, screen top - 0.02 left font ',12'"
        echo "set label '$(accuracy sides $method)' at screen 0.975, screen top - 0.02 right font ',12'"
        echo "plot '$out/sides/$method.points' @rows"
        top=$(awk "BEGIN { print $top - 0.213 }")
    done
}

# square FILE: ranges of equal length that contain all points.
square() {
    awk 'NR == 1 { x = X = $1; y = Y = $2 }
        { if ($1 < x) x = $1; if ($1 > X) X = $1; if ($2 < y) y = $2; if ($2 > Y) Y = $2 }
        END {
            half = 0.54 * (X - x > Y - y ? X - x : Y - y)
            printf "set xrange [%g:%g]; set yrange [%g:%g]\n", (x + X) / 2 - half, (x + X) / 2 + half, (y + Y) / 2 - half, (y + Y) / 2 + half
        }' "$1"
}

draw_moons() {
    style 1200,600 "$out/saloe_moons.png"
    echo "unset tics"
    entry 0.06 0.035 'one moon' 'pointtype 7 pointsize 1.25 linecolor rgb 0x0072B2'
    entry 0.16 0.035 'the other' 'pointtype 7 pointsize 1.25 linecolor rgb 0xE69F00'
    entry 0.26 0.035 'labelled' 'pointtype 7 pointsize 1.25 linecolor rgb 0x8C8C8C'
    entry 0.35 0.035 'unlabelled, in the color of its moon; the number is 1-NN accuracy' 'pointtype 6 pointsize 0.9 linecolor rgb 0x8C8C8C linewidth 1.2'
    top=0.93
    for labels in 10 100; do
        left=0.05
        for method in sda soda tr-fsda fme saloe; do
            echo "left = $left; top = $top; set lmargin at screen left; set rmargin at screen left + 0.175"
            echo "set tmargin at screen top; set bmargin at screen top - 0.35"
            [ $method = sda ] && echo "set label '$labels labels' at screen 0.025, screen top - 0.175 center rotate by 90 font ',12'"
            echo "set label '$method' at screen left + 0.003, screen top + 0.03 left font ',12'"
            echo "set label '$(accuracy "moons$labels" $method)' at screen left + 0.172, screen top + 0.03 right font ',12'"
            square "$out/moons$labels/$method.points"
            echo "plot '$out/moons$labels/$method.points' @rows; unset label"
            left=$(awk "BEGIN { print $left + 0.19 }")
        done
        top=$(awk "BEGIN { print $top - 0.44 }")
    done
}

generate sides sides 240 40
for method in sda tr-fsda; do learn sides $method --dim 1 --pca off; done
for method in salwe saloe; do learn sides $method --dim 1 --pca off; done
points sides rows
for method in sda tr-fsda salwe saloe; do
    echo "sides, $method: $(accuracy sides $method)"
    points sides $method
    line $method
done
draw_sides >"$out/sides.gnuplot"
gnuplot -d "$out/sides.gnuplot"

for labels in 10 100; do
    generate moons "moons$labels" 400 $labels
    for method in sda soda tr-fsda fme; do learn "moons$labels" $method --dim 2 --pca off; done
    learn "moons$labels" saloe --dim 2 --pca off --alpha 1 --within-neighbors 5
    for method in sda soda tr-fsda fme saloe; do
        echo "moons, $labels labels, $method: $(accuracy "moons$labels" $method)"
        points "moons$labels" $method
    done
done
draw_moons >"$out/moons.gnuplot"
gnuplot -d "$out/moons.gnuplot"
