"""Time and memory of `penumbra fit` without METHOD on many rows, compared with reading the file and
with one pass for a covariance (`fit pca`), for bench/auto_table.py --scale."""

import tempfile
import time

import auto_commands
import numpy as np
from auto_draws import Draw

# rows, columns, classes (of two clusters each), labels per class
SHAPES = [(10**n, 32, 10, 6) for n in (5, 6, 7)] + [(50_000, 384, 20, 3), (10**6, 128, 20, 5)]
NEW, SPREAD = 20_000, 1.0


def clusters(rows, columns, classes, labels):
    """Draw clusters at random places, two per class; `labels` rows per class are labelled, from
    both clusters."""
    rng = np.random.default_rng(0)
    centers = rng.normal(0, SPREAD, (2 * classes, columns)).astype(np.float32)
    which = rng.integers(0, 2 * classes, rows + NEW)
    x = rng.standard_normal((rows + NEW, columns), dtype=np.float32)
    for start in range(0, rows + NEW, NEW):
        x[start : start + NEW] += centers[which[start : start + NEW]]
    y = which // 2
    known = np.zeros(rows, bool)
    for c in range(2 * classes):
        known[np.flatnonzero(which[:rows] == c)[: (labels + c % 2) // 2]] = True
    return Draw(x[:rows], y[:rows], known, x[rows:], y[rows:])


def reading(path):
    start = time.process_time()
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 24):
            pass
    return time.process_time() - start


def table(program):
    print("| rows × columns | file | reading it | `fit pca` | `fit` | accuracy on other rows |")
    print("|---" * 6 + "|")
    for shape in SHAPES:
        with tempfile.TemporaryDirectory() as scratch:
            draw = clusters(*shape)
            command = auto_commands.Command(program, scratch, draw)
            cells = [f"{shape[0]:,} × {shape[1]}", f"{draw.x.nbytes / 1e6:.0f} MB"]
            cells += [f"{reading(command.at('x.npy')):.2f} s"]
            for arguments in (["pca", "--dim", "2"], []):
                seconds, memory = command.fit(*arguments)
                cells += [f"{seconds:.2f} s, {memory:.0f} MB"]
            right = command.classes("new.npy")[0] == draw.new_y
            print("|", " | ".join([*cells, f"{right.mean():.4f}"]), "|", flush=True)
