"""Labels where `suggest` puts them, next to labels at random: learning curves on real data.

    PENUMBRA_DATA=FOLDER python bench/suggest.py [SET...] [--draws N] [--prior WORD]
        [--keep FILE] [--picture FILE]

Half of up to 1200 rows of a set is learned from, the other half is held out. Two rows of each class
have labels; eight times FME is fitted, 5 rows (10, if there are more than three classes) are chosen
by what it says of the rows, and get their labels. Measured is the accuracy of its predictions for
the half that is held out. Rows are chosen at random; by the smallest margin of the two likeliest
classes; farthest from labels and from each other in the embedding (k-center); and by `suggest`.

Printed are, for the sets that the rule was tuned on and for the others, the mean accuracy over the
eight rounds at random, the difference of the other choices to it in the same draws (10), the mean
of these over sets with its standard error, and the part of the labels at random with which a choice
is as accurate as the random one is at the end. --prior is that of FME (labels). --keep FILE keeps
the curves as JSON, and uses those that are there. --picture FILE draws the mean curves as PNG, by
gnuplot.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import warnings

import numpy as np

TUNED = [
    "sk_digits8x8",
    "wdbc",
    "ssl6_coil",
    "ida_waveform",
    "segmentation2100",
    "isolet1",
    "seeds",
    "ida_diabetis",
    "ssl5_g241c",
    "pbmc68k_reduced",
    "coil20_16_derived",
    "monks1",
]
OTHERS = [
    "mnist70000",
    "sk_wine",
    "ssl1_digit1",
    "ida_twonorm",
    "letter",
    "mfeat_factors",
    "ida_banana",
    "ida_heart",
    "ssl3_coil2",
    "ida_splice",
    "yaleb32",
    "sk_iris",
]
# columns of one kind; those of other sets get standard deviation one
OF_ONE_KIND = [
    "sk_digits8x8",
    "ssl6_coil",
    "ssl1_digit1",
    "ssl5_g241c",
    "ssl3_coil2",
    "coil20_16_derived",
    "mnist70000",
    "yaleb32",
    "pbmc68k_reduced",
    "ida_banana",
]
ROWS, ROUNDS, FEW_CLASSES = 1200, 8, 3
CHOICES = ("random", "margin", "k-center", "suggest")


def load(name, seed):
    """Rows and classes to learn from, and held-out ones."""
    folder = os.path.join(os.environ["PENUMBRA_DATA"], name)
    x = np.load(os.path.join(folder, "X.npy"), mmap_mode="r")
    y = np.unique(np.load(os.path.join(folder, "y.npy")), return_inverse=True)[1]
    rows = np.random.default_rng(1000 + seed).permutation(len(x))[:ROWS]
    x = np.array([x[row] for row in rows], float)
    if name == "coil20_16_derived":
        x /= 65535
    half = len(x) // 2
    return x[:half], y[rows[:half]], x[half:], y[rows[half:]]


def fit(name, x, known, prior):
    import penumbra

    return penumbra.FME(
        n_jobs=1,
        prior=prior,
        scale="none" if name in OF_ONE_KIND else "standard",
        pca=min(100, len(x) - 1) if x.shape[1] > 100 else 0,
    ).fit(x, known)


def farthest(z, known, count):
    """Each row is the farthest from the labelled ones and those before it."""
    far, rows = np.full(len(z), np.inf), []
    for row in np.flatnonzero(known >= 0):
        far = np.minimum(far, ((z - z[row]) ** 2).sum(1))
    for _ in range(count):
        rows.append(int(np.where(known >= 0, -1, far).argmax()))
        far = np.minimum(far, ((z - z[rows[-1]]) ** 2).sum(1))
        far[rows[-1]] = -1
    return rows


def choose(choice, model, x, known, count, rng):
    open_rows = np.flatnonzero(known < 0)
    if choice == "random":
        return rng.permutation(open_rows)[:count]
    if choice == "margin":
        p = np.sort(model.predict_proba(x[open_rows]), axis=1)
        return open_rows[np.argsort(p[:, -1] - p[:, -2], kind="stable")[:count]]
    if choice == "k-center":
        return farthest(model.transform(x), known, count)
    return model.suggest(x, count, known).rows


def curve(job):
    """Accuracy after 0, 1 .. rounds of labels."""
    name, seed, choice, prior = job
    warnings.simplefilter("ignore")
    x, y, held_out, truth = load(name, seed)
    rng = np.random.default_rng(seed)
    known = np.full(len(y), -1)
    for c in np.unique(y):
        known[rng.permutation(np.flatnonzero(y == c))[:2]] = c
    count = 5 if y.max() < FEW_CLASSES else 10
    accuracy = []
    for at in range(ROUNDS + 1):
        model = fit(name, x, known, prior)
        accuracy.append(float((model.predict(held_out) == truth).mean()))
        if at < ROUNDS:
            rows = choose(choice, model, x, known, count, rng)
            known[rows] = y[rows]
    return accuracy


def curves(names, draws, prior, keep):
    """name, choice -> accuracies [draws x (rounds + 1)]."""
    found = {}
    if keep and os.path.exists(keep):
        with open(keep) as file:
            found = json.load(file)
    jobs = [(n, s, c, prior) for n in names for s in range(draws) for c in CHOICES]
    missing = [job for job in jobs if "/".join(map(str, job)) not in found]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for job, accuracy in zip(missing, pool.map(curve, missing, chunksize=4), strict=True):
            found["/".join(map(str, job))] = accuracy
    if keep:
        with open(keep, "w") as file:
            json.dump(found, file)
    return {
        (n, c): np.array([found[f"{n}/{s}/{c}/{prior}"] for s in range(draws)])
        for n in names
        for c in CHOICES
    }


def part_needed(own, random):
    """The part of the labels with which the mean curve is as high as the random one at the end; 1
    or more: not before it."""
    mean, goal = own.mean(0), random.mean(0)[-1]
    for at in range(1, ROUNDS + 1):
        if mean[at] >= goal:
            below = (goal - mean[at - 1]) / (mean[at] - mean[at - 1]) if mean[at - 1] < goal else 0
            return (at - 1 + below) / ROUNDS
    return np.inf


def table(names, found):
    print("| | random | " + " | ".join(CHOICES[1:]) + " | labels needed by `suggest` |")
    print("|---" * (len(CHOICES) + 2) + "|")
    differences = {c: [] for c in CHOICES}
    needed = []
    for name in names:
        random = found[name, "random"]
        cells = [f"{random[:, 1:].mean():.3f}"]
        for choice in CHOICES[1:]:
            each = (found[name, choice] - random)[:, 1:].mean(1)
            differences[choice].append(each.mean())
            cells.append(f"{each.mean():+.3f} ± {each.std(ddof=1) / len(each) ** 0.5:.3f}")
        part = part_needed(found[name, "suggest"], random)
        needed.append(part)
        cells.append(f"{100 * part:.0f} %" if part < np.inf else "more than all")
        print(f"| {name} | " + " | ".join(cells) + " |")
    cells = [f"{np.mean([found[n, 'random'][:, 1:].mean() for n in names]):.3f}"]
    for choice in CHOICES[1:]:
        d = np.array(differences[choice])
        cells.append(f"**{d.mean():+.3f} ± {d.std(ddof=1) / len(d) ** 0.5:.3f}**")
    print("| mean | " + " | ".join(cells) + f" | median {100 * np.median(needed):.0f} % |")
    gain = np.array(differences["suggest"])
    for other in ("margin", "k-center"):
        d = gain - np.array(differences[other])
        print(f"\n`suggest` less {other}: {d.mean():+.3f} ± {d.std(ddof=1) / len(d) ** 0.5:.3f}")


def picture(names, found, path):
    lines = []
    for at in range(ROUNDS + 1):
        means = [np.mean([found[n, c][:, at].mean() for n in names]) for c in CHOICES]
        lines.append(f"{at} " + " ".join(f"{mean:.5f}" for mean in means))
    colors = ("#7f7f7f", "#56b4e9", "#e69f00", "#009e73")
    plots = ", ".join(
        f"$d using 1:{at + 2} with linespoints lw 2 pt 7 ps 0.8 lc rgb '{color}' title '{choice}'"
        for at, (choice, color) in enumerate(zip(CHOICES, colors, strict=True))
    )
    script = [
        "set terminal pngcairo size 720,440 font 'Sans,11'",
        f"set output '{path}'",
        "$d << E",
        *lines,
        "E",
        "set key bottom right",
        "set grid",
        "set xlabel 'rounds of labels, 5 or 10 rows each'",
        f"set ylabel 'accuracy on held-out rows, mean of {len(names)} sets'",
        f"plot {plots}",
    ]
    subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--prior", default="labels")
    parser.add_argument("--keep")
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    if "PENUMBRA_DATA" not in os.environ:
        print("skipped: PENUMBRA_DATA names no folder")
        return
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = "1"
    parts = {"": arguments.sets} if arguments.sets else {"Tuned on": TUNED, "Others": OTHERS}
    for title, names in parts.items():
        found = curves(names, arguments.draws, arguments.prior, arguments.keep)
        print(f"\n{title}\n")
        table(names, found)
        if arguments.picture and title != "Tuned on":
            picture(names, found, arguments.picture)


if __name__ == "__main__":
    main()
