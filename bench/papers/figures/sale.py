"""Figures 3 to 7 of Nie, Wang, Wang, Li (2021). (1 and 2 are drawn by examples/adaptive.sh.)

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/figures/sale.py [FIGURE...]

3: graphs of three neighbors over ten random images of each of ten classes: by a heat kernel in
   pixels, and learned by SALWE and SALOE (`graphs_`). Half of the images are labelled, which the
   paper does not specify. Pose 27 of PIE replaces C29.
4: the objective after each iteration, 20 % labelled. 4 and 5 leave out PIE: it has only 67
   principal components, and its 67 dimensions use all of them, so nothing can be learned.
5: SALWE: accuracy of unlabelled rows and of test rows, 20 % labelled, on the paper's grid of alpha
   and within-neighbors, as far as the smallest class goes; two splits.
6: SALOE: the same for alpha and the percentage of labelled rows; two within-neighbors, two splits.
7: SALOE: the objective from random graphs, from none, and from the nearest neighbors; COIL20, 20 %
   labelled; 100 random starts, not 1000.

Rows and splits are those of bench/papers/sale_table1.py.
"""

# ruff: noqa: I001 (style comes first: it lets the programs one folder up be imported)
import sys
import tempfile

import numpy as np
import penumbra
from style import BLUE, GREEN, PURPLE, RED, TITLES, Figures, embed, heat_map, legend_below
from style import plt, side_by_side

from protocol import files_of_process, workers
from sale_table1 import POWERS, Split, components, images, measure, principal_components

FEW = "msra25", "pie_pose27", "yaleb32"
SETS = "coil20_16_derived", "yaleb32"
CURVES = {"coil20_16_derived": BLUE, "msra25": GREEN, "yaleb32": RED}
CLASSES, IMAGES, LABELLED, NEAR = 10, 10, 5, 3
SPLITS, PERCENT, WITHIN, STARTS = 2, 20, 2, 100
PERCENTS = {"coil20_16_derived": (10, 20, 30, 40, 50), "yaleb32": (10, 20, 30, 40, 50)}
INITS = {"adjacency": (BLUE, "nearest neighbors"), "zero": (RED, "none (zero)")}


def split_of(name, scratch):
    return Split(components(name), images(name)[1], PERCENT, 0, files_of_process(scratch))


def heat_graph(x):
    """Return exp(-d^2 / t) for pairs in which one row is among the NEAR nearest of the other."""
    distance2 = ((x[:, None] - x[None]) ** 2).sum(2)
    np.fill_diagonal(distance2, np.inf)
    kth = np.sort(distance2, 1)[:, NEAR - 1 : NEAR]
    edges = distance2 <= kth
    weights = np.where(edges, np.exp(-distance2 / distance2[edges].mean()), 0)
    return np.maximum(weights, weights.T)


def learned_graph(method, x, y):
    """Return the weights that a fit learned, made symmetric."""
    fitted = method(pca="off", n_neighbors=NEAR, n_jobs=1).fit(x, y)
    graph = fitted.graphs_["neighbors"].toarray()
    return (graph + graph.T) / 2


def measure_graphs(there):
    found = {}
    for name in there:
        x, y = images(name)
        random, first = np.random.default_rng(2021), np.unique(y)[:CLASSES]
        drawn = [random.permutation(np.flatnonzero(y == c))[:IMAGES] for c in first]
        rows = np.concatenate(drawn)
        x, y = principal_components(x[rows]), np.repeat(np.arange(CLASSES), IMAGES)
        known = np.arange(len(y)) % IMAGES < LABELLED
        found[name] = {"k-NN": heat_graph(x)}
        for method in (penumbra.SALWE, penumbra.SALOE):
            found[name][method.__name__] = learned_graph(method, x, np.where(known, y, -1))
    return found


def draw_graphs(found):
    figure, panels = plt.subplots(len(found), 3, figsize=(9, 3.05 * len(found)))
    same = np.kron(np.eye(CLASSES), np.ones((IMAGES, IMAGES)))
    for row, (name, graphs) in zip(panels, found.items(), strict=True):
        row[0].set_ylabel(TITLES[name])
        for axes, (graph, weights) in zip(row, graphs.items(), strict=True):
            weights = np.array(weights)
            within = (weights * same).sum() / weights.sum()
            axes.imshow(weights, cmap="magma_r", interpolation="nearest", vmax=0.6 * weights.max())
            axes.set_title(f"{graph}: {100 * within:.0f} % within classes")
            axes.grid(False)
            axes.set(xticks=[], yticks=[])
    return figure


def objective(split, method, *flags):
    own = "_".join(map(str, flags))
    at = lambda file: split.at("train.npy" if file == "rows.npy" else own + file)
    given = ["--alpha", 0.1, "--within-neighbors", WITHIN, "--dim", split.classes - 1]
    given += ["--labels", split.at("y.npy"), "--pca", "off", "--allow-fewer", "--tol", 1e-4]
    _, info = embed(at, method, *given, *flags)
    return info["info"]["objective"]


def measure_convergence(there):
    found = {"salwe": {}, "saloe": {}}
    for name in there:
        with tempfile.TemporaryDirectory() as scratch:
            split = split_of(name, scratch)
            for method, curves in found.items():
                curves[name] = objective(split, method)
    return found


