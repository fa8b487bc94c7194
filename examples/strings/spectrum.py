"""Kernel values of sequences, as CSV: how many words of k letters two of them share.

    python3 spectrum.py K ROWS.fasta > kernel.csv                    all rows with all rows
    python3 spectrum.py K ROWS.fasta COLUMNS.fasta > kernel.csv      rows with other sequences
    python3 spectrum.py K ROWS.fasta --counts > counts.csv           the counts of the words

A sequence is the vector of the counts of its words of k letters, divided by its length; the kernel
value of two is the product of these vectors. Its name is a column, and so is its class, the second
word of its title. C. Leslie, E. Eskin, W. S. Noble: The spectrum kernel, PSB 2002.
"""

from __future__ import annotations

import math
import sys
from collections import Counter


def read(path: str) -> list[tuple[str, str, str]]:
    """Name, class and letters of each sequence of a FASTA file."""
    rows = []
    with open(path, encoding="ascii") as file:
        for part in file.read().split(">")[1:]:
            title, _, letters = part.partition("\n")
            name, kind = title.split()
            rows.append((name, kind, letters.replace("\n", "")))
    return rows


def spectrum(letters: str, k: int) -> dict[str, float]:
    """The counts of its words, as a vector of length one."""
    counts = Counter(letters[i : i + k] for i in range(len(letters) - k + 1))
    length = math.sqrt(sum(count * count for count in counts.values()))
    return {word: count / length for word, count in counts.items()}


def product(a: dict[str, float], b: dict[str, float]) -> float:
    """The kernel value of two spectra, the same in either order."""
    return sum(a[word] * b[word] for word in sorted(a.keys() & b.keys()))


def write(names: list[str], rows: list[tuple[str, str, str]], values: list[list[float]]) -> None:
    """CSV with row names, classes and the named columns `values`."""
    print(",class," + ",".join(names))
    for (name, kind, _), row in zip(rows, values):
        print(f"{name},{kind}," + ",".join(map(repr, row)))


def main() -> None:
    k, rows = int(sys.argv[1]), read(sys.argv[2])
    spectra = [spectrum(letters, k) for _, _, letters in rows]
    if sys.argv[3:] == ["--counts"]:
        words = sorted({word for counts in spectra for word in counts})
        write(words, rows, [[counts.get(word, 0.0) for word in words] for counts in spectra])
        return
    others = read(sys.argv[3]) if sys.argv[3:] else rows
    columns = [spectrum(letters, k) for _, _, letters in others]
    values = [[product(a, b) for b in columns] for a in spectra]
    write([name for name, _, _ in others], rows, values)


if __name__ == "__main__":
    main()
