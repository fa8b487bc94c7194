"""Accuracy of the class of the nearest labelled row, over the rows without a label.

    python3 nearest.py Z.csv KNOWN.txt ...                nearest in an embedding
    python3 nearest.py --kernel KERNEL.csv KNOWN.txt ...  nearest by the kernel: the largest value

A draw of labels after another, each with its own CSV file, which has row names and classes before
the numbers; KNOWN.txt has a label a line, -1 where it is hidden. Prints mean and standard deviation
over the draws.
"""

from __future__ import annotations

import csv
import functools
import math
import statistics
import sys


@functools.cache
def read(path: str) -> tuple[list[str], list[list[float]]]:
    """Classes and numbers of the rows."""
    with open(path, newline="", encoding="ascii") as file:
        rows = list(csv.reader(file))[1:]
    return [row[1] for row in rows], [[float(value) for value in row[2:]] for row in rows]


def accuracy(path: str, known_path: str, by_kernel: bool) -> float:
    classes, values = read(path)
    with open(known_path, encoding="ascii") as file:
        labelled = [i for i, label in enumerate(file.read().split()) if label != "-1"]
    hidden = [i for i in range(len(classes)) if i not in labelled]
    correct = 0
    for i in hidden:
        if by_kernel:
            nearest = max(labelled, key=lambda j: values[i][j])
        else:
            nearest = min(labelled, key=lambda j: math.dist(values[i], values[j]))
        correct += classes[i] == classes[nearest]
    return correct / len(hidden)


def main() -> None:
    by_kernel = sys.argv[1] == "--kernel"
    files = sys.argv[2:] if by_kernel else sys.argv[1:]
    draws = [accuracy(*pair, by_kernel) for pair in zip(files[::2], files[1::2])]
    print(f"{statistics.mean(draws):.3f} +- {statistics.stdev(draws):.3f}")


if __name__ == "__main__":
    main()
