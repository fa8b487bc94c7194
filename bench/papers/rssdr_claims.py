"""The claims of Cai, Wen, Wei, Yu (2014) for RSSDR, measured: better classification of noisy,
sparse and imbalanced data, and low sensitivity to parameters. The accessible text has no numbers.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/rssdr_claims.py [SET...]
        [--runs 2] [--keep FILE]

FOLDER holds sk_wine, seeds, heart_statlog, hepatitis, wdbc, segmentation2100, sk_digits8x8,
coil20_16_derived, olivetti, pbmc68k_reduced, each with X.npy and y.npy; one more set is generated.
Ten more sets (FURTHER) appear only in the last table. At most 400 rows are drawn from each, classes
in proportion. Columns have deviation one, or, if they are of one kind, are divided by one number.

Conditions: unchanged rows; added Gaussian columns, half as many as the columns, the same number, or
three times the number; Gaussian noise on every entry, of half, one or two deviations; 2, 5 or 10 %
of the rows replaced by Gaussian rows five times as long; or 10 % of the rows moved to twice their
distance from the mean. Such rows keep their labels and can be in pairs, but are not scored. For the
paper, sparse data are few rows ("very few samples", as opposed to "hundreds if not thousands"):
here a third and a tenth of the rows, at least four per class. The paper does not define imbalanced:
here the largest class has ten times the rows of each other class (at least four), and the accuracy
is the mean over classes.

Protocol of docs/evaluation.md: two stratified folds, drawn --runs times. Held-out rows stay in the
fit without labels. The labels of the remaining rows give 50 must-links and 50 cannot-links. The
score is the accuracy of the nearest row with a known label, averaged over 1 to 10 dimensions (or
all, if fewer). All methods start with the components of 98 % of the variance. SELF gets the labels
of all rows in pairs, which is more information than the pairs.

NumPy computes RSSDR a second time, with neighbors and weights of the relative space (`check`: same
as the command) and with those of the components, all else equal: the difference is the effect of
perceptual relativity. NumPy also computes alpha and beta from 0.001 to 1000 in all conditions,
compared with 0.1 for both, the first guess. `chosen` is the pair of values with the largest mean
over these sets and all conditions; the further sets did not affect this choice.

--keep FILE keeps results, and does not repeat existing ones.
"""

import os
import sys

import numpy as np
from protocol import (
    Random,
    arguments,
    check,
    derive,
    drawn_pairs,
    embedded,
    files_of_process,
    load,
    load_labels,
    neighbor_accuracy,
    penumbra,
    results,
    stratified_folds,
    workers,
)
from rssdr_numpy import DIMS, SHARE, components, nearest, relative_space, rssdr, scatters, squares

SETS = {  # columns of one kind; pixels whose means are taken, images of this many a side
    "sk_wine": (False, 1, 0),
    "seeds": (False, 1, 0),
    "heart_statlog": (False, 1, 0),
    "hepatitis": (False, 1, 0),
    "wdbc": (False, 1, 0),
    "segmentation2100": (False, 1, 0),
    "sk_digits8x8": (True, 1, 8),
    "coil20_16_derived": (True, 1, 16),
    "olivetti": (True, 4, 64),
    "pbmc68k_reduced": (True, 1, 0),
}
FURTHER = {
    "ida_diabetis": (False, 1, 0),
    "ida_german": (False, 1, 0),
    "ida_image": (False, 1, 0),
    "ida_thyroid": (False, 1, 0),
    "ida_waveform": (True, 1, 0),
    "letter": (False, 1, 0),
    "mfeat_karhunen": (True, 1, 0),
    "mfeat_zernike": (False, 1, 0),
    "semeion": (True, 1, 0),
    "yaleb32": (True, 2, 32),
}
GENERATED = "generated"
SEED, FOLDS, MOST, LEAST, PAIRS, FAR = 2014, 2, 400, 4, 50, 5
PLAIN = "as they are"
CONDITIONS = (
    (PLAIN, 0),
    ("columns", 0.5),
    ("columns", 1),
    ("columns", 3),
    ("noise", 0.5),
    ("noise", 1),
    ("noise", 2),
    ("outliers", 0.02),
    ("outliers", 0.05),
    ("outliers", 0.1),
    ("twice", 0.1),
    ("fewer", 1 / 3),
    ("fewer", 0.1),
    ("imbalanced", 10),
)
SWEPT = ((PLAIN, 0), ("noise", 1))  # conditions in which `neighbors` is varied
NEIGHBORS, USUAL = (2, 3, 5, 10, 20), 5
COMMANDS = {  # methods of the command; some have `neighbors`
    "rssdr --beta 0.1": True,
    "rssdr --beta 1": True,
    "npssdr": True,
    "clpp": True,
    "ssdr": False,
    "self": False,
    "pca": False,
}
BETAS = {"rssdr --beta 0.1": 0.1, "rssdr --beta 1": 1.0}
WEIGHTS = (0.001, 0.01, 0.1, 1, 10, 100, 1000)  # alpha and beta
FIRST = 2  # what both were


