"""How well `typical` detects rows of a class that is not in the fit, on real data. Each class in
turn is left out, with its rows and labels.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/typical_table.py [SET...] [flags]

    --draws N          draws of rows and labels (1)
    --processes N      the number of parallel processes (the cores)
    --results FILE     keeps results, one JSON object per line; existing ones are not computed again
                       (build-bench/typical.jsonl)
    --seconds S        start nothing after this time
    --report           only print the tables of existing results

Sets in FOLDER have X.npy and y.npy; those with at least three classes are used. At most 1000 rows
are drawn, 60 % of them for training, with ten labels per class (auto_draws.py). With more than ten
classes, only ten are left out. The task is to separate new rows of the missing class from new rows
of known classes. The area under the curve is the probability that a row of the missing class is
less typical. Other detectors use unchanged or standardized columns, whichever is better on the set.
The last columns show `typical` on rows of known classes (0.5 and .05 if evenly distributed), and
the fraction of missing-class rows found at the level that flags 5 % of the rows of known classes.
"""

import csv
import itertools
import os
import tempfile

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PENUMBRA_THREADS"):
    os.environ[name] = "1"  # one thread per process, also for BLAS

import auto_commands
import auto_draws
import kept_results
import numpy as np
from markdown_tables import print_table, short
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import LocalOutlierFactor
from sklearn.preprocessing import StandardScaler

LABELS, MOST_ROWS, MOST_CLASSES = "10", 1000, 10
OURS = "`typical`"
PEERS = {
    "isolation forest": lambda: IsolationForest(random_state=0),
    "local outlier factor": lambda: LocalOutlierFactor(novelty=True),
}
NEVER = -1  # a class of no row


def arguments():
    return kept_results.parser("typical", 1).parse_args()


def without(draw, c):
    """Remove a class from the training rows of a draw; append all its rows to the new rows."""
    fit, new = draw.y != c, draw.new_y != c
    unknown = np.concatenate([draw.new_x[~new], draw.x[~fit]])
    return auto_draws.Draw(
        draw.x[fit],
        draw.y[fit],
        draw.known[fit],
        np.concatenate([draw.new_x[new], unknown]),
        np.concatenate([draw.new_y[new], np.full(len(unknown), NEVER)]),
    )


def typical(draw, program):
    with tempfile.TemporaryDirectory() as scratch:
        command = auto_commands.Command(program, scratch, draw)
        command.fit("--quiet")
        command.classes("new.npy")
        with open(command.at("p.csv"), newline="") as file:
            return np.array([float(line["typical"]) for line in csv.DictReader(file)])


def peers(draw):
    """Score the peers with unchanged and with standardized columns; the report takes the better."""
    scaler = StandardScaler().fit(draw.x)
    for way, change in (("as they are", lambda x: x), ("standardized", scaler.transform)):
        for who, make in PEERS.items():
            yield who, way, make().fit(change(draw.x)).score_samples(change(draw.new_x))


def work(job):
    """Measure all classes of one draw, as lines of the results file."""
    folder, name, seed, program = job
    key = {"set": name, "draw": seed}
    draw = auto_draws.draw(folder, name, LABELS, seed, most_rows=MOST_ROWS)
    if draw is None or draw.y.max() < 2:
        return [{**key, "who": None}]
    lines = []
    count = draw.y.max() + 1
    for c in np.unique(np.linspace(0, count - 1, min(count, MOST_CLASSES)).round().astype(int)):
        some = without(draw, c)
        unknown = some.new_y == NEVER
        found = typical(some, program)
        told = {"mean": found[~unknown].mean(), "low": np.mean(found[~unknown] <= 0.05)}
        told |= {"unknown low": np.mean(found[unknown] <= 0.05)}
        for who, way, score in [(OURS, "", found), *peers(some)]:
            line = {**key, "class": int(c), "who": who, "way": way, "classes": int(count)}
            line["auc"] = float(roc_auc_score(unknown, -score))
            lines.append({**line, **told} if who == OURS else line)
    return lines


def measure(options, folder):
    done = {(r["set"], r["draw"]) for r in kept_results.read(options.results)}
    program = os.environ.get("PENUMBRA", "penumbra")
    sets = options.sets or auto_draws.sets(folder)
    todo = [
        (folder, name, seed, program)
        for seed, name in itertools.product(range(options.draws), sets)
        if (name, seed) not in done
    ]
    kept_results.measure(work, todo, options.results, options.processes, options.seconds)


def mean_of(lines, what="auc"):
    return float(np.mean([line[what] for line in lines]))


def better(lines):
    """Return the mean of a peer with the better columns."""
    ways = {line["way"] for line in lines}
    return max(mean_of([line for line in lines if line["way"] == way]) for way in ways)


def report(lines):
    """Print a line for each set, and means over sets with their standard errors."""
    lines = [line for line in lines if line["who"]]
    sets = sorted({line["set"] for line in lines})
    of = {
        name: {who: [r for r in lines if (r["set"], r["who"]) == (name, who)] for who in names}
        for name in sets
        for names in [(OURS, *PEERS)]
    }
    heads = [OURS, *PEERS, "known rows: mean", "at most .05", "unknown rows: at most .05"]
    rows = {}
    for name in sets:
        ours = of[name][OURS]
        rows[name] = [mean_of(ours), *(better(of[name][who]) for who in PEERS)]
        rows[name] += [mean_of(ours, what) for what in ("mean", "low", "unknown low")]
    values = np.array(list(rows.values()))
    errors = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    means = [
        f"{short(m, '.3f')} ({short(e, '.3f')})" for m, e in zip(values.mean(axis=0), errors)
    ]
    table = [[f"**{len(sets)} sets**, mean (s.e.)", *means]]
    gain = values[:, 0] - values[:, 1:3].max(axis=1)
    for name in sets:
        classes = of[name][OURS][0]["classes"]
        table.append([f"{name}, {classes} classes", *(short(v, ".3f") for v in rows[name])])
    print_table(["left out in turn: AUROC", *heads], table)
    error = gain.std(ddof=1) / np.sqrt(len(gain))
    print(f"\n{OURS} less the better peer of each set: {gain.mean():+.3f} ({error:.3f})")


def main():
    options, folder = arguments(), os.environ.get("PENUMBRA_DATA")
    if not folder:
        print("skipped: PENUMBRA_DATA names no folder")
        return
    if not options.report:
        measure(options, folder)
    report(kept_results.read(options.results))


if __name__ == "__main__":
    main()
