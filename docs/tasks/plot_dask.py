"""
Rows in many files, with Dask
=============================

Your rows are in many files or on many machines, and do not fit into memory together. penumbra fits
a model from a small summary of each file. The rows stay where they are, and the model equals that
of a fit to all rows, up to rounding. A new file needs only its own summary.

**You have** files with a column of labels, mostly empty. **You want** one model for all of them.
You need ``pip install "penumbra-learn[dask]"``.
"""

# %%
# The data
# --------
# The rows are 1797 images of digits in five files. Each file has two of the ten digits, so no file
# alone could teach a model all of them. Each digit has ten labels.

import pathlib
import tempfile

import dask.dataframe as dd
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

import penumbra

X, digit = load_digits(return_X_y=True, as_frame=True)
order = np.argsort(digit, kind="stable")
X, digit = X.iloc[order], digit.iloc[order].to_numpy()
y = np.full(len(X), -1)  # -1: no label
for d in range(10):
    y[np.random.default_rng(d).choice(np.flatnonzero(digit == d), 10, replace=False)] = d
folder = pathlib.Path(tempfile.mkdtemp())
for file in range(5):
    here = digit // 2 == file
    X[here].assign(label=y[here]).to_csv(folder / f"part{file}.csv", index=False)

# %%
# Fit and predict
# ---------------
# Every estimator takes a Dask dataframe. :class:`penumbra.SELF` reads the files twice. Each task
# returns sums and the labelled rows; ``predict`` and ``transform`` are lazy. With
# ``dask.distributed.Client(...)`` the same lines run on a cluster.

table = dd.read_csv(folder / "part*.csv")
rows = table.drop(columns="label")
model = penumbra.SELF().fit(table, "label")
hidden = y == -1
predicted = np.asarray(model.predict(rows).compute())
print(f"accuracy on the unlabelled rows: {(predicted[hidden] == digit[hidden]).mean():.3f}")
assert (predicted[hidden] == digit[hidden]).mean() > 0.85

# %%
# A fit to all rows in memory gives the same model up to rounding.

together = penumbra.SELF().fit(X, y)
Z = np.asarray(model.transform(rows).compute())
print(f"largest difference to a fit in memory: {np.abs(Z - together.transform(X)).max():.0e}")
assert np.allclose(Z, together.transform(X), atol=1e-6)

# %%
# The picture
# -----------
# Each panel shows the rows of one file in the first two dimensions of the common projection, and
# all other rows in gray.

fig, axes = plt.subplots(1, 5, figsize=(10, 2.6), sharex=True, sharey=True, layout="constrained")
for file, ax in enumerate(axes):
    ax.scatter(*Z[:, :2].T, s=3, color="0.85")
    for d, color in ((2 * file, "#0072b2"), (2 * file + 1, "#d55e00")):
        ax.scatter(*Z[digit == d, :2].T, s=8, color=color, alpha=0.6, label=str(d))
    ax.set(title=f"part{file}.csv", xticks=[], yticks=[])
    ax.legend(markerscale=2, handletextpad=0, loc="upper right")
plt.show()

# %%
# Methods such as :class:`penumbra.FME` need every row. With ``pca=30``, the client receives the 30
# principal components of all rows. Logistic regression uses the labelled rows only.

plain = LogisticRegression(max_iter=1000).fit(X[~hidden] / 16, y[~hidden])
fme = penumbra.FME(pca=30).fit(table, "label")
scores = [e.score(part[hidden], digit[hidden]) for e, part in ((plain, X / 16), (fme, X))]
print(f"logistic regression {scores[0]:.3f}, FME {scores[1]:.3f}")
assert scores[0] > 0.85 and scores[1] > 0.85

# %%
# Without Dask
# ------------
# :class:`penumbra.Statistics` is the summary of one file. Any system that maps a function over
# files can compute it, and summaries are merged in any order. :class:`penumbra.FDA` needs one pass.

fda = penumbra.FDA()
parts = []
for file in range(5):
    part = pd.read_csv(folder / f"part{file}.csv")
    parts.append(penumbra.Statistics(fda, part.drop(columns="label"), part["label"], block=file))
four = penumbra.Statistics.merge(parts[:4])
print(f"without part4.csv: {len(four.fit(fda).classes_)} classes, {len(four.bytes())} bytes")
merged = penumbra.Statistics.merge([four, parts[4]])
print(f"with part4.csv: {len(merged.fit(fda).classes_)} classes, {len(merged.bytes())} bytes")
assert len(merged.fit(fda).classes_) == 10

# %%
# The same with the command
# -------------------------
# A file with the ending ``.pens`` has the statistics of a block of rows.
#
# .. code-block:: sh
#
#    for i in 0 1 2 3 4; do
#      penumbra fit fda part$i.csv --label-column label --block $i -o part$i.pens
#    done
#    penumbra fit fda part?.pens -o digits.pen
#    penumbra predict digits.pen part0.csv -o classes.csv
#
# Limits
# ------
# - Few labelled rows fit into memory. A logistic regression on them is nearly as accurate as SELF.
# - With ``pca=30``, the principal components of a million rows take 240 MB on the client.
# - Kernels and :class:`penumbra.AutoReducer` need the rows, or a sample of them, in one process.
# - The columns of all files must be the same. Statistics grow with the square of their number.
#
# See :doc:`/dask` for Spark and Ray, and :doc:`/statistics` for what each method needs.
