"""Every method with its defaults on few labels, compared with PCA and with its grid values.

    PENUMBRA_DATA=FOLDER python bench/defaults_table.py BENCH_DEFAULTS [SET...] [--labels 3,10] [--rows N] [--draws N] [--keep FOLDER]

BENCH_DEFAULTS is the program bench_defaults. For each set in FOLDER (a folder with X.npy and y.npy), it draws up to N rows (400) and, N times (2), this number
of labels per class. The nearest labelled row in the embedding classifies the hidden rows. For each number of labels the program prints the mean accuracy of each
method over sets; its difference to PCA with defaults (all dimensions, hence the nearest row in the unchanged columns), with the standard error over sets; the sets
on which it fails; and the grid values that beat the default by more than one standard error. --keep FOLDER keeps the fits as CSV files, and reads existing ones
instead of repeating them.
"""
import collections
import csv
import os
import subprocess
import sys

import numpy as np


def fits(program, folder, name, labels, rows, draws, keep):
    """Return the lines that the program prints for a set."""
    file = keep and os.path.join(keep, f"{name}-{labels}-{rows}-{draws}.csv")
    if file and os.path.exists(file):
        with open(file) as lines:
            return list(csv.reader(lines))
    at = os.path.join(folder, name)
    done = subprocess.run([program, os.path.join(at, "X.npy"), os.path.join(at, "y.npy"), labels, rows, draws, "1"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr}")
    if file:
        with open(file, "w") as out:
            out.write(done.stdout)
    return list(csv.reader(done.stdout.splitlines()))


def usable(folder, name, labels):
    """Whether each class has two more rows than labels, and no value is missing."""
    at = os.path.join(folder, name)
    if not all(os.path.exists(os.path.join(at, f)) for f in ("X.npy", "y.npy")):
        return False
    y = np.load(os.path.join(at, "y.npy"))
    return np.bincount(y).min() >= labels + 2 and np.isfinite(np.load(os.path.join(at, "X.npy"), mmap_mode="r")[:1]).all()


def gather(lines):
    """Return (method, parameter, value) -> accuracies in the embedding and by class scores, and failures."""
    found = collections.defaultdict(lambda: ([], [], []))
    for _, method, parameter, value, _, accuracy, scores, failure in lines:
        near, answer, failed = found[method, parameter, value]
        if failure:
            failed.append(failure)
        else:
            near.append(float(accuracy))
            answer.extend([float(scores)] if scores else [])
    return found


def difference(a, b):
    """Return mean and standard error of the difference over common sets."""
    both = sorted(set(a) & set(b))
    d = np.array([a[s] - b[s] for s in both])
    return (d.mean(), d.std(ddof=1) / np.sqrt(len(d))) if len(d) > 1 else (np.nan, np.nan)


def table(sets):
    """Print the table; sets: name -> result of gather."""
    near, answer, failed = (collections.defaultdict(dict) for _ in range(3))
    for name, found in sets.items():
        for key, (accuracies, scores, failures) in found.items():
            if failures:
                failed[key][name] = failures[0]
            if accuracies and not failures:
                near[key][name] = np.mean(accuracies)
            if scores and not failures:
                answer[key][name] = np.mean(scores)
    pca = near["pca", "", ""]
    print("| method | accuracy | less PCA | error | class scores | less PCA | error | fails | better than the default |\n" + "|---" * 9 + "|")
    for method in sorted({key[0] for key in near} | {key[0] for key in failed}):
        key = method, "", ""
        own = near[key]
        better = []
        for other in near:
            gain, error = difference(near[other], own)
            if other[0] == method and other[1] and gain > error:
                better.append((gain, f"{other[1]} {other[2]} ({gain:+.3f} ± {error:.3f})"))
        gain, error = difference(own, pca)
        cells = [method, f"{np.mean(list(own.values())) if own else np.nan:.3f}", f"{gain:+.3f}", f"{error:.3f}"]
        if answer[key]:
            gain, error = difference(answer[key], pca)
            cells += [f"{np.mean(list(answer[key].values())):.3f}", f"{gain:+.3f}", f"{error:.3f}"]
        else:
            cells += ["", "", ""]
        cells += [str(len(failed[key])) if failed[key] else "", ", ".join(text for _, text in sorted(better, reverse=True)[:3])]
        print("| " + " | ".join(cells) + " |")
    for method in sorted({key[0] for key, sets in failed.items() if not key[1] and sets}):
        reasons = failed[method, "", ""]
        print(f"\n{method} fails on {', '.join(sorted(reasons))}: {next(iter(reasons.values()))}")


def main():
    folder, args = os.environ.get("PENUMBRA_DATA"), sys.argv[1:]

    def option(name, usual):
        if name not in args:
            return usual
        at = args.index(name)
        value = args[at + 1]
        del args[at : at + 2]
        return value

    labels, rows, draws, keep = option("--labels", "3,10"), option("--rows", "400"), option("--draws", "2"), option("--keep", None)
    if not folder:
        print("skipped: PENUMBRA_DATA names no folder")
        return
    program, names = args[0], args[1:]
    for count in labels.split(","):
        tried = [n for n in sorted(names or os.listdir(folder)) if usable(folder, n, int(count))]
        for name in names:
            if name not in tried:
                print(f"skipped: {name}")
        found = {}
        for name in tried:
            print(f"{count} labels per class: {name}", file=sys.stderr, flush=True)
            lines = fits(program, folder, name, count, rows, draws, keep)
            if not any("nan" in line[5] for line in lines):  # otherwise no row was hidden
                found[name] = gather(lines)
        print(f"\n{count} labels per class, {len(found)} sets: {', '.join(found)}\n")
        table(found)


if __name__ == "__main__":
    main()
