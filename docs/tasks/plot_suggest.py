"""
Which rows to label next
========================

Labels cost time. penumbra names the rows whose labels would teach a model most, so you need fewer
of them. On handwritten digits, 60 suggested labels are worth 100 random ones.

You have 898 scanned digits and labels for 20 of them. You can label ten more at a time, and you
want a classifier for new digits.
"""

import matplotlib.pyplot as plt
import numpy as np
import penumbra
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

X, digit = load_digits(return_X_y=True)
pool, truth = X[::2], digit[::2]  # rows that you may label
X_new, digit_new = X[1::2], digit[1::2]  # new rows, to measure with

# %%
# One round
# ---------
#
# Fit a model, ask it for rows, label them, and fit again. Each suggestion comes with the two
# likeliest classes of the row, and with the fraction of all uncertainty that its label removes.

start = np.random.default_rng(0).permutation(len(pool))
y = np.full(len(pool), -1)  # -1: no label
y[start[:20]] = truth[start[:20]]

model = penumbra.FDA().fit(pool, y)
print(model.suggest(pool, y, n=3))

# %%
# Eight rounds, suggested and random
# ----------------------------------
#
# Here the true digits play the person who labels. Each curve is the mean of three starts from 20
# random labels.


def learn(seed, suggested):
    """Accuracies of FDA at 20, 30, ... 100 labels, then of logistic regression at 100."""
    order = np.random.default_rng(seed).permutation(len(pool))
    y = np.full(len(pool), -1)
    y[order[:20]] = truth[order[:20]]
    curve = []
    for _ in labels:
        model = penumbra.FDA().fit(pool, y)
        curve.append(model.score(X_new, digit_new))
        known = y != -1  # the labels of this model
        rows = model.suggest(pool, y, n=10).rows if suggested else order[y[order] == -1][:10]
        y[rows] = truth[rows]
    plain = LogisticRegression().fit(pool[known] / 16, truth[known])
    return [*curve, plain.score(X_new / 16, digit_new)]


labels = range(20, 101, 10)
*suggested, suggested_plain = np.mean([learn(seed, True) for seed in range(3)], axis=0)
*random, random_plain = np.mean([learn(seed, False) for seed in range(3)], axis=0)
print("labels   ", "   ".join(map(str, labels)))
print("suggested", " ".join(f"{a:.2f}" for a in suggested))
print("random   ", " ".join(f"{a:.2f}" for a in random))
print(f"logistic regression, 100 labels: {suggested_plain:.2f} and {random_plain:.2f}")

assert suggested[-1] > random[-1] + 0.01
assert suggested[4] > random[-1] - 0.03  # 60 suggested labels, 100 random ones
assert suggested_plain > random_plain

# %%
# Both curves start at the same 20 random labels. The gap is the gain from choosing. Logistic
# regression gains as much: good labels help every classifier.

figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.plot(labels, suggested, "o-", color="#9E3A01", lw=2.5, label="suggested rows")
ax.plot(labels, random, "s--", color="#076F9E", lw=2.5, label="random rows")
ax.set(xlabel="labels", ylabel="accuracy on new digits")
ax.grid(color="#E8E8E8")
ax.legend(frameon=False, loc="lower right")
plt.show()

# %%
# The same with the command
# -------------------------
#
# ``next.csv`` has an empty column ``class``. Fill it in and pass it as a second ``--labels``.
#
# .. code-block:: sh
#
#     penumbra fit fda digits.csv --labels known.csv -o digits.pen
#     penumbra suggest digits.pen digits.csv --labels known.csv -n 10 -o next.csv
#
# ``penumbra explore`` does the whole loop in a browser: it shows the rows, marks suggestions, and
# refits after each label. See :doc:`/explore`.
#
# Limits
# ------
#
# - Suggested rows are hard rows. Accuracy measured on them is too low, so keep some random labels
#   to measure with.
# - The choice follows the model. Where no linear projection separates the classes, suggestions gain
#   nothing over random rows. :doc:`/suggest` lists results on eight data sets.
# - A rare class that lies far from all other rows is suggested last. Label some of it by hand.
