"""
How good is the model?
======================

penumbra estimates the accuracy on unlabelled rows, with an interval that should contain the truth
in 90 of 100 cases. This page compares such estimates with the truth. It also shows how to test
whether labels predict anything at all, and how scans of the same patient make a model look too
good.

**You have** some labels and a model. **You want** a number for your report that holds on new rows.
"""

# %%
# Expected and true accuracy
# --------------------------
# The rows are 178 wines of three cultivars, with four measurements each. We draw 24 or 60 labels at
# random, five times, and fit :class:`penumbra.AutoReducer`. It hides some of these labels in turn
# to compute the accuracy to expect. We know the labels of the other rows, so we can check it.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import penumbra

X, truth = load_wine(return_X_y=True)
X = X[:, :4]  # alcohol, malic acid, ash, alcalinity of ash


def labels(seed, n):
    """The true labels of n random rows, and -1, no label, for the others."""
    y = np.full(len(X), -1)
    known = np.random.default_rng(seed).permutation(len(X))[:n]
    y[known] = truth[known]
    return y


draws = []  # labels, expected accuracy, half the interval, true accuracy, of logistic regression
for n in (24, 60):
    for seed in range(5):
        y = labels(seed, n)
        hidden = y == -1
        auto = penumbra.AutoReducer().fit(X, y)
        plain = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[~hidden], y[~hidden])
        tried = auto.comparison_
        true = auto.transduction_[hidden] == truth[hidden]
        scores = tried.best_score, tried.error, true.mean(), plain.score(X[hidden], truth[hidden])
        draws.append((n, *scores))
print("labels  expected        true   logistic regression")
for n, expected, error, true, other in draws:
    print(f"{n:6d}  {expected:.2f} ± {error:.2f}     {true:.2f}   {other:.2f}")
inside = sum(abs(true - expected) <= error for _, expected, error, true, _ in draws)
print(f"the interval contains the truth in {inside} of {len(draws)} draws")
assert inside >= 8 and min(d[3] for d in draws) > 0.6

# %%
# The picture
# -----------
# The interval is narrower with more labels.

fig, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
at = np.arange(len(draws))
_, expected, error, true, _ = np.array(draws).T
low, high = expected - error, np.minimum(expected + error, 1)
ax.vlines(at, low, high, color="#56b4e9", lw=9, label="interval")
ax.plot(at, expected, "_", color="#0072b2", ms=14, mew=3, label="expected")
ax.plot(at, true, "D", color="#d55e00", ms=8, label="true, on unlabelled rows")
ax.axhline(tried.chance, color="gray", ls=":", lw=2, label="guessing the largest class")
ax.set_xticks([2, 7], ["24 labels, five draws", "60 labels, five draws"], fontsize=12)
ax.set(ylabel="accuracy", ylim=(0.3, 1.02))
ax.legend(loc="lower right", ncols=2)
plt.show()

# %%
# Is it more than chance?
# -----------------------
# We shuffle the labels. The p-value is then large, ``predicts`` is False, and the fit warns.

shuffled = labels(0, 60)
known = shuffled >= 0
shuffled[known] = np.random.default_rng(1).permutation(shuffled[known])
tried = penumbra.AutoReducer().fit(X, shuffled).comparison_
print(f"shuffled labels: accuracy {tried.best_score:.2f}, guessing {tried.chance:.2f},", end=" ")
print(f"p = {tried.results['p_value']:.2f}, predicts: {tried.predicts}")
assert not tried.predicts

# %%
# Rows that belong together
# -------------------------
# Three scans of a patient resemble each other. If one is held out and the others are not, a model
# recognizes the patient instead of the disease. We simulate this: three noisy copies of each row of
# the breast cancer data, with four of its columns. ``groups`` keeps the scans of a patient
# together.

cells, benign = load_breast_cancer(return_X_y=True)
cells = cells[:, [1, 4, 8, 9]] / cells[:, [1, 4, 8, 9]].std(axis=0)
rng = np.random.default_rng(0)
patient = np.repeat(rng.permutation(len(cells)), 3)
scans = cells[patient] + 0.05 * rng.normal(size=(len(patient), 4))
train = np.arange(len(scans)) < 855  # 285 patients; the other 284 are new
x, y = scans[train], benign[patient[train]]
alone = penumbra.compare(x, y, "PCA", effort=0)
grouped = penumbra.compare(x, y, "PCA", effort=0, groups=patient[train])
model = alone.best_estimator.fit(x, y)
new = model.score(scans[~train], benign[patient[~train]])
print(f"expected without groups {alone.best_score:.2f}, with groups {grouped.best_score:.2f}")
print(f"the model that looked best without groups, on new patients: {new:.2f}")
assert alone.best_score > new + 0.1 and abs(grouped.best_score - new) < 0.1

# %%
# The same with the command
# -------------------------
# ``fit`` prints the expected accuracy. ``predict`` measures the accuracy on rows with known labels.
# ``few.csv`` has labels in the column class of some rows, ``test.csv`` of all rows; ``scans.csv``
# also has a column patient.
#
# .. code-block:: sh
#
#    penumbra fit few.csv --label-column class -o wine.pen
#    penumbra predict wine.pen test.csv --label-column class -o classes.csv
#    penumbra compare pca,fme few.csv --label-column class --shuffled --report wine.html
#    penumbra compare pca scans.csv --label-column class --groups patient --effort 0
#
# Limits
# ------
# - The expected accuracy tends to be a little too high, because the same labels chose the
#   candidates.
# - It describes rows like the labelled ones. If you chose the rows to label, label some at random.
# - The interval counts rows, not groups: for three scans of each patient it is too narrow.
# - Logistic regression is as accurate on these rows. Cross-validation estimates its accuracy as
#   well.
#
# See :doc:`/evaluation` for the definitions.
