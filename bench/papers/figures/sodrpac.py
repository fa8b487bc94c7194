"""Figures 1, 4 and 5 of Tong, Suzuki (2010).

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/figures/sodrpac.py [FIGURE...]

1: rows in a plane, pairs, and the direction that each method projects on; (a) a class is one
   cluster, (b) two. The paper prints no coordinates; clusters here are upright Gaussians, and pairs
   nearly level, as it draws them. "Criterion" is SODRPaC with lambda 0.
4: FOLDER/monks1 ...: 1-NN accuracy with 150 pairs, of which more and more are must-links. The
   protocol is that of bench/papers/sodrpac_fig3.py, four runs of five folds. SODRPaC with `scaling
   sum`: of twelve (gamma, lambda) from the paper's grid the best for all rates together.
5: the same with half must-links, on the paper's grid of gamma and lambda, less PCA's. Both choose
   on held-out rows, as the paper's figures seem to.
"""

# ruff: noqa: I001 (style comes first: it lets the programs one folder up be imported)
import itertools
import os
import sys
import tempfile

import numpy as np
from style import BLUE, INK, ORANGE, TITLES, Figures, curve, embed, evaluate, heat_map
from style import legend_below, name_of, plt, side_by_side

from sodrpac_fig3 import GAMMAS, LAMBDAS, OTHER, rows_of

PER_CLUSTER, OF_EACH = 60, 5
METHODS = ("sodrpac", "npssdr", "ssdr", "clpp", "cmm")
RATES, PAIRS, RUNS = (0, 0.2, 0.4, 0.6, 0.8, 1), 150, 4
SOME = list(itertools.product(GAMMAS[::4], LAMBDAS[::5]))
DIMS = {"monks1": (3, 4), "monks3": (3, 4), "letter": (3, 15)}


def toy(kind):
    """Rows, classes, and pairs i, j, 1 or -1; in (a) must-links within a cluster, in (b) between
    the two clusters of a class, at about one height."""
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


def store(name, scratch):
    """Files of rows and labels of a set, for the command."""
    files = [os.path.join(scratch, f"{name}_{part}.npy") for part in ("x", "y")]
    for file, values in zip(files, rows_of(name), strict=True):
        np.save(file, values)
    return files


def accuracy(name, scratch, method, must, dims, *flags):
    sample = [] if method == "pca" else ["--sample-pairs", f"{must}+{PAIRS - must}"]
    trials = ["--inductive", "--runs", RUNS, "--dims", ",".join(map(str, dims)), "--allow-fewer"]
    rows, labels = (os.path.join(scratch, f"{name}_{part}.npy") for part in ("x", "y"))
    said = evaluate(method, rows, labels, *sample, *trials, *flags)[0]["accuracy"]["mean"]
    last = [value for value in said if value is not None][-1]
    return [last if value is None else value for value in said]


def mean_length2(name):
    x = rows_of(name)[0]
    return np.linalg.norm(x - x.mean(0), axis=1).mean() ** 2


def sum_flags(name, gamma, value):
    return "--scaling", "sum", "--gamma", gamma * mean_length2(name), "--lambda", value


def measure_rates(there):
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in there:
            store(name, scratch)
            dims = (OTHER[name][0],)
            must = [round(rate * PAIRS) for rate in RATES]
            of = lambda method, *flags, name=name, dims=dims, must=must: [
                v[0]
                for v in side_by_side(
                    accuracy, [(name, scratch, method, m, dims, *flags) for m in must]
                )
            ]
            curves = {method: of(method) for method in METHODS}
            curves["pca"] = len(RATES) * accuracy(name, scratch, "pca", 0, dims)
            grid = [of("sodrpac", *sum_flags(name, *one)) for one in SOME]
            curves["best"] = grid[np.mean(grid, 1).argmax()]
            found[name] = dims[0], curves
    return found


def draw_rates(found):
    figure, panels = plt.subplots(2, 2, figsize=(9, 6.6))
    for axes, (name, (dim, curves)) in zip(panels.flat, found.items(), strict=False):
        for method, values in curves.items():
            if method == "best":
                curve(axes, RATES, values, "sodrpac", "SODRPaC, best (γ, λ)", lw=2.2)
            elif method == "sodrpac":
                curve(axes, RATES, values, "sodrpac", "SODRPaC as it is", linestyle=":", mfc="w")
            else:
                curve(axes, RATES, values, method)
        axes.set(title=f"{TITLES.get(name, name)}, {dim} dimensions", ylabel="1-NN accuracy")
        axes.set_xlabel("share of must-links among 150 pairs")
    legend_below(figure, panels.flat[0], 4)
    return figure


def measure_grid(there):
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in there:
            store(name, scratch)
            half, dims = PAIRS // 2, DIMS[name]
            base = accuracy(name, scratch, "pca", 0, dims)
            jobs = [
                (name, scratch, "sodrpac", half, dims, *sum_flags(name, gamma, value))
                for gamma, value in itertools.product(GAMMAS, LAMBDAS)
            ]
            above = np.array(side_by_side(accuracy, jobs)) - base
            above = above.reshape(len(GAMMAS), len(LAMBDAS), 2)
            found[name] = dims, base, np.moveaxis(above, 2, 0)
    return found


def draw_grid(found):
    figure, panels = plt.subplots(2, len(found), figsize=(10, 5.6), squeeze=False)
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
    figures.add(4, measure_rates, draw_rates, OTHER)
    figures.add(5, measure_grid, draw_grid, DIMS)
    sys.exit(figures.main())
