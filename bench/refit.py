"""Repeated fits of the same rows with new labels: prepared rows compared with plain rows.

    python3 bench/refit.py BUILD [ROWS...]

The rows resemble sentence embeddings (bench_embeddings.c, seed 1): 384 float columns. The first ten
rows in each of ten classes have labels, and one more row in the second fit. Seconds on two threads,
the median of five after a warm-up: `rows`, the second fit from plain rows; `first`, the first fit
of prepared rows; `again`, the second fit of prepared rows. Memory: the results that prepared rows
keep, the rows, and the peak of the process. `same`: the models of the second fits have the same
bytes.
"""

import json
import os
import subprocess
import sys
import tempfile

from markdown_tables import print_table, short

METHODS = ("fda", "wbdr", "lfda", "self", "sda", "fme", "soge", "auto")
SLOW = ("soge",)  # skipped for more rows
SIZES = (20000, 100000)
HEADS = ("rows", "method", "rows s", "first s", "again s", "again : rows", "kept MB", "input MB", "peak MB", "same")


def cells(r):
    times = [short(r[name], ".3f") for name in ("cold", "prepare", "refit", "ratio")]
    sizes = [f"{r[name] / 1e6:.0f}" for name in ("rows_memory", "input", "peak")]
    return [f"{r['rows']:,}".replace(",", " "), r["case"].removeprefix("refit "), *times, *sizes, "yes" if r["equal"] else "no"]


def main(build, *sizes):
    programs = os.path.join(build, "bench")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for size in map(int, sizes or SIZES):
            x, y = (os.path.join(folder, f"{name}{size}.npy") for name in "xy")
            subprocess.run([os.path.join(programs, "bench_embeddings"), x, str(size), "1", y], check=True)
            for method in METHODS:
                if method in SLOW and size > SIZES[0]:
                    continue
                made = subprocess.run([os.path.join(programs, "bench_refit"), x, y, method, "2"], check=True, stdout=subprocess.PIPE, text=True)
                rows.append(cells(json.loads(made.stdout)))
    print_table(HEADS, rows)
    return 0 if all(row[-1] == "yes" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
