"""
Pairs instead of labels
=======================

Sometimes nobody can name the classes, but somebody can say of two rows "the same" or "different".
From 60 such pairs penumbra learns a projection in which rows of one kind lie together. Clusters of
150 flowers then match the species: the adjusted Rand index rises from 0.62 to about 0.9.

You have four measurements of each flower and 60 judgments. You want groups.
"""

import matplotlib.pyplot as plt
import numpy as np
import penumbra
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score, roc_auc_score
from sklearn.preprocessing import StandardScaler


def judge(truth, count, seed=0):
    """Must-links and cannot-links of random rows, `count` of each, and 1000 pairs to test with."""
    pairs = np.random.default_rng(seed).integers(len(truth), size=(40 * count + 1000, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    drawn, held_out = pairs[:-1000], pairs[-1000:]
    same = truth[drawn[:, 0]] == truth[drawn[:, 1]]
    return drawn[same][:count], drawn[~same][:count], held_out


X, species = load_iris(return_X_y=True)
must, cannot, held_out = judge(species, 30)

# %%
# Learn from the pairs
# --------------------
#
# A must-link is a pair of rows of the same kind. A cannot-link is a pair of different kinds. No
# method below sees a species. :class:`penumbra.WBDR` makes must-links short and cannot-links long.

model = penumbra.WBDR(n_components=2, scale="standard")
Z = model.fit(X, must_link=must, cannot_link=cannot).transform(X)
plain = StandardScaler().fit_transform(X)


def agreement(rows, truth):
    """The adjusted Rand index of k-means: 1 for the true groups, 0 for random ones."""
    count = len(np.unique(truth))
    return adjusted_rand_score(truth, KMeans(count, n_init=5, random_state=0).fit_predict(rows))


before, after = agreement(plain, species), agreement(Z, species)
print(f"k-means: {before:.2f} on standardized columns, {after:.2f} on the projection")
assert after > before + 0.15

# %%
# Lines join the pairs: solid for must-links, dotted for cannot-links. In the right panel must-links
# are short, each species is round, and the two species that overlapped are farther apart. k-means
# needs exactly this.

figure, axes = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
views = {"principal components": PCA(2).fit_transform(plain), "learned from 60 pairs": Z}
for ax, (title, view) in zip(axes, views.items()):
    for links, style in ((must, "-"), (cannot, ":")):
        ax.plot(*view[links].T, style, color="#9A9A9A", lw=0.8, zorder=0)
    penumbra.plot.embedding(view, truth=species, ax=ax, size=7, legend=False)
    ax.set(title=title, xlabel="", ylabel="", xticks=[], yticks=[])
    ax.set_aspect("equal", "datalim")
plt.show()

# %%
# Compare with a classifier of pairs
# ----------------------------------
#
# Logistic regression can learn "same" or "different" from the absolute differences of two rows. The
# test is 1000 other pairs.


def difference(rows, pairs):
    return np.abs(rows[pairs[:, 0]] - rows[pairs[:, 1]])


same = species[held_out[:, 0]] == species[held_out[:, 1]]
given = difference(plain, np.concatenate([must, cannot]))
rule = LogisticRegression().fit(given, np.repeat([1, 0], 30))
areas = {
    "distance of standardized rows": -np.linalg.norm(difference(plain, held_out), axis=1),
    "distance in the projection": -np.linalg.norm(difference(Z, held_out), axis=1),
    "logistic regression": rule.decision_function(difference(plain, held_out)),
}
areas = {name: roc_auc_score(same, score) for name, score in areas.items()}
for name, area in areas.items():
    print(f"{name:30} area under the ROC curve {area:.2f}")
assert areas["distance in the projection"] > areas["distance of standardized rows"] + 0.03

# %%
# Pairs can be too few
# --------------------
#
# The breast-cancer data has 30 columns. 60 pairs are too few for WBDR, and its clusters are worse
# than those of the columns. :class:`penumbra.SSDR`, which also uses the variance of all rows, does
# not lose.

X30, tumor = load_breast_cancer(return_X_y=True)
must30, cannot30, _ = judge(tumor, 30)
clusters = {"columns": agreement(StandardScaler().fit_transform(X30), tumor)}
for name, method in (("WBDR", penumbra.WBDR), ("SSDR", penumbra.SSDR)):
    fitted = method(n_components=2, scale="standard").fit(
        X30, must_link=must30, cannot_link=cannot30
    )
    clusters[name] = agreement(fitted.transform(X30), tumor)
print(clusters)
assert clusters["WBDR"] < clusters["columns"]
assert clusters["SSDR"] > clusters["columns"] - 0.1

# %%
# The same with the command
# -------------------------
#
# ``pairs.csv`` has a line for each pair: ``0,17,1`` for a must-link of rows 0 and 17, ``3,90,-1``
# for a cannot-link.
#
# .. code-block:: sh
#
#     penumbra fit wbdr flowers.csv --pairs pairs.csv --scale standard --dim 2 -o flowers.pen
#     penumbra transform flowers.pen flowers.csv -o embedded.csv
#
# Limits
# ------
#
# - A projection gives distances, a classifier of pairs does not. If you only want to tell same from
#   different, the classifier is as good.
# - You need several pairs per column. With fewer, reduce the columns first or use
#   :class:`penumbra.SSDR`.
# - If you can name the class of a row, do so. A label says more than a pair.
# - Wrong pairs hurt. :doc:`/pairs` has weights for pairs that you doubt.
