# data.sh - functions that make small data for the sessions.

# blobs ROWS COLUMNS CLASSES: CSV with the columns x1 ... and `class` (a, b, ...), one cluster per class.
blobs() {
    awk -v n="$1" -v d="$2" -v c="$3" '
        function uniform() { state = state * 16807 % 2147483647; return state / 2147483647 }
        BEGIN {
            state = 42
            for (j = 1; j <= d; j++) printf "x%d,", j
            print "class"
            for (i = 0; i < n; i++) {
                k = i % c
                for (j = 1; j <= d; j++)
                    printf "%.4f,", uniform() + uniform() + uniform() + uniform() + (j % c == k ? 3 : 0)
                print substr("abcdefghij", k + 1, 1)
            }
        }'
}

# column NAME FILE: one column of a CSV, without the header.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (j = 1; j <= NF; j++) if ($j == name) at = j; next } { print $at }' "$2"
}

# near K: distances to the K nearest rows of each row of a CSV of numbers and a class, as Matrix
# Market text.
near() {
    awk -F, -v k="$1" '
        NR > 1 { d = NF - 1; for (j = 1; j <= d; j++) x[NR - 2, j] = $j }
        END {
            n = NR - 1
            printf "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, n, n * k
            for (i = 0; i < n; i++) {
                for (m = 0; m < n; m++) {
                    far[m] = m == i ? 1e300 : 0
                    for (j = 1; j <= d; j++) far[m] += (x[i, j] - x[m, j]) ^ 2
                }
                for (t = 0; t < k; t++) {
                    for (best = m = 0; m < n; m++)
                        if (far[m] < far[best]) best = m
                    printf "%d %d %.17g\n", i + 1, best + 1, sqrt(far[best])
                    far[best] = 1e300
                }
            }
        }'
}

# npy_header TYPE ROWS COLUMNS: the header of an npy file, 128 bytes.
npy_header() {
    printf '\223NUMPY\001\000v\000'
    printf '%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': ($2, $3), }"
}

# npy_pairs FILE: lines "i,j", "i,j,1" or "i,j,-1" of small integers as an npy file of 64-bit integers.
npy_pairs() {
    npy_header '<i8' "$(wc -l <"$1" | tr -d ' ')" "$(head -n 1 "$1" | tr , '\n' | wc -l | tr -d ' ')"
    tr , '\n' <"$1" | while read -r number; do
        case $number in
        -1) printf '\377\377\377\377\377\377\377\377' ;;
        *) printf "\\$(printf %03o "$number")\\000\\000\\000\\000\\000\\000\\000" ;;
        esac
    done
}

# during HUNDREDTHS ACTION COMMAND...: runs the command, runs ACTION once the process, $pid, has used
# this CPU time in 1/100 s, and returns the status of the command.
during() {
    during_time=$1 during_action=$2
    shift 2
    { env --default-signal=INT "$@" <&4 4<&- & } 4<&0
    pid=$!
    while during_stat=$(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null); do
        set -- $during_stat # state, 10 others, time in the program, time in the system
        [ "${1:-Z}" != Z ] && [ $((${12} + ${13})) -lt "$during_time" ] || break
        sleep 0.02
    done
    eval "$during_action"
    wait "$pid" 2>/dev/null # without the message of the shell about a signal
}

# same A B: compares two models, except for the options of reading.
same() {
    penumbra info "$1" --json | sed '/^  "reading"/d' > same.json
    penumbra info "$2" --json | sed '/^  "reading"/d' | cmp - same.json
}
