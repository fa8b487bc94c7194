"""Writes short DNA sequences of three kinds, the data of this example, as FASTA.

    python3 make_sequences.py ROWS_PER_KIND SEED > promoters.fasta

Made up after what is known of promoters of E. coli; 60 letters each:

sigma70   the boxes TTGACA and TATAAT, 16 to 18 letters apart, after a stretch rich in A and T
sigma54   the boxes TGGCACG and TTGCA, 4 letters apart
coding    codons, of which the third letter is mostly G or C

Boxes lie anywhere in the sequence, and each of their letters is another one with probability 0.15.
"""

from __future__ import annotations

import random
import sys

LENGTH = 60
MUTATED = 0.15


def letters(random_: random.Random, count: int, at: float) -> str:
    """Random letters, of which a share `at` is A or T."""
    return "".join(random_.choice("AT" if random_.random() < at else "CG") for _ in range(count))


def box(random_: random.Random, motif: str) -> str:
    """The motif, with mutations."""
    return "".join(random_.choice("ACGT") if random_.random() < MUTATED else c for c in motif)


def sigma70(random_: random.Random) -> str:
    gap = letters(random_, random_.randint(16, 18), 0.55)
    core = box(random_, "TTGACA") + gap + box(random_, "TATAAT")
    return letters(random_, 14, 0.75) + core


def sigma54(random_: random.Random) -> str:
    return box(random_, "TGGCACG") + letters(random_, 4, 0.5) + box(random_, "TTGCA")


def coding(random_: random.Random) -> str:
    return "".join(letters(random_, 2, 0.5) + letters(random_, 1, 0.25) for _ in range(LENGTH // 3))


def placed(random_: random.Random, core: str) -> str:
    """The core somewhere in LENGTH letters."""
    before = random_.randint(0, LENGTH - len(core))
    return letters(random_, before, 0.5) + core + letters(random_, LENGTH - len(core) - before, 0.5)


def main() -> None:
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    random_ = random.Random(seed)
    for i in range(count):
        for kind in (sigma70, sigma54, coding):
            print(f">{kind.__name__}_{seed}_{i} {kind.__name__}")
            print(placed(random_, kind(random_)))


if __name__ == "__main__":
    main()
