# nearest.awk: coordinates, label (? where it is hidden) and true class of a row on each line,
# separated by commas: prints the share of the hidden rows whose nearest known row is of their class.
BEGIN { FS = "," }
{ for (c = 1; c <= NF - 2; c++) z[NR, c] = $c; known[NR] = $(NF - 1); truth[NR] = $NF }
known[NR] != "?" { labelled[++count] = NR }
END {
    for (i = 1; i <= NR; i++) {
        if (known[i] != "?") continue
        for (j = 1; j <= count; j++) {
            far = 0
            for (c = 1; c <= NF - 2; c++) far += (z[i, c] - z[labelled[j], c]) ^ 2
            if (j == 1 || far < least) { least = far; class = known[labelled[j]] }
        }
        correct += class == truth[i]
    }
    printf "%.3f\n", correct / (NR - count)
}
