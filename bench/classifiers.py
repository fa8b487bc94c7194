"""Classifiers on the digits and wines of examples/data, with few labels: accuracy and
log-loss of each on the embeddings of some methods, as the table of docs/classifiers.md.

    PENUMBRA=COMMAND python bench/classifiers.py [--runs N]

Half of the rows are held out and stay in the fit without labels. In the other half, 3 or 10 rows
per class keep their labels (`penumbra compare --effort 0 --keep-labels`). fda, self and pca have
classes - 1 dimensions. Means over two folds in N runs (10).
"""

import argparse
import json
import os
import subprocess

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "data")
CLASSIFIERS = ["nearest", "neighbors", "means", "lda", "self-training", "logistic", "scores"]
SETS = {"digits": ["--dim", "9"], "wine": ["--dim", "2"]}


def scores(name, method, labels, runs):
    """Return (accuracy, log-loss) for each classifier."""
    dims = [] if method == "fme" else SETS[name]
    scale = ["--scale", "standard"] if name == "wine" else []
    classifiers = CLASSIFIERS if method == "fme" else CLASSIFIERS[:-1]
    command = [os.environ.get("PENUMBRA", "penumbra"), "compare", method]
    command += [os.path.join(DATA, name + ".csv"), "--label-column", "class", "--json", "--quiet"]
    command += ["--folds", "2", "--runs", str(runs), "--keep-labels", str(labels), "--effort", "0"]
    command += ["--classifier", ",".join(classifiers), *dims, *scale]
    told = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return {
        row["classifier"]: (row["accuracy"], row["log_loss"])
        for row in told["candidates"]
        if row["method"] == method and not row["baseline"]
    }


def cell(found, classifier):
    if classifier not in found:
        return "–"
    accuracy, loss = found[classifier]
    best = max(a for a, _ in found.values())
    text = f"{accuracy:.3f}"
    return f"{f'**{text}**' if accuracy == best else text} · {loss:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    print("| set, labels a class | method | " + " | ".join(f"`{r}`" for r in CLASSIFIERS) + " |")
    print("|---" * (2 + len(CLASSIFIERS)) + "|")
    for name in SETS:
        for labels in (3, 10):
            for method in ("self", "fda", "pca", "fme"):
                found = scores(name, method, labels, runs)
                cells = " | ".join(cell(found, classifier) for classifier in CLASSIFIERS)
                print(f"| {name}, {labels} | `{method}` | {cells} |", flush=True)


if __name__ == "__main__":
    main()
