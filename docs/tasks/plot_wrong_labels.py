"""
Find wrong labels
=================

Some labels of your data are wrong, and you can check only a few by hand. This page ranks the labels
so that you check the doubtful ones first. In the example, 15 of 150 labels are wrong, and about 13
of them are among the first 15 of the ranking.

**You have** many rows, labels for some, and doubts. **You want** a short list of labels to check.
"""

# %%
# The data
# --------
# The rows are 1797 images of handwritten digits. 150 of them have a label. We replace 15 of these
# labels by another digit at random.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

import penumbra

X, truth = load_digits(return_X_y=True)


def draw(seed):
    """Labels y (-1: none), the labelled rows, and those with a wrong label."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(X))
    labelled = rng.permutation([i for d in range(10) for i in order[truth[order] == d][:15]])
    y, wrong = np.full(len(X), -1), labelled[:15]
    y[labelled] = truth[labelled]
    y[wrong] = (truth[wrong] + rng.integers(1, 10, 15)) % 10
    return y, labelled, wrong


# %%
# Rank the labels
# ---------------
# A model that has learned a label tends to agree with it. So we hide each fifth of the labels in
# turn, fit :class:`penumbra.FME` to the remaining labels and all rows, and read the probability of
# each hidden label. The label with the lowest probability comes first.


def rank(y, labelled):
    p, predicted = np.ones(len(X)), y.copy()
    for fold in range(5):
        hidden = labelled[np.arange(150) % 5 == fold]
        known = y.copy()
        known[hidden] = -1
        model = penumbra.FME(temperature="none").fit(X, known)  # a ranking needs no calibration
        p[hidden] = model.label_distributions_[hidden, y[hidden]]
        predicted[hidden] = model.transduction_[hidden]
    return labelled[np.argsort(p[labelled])], predicted


# %%
# Logistic regression does the same with the labelled rows alone. We repeat both for five draws of
# the labels.

found, plain = np.zeros(60), np.zeros(60)
for seed in range(5):
    y, labelled, wrong = draw(seed)
    suspects, predicted = rank(y, labelled)
    found += np.cumsum(np.isin(suspects, wrong))[:60] / 5
    q = cross_val_predict(
        LogisticRegression(max_iter=1000), X[labelled] / 16, y[labelled], method="predict_proba"
    )
    order = np.argsort(q[np.arange(150), y[labelled]])
    plain += np.cumsum(np.isin(labelled[order], wrong))[:60] / 5
print("wrong labels among the first 15, of 15; mean of five draws:")
print(f"FME, all rows {found[14]:.1f}; logistic regression, labelled rows {plain[14]:.1f}")
assert found[14] > 12 and found[14] > plain[14]

# %%
# The picture
# -----------
# Left: the first suspects of the last draw; each title is the label and the predicted digit. Right:
# the number of wrong labels that you find if you check the labels in the order of the ranking.

fig = plt.figure(figsize=(9, 4), layout="constrained")
left, right = fig.subfigures(1, 2)
for ax, i in zip(left.subplots(3, 4).flat, suspects):
    ax.imshow(X[i].reshape(8, 8), cmap="gray_r")
    ax.set_title(f"{y[i]} → {predicted[i]}", fontsize=13)
    ax.set_axis_off()
ax, checked = right.subplots(), np.arange(1, 61)
ax.plot(checked, found, color="#0072b2", lw=3, label="FME, all rows")
ax.plot(checked, plain, color="#d55e00", lw=2, ls="--", label="logistic regression")
ax.plot(checked, checked / 10, color="gray", lw=2, ls=":", label="random order")
ax.set(xlabel="labels checked by hand", ylabel="wrong labels found", ylim=(0, 15.5))
ax.legend()
plt.show()

# %%
# Rows that belong to no class
# ----------------------------
# No label is right for an unreadable image. ``typicality`` measures how similar a row is to the
# rows of the fit. We shuffle the pixels of six images to see whether it finds them.

scans, broken = X.copy(), np.arange(0, 1797, 300)
scans[broken] = np.random.default_rng(0).permuted(X[broken], axis=1)
typical = penumbra.PCA(n_components=20).fit(X, y).typicality(scans)
strange = typical < 0.01
print(f"typicality below 0.01: {strange.sum()} rows, {strange[broken].sum()} of 6 broken ones")
assert strange[broken].sum() >= 5 and strange.sum() < 60

# %%
# The same with the command
# -------------------------
# ``labels.csv`` has a line ``row,class`` for each labelled row. ``--drop class`` leaves out the
# true classes, which ``digits.csv`` also has. The loop lists the predictions that contradict a
# hidden label, the most probable ones first.
#
# .. code-block:: sh
#
#    for fold in 0 1 2 3 4; do
#      awk -v f=$fold 'NR == 1 || NR % 5 != f' labels.csv > known.csv
#      penumbra fit fme digits.csv --drop class --labels known.csv -o fme.pen --classes classes.csv
#      awk -F, -v f=$fold 'NR == FNR { if (NR > 1 && NR % 5 == f) label[$1] = $2; next }
#        $1 in label && $2 != label[$1] { print $3, "row", $1, "label", label[$1], "predicted", $2 }
#      ' labels.csv classes.csv
#    done | sort -rn | head -n 15
#
# ``penumbra explore digits.csv --drop class --labels labels.csv`` marks suspect labels in the
# browser, where you can correct them.
#
# Limits
# ------
# - Check the list by hand. It also contains correct labels of badly written digits.
# - If most labels of a class have the same error, the model learns the error and cannot find it.
# - The unlabelled rows help if labels are few. With 300 labels, logistic regression finds as many
#   wrong labels as FME.
#
# See :doc:`/methods/fme` for the method and :doc:`/classifiers` for the meaning of ``typicality``.
