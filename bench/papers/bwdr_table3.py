"""Table 3 of Long, Meng, Sioutis (2020): clusters of held-out rows after PCA, SSDR, BWDR and WBDR, learned from 30 % of the pairs of the training rows.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/bwdr_table3.py [SET...]

FOLDER holds sets of the paper, each with X.npy and y.npy. Folds, pairs and dimensions are those of bwdr_table2.py; the rows of a fold are embedded,
divided by k-means of ten starts into as many clusters as there are classes, and compared with their labels by the normalized Rand index (docs/evaluation.md).
Embedded rows are not standardized. The paper gives isolet1 two classes and does not say which: letters A to M against N to Z is what its numbers fit.

Counted are isolet1 and heart_statlog. The other sets are shown: the paper leaves open how many starts k-means had and how rows with missing values were
completed.
"""
import sys

import numpy as np

from bwdr_table2 import SEED, Fold, as_it_is, table
from protocol import arguments, derive, kmeans, normalized_rand

METHODS = ("pca", "ssdr", "bwdr", "wbdr")
PAPER = {
    name: dict(zip(METHODS, values))
    for name, values in {
        "isolet1": (0.51, 0.53, 0.78, 0.72), "heart_statlog": (0.53, 0.63, 0.58, 0.73), "wdbc": (0.86, 0.63, 0.90, 0.88),
        "hepatitis": (0.52, 0.52, 0.52, 0.53), "hill_valley_noise": (0.50, 0.50, 0.50, 0.50), "labor": (0.49, 0.58, 0.55, 0.60),
        "mfeat_factors": (0.74, 0.79, 0.86, 0.95), "seeds": (0.85, 0.81, 0.82, 0.95), "segmentation2100": (0.70, 0.69, 0.75, 0.86),
    }.items()
}
COUNTED = {"isolet1": 0.02, "heart_statlog": 0.02}
FIRST_HALF = 13  # letters A to M


class ClusterFold(Fold):
    """The score is the normalized Rand index of clusters of the test rows."""

    def score(self, dims):
        z = self.embed("test")
        seeds = {r: derive(SEED, 1000, self.run, self.k, r) for r in dims}
        return np.array([normalized_rand(self.test_y, kmeans(z[:, :r], self.classes, seeds[r])) for r in dims])


def halves(y):
    return (y >= FIRST_HALF).astype(np.int32)


if __name__ == "__main__":
    prepare = lambda name: halves if name == "isolet1" else as_it_is
    sys.exit(table(arguments(__doc__, PAPER), PAPER, ClusterFold, COUNTED.get, prepare))