def draw_convergence(found):
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.6))
    for axes, (method, curves) in zip(panels, found.items(), strict=True):
        for name, values in curves.items():
            at, color = range(1, len(values) + 1), CURVES[name]
            axes.plot(at, np.array(values) / values[0], "o-", color=color, label=TITLES[name])
        axes.set(title=method.upper(), xlabel="iteration")
    panels[0].set_ylabel("objective / its first value")
    legend_below(figure, panels[0], len(found["saloe"]))
    return figure


def grid(there, method, percents, withins):
    """Return the accuracy [percents x alphas x withins x 2] of each set."""
    found = {}
    with workers() as (scratch, pool):
        for name in there:
            of_class = np.bincount(images(name)[1]).min() // 2
            jobs = []
            for percent in percents:
                k1 = withins or range(1, max(2, int(percent / 100 * of_class + 0.5)))
                tried = [{"alpha": a, "within-neighbors": k} for a in POWERS for k in k1]
                jobs += [(name, method, percent, s, tried, (), scratch) for s in range(SPLITS)]
            all_ = np.array(pool.map(measure, jobs, chunksize=1))
            found[name] = all_.reshape(len(percents), SPLITS, len(POWERS), -1, 2).mean(1)
    return found


def measure_within(there):
    return {name: values[0] for name, values in grid(there, "salwe", (PERCENT,), None).items()}


def measure_labels(there):
    return grid(there, "saloe", PERCENTS[there[0]], [WITHIN])


def alpha_maps(found, y_label, y_of, width):
    """Draw two rows of heat maps, unlabelled and test rows; values [y x alphas x 2] of each set."""
    figure, panels = plt.subplots(2, len(found), figsize=(width, 5), squeeze=False)
    alphas = [f"{alpha:g}" for alpha in POWERS]
    for column, (name, values) in zip(panels.T, found.items(), strict=True):
        for axes, which, rows in zip(column, (0, 1), ("unlabelled", "test"), strict=True):
            shown = values[:, :, which]
            image = heat_map(axes, shown, alphas, y_of(name, values), cmap="viridis")
            axes.tick_params(axis="x", labelsize=7.5)
            axes.set(title=f"{TITLES[name]}, {rows} rows", xlabel="α", ylabel=y_label)
            figure.colorbar(image, ax=axes, label="accuracy, %")
    return figure


def draw_within(found):
    by_set = {name: np.moveaxis(np.array(values), 1, 0) for name, values in found.items()}
    numbers = lambda _, values: [str(k + 1) for k in range(len(values))]
    return alpha_maps(by_set, "k₁", numbers, 8)


def draw_labels(found):
    by_set = {name: np.array(values)[:, :, 0] for name, values in found.items()}
    numbers = lambda name, _: [str(percent) for percent in PERCENTS[name]]
    return alpha_maps(by_set, "labelled, %", numbers, 8)


def measure_starts(there):
    with tempfile.TemporaryDirectory() as scratch:
        split = split_of(there[0], scratch)
        jobs = [(split, "saloe", "--init", init) for init in INITS]
        jobs += [(split, "saloe", "--init", "random", "--seed", seed) for seed in range(STARTS)]
        curves = side_by_side(objective, jobs)
    return dict(zip(INITS, curves, strict=False)) | {"random": curves[len(INITS) :]}


def draw_starts(found):
    figure, axes = plt.subplots(figsize=(7, 4.2))
    unit, most = found["adjacency"][-1], max(map(len, found["random"]))
    rest = lambda values: np.array(values + [values[-1]] * (most - len(values))) / unit
    random, at = np.array([rest(values) for values in found["random"]]), np.arange(1, most + 1)
    for values in random:
        axes.plot(at, values, color=PURPLE, lw=0.4, alpha=0.3)
    some = np.unique(np.geomspace(1, most, 12).astype(int)) - 1
    mean, bars = random.mean(0), {"color": PURPLE, "capsize": 3, "zorder": 3}
    label = f"{len(random)} random starts: each, mean and deviation"
    axes.errorbar(at[some], mean[some], random.std(0)[some], label=label, **bars)
    for init, (color, label) in INITS.items():
        values = np.array(found[init]) / unit
        axes.plot(range(1, len(values) + 1), values, "o-", ms=3, color=color, label=label)
    axes.set(xlabel="iteration", ylabel="objective / where nearest neighbors end")
    axes.set(xscale="log", ylim=(random.min() - 0.03, 1.03 * max(random.max(), 1)))
    axes.set_xticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    axes.set_xticks([], minor=True)
    axes.legend()
    return figure


if __name__ == "__main__":
    figures = Figures("sale", __doc__)
    figures.add(3, measure_graphs, draw_graphs, FEW)
    figures.add(4, measure_convergence, draw_convergence, tuple(CURVES))
    figures.add(5, measure_within, draw_within, SETS)
    figures.add(6, measure_labels, draw_labels, tuple(PERCENTS))
    figures.add(7, measure_starts, draw_starts, SETS[:1])
    sys.exit(figures.main())