# ---- rows ----


def moons():
    """Draw two moons in two columns, and eight columns of noise."""
    rng = np.random.default_rng(SEED)
    angle = np.pi * rng.random(300)
    y = np.arange(300) % 2
    shape = np.where(
        y[:, None],
        np.c_[1 - np.cos(angle), 0.5 - np.sin(angle)],
        np.c_[np.cos(angle), np.sin(angle)],
    )
    return np.c_[shape + 0.1 * rng.normal(size=(300, 2)), 0.3 * rng.normal(size=(300, 8))], y


def means_of_squares(x, step, side):
    """Reduce images [side x side]: each square [step x step] becomes one pixel."""
    parts = x.reshape(len(x), side // step, step, side // step, step)
    return parts.mean((2, 4)).reshape(len(x), -1)


def chosen_of(y, condition, run):
    """Choose at most MOST rows, classes in proportion, or the number that the condition leaves."""
    kind, amount = condition
    tags = (1 + run,) if kind in ("fewer", "imbalanced") else ()
    random, place, sizes = Random(derive(SEED, 1, *tags)), np.empty(len(y)), np.bincount(y)
    for c in np.unique(y):
        members = np.flatnonzero(y == c)
        place[members[random.permutation(len(members))]] = np.arange(len(members))
    if kind == "imbalanced":
        most = min(sizes.max(), amount * MOST // (amount + len(sizes) - 1))
        few = max(round(most / amount), LEAST)
        return np.flatnonzero(place < np.where(y == sizes.argmax(), most, few))
    count, part = min(MOST, len(y)), (place + 0.5) / sizes[y]
    if kind == "fewer":
        count, part = max(round(amount * count), LEAST * len(sizes)), part * (place >= LEAST)
    return np.sort(np.argsort(part, kind="stable")[:count])


def rows_of(name, condition, run):
    """Return rows whose columns have mean 0 and a deviation of about one, and their classes."""
    if name == GENERATED:
        x, y, of_one_kind = *moons(), True
    else:
        of_one_kind, step, side = {**SETS, **FURTHER}[name]
        x, y = load(name).astype(float), load_labels(name)
        x = means_of_squares(x, step, side) if step > 1 else x
    chosen = chosen_of(y, condition, run)
    x, y = x[chosen] - x[chosen].mean(0), np.unique(y[chosen], return_inverse=True)[1]
    deviation = x.std(0)
    if of_one_kind:
        return x / np.sqrt(np.mean(deviation**2)), y
    return x[:, deviation > 0] / deviation[deviation > 0], y


def spoiled(x, condition, run):
    """Return the rows under a condition, and which rows are not outliers."""
    kind, amount = condition
    rng, (n, d) = np.random.default_rng([SEED, run]), x.shape
    good = np.ones(n, bool)
    if kind == "columns":
        x = np.c_[x, rng.normal(size=(n, round(amount * d)))]
    elif kind == "noise":
        x = x + amount * rng.normal(size=x.shape)
    elif kind == "outliers":
        good[rng.permutation(n)[: round(amount * n)]] = False
        x = np.where(good[:, None], x, FAR * rng.normal(size=x.shape))
    elif kind == "twice":
        good[rng.permutation(n)[: round(amount * n)]] = False
        x = np.where(good[:, None], x, 2 * x)
    return x, good


# ---- measuring ----


class Trial:
    """Rows with a held-out fold, on disk for the command."""

    def __init__(self, name, condition, run, fold, scratch):
        x, self.y = rows_of(name, condition, run)
        self.x, self.good = spoiled(x, condition, run)
        self.by_class = condition[0] == "imbalanced"
        self.held_out = stratified_folds(self.y, FOLDS, derive(SEED, run, 0)) == fold
        self.at = files_of_process(scratch)
        known = np.where(self.held_out, -1, self.y).astype(np.int32)
        np.save(self.at("x.npy"), self.x)
        self.pairs = drawn_pairs(known, PAIRS, PAIRS, derive(SEED, run, 1 + fold))
        np.save(self.at("pairs.npy"), self.pairs)
        labels = np.full(len(known), -1, np.int32)
        rows = np.unique(self.pairs[:, :2])
        labels[rows] = known[rows]
        np.save(self.at("labels.npy"), labels)

    def accuracy(self, z):
        """Return the mean accuracy over 1, 2 .. dimensions, on held-out rows without outliers."""
        known, asked = ~self.held_out, self.held_out & self.good
        dims = range(1, z.shape[1] + 1)
        groups = [asked & (self.y == c) for c in np.unique(self.y)] if self.by_class else [asked]
        test = lambda group: (z[known], self.y[known], z[group], self.y[group], dims)
        return float(np.mean([neighbor_accuracy(*test(group)) for group in groups]))

    def embedded(self, method, *flags):
        name, *more = method.split()
        if name == "self":
            given = ("--labels", self.at("labels.npy"))
        elif name == "pca":
            given = ()
        else:
            given = ("--pairs", self.at("pairs.npy"))
        usual = ("--pca", SHARE, "--dim", DIMS, "--allow-fewer", "--threads", 1)
        model = self.at("model")
        penumbra("fit", name, self.at("x.npy"), *given, *more, *flags, *usual, "-o", model)
        return embedded(model, self.x)


def graphs(trial, z, y):
    """Return fractions of the nearest rows of rows without outliers: rows of the same class, and
    outliers."""
    near = nearest(squares(y), USUAL)[trial.good]
    same = trial.good[near] & (trial.y[near] == trial.y[trial.good][:, None])
    return [float(same.mean()), float(np.mean(~trial.good[near]))]


def measure(job):
    """Return mean accuracies over dimensions, by method and number of neighbors (except for FURTHER
    sets), and for all alphas, then betas."""
    name, condition, run, fold, scratch = job
    trial, found = Trial(name, condition, run, fold, scratch), {}
    z = components(trial.x)
    y = relative_space(z)
    parts = scatters(z, y, trial.pairs, USUAL)
    grid = [[trial.accuracy(each) for each in rssdr(z, parts, WEIGHTS, b)] for b in WEIGHTS]
    if name in FURTHER:
        return {"grid": grid}
    for k in NEIGHBORS if condition in SWEPT else (USUAL,):
        for method, has_neighbors in COMMANDS.items():
            if has_neighbors or k == USUAL:
                flags = ("--neighbors", k) if has_neighbors else ()
                found[f"{method}, {k}"] = trial.accuracy(trial.embedded(method, *flags))
        for space, rows in (("relative", y), ("ordinary", z)):
            parts = scatters(z, rows, trial.pairs, k)
            for method, beta in BETAS.items():
                found[f"{method} {space}, {k}"] = trial.accuracy(*rssdr(z, parts, [0.1], beta))
    found["graph ordinary"], found["graph relative"] = graphs(trial, z, z), graphs(trial, z, y)
    return {"grid": grid, **found}


def check_protocol(scratch):
    """Check that RSSDR by the command and by NumPy agree."""
    for fold in range(FOLDS):
        trial = Trial(GENERATED, CONDITIONS[0], 0, fold, scratch)
        there, z = trial.embedded("rssdr --beta 0.1"), components(trial.x)
        (here,) = rssdr(z, scatters(z, relative_space(z), trial.pairs, USUAL), [0.1], 0.1)
        here -= here.mean(0)
        here *= np.sign((here * there).sum(0))
        assert np.allclose(here, there, atol=1e-6 * np.abs(there).max())


def key_of(job):
    name, (kind, amount), run, fold = job[:4]
    return f"{name}, {kind} {amount:g}, {run}, {fold}"


# ---- tables ----


def mean_and_error(values):
    values = np.asarray(values)
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return values.mean(), error


def cell(values, form=".3f"):
    mean, error = mean_and_error(values)
    return f"{mean:{form}} ± {error:.3f}"


def head(*names):
    print("\n| " + " | ".join(names) + " |\n" + "|---" * len(names) + "|")


def line(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def condition_name(condition):
    kind, amount = condition
    return {
        PLAIN: PLAIN,
        "columns": f"{amount:g} d columns of noise",
        "noise": f"noise of deviation {amount:g}",
        "outliers": f"{100 * amount:g} % outliers",
        "twice": f"{100 * amount:g} % twice as far",
        "fewer": f"{100 * amount:.0f} % of the rows",
        "imbalanced": f"one class {amount:g} times the others",
    }[kind]


class Table:
    """Means over trials, one per set."""

    def __init__(self, names, runs, found):
        self.names, self.runs, self.found = names, runs, found

    def of_set(self, name, condition, what):
        jobs = [(name, condition, r, f) for r in range(self.runs) for f in range(FOLDS)]
        return np.mean([self.found[key_of(job)][what] for job in jobs], 0)

    def of(self, condition, what):
        return np.array([self.of_set(name, condition, what) for name in self.names])

    def gain(self, condition, method, k=USUAL):
        relative = self.of(condition, f"{method} relative, {k}")
        return relative - self.of(condition, f"{method} ordinary, {k}")


def tables(names, runs, found):
    t = Table(names, runs, found)
    print(f"\nAccuracy, mean and standard error over {len(names)} sets")
    head("", *(f"`{m}`" for m in COMMANDS))
    for c in CONDITIONS:
        line(condition_name(c), *(cell(t.of(c, f"{m}, {USUAL}")) for m in COMMANDS))
    print(
        "\nRSSDR in the relative space less the same in the ordinary one; sets with more, with less"
    )
    head("", *(f"`{m}`" for m in BETAS), *(f"more, less, `{m}`" for m in BETAS))
    for c in CONDITIONS:
        gains = [t.gain(c, m) for m in BETAS]
        counts = [f"{np.sum(g > 0)}, {np.sum(g < 0)}" for g in gains]
        line(condition_name(c), *(cell(g, "+.3f") for g in gains), *counts)
    print("\nAccuracy lost to the condition: the rows as they are less the spoiled ones")
    head("", *(f"`{m}`" for m in COMMANDS))
    for c in CONDITIONS[1:]:
        lost = [t.of(CONDITIONS[0], f"{m}, {USUAL}") - t.of(c, f"{m}, {USUAL}") for m in COMMANDS]
        line(condition_name(c), *(cell(each) for each in lost))
    with_neighbors = [m for m, has in COMMANDS.items() if has]
    with_neighbors[1:1] = ["rssdr --beta 0.1 ordinary"]  # computed here
    for c in SWEPT:
        print(f"\nAccuracy by `neighbors`, {condition_name(c)}; spread: largest less smallest")
        head("", *map(str, NEIGHBORS), "spread")
        for m in with_neighbors:
            of_k = np.array([t.of(c, f"{m}, {k}") for k in NEIGHBORS])
            line(f"`{m}`", *(cell(each) for each in of_k), cell(of_k.max(0) - of_k.min(0)))
    print(f"\nOf the {USUAL} nearest rows: the share of the same class, and that of outliers")
    head("", "class: ordinary", "relative", "difference", "outliers: ordinary", "relative")
    for c in CONDITIONS:
        ordinary, relative = t.of(c, "graph ordinary"), t.of(c, "graph relative")
        same = (cell(ordinary[:, 0]), cell(relative[:, 0]))
        difference = cell(relative[:, 0] - ordinary[:, 0], "+.3f")
        far = [f"{each[:, 1].mean():.4f}" for each in (ordinary, relative)]
        line(condition_name(c), *same, difference, *far)
    print(
        "\nSet by set, rows as they are; the last: relative less ordinary, as they are and noise of 1"
    )
    head("", *(f"`{m}`" for m in COMMANDS), "relativity", "with noise")
    for i, name in enumerate(names):
        gains = [f"{t.gain(c, 'rssdr --beta 0.1')[i]:+.3f}" for c in SWEPT]
        values = [t.of_set(name, CONDITIONS[0], f"{m}, {USUAL}") for m in COMMANDS]
        line(name, *(f"{v:.3f}" for v in values), *gains)


def gains_of(table, condition):
    """Return the gains over the first values [sets x betas x alphas]."""
    grid = table.of(condition, "grid")
    return grid - grid[:, FIRST, FIRST][:, None, None]


def sensitivity(t, further):
    """Print how alpha and beta change the accuracy, and whether other values are better."""
    for c in SWEPT:
        print(
            f"\nAccuracy by beta and alpha less that of 0.1 and 0.1, {condition_name(c)}; spread:"
            " largest less smallest of the set"
        )
        head("beta, alpha", *(f"{weight:g}" for weight in WEIGHTS))
        gains = gains_of(t, c)
        for i, weight in enumerate(WEIGHTS):
            line(f"{weight:g}", *(cell(gains[:, i, j], "+.3f") for j in range(len(WEIGHTS))))
        line("spread", cell(np.ptp(gains, axis=(1, 2))), *[""] * (len(WEIGHTS) - 1))
    of = {c: [gains_of(table, c) for table in (t, further) if table.names] for c in CONDITIONS}
    mean = np.mean([gains[0] for gains in of.values()], (0, 1))
    chosen = tuple(map(int, np.unravel_index(mean.argmax(), mean.shape)))
    ways = {(j, FIRST): f"beta {WEIGHTS[j]:g}" for j in (3, 4)}
    ways[chosen] = "beta {:g}, alpha {:g}, chosen".format(*(WEIGHTS[i] for i in chosen))
    places = ["these sets"]
    if further.names:
        places += ["further sets", "all"]
        of = {c: [*gains, np.concatenate(gains)] for c, gains in of.items()}
    print("\nAccuracy less that of beta 0.1 and alpha 0.1, by NumPy")
    head("", *(f"{way}: {place}" for way in ways.values() for place in places))
    for c, gains in of.items():
        line(condition_name(c), *(cell(g[:, i, j], "+.3f") for i, j in ways for g in gains))
    for place, at in zip(places, zip(*of.values())):
        errors = [g.std(0, ddof=1) / np.sqrt(len(g)) for g in at]
        better = np.all([g.mean(0) > error for g, error in zip(at, errors)], 0)
        pairs = ", ".join(f"{WEIGHTS[i]:g} and {WEIGHTS[j]:g}" for i, j in np.argwhere(better))
        print(
            f"\n- {place}: beta and alpha better by more than the error in all conditions: ", end=""
        )
        print(pairs or "none")


def main():
    asked = arguments(__doc__, {**SETS, **FURTHER}, files=("keep",), runs=2)
    check()
    further = [name for name in asked.sets if name in FURTHER]
    names = [*(name for name in asked.sets if name in SETS), GENERATED]
    with workers() as (scratch, pool):
        check_protocol(scratch)
        jobs = [
            (name, condition, run, fold, scratch)
            for name in names + further
            for condition in CONDITIONS
            for run in range(asked.runs)
            for fold in range(FOLDS)
        ]
        found = results(measure, jobs, key_of, pool, asked.keep)
    tables(names, asked.runs, found)
    sensitivity(*(Table(some, asked.runs, found) for some in (names, further)))
    return 0


if __name__ == "__main__":
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    sys.exit(main())
