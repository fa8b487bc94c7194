"""Figures 1, 3 and 4 of Sugiyama, Ide, Nakajima, Sese (2010).

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/figures/self.py [FIGURE...]

1: rows of two classes in a plane, and their projections by LFDA and PCA. The paper gives no
   coordinates; here each class is a Gaussian with 60 rows, and labels follow its description.
3: FOLDER/olivetti: ten people, three with glasses, one labelled image each, in two dimensions by
   five methods. The paper does not name the people. Its part (a), the images, is left out, because
   we cannot redistribute them.
4: FOLDER/ssl1_digit1 ...: error on unlabelled rows by the number of dimensions, 100 labels, the
   twelve published splits; the protocol is that of bench/papers/self_table1.py.
"""

# ruff: noqa: I001 (style comes first: it lets the programs one folder up be imported)
import os
import sys
import tempfile

import numpy as np
from style import BLUE, INK, ORANGE, TITLES, Figures, curve, embed, legend_below, name_of, plt

from protocol import derive, files_of_process, load, load_labels, workers
from self_table1 import BETAS, FAMILIES, PAPER, SEED, held_out_right, shares_wrong, ten_dims

ROWS, APART, HIGH, WIDE = 60, 2.6, 1.7, 0.75
COLORS, MARKERS = (BLUE, ORANGE), ("o", "^")
WITH, WITHOUT = (1, 5, 26), (0, 2, 4, 7, 8, 9, 11)  # people who always wear glasses, and never
SSL = [name for name, labels in PAPER if labels == 100]


def toy():
    """Draw rows, classes, and two choices of labelled rows: near the middle of each class, and on a
    diagonal, the left class above, the right one below."""
    random = np.random.default_rng(2010)
    y = np.repeat([0, 1], ROWS)
    x = random.normal(size=(2 * ROWS, 2)) * (WIDE, HIGH) + np.c_[(2 * y - 1) * APART, 0 * y]
    level, diagonal = np.zeros(len(y), dtype=bool), np.zeros(len(y), dtype=bool)
    for c, side in ((0, 1), (1, -1)):
        members = np.flatnonzero(y == c)
        by_height = members[x[members, 1].argsort()]
        level[by_height[[9, 24, 35, 50]]] = True
        inner = members[np.argsort(np.abs(x[members, 0]) - side * x[members, 1])[:4]]
        diagonal[inner] = True
    return x, y, level, diagonal


def nearest_right(z, y, known):
    """Return the fraction of unlabelled rows whose nearest labelled row has the same class."""
    distance2 = ((z[~known, None] - z[known][None]) ** 2).sum(2)
    return np.mean(y[known][distance2.argmin(1)] == y[~known])


def measure_toy():
    x, y, level, diagonal = toy()
    found = []
    for rows, known in ((x, level), (x, diagonal), (x * (1, 2), level)):
        with tempfile.TemporaryDirectory() as scratch:
            at = lambda name, scratch=scratch: os.path.join(scratch, name)
            np.save(at("rows.npy"), rows)
            np.save(at("y.npy"), np.where(known, y, -1).astype(np.int32))
            lines = {}
            for method in ("lfda", "pca"):
                given = ["--labels", at("y.npy")] if method == "lfda" else []
                z, info = embed(at, method, *given, "--dim", 1)
                w = np.ravel(info["projection"])
                lines[method] = w / np.linalg.norm(w), info["mean"], nearest_right(z, y, known)
        found.append((rows, y, known, lines))
    return found


def scatter(axes, z, y, known, size=22):
    """Draw rows; labelled ones are filled."""
    for c in (0, 1):
        for chosen, face in ((~known & (y == c), "none"), (known & (y == c), COLORS[c])):
            edge = INK if face != "none" else COLORS[c]
            more = {"s": size * (1 + 1.2 * (face != "none")), "zorder": 3 + (face != "none")}
            axes.scatter(
                *z[chosen].T, marker=MARKERS[c], facecolor=face, edgecolor=edge, lw=0.9, **more
            )


def draw_toy(found):
    figure, panels = plt.subplots(1, 3, figsize=(9.5, 5.4), sharey=True, sharex=True)
    titles = "(a)", "(b) other labels", "(c) as (a), twice as high"
    for axes, title, (x, y, known, lines) in zip(panels, titles, found, strict=True):
        scatter(axes, np.array(x), np.array(y), np.array(known))
        for method, dashes in (("lfda", "-"), ("pca", "--")):
            w, mean, _ = lines[method]
            ends = np.array(mean) + np.array([[-30], [30]]) * np.array(w)
            axes.plot(*ends.T, dashes, color=INK, lw=2, label=name_of(method), zorder=2)
        said = ", ".join(
            f"{name_of(method)} {right:.2f}" for method, (_, _, right) in lines.items()
        )
        axes.set(title=title, xlabel=f"1-NN accuracy: {said}", xlim=(-7, 7), ylim=(-9, 14))
        axes.set_aspect("equal")
    legend_below(figure, panels[0], 2)
    return figure


