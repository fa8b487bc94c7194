"""Figures 1, 4 and 5 of Tong, Suzuki (2010).

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/figures/sodrpac.py [FIGURE...]

1: rows in a plane, pairs, and the direction that each method projects on; a class is (a) one
   cluster, (b) two. The paper gives no coordinates; here clusters are upright Gaussians, and pairs
   nearly horizontal, as in its figure. "Criterion" is SODRPaC with lambda 0.
3, 4: 1-NN accuracy by the number of pairs, and, for 150 pairs, by the fraction of must-links: from
   the tables of bench/results/sodrpac_fig3.md and sodrpac_fig4.md.
5: SODRPaC on the paper's grid of gamma and lambda, minus PCA, as in bench/papers/sodrpac_fig5.py.
"""

# ruff: noqa: I001 (style comes first: it lets the programs one folder up be imported)
import os
import sys
import tempfile

import numpy as np
from style import BLUE, INK, ORANGE, TITLES, Figures, curve, embed, heat_map, legend_below
from style import name_of, plt

from protocol import workers
from sodrpac_fig3 import PAIRS
from sodrpac_fig4 import SHARES
from sodrpac_fig5 import DIMS, accuracies_of_folds
from sodrpac_trial import GAMMAS, LAMBDAS

PER_CLUSTER, OF_EACH = 60, 5
METHODS = ("sodrpac", "npssdr", "ssdr", "clpp", "cmm")
GRID_RUNS = 2  # as in the table
RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../results")
LOOKS = {
    "sodrpac one": {"label": "SODRPaC, one (γ, λ)", "alpha": 0.5},
    "sodrpac best": {"label": "SODRPaC, the best (γ, λ) at each point", "linestyle": "--"},
    "sodrpac later": {"label": "SODRPaC, one (γ, λ), later runs", "lw": 2.5},
    "sodrpac as it is": {"label": "SODRPaC as it is", "linestyle": ":", "mfc": "w"},
}


def toy(kind):
    """Draw rows, classes, and pairs i, j, 1 or -1; in (a) must-links within a cluster, in (b)
    between the two clusters of a class, nearly horizontal."""
    random = np.random.default_rng(2010)
    apart, high = (4, 1.6) if kind == "a" else (3, 4)
    place = np.repeat([-0.5, 0.5] if kind == "a" else [-1, 0, 1], PER_CLUSTER)
    x = np.c_[apart * place, 0 * place] + random.normal(size=(len(place), 2)) * (0.6, high)
    left, right = np.flatnonzero(place == place.min()), np.flatnonzero(place == place.max())
    middle = np.flatnonzero(place == 0)
    y = np.isin(np.arange(len(x)), right if kind == "a" else middle).astype(int)

    def level(one, other):
        i = random.choice(one)
        others = other[other != i]
        return i, others[np.abs(x[others, 1] - x[i, 1]).argsort()[random.integers(3)]]

    pairs = []
    for p in range(OF_EACH):
        if kind == "a":
            must = level(*(2 * [(left, right)[p % 2]]))
            cannot = level(left, right)
        else:
            must, cannot = level(left, right), level((left, right)[p % 2], middle)
        pairs += [(*must, 1), (*cannot, -1)]
    return x, y, np.array(pairs)


def measure_toy():
    found = {}
    for kind in "ab":
        x, y, pairs = toy(kind)
        lines = {}
        with tempfile.TemporaryDirectory() as scratch:
            at = lambda name, scratch=scratch: os.path.join(scratch, name)
            np.save(at("rows.npy"), x)
            np.savetxt(at("pairs.csv"), pairs, "%d", delimiter=",")
            for method, flags in [("criterion", ("--lambda", 0)), *((m, ()) for m in METHODS)]:
                named = "sodrpac" if method == "criterion" else method
                _, info = embed(at, named, "--pairs", at("pairs.csv"), "--dim", 1, *flags)
                lines[method] = np.ravel(info["projection"])
        found[kind] = x, y, pairs, lines
    return found


