"""Table 3 of Long, Meng, Sioutis (2020): clusters of held-out rows after PCA, cFLD, SSDR, BWDR and
WBDR, learned from 30 % of the pairs of the training rows.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/bwdr_table3.py [SET...]
        [--runs 3] [--keep FILE] [--flags "--scale standard"] [--methods "pca cfld"]

Sets, folds, pairs, dimensions, cells and arguments are those of bwdr_table2.py. The rows of a fold
are embedded, without standardizing; k-means divides them into one cluster per class; and the
normalized Rand index compares the clusters with the labels. The paper does not give the number of
starts of k-means: its numbers agree better with one than with ten. The second row of wdbc is a
variant with standardized columns, which is not counted.
"""

import sys

import numpy as np
from bwdr_table2 import METHODS, SEED, TOLERANCE, Fold, asked_of, file_of, table
from protocol import derive, kmeans, normalized_rand

PAPER = {  # pca, cfld, ssdr, bwdr, wbdr
    "wdbc": (0.86, 0.90, 0.63, 0.90, 0.88),
    "wdbc_standardized": (0.86, 0.90, 0.63, 0.90, 0.88),
    "cnae9": (0.65, None, 0.87, 0.87, 0.79),
    "climate": (0.51, 0.52, 0.53, 0.53, 0.52),
    "heart_statlog": (0.53, 0.71, 0.63, 0.58, 0.73),
    "hepatitis": (0.52, 0.52, 0.52, 0.52, 0.53),
    "hill_valley_noise": (0.50, 0.50, 0.50, 0.50, 0.50),
    "isolet1": (0.51, 0.70, 0.53, 0.78, 0.72),
    "isolet5": (0.69, 0.80, 0.69, 0.85, 0.83),
    "kr_vs_kp": (0.50, 0.89, 0.54, 0.88, 0.89),
    "labor": (0.49, 0.61, 0.58, 0.55, 0.60),
    "mfeat_factors": (0.74, 0.68, 0.79, 0.86, 0.95),
    "mfeat_karhunen": (0.78, 0.91, 0.66, 0.90, 0.93),
    "mfeat_zernike": (0.67, 0.81, 0.57, 0.75, 0.86),
    "seeds": (0.85, 0.86, 0.81, 0.82, 0.95),
    "segmentation2100": (0.70, 0.70, 0.69, 0.75, 0.86),
    "semeion": (0.70, 0.85, 0.53, 0.85, 0.84),
}
DIFFERS = {
    "climate": ("bwdr",),
    "wdbc": ("pca", "ssdr", "bwdr"),
    "wdbc_standardized": METHODS,
    "isolet5": ("ssdr",),
    "mfeat_factors": ("cfld", "ssdr", "bwdr"),
    "mfeat_zernike": ("cfld",),
    "seeds": ("cfld",),
    "segmentation2100": ("cfld", "ssdr"),
    "semeion": ("cfld",),
}
STARTS = 1


class ClusterFold(Fold):
    """The score is the normalized Rand index of clusters of the test rows."""

    def score(self, dims):
        z = self.embed("test")
        seeds = {r: derive(SEED, 1000, self.run, self.k, r) for r in dims}
        clusters = {r: kmeans(z[:, :r], self.classes, seeds[r], STARTS) for r in dims}
        return np.array([normalized_rand(self.test_y, clusters[r]) for r in dims])


def tolerance_of(name, method):
    return None if method in DIFFERS.get(name, ()) else TOLERANCE


if __name__ == "__main__":
    asked = asked_of(__doc__, PAPER, file_of)
    sys.exit(table(asked, PAPER, ClusterFold, tolerance_of, file_of))