def measure_faces(_):
    x, person = load("olivetti").astype(float), load_labels("olivetti")
    chosen = np.flatnonzero(np.isin(person, WITH + WITHOUT))
    x, person = x[chosen], person[chosen]
    y = np.isin(person, WITH).astype(np.int32)
    known = np.zeros(len(y), dtype=bool)
    random = np.random.default_rng(2010)
    for p in np.unique(person):
        known[random.choice(np.flatnonzero(person == p))] = True
    found = {"y": y, "known": known, "embedded": {}}
    with tempfile.TemporaryDirectory() as scratch:
        at = lambda name: os.path.join(scratch, name)
        np.save(at("rows.npy"), x)
        np.save(at("y.npy"), np.where(known, y, -1).astype(np.int32))
        for method in ("fda", "lfda", "pca", "ilpp", "self"):
            given = [] if method in ("pca", "ilpp") else ["--labels", at("y.npy")]
            given += ["--beta", 0.5, "--total", "covariance"] if method == "self" else []
            z, _ = embed(at, method, *given, "--dim", 2, "--allow-fewer")
            z = np.c_[z, np.zeros((len(z), 2 - z.shape[1]))]
            found["embedded"][method] = z, nearest_right(z, y, known)
    return found


def draw_faces(found):
    figure, panels = plt.subplots(2, 3, figsize=(10, 6.2))
    axes = panels.flat[0]
    axes.axis("off")
    y, known = np.array(found["y"]), np.array(found["known"])
    for axes, (method, (z, right)) in zip(
        list(panels.flat)[1:], found["embedded"].items(), strict=True
    ):
        z = np.array(z)
        beta = " (β = 0.5)" if method == "self" else ""
        axes.set_title(f"{name_of(method)}{beta}: 1-NN accuracy {right:.2f}")
        scatter(axes, z / np.abs(z).max(), y, known)
        axes.set(xticks=[], yticks=[])
        axes.margins(0.08)
    panels.flat[1].set_ylabel("(no second dimension)")
    handles = [
        plt.Line2D([], [], ls="", marker=m, mfc=f, mec=c, label=t)
        for m, f, c, t in (
            ("^", ORANGE, INK, "with glasses, labelled"),
            ("^", "none", ORANGE, "with glasses"),
            ("o", BLUE, INK, "without, labelled"),
            ("o", "none", BLUE, "without"),
        )
    ]
    title = "ten people, ten images of each,\none of them labelled"
    panels.flat[0].legend(handles=handles, loc="center", title=title, fontsize=10)
    return figure


def curves_of_split(job):
    """Return the error in per cent of LFDA, PCA and SELF(CV) [3 x dims]."""
    name, split, scratch = job
    at, x, y = files_of_process(scratch), load(name).astype(float), load_labels(name)
    labelled, (command, _) = np.sort(load(name, "splits_labeled100.npy")[split]), FAMILIES["self"]
    error = 100 * shares_wrong(at, command, x, y, labelled, BETAS)
    dims, seed = ten_dims(x.shape[1]), derive(SEED, 100, split)
    right = held_out_right(at, command, len(labelled), dims, seed)
    chosen = error[right.argmax(0), np.arange(error.shape[1])]
    return [error[BETAS.index(0.001)], error[BETAS.index(1)], chosen]


def measure_ssl(there):
    found = {}
    with workers() as (scratch, pool):
        for name in there:
            splits = len(load(name, "splits_labeled100.npy"))
            jobs = [(name, split, scratch) for split in range(splits)]
            curves = np.mean(pool.map(curves_of_split, jobs, chunksize=1), 0)
            found[name] = ten_dims(load(name).shape[1]), curves
    return found


def draw_ssl(found):
    wide = -(-len(found) // 2)
    figure, panels = plt.subplots(2, wide, figsize=(1 + 3 * wide, 5.8))
    for axes in panels.flat[len(found) :]:
        axes.axis("off")
    for axes, (name, (dims, curves)) in zip(panels.flat, found.items(), strict=False):
        for method, label, values in zip(
            ("lfda", "pca", "self"), ("LFDA", "PCA", "SELF(CV)"), curves, strict=True
        ):
            curve(axes, dims, values, method, label)
        axes.set(title=TITLES[name], xlabel="dimensions", ylabel="misclassified, %")
    legend_below(figure, panels.flat[0], 3)
    return figure


if __name__ == "__main__":
    figures = Figures("self", __doc__)
    figures.add(1, measure_toy, draw_toy)
    figures.add(3, measure_faces, draw_faces, ("olivetti",))
    figures.add(4, measure_ssl, draw_ssl, SSL)
    sys.exit(figures.main())
