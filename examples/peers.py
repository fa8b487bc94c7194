"""peers.py PENUMBRA DIGITS FOLDER: classes of handwritten digits from three labels per class, by
penumbra and by scikit-learn, on the same rows.

The mean accuracy over ten draws of labels, with its standard deviation, on the rows whose labels are
hidden. scikit-learn gets pixels divided by 16, in [0, 1], and logistic regression iterations
enough; otherwise everything has its defaults.
"""
import csv
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

DRAWS, PER_CLASS = 10, 3


def penumbra(program, *arguments):
    subprocess.run([program, *map(str, arguments), "--quiet"], check=True)


FITS = {
    "penumbra fit fme --classes": ["fme"],
    "penumbra fit --ensemble --classes": ["--ensemble"],
    "penumbra fit --classes": [],
}


def propagated(program, how, data, known, folder):
    """The classes that a fit gives the rows."""
    out = folder / "classes.csv"
    penumbra(program, "fit", *how, data, "--drop", "class", "--labels", known, "--classes", out,
             "-o", folder / "digits.pen")
    with open(out, newline="") as file:
        return np.array([int(row["class"]) for row in csv.DictReader(file)])


def peers():
    logistic = LogisticRegression(max_iter=1000)
    return {
        "scikit-learn LabelSpreading": LabelSpreading(),
        "scikit-learn LogisticRegression": logistic,
        "scikit-learn SelfTrainingClassifier of it": SelfTrainingClassifier(logistic),
    }


def classify(model, x, labels):
    """The classes of all rows; logistic regression alone cannot use the unlabelled ones."""
    rows = labels >= 0 if isinstance(model, LogisticRegression) else slice(None)
    return model.fit(x[rows], labels[rows]).predict(x)


def main(program, data, folder):
    folder = Path(folder)
    table = np.loadtxt(data, delimiter=",", skiprows=1)
    x, truth = table[:, :-1] / 16, table[:, -1].astype(int)
    found = {}
    for seed in range(1, DRAWS + 1):
        known, few = folder / "few.npy", folder / "few.csv"
        penumbra(program, "convert", data, few, "--label-column", "class", "--keep-labels",
                 PER_CLASS, "--seed", seed)
        labels = np.genfromtxt(few, delimiter=",", skip_header=1, usecols=0, filling_values=-1)
        labels = labels.astype(np.int32)
        np.save(known, labels)
        hidden = labels < 0
        classes = {name: propagated(program, how, data, known, folder)
                   for name, how in FITS.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, model in peers().items():
                classes[name] = classify(model, x, labels)
        for name, of_row in classes.items():
            found.setdefault(name, []).append(np.mean(of_row[hidden] == truth[hidden]))
    print("|                                            | accuracy      |")
    print("|--------------------------------------------|---------------|")
    for name, accuracy in found.items():
        print(f"| {name:42} | {np.mean(accuracy):.3f} ± {np.std(accuracy, ddof=1):.3f} |")


if __name__ == "__main__":
    main(*sys.argv[1:4])
