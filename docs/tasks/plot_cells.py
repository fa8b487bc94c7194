"""
Cells: name all from a few
==========================

You have counts of genes in 1200 cells, and you named the types of 36 of them. penumbra names the
other cells, with a probability for each, and then the cells of your next sample. Here 95 % of the
names are right. Results go into the AnnData, by the conventions of scanpy.

The counts are simulated, so that this page needs no download: six types in three lineages, with
variation that has nothing to do with types, and 10 to 30 % of the cells in a type.
"""

import anndata
import matplotlib.pyplot as plt
import numpy as np
import penumbra
from sklearn.linear_model import LogisticRegression

TYPES = np.array(["CD4 T", "CD8 T", "NK", "monocyte", "dendritic", "B"])


def sample(n, seed):
    """An AnnData of n cells and 800 genes; the types are in obs["truth"]."""
    genes, rng = np.random.default_rng(1), np.random.default_rng(seed)
    level = genes.gamma(0.4, 1, 800)
    lineage = 0.9 * (genes.random((3, 800)) < 0.1)[[0, 0, 0, 1, 1, 2]]
    markers = 0.8 * (genes.random((6, 800)) < 0.06)
    programs = genes.normal(size=(4, 800)) * (genes.random((4, 800)) < 0.1)
    kind = rng.choice(6, n, p=[0.3, 0.2, 0.15, 0.15, 0.1, 0.1])
    activity = 0.6 * rng.normal(size=(n, 4))
    rate = level * np.exp((lineage + markers)[kind] + activity @ programs)
    depth = 1500 * np.exp(0.5 * rng.normal(size=(n, 1)))
    counts = rng.poisson(depth * rate / rate.sum(axis=1, keepdims=True))
    cells = anndata.AnnData(counts.astype(np.float32))
    cells.obs_names = [f"cell{seed}-{i}" for i in range(n)]
    cells.obs["truth"] = TYPES[kind]
    return cells


adata = sample(1200, seed=0)
named = np.concatenate([np.flatnonzero(adata.obs["truth"] == one)[:6] for one in TYPES])
adata.obs["cell_type"] = "Unknown"
adata.obs.iloc[named, -1] = adata.obs["truth"].iloc[named]

# %%
# From counts to types
# --------------------
#
# The row steps divide each cell by its total count and take logarithms. They become part of the
# model, so the layer of counts is all that a new sample needs. Principal components reduce 800
# genes to 30 columns, and :class:`penumbra.FME` spreads the 36 names to the other cells.

penumbra.pp.pca(adata, n_components=30, row_steps="total:median,log1p")
penumbra.pp.fme(adata, "cell_type", unlabelled="Unknown", use_rep="X_pca")

unnamed = (adata.obs["cell_type"] == "Unknown").to_numpy()
right = (adata.obs["X_fme_class"] == adata.obs["truth"]).to_numpy()
accuracy = right[unnamed].mean()
print(f"penumbra: {accuracy:.3f}")

# %%
# A plain classifier of the same principal components, and one of all genes:

logs = np.log1p(adata.X / adata.X.sum(axis=1, keepdims=True) * 1500)
truth, plain = adata.obs["truth"].to_numpy(), {}
for name, rows in (("principal components", adata.obsm["X_pca"]), ("genes", logs)):
    classifier = LogisticRegression(max_iter=1000).fit(rows[named], truth[named])
    plain[name] = classifier.score(rows[unnamed], truth[unnamed])
    print(f"logistic regression, {name}: {plain[name]:.3f}")
assert accuracy > 0.9
assert accuracy > plain["principal components"]
assert plain["principal components"] > plain["genes"]

# %%
# Cells below a probability of 0.7 are few, and wrong names gather there. Check them by their markers.

doubtful = unnamed & (adata.obsm["X_fme_proba"].max(axis=1) < 0.7)
print(f"doubtful: {doubtful.sum()} of {unnamed.sum()}, {right[doubtful].mean():.2f} of them right")
assert right[doubtful].mean() < accuracy

# %%
# A new sample
# ------------

new = sample(300, seed=7)
penumbra.pp.transform(new, adata.uns["X_pca"], key_added="X_pca")
penumbra.pp.transform(new, adata.uns["X_fme"], key_added="X_fme")
print(f"new sample: {(new.obs['X_fme_class'] == new.obs['truth']).mean():.3f}")
assert (new.obs["X_fme_class"] == new.obs["truth"]).mean() > 0.85
