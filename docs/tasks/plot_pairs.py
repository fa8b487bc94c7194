"""
Pairs instead of labels
=======================

Sometimes nobody can name the classes, but somebody can say of two rows "same" or "different". From
60 such pairs penumbra learns a projection in which rows of one kind lie together. Here clusters of
150 flowers then match the species: the adjusted Rand index rises from 0.62 to 0.90.

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


def judge(truth):
    """30 must-links and 30 cannot-links of random rows, and 1000 other pairs to test with."""
    pairs = np.random.default_rng(0).integers(len(truth), size=(2200, 2))
    drawn, test = pairs[:1200], pairs[1200:]
    same = truth[drawn[:, 0]] == truth[drawn[:, 1]]
    return drawn[same & (drawn[:, 0] != drawn[:, 1])][:30], drawn[~same][:30], test


def agreement(rows, truth):
    """The adjusted Rand index of k-means: 1 for the true groups, 0 for random ones."""
    k = len(np.unique(truth))
    return adjusted_rand_score(truth, KMeans(k, n_init=5, random_state=0).fit_predict(rows))


# %%
# A must-link is a pair of rows of the same kind. A cannot-link is a pair of different kinds.
# :class:`penumbra.WBDR` makes must-links short and cannot-links long. It sees no species.

X, species = load_iris(return_X_y=True)
must, cannot, test = judge(species)
columns = StandardScaler().fit_transform(X)

model = penumbra.WBDR(n_components=2, scale="standard")
Z = model.fit(X, must_link=must, cannot_link=cannot).transform(X)

before, after = agreement(columns, species), agreement(Z, species)
print(f"k-means: {before:.2f} on standardized columns, {after:.2f} on the projection")
assert after > before + 0.15

# %%
# Solid lines join must-links, dotted lines cannot-links. In the right panel must-links are short,
# and the two species that overlapped are farther apart.

figure, axes = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
views = {"principal components": PCA(2).fit_transform(columns), "learned from 60 pairs": Z}
for ax, (title, view) in zip(axes, views.items()):
    for links, style in ((must, "-"), (cannot, ":")):
        ax.plot(*view[links].T, style, color="#9A9A9A", lw=0.8, zorder=0)
    penumbra.plot.embedding(view, truth=species, ax=ax, size=7, legend=False)
    ax.set(title=title, xlabel="", ylabel="", xticks=[], yticks=[])
    ax.set_aspect("equal", "datalim")
plt.show()

# %%
# A plain classifier can also learn "same" or "different", from the absolute differences of two
# rows. The test is 1000 other pairs; 0.5 is chance.

given = np.concatenate([must, cannot])
same = species[test[:, 0]] == species[test[:, 1]]
plain = LogisticRegression().fit(abs(np.diff(columns[given], axis=1))[:, 0], np.repeat([1, 0], 30))
scores = {
    "distance of the columns": -np.linalg.norm(np.diff(columns[test], axis=1)[:, 0], axis=1),
    "distance in the projection": -np.linalg.norm(np.diff(Z[test], axis=1)[:, 0], axis=1),
    "logistic regression": plain.decision_function(abs(np.diff(columns[test], axis=1))[:, 0]),
}
areas = {name: roc_auc_score(same, score) for name, score in scores.items()}
for name, area in areas.items():
    print(f"{name:27} area under the ROC curve {area:.2f}")
assert areas["distance in the projection"] > areas["distance of the columns"] + 0.03

# %%
# 60 pairs can be too few. The breast-cancer data has 30 columns, and WBDR makes its clusters worse.
# :class:`penumbra.SSDR` also uses the variance of all rows, and does no harm.

X, tumor = load_breast_cancer(return_X_y=True)
must, cannot, _ = judge(tumor)
found = {"columns": agreement(StandardScaler().fit_transform(X), tumor)}
for method in (penumbra.WBDR, penumbra.SSDR):
    model = method(n_components=2, scale="standard").fit(X, must_link=must, cannot_link=cannot)
    found[method.__name__] = agreement(model.transform(X), tumor)
print(", ".join(f"{name} {index:.2f}" for name, index in found.items()))
assert found["WBDR"] < found["columns"] < found["SSDR"] + 0.1

# %%
# The same with the command
# -------------------------
#
# ``pairs.csv`` has a line for each pair: ``0,17,1`` for a must-link, ``3,90,-1`` for a cannot-link.
#
# .. code-block:: sh
#
#     penumbra fit wbdr flowers.csv --pairs pairs.csv --scale standard --dim 2 -o flowers.pen
#     penumbra transform flowers.pen flowers.csv -o embedded.csv
#
# Limits
# ------
#
# - To tell same from different, the plain classifier is as good. It gives no space for clusters.
# - WBDR needs many pairs for each column. On the breast-cancer data, even 200 can fail.
# - If you can name the class of a row, do so. A label says more than a pair.
# - Wrong pairs hurt. :doc:`/pairs` has weights for pairs that you doubt.
