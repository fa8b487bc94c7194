"""The number of random labels that suggested labels are worth, on real data, with rows labelled as
in `penumbra explore`.

    PENUMBRA_DATA=FOLDER python bench/suggest.py [SET...] [flags]

    --draws N          draws of rows (5)
    --processes N      the number of parallel processes (the cores)
    --results FILE     keeps results, one JSON object per line; existing ones are not computed again
                       (build-bench/suggest.jsonl)
    --seconds S        start nothing after this time
    --report           only print the tables of existing results

Half of the rows of a set, of at most 2000, is for training; the other half is held out. At first no
row is labelled. Then five rows at a time get labels (ten with more than three classes), up to 100:
the rows that a model of the labels suggests, or principal components before there are two classes.
Random labels are 50 to 400 labels of the same rows. Then AutoReducer, or FDA with its defaults,
learns from the labels. The table shows its accuracy on held-out rows.

`random`: with 100 random labels. Other columns show the accuracy with 100 suggested labels, with
its standard error over draws, and after `=` the number of random labels that first reach this mean
accuracy, by linear interpolation. FDA, FME: suggested by these models, with their defaults; margin:
the rows with the smallest margin of FDA between the two likeliest classes; cover: suggested by
principal components, for any labels. The rule was tuned on sk_digits8x8, ida_waveform,
segmentation2100 and isolet1, among others.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PENUMBRA_THREADS"):
    os.environ[name] = "1"  # one thread per process, also for BLAS

import collections
import itertools
import warnings

import kept_results
import numpy as np
from markdown_tables import print_table, short

SETS = [
    "sk_digits8x8",
    "ida_waveform",
    "segmentation2100",
    "isolet1",
    "mnist70000",
    "ssl1_digit1",
    "letter",
    "mfeat_factors",
]
ROWS, LABELS, FEW_CLASSES = 2000, 100, 3
NUMBERS = (50, 100, 150, 200, 300, 400)
JUDGES = {"AutoReducer": ("FDA", "FME"), "FDA": ("FDA", "FME", "margin", "cover")}


def load(name, seed):
    """Return rows and classes for training, and held-out ones."""
    folder = os.path.join(os.environ["PENUMBRA_DATA"], name)
    x = np.load(os.path.join(folder, "X.npy"), mmap_mode="r")
    y = np.unique(np.load(os.path.join(folder, "y.npy")), return_inverse=True)[1]
    rows = np.random.default_rng(1000 + seed).permutation(len(x))[:ROWS]
    x = np.array([x[row] for row in rows], np.float32)
    half = len(x) // 2
    return x[:half], y[rows[:half]], x[half:], y[rows[half:]]


def least_certain(model, rows, known, count):
    p = np.sort(model.predict_proba(rows), axis=1)
    margins = np.where(known < 0, p[:, -1] - p[:, -2], np.inf)
    return np.argsort(margins, kind="stable")[:count]


def asked_for(choice, rows, y):
    """Return row numbers, in the order in which they are labelled."""
    import penumbra

    count = 5 if y.max() < FEW_CLASSES else 10
    components = penumbra.PCA(n_jobs=1).fit(rows)
    known, order = np.full(len(y), -1), []
    while len(order) < LABELS:
        model = components
        if choice != "cover" and len(np.unique(y[order])) > 1:
            model = (penumbra.FME if choice == "FME" else penumbra.FDA)(n_jobs=1).fit(rows, known)
        if choice == "margin" and model is not components:
            found = least_certain(model, rows, known, count)
        else:
            found = model.suggest(rows, known, count).rows
        known[found] = y[found]
        order += found.tolist()
    return order


def work(job):
    """Measure one draw, choice and judge, as a line of the results file."""
    import penumbra

    name, seed, choice, judge = job
    warnings.simplefilter("ignore")
    x, y, held_out, truth = load(name, seed)
    rows, at_random = penumbra.Rows(x), choice == "random"
    order = np.random.default_rng(seed).permutation(len(y)) if at_random else None
    order = asked_for(choice, rows, y) if order is None else order
    accuracy = []
    for number in NUMBERS if at_random else [LABELS]:
        known = np.full(len(y), -1)
        known[order[:number]] = y[order[:number]]
        model = getattr(penumbra, judge)(n_jobs=1).fit(rows, known)
        accuracy.append(float((model.predict(held_out) == truth).mean()))
    return [{"set": name, "draw": seed, "choice": choice, "judge": judge, "accuracy": accuracy}]


def measure(options):
    done = {
        (r["set"], r["draw"], r["choice"], r["judge"]) for r in kept_results.read(options.results)
    }
    todo = [
        (name, seed, choice, judge)
        for seed, (judge, choices) in itertools.product(range(options.draws), JUDGES.items())
        for choice, name in itertools.product(("random", *choices), options.sets or SETS)
        if (name, seed, choice, judge) not in done
    ]
    kept_results.measure(work, todo, options.results, options.processes, options.seconds)


def worth(accuracy, curve):
    """Return the number of random labels that first reach the mean accuracy; infinite: more than
    any number that was tried."""
    at = int(np.argmax(curve >= accuracy))
    if curve[at] < accuracy:
        return np.inf
    return (
        np.interp(accuracy, curve[at - 1 : at + 1], NUMBERS[at - 1 : at + 1]) if at else NUMBERS[0]
    )


def told(number):
    most = f"> {NUMBERS[-1]}" if number == np.inf else f"{number:.0f}"
    return most if number > NUMBERS[0] else f"≤ {NUMBERS[0]}"


def table(judge, results, names):
    """Print accuracy by set and choice, and the median worth of labels."""
    found = collections.defaultdict(list)
    for r in results:
        if r["judge"] == judge:
            found[r["set"], r["choice"]].append(r["accuracy"])
    rows, worths = [], collections.defaultdict(list)
    for name in (name for name in names if (name, "random") in found):
        curve = np.mean(found[name, "random"], axis=0)
        cells = [name, short(curve[NUMBERS.index(LABELS)], ".3f")]
        for choice in JUDGES[judge]:
            own = np.array(found[name, choice])
            number = worth(own.mean(), curve)
            worths[choice].append(number)
            error = f" ± {short(own.std(ddof=1) / len(own) ** 0.5, '.3f')}" if len(own) > 1 else ""
            cells.append(f"{short(own.mean(), '.3f')}{error} = {told(number)}")
        rows.append(cells)
    medians = [f"**{told(np.median(worths[choice]))}**" for choice in JUDGES[judge]]
    draws = min(map(len, found.values()))
    print(f"\n{judge} of {LABELS} labels, {draws} draw{'s' if draws > 1 else ''} at least:")
    print_table(("set", "random", *JUDGES[judge]), [*rows, ["median", str(LABELS), *medians]])


def main():
    options = kept_results.parser("suggest", 5).parse_args()
    if "PENUMBRA_DATA" not in os.environ:
        print("skipped: PENUMBRA_DATA names no folder")
        return
    if not options.report:
        measure(options)
    results = kept_results.read(options.results)
    for judge in JUDGES:
        table(judge, results, options.sets or SETS)


if __name__ == "__main__":
    main()
