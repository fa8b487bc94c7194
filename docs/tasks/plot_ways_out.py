"""
Use a projection in FAISS, ONNX, or NumPy
=========================================

A fitted model can run without penumbra: as an index of FAISS, as a graph of ONNX, or as two arrays
that any program reads. In the example, 100 labels improve a search for similar images: 93 % of the
results are right instead of 57 %, and the index is four times smaller.

**You have** a search that finds rows that look alike for the wrong reason. **You want** a better
search in the system that you already run. You need ``pip install faiss-cpu onnx onnxruntime``.
"""

# %%
# The data
# --------
# The rows are images of handwritten digits. We simulate uneven light and noise: each image gets a
# gradient of random direction and strength. The light moves the pixels more than the digit does.
# 100 of 1500 images in the database have a label, and 297 images are queries.

import json
import pathlib
import tempfile

import faiss
import matplotlib.pyplot as plt
import numpy as np
import onnxruntime
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression

import penumbra

images, digit = load_digits(return_X_y=True)
rng = np.random.default_rng(0)
order = rng.permutation(len(images))
images, digit = images[order], digit[order]
down, right = np.repeat(np.linspace(-1, 1, 8), 8), np.tile(np.linspace(-1, 1, 8), 8)
light = rng.normal(size=(1797, 3)) * [5, 8, 8] @ [np.ones(64), down, right]
X = (images + light + 0.5 * rng.normal(size=images.shape)).astype(np.float32)
rows, queries = X[:1500], X[1500:]
y = np.where(np.arange(1500) < 100, digit[:1500], -1)  # -1: no label

# %%
# Fit, and search in FAISS
# ------------------------
# :class:`penumbra.RCA` learns from pairs or labels to suppress directions in which images of the
# same digit differ, such as the light; ``pca=30`` drops directions of noise. ``to_faiss(index)``
# returns an index that projects what is added and what is searched.

model = penumbra.RCA(n_components=15, pca=30).fit(rows, y)


def search(index, rows, queries):
    """The 5 nearest rows of each query, and how many of them show the digit of the query."""
    index.add(rows)
    found = index.search(queries, 5)[1]
    return found, (digit[found] == digit[1500:, None]).mean()


pca = PCA(15).fit(rows)
in_pixels, of_pixels = search(faiss.IndexFlatL2(64), rows, queries)
of_pca = search(faiss.IndexFlatL2(15), pca.transform(rows), pca.transform(queries))[1]
in_model, of_model = search(model.to_faiss(faiss.IndexFlatL2(15)), rows, queries)
print(
    f"same digit among the 5 nearest: pixels {of_pixels:.2f}, PCA {of_pca:.2f}, RCA {of_model:.2f}"
)
assert of_model > 0.88 and of_pixels < 0.7

plain = LogisticRegression(max_iter=3000).fit(rows[:100], y[:100])
scores = model.score(queries, digit[1500:]), plain.score(queries, digit[1500:])
print("accuracy of predicted classes: RCA {:.2f}, logistic regression {:.2f}".format(*scores))

# %%
# The picture
# -----------
# Each row shows a query and the five nearest images by pixels and by the projection. The queries
# are the first four for which pixels find at least three wrong digits. A frame marks a wrong digit.

fig, axes = plt.subplots(4, 12, figsize=(9, 3.4), layout="constrained")
shown = np.flatnonzero((digit[in_pixels] != digit[1500:, None]).sum(axis=1) >= 3)[:4]
for line, q in zip(axes, shown):
    numbers = [1500 + q, *in_pixels[q], -1, *in_model[q]]
    for ax, i in zip(line, numbers):
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(i >= 0 and digit[i] != digit[1500 + q])
        ax.spines[:].set(color="#d55e00", linewidth=4)
        if i >= 0:
            ax.imshow(X[i].reshape(8, 8), cmap="gray_r")
for at, title in ((0, "query"), (3, "nearest by pixels"), (9, "nearest by projection")):
    axes[0, at].set_title(title)
plt.show()

# %%
# ONNX
# ----
# The graph has the input ``X`` and the outputs ``Z``, ``class``, and ``probabilities``. ONNX
# Runtime runs it from C++, Java, or JavaScript.

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "model.onnx").write_bytes(model.to_onnx("float32").SerializeToString())
session = onnxruntime.InferenceSession(folder / "model.onnx")
Z, classes = session.run(["Z", "class"], {"X": queries})
off = np.abs(Z - model.transform(queries)).max()
same = (classes == model.predict(queries)).mean()
print(f"ONNX: Z is off by at most {off:g}; {same:.1%} of the classes are the same")
assert off < 1e-3

# %%
# NumPy alone
# -----------
# A model file is a header in JSON, followed by arrays. :doc:`/model-file` has the formulas.

model.save(folder / "model.pen")
data = (folder / "model.pen").read_bytes()
start = 8 + int.from_bytes(data[:8], "little")
header = json.loads(data[8:start])


def tensor(name):
    begin, end = header[name]["data_offsets"]
    return np.frombuffer(data[start + begin : start + end]).reshape(header[name]["shape"])


Z = (queries - tensor("mean")) @ tensor("projection")
print(f"model.pen has {len(data)} bytes")
assert np.allclose(Z, model.transform(queries), atol=1e-4)

# %%
# The same with the command
# -------------------------
# The command fits the model and projects files. Only Python exports to FAISS and ONNX, also a model
# of the command: ``penumbra.load("rca.pen").to_onnx()``.
#
# .. code-block:: sh
#
#    penumbra fit rca images.csv --label-column digit --dim 15 --pca 30 -o rca.pen
#    penumbra transform rca.pen new.csv -o z.npy
#
# Limits
# ------
# - If you know the disturbance exactly, remove it. Without gradients and noise, 97 % of the results
#   by pixels are right.
# - To predict classes, logistic regression on the same labels is as accurate as this model.
# - FAISS takes linear models, in single precision. ONNX also takes kernels and all row steps.
#
# See :doc:`/methods/rca` for the method, and :doc:`/python` for what each format supports.