def draw_toy(found):
    figure, panels = plt.subplots(1, 4, figsize=(10, 5.2), width_ratios=(1.15, 0.75, 1.15, 0.75))
    titles = {"a": "(a) a class is one cluster", "b": "(b) a class on both sides of the other"}
    for axes, compass, (kind, (x, y, pairs, lines)) in zip(
        panels[::2], panels[1::2], found.items(), strict=True
    ):
        x, y = np.array(x), np.array(y)
        for i, j, sign in pairs:
            axes.plot(*x[[i, j]].T, INK, ls="-" if sign > 0 else (0, (3, 2)), lw=1.3, zorder=3)
        for c, color in enumerate((ORANGE, BLUE)):
            axes.scatter(*x[y == c].T, s=16, color=color, alpha=0.75, lw=0)
        axes.set(title=titles[kind], xlim=(-7, 7), ylim=(-12, 12))
        axes.set_aspect("equal")
        compass.set_title("degrees from level")
        compass.axis("off")
        compass.set(xlim=(-1.6, 1.2), ylim=(-0.6, len(lines) - 0.4))
        for place, (method, w) in enumerate(reversed(lines.items())):
            w = np.array(w) / np.linalg.norm(w)
            angle = np.degrees(np.arctan2(abs(w[1]), abs(w[0])))
            ends = np.array([0.55, place]) + 0.38 * np.array([[-1], [1]]) * w
            color = BLUE if angle < 45 else "#d55e00"
            compass.plot(*ends.T, color=color, lw=2.5)
            text = "Criterion" if method == "criterion" else name_of(method)
            compass.text(-1.6, place, f"{text}\n{angle:.0f}°", va="center")
        compass.set_aspect("equal")
    return figure


def table(page, columns):
    """Return the columns of a results page, by set with its dimensions, then by method."""
    with open(os.path.join(RESULTS, page), encoding="utf-8") as file:
        lines = [line.strip("| \n").split(" | ") for line in file if line.startswith("| ")]
    at, found = [lines[0].index(column) for column in columns], {}
    for line in lines[1:]:
        found.setdefault(line[0], {})[line[2]] = [float(line[i]) for i in at]
    return found


def draw_curves(found, x, label):
    figure, panels = plt.subplots(2, 3, figsize=(10, 6.6))
    for axes in panels.flat[len(found) :]:
        axes.axis("off")
    for axes, (name, curves) in zip(panels.flat, found.items(), strict=False):
        for method, values in curves.items():
            curve(axes, x, values, method.split()[0], **LOOKS.get(method, {}))
        name, dim = name.split(", ")
        axes.set(title=f"{TITLES.get(name, name)}, {dim} dimensions", ylabel="1-NN accuracy")
        axes.set_xlabel(label)
    legend_below(figure, panels.flat[0], 4)
    return figure


def draw_pairs(page):
    found = table(page, [f"{pairs} pairs" for pairs in PAIRS])
    return draw_curves(found, PAIRS, "pairs")


def draw_shares(page):
    found = table(page, [f"{share:g}" for share in SHARES])
    return draw_curves(found, SHARES, "share of must-links among 150 pairs")


def measure_grid(there):
    found = {}
    with workers() as (scratch, pool):
        for name in there:
            mean = accuracies_of_folds(name, GRID_RUNS, pool, scratch).mean(0)
            above = (mean[1:] - mean[0]).reshape(len(GAMMAS), len(LAMBDAS), 2)
            found[name] = DIMS[name], mean[0], np.moveaxis(above, 2, 0)
    return found


def draw_grid(found):
    figure, panels = plt.subplots(
        2, len(found), figsize=(2.6 + 2.6 * len(found), 5.6), squeeze=False
    )
    lambdas = [str(round(np.log2(value))) for value in LAMBDAS]
    gammas = [str(round(np.log2(value))) for value in GAMMAS]
    for column, (name, (dims, base, above)) in zip(panels.T, found.items(), strict=True):
        for axes, dim, pca, values in zip(column, dims, base, above, strict=True):
            most = max(np.abs(values).max(), 0.01)
            image = heat_map(axes, values, lambdas, gammas, cmap="PuOr_r", vmin=-most, vmax=most)
            axes.set(title=f"{TITLES.get(name, name)}, d = {dim} (PCA {pca:.3f})")
            axes.set(xlabel="log₂ λ", ylabel="log₂ γ / δ²")
            axes.tick_params(axis="x", labelsize=8)
            figure.colorbar(image, ax=axes)
    figure.suptitle("1-NN accuracy of SODRPaC less that of PCA", fontsize=10)
    return figure


if __name__ == "__main__":
    figures = Figures("sodrpac", __doc__)
    figures.add(1, measure_toy, draw_toy)
    figures.add(3, lambda: "sodrpac_fig3.md", draw_pairs)
    figures.add(4, lambda: "sodrpac_fig4.md", draw_shares)
    figures.add(5, measure_grid, draw_grid, list(DIMS))
    sys.exit(figures.main())
