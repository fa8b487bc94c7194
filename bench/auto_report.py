"""The tables and the picture of bench/auto_table.py, from its results."""

import os
from collections import defaultdict

import auto_draws
import numpy as np
from markdown_tables import print_table, short

LABELS = auto_draws.LABELS
EACH = (*LABELS, "all")
ENSEMBLE, PROJECTION, PCA = "ensemble", "projection", "PCA"
SINGLE = (ENSEMBLE, PROJECTION, "fme")
SAME = (ENSEMBLE, "projection, lda")  # --classes writes the same as with the projection
NAMES = {
    PROJECTION: "`penumbra fit`",
    "projection, lda": "`penumbra fit --classifier lda`",
    ENSEMBLE: "`penumbra fit --ensemble`",
    "fme": "`penumbra fit fme`",
    "best of scikit-learn": "the best of these seven by cross-validation",
    "umap-learn + 1-NN": "umap-learn with the labels, nearest labelled row",
}
PARTS = {"new": "rows that are not in the fit", "fit": "unlabelled rows of the fit"}
MANY_CLASSES = 4  # with fewer, a picture is too easy


def row_of(line):
    """Return the table row of a result."""
    known = line["kind"] in ("penumbra", "scikit-learn", "umap", line["who"])
    return line["who"] if known else f"{line['who']}, {line['kind']}"


def named(row):
    """Return the printed name of a table row."""
    known = [who for who in NAMES if f"{row}, ".startswith(f"{who}, ")]
    who = max(known, key=len, default=None)
    return NAMES[who] + row[len(who) :] if who else row


def collect(lines, value):
    """Collect a value for each table row, by set, labels and draw."""
    found = defaultdict(dict)
    for line in lines:
        cell = value(line) if line["who"] else None
        if cell is not None and np.isfinite(cell):
            found[row_of(line)][line["set"], line["labels"], line["draw"]] = cell
    return found


def of_part(found, part):
    """Drop table rows that repeat another one on training rows."""
    return found if part == "new" else {r: v for r, v in found.items() if not r.startswith(SAME)}


def by_set(values, labels=None):
    """Return the mean for each set, over draws, then over the kinds of labels, or for one kind."""
    cells = defaultdict(list)
    for (name, kind, _), value in values.items():
        if labels in (None, kind):
            cells[name, kind].append(value)
    sets = defaultdict(list)
    for (name, _), cell in cells.items():
        sets[name].append(np.mean(cell))
    return np.array([np.mean(cell) for cell in sets.values()])


def mean(values):
    return short(values.mean(), ".3f") if len(values) else ""


def with_error(values, sign="+"):
    """Return the mean over sets and its standard error."""
    if len(values) < 2:
        return ""
    error = values.std(ddof=1) / np.sqrt(len(values))
    return f"{short(values.mean(), f'{sign}.3f')} ± {short(error, '.3f')}"


def less(a, b):
    """Return the differences for keys in both."""
    return {key: a[key] - b[key] for key in a if key in b}


def print_ahead(title, found, ours):
    """Print means by labels, and our lead on the same draws: ours first, then peers from best to
    worst."""
    order = sorted(found, key=lambda row: (row != ours, -by_set(found[row]).mean()))
    heads = [title, *LABELS, "sets", *(f"`fit` is ahead: {labels}" for labels in LABELS), "mean"]
    rows = []
    for row in order:
        cells = [mean(by_set(found[row], labels)) for labels in LABELS]
        ahead = less(found[ours], found[row])
        cells += [str(len(by_set(found[row])))]
        cells += [with_error(by_set(ahead, k)) if row != ours else "" for k in (*LABELS, None)]
        rows.append([named(row), *cells])
    print_table(heads, rows)


def print_size(lines):
    """Print the cost of models: medians over all fits, and the largest number of columns."""
    rows = []
    for who in sorted({row_of(line) for line in lines if "cpu" in line}):
        of = [line for line in lines if line["who"] and row_of(line) == who]
        cells = []
        for labels in LABELS:
            columns = [line["columns"] for line in of if line["labels"] == labels]
            cells.append(f"{np.median(columns):.0f}, {max(columns)}" if columns else "")
        cells += [f"{np.median([line['columns'] for line in of]):.0f}"]
        cells += [f"{np.median([line['kb'] for line in of]):.0f} kB"]
        cells += [f"{np.median([line['cpu'] for line in of]):.2f} s"]
        rows.append([named(who), *cells])
    heads = ["columns: median, most", *LABELS, "all", "model", "processor time"]
    print_table(heads, rows)


def print_below(part, title, found, ours, others, least):
    """Print the sets on which a peer is better by more than `least`, and the difference."""
    cells = []
    for labels in LABELS:
        far = []
        for name in sorted({key[0] for key in found[ours] if key[1] == labels}):
            gaps = []
            for row in others:
                change = less(found[row], found[ours])
                values = [v for key, v in change.items() if key[:2] == (name, labels)]
                gaps += [(np.mean(values), row)] if values else []
            if gaps and max(gaps)[0] > least:
                who = f" ({named(max(gaps)[1])})" if len(others) > 1 else ""
                far.append(f"{name} {short(max(gaps)[0], '.3f')}{who}")
        cells.append(", ".join(far) or "none")
    heads = [f"{part}: `fit` below {title} by more than {short(least, '.2f')}", *LABELS]
    print_table(heads, [["sets", *cells]])


def error_of(bins):
    """Return the expected calibration error: the distance between probability and accuracy, over
    bins of the probability."""
    rows, told, right = np.asarray(bins, dtype=float).T
    return np.sum(abs(told - right)) / rows.sum() if rows.sum() else np.nan


def print_errors(lines):
    """Print expected calibration errors, means over sets."""
    for part, bins in (("new", "new_bins"), ("fit", "bins")):
        found = collect(lines, lambda line, b=bins: error_of(line[b]) if b in line else None)
        found = of_part(found, part)
        order = sorted(found, key=lambda row: (row not in SINGLE, by_set(found[row]).mean()))
        rows = [
            [named(row), *(with_error(by_set(found[row], k), "") for k in LABELS)]
            + [str(len(by_set(found[row])))]
            for row in order
        ]
        print_table([f"expected calibration error, {PARTS[part]}", *LABELS, "sets"], rows)


def coverage(lines, truth):
    """Return for fits how often the printed interval contains the true accuracy, to two digits;
    half its width; and expected minus true accuracy."""
    told, half, _ = np.array([line["expect"] for line in lines], dtype=float).T
    gap = told - [line[truth] for line in lines]
    numbers = np.mean(abs(gap) <= half + 0.005), half.mean(), gap.mean()
    return " · ".join(short(n, form) for n, form in zip(numbers, (".2f", ".2f", "+.3f")))


def print_coverage(lines):
    """Print how well fits estimate the accuracy of `predict` and of --classes on unlabelled
    training rows."""
    rows = []
    for truth, title in (("again", "`predict`"), ("fit", "`--classes`")):
        for who in sorted({row_of(line) for line in lines if line.get("expect")}):
            if truth == "fit" and who.startswith(SAME):
                continue
            of = [li for li in lines if li["who"] and row_of(li) == who and li.get("expect")]
            parts = [[li for li in of if labels in (li["labels"], "all")] for labels in EACH]
            cells = [coverage(part, truth) if part else "" for part in parts]
            rows.append([f"{named(who)}, {title}", *cells, str(len(of))])
    print_table(["held · half the width · told less true", *EACH, "fits"], rows)


def curve(lines, kind, who, labels):
    """Return probability and accuracy of new rows, by bins of the probability; all sets have the
    same weight."""
    of = [
        np.array(line["new_bins"]) / max(1, np.sum(line["new_bins"], axis=0)[0])
        for line in lines
        if (line["kind"], line["who"], line["labels"]) == (kind, who, labels)
    ]
    sums = np.sum(of, axis=0) if of else np.zeros((0, 3))
    sums = sums[sums[:, 0] > 0.002 * len(of)]
    return sums[:, 1] / sums[:, 0], sums[:, 2] / sums[:, 0]


def draw_calibration(lines, path):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "penumbra", "font.size": 10})
    from matplotlib import pyplot as plt

    looks = {ENSEMBLE: ("#2a4d9b", "o"), PROJECTION: ("#d1770f", "s"), "fme": ("#3d8a4e", "^")}
    kinds = {line["kind"] for line in lines if line["who"] in looks}
    kinds = sorted(kinds, key=lambda kind: kind == "penumbra")
    shape = {"figsize": (7.8, 2.7 * len(kinds)), "sharex": True, "sharey": True, "squeeze": False}
    figure, axes = plt.subplots(len(kinds), len(LABELS), **shape)
    for row, kind in zip(axes, kinds):
        for axis, labels in zip(row, LABELS):
            axis.plot([0, 1], [0, 1], color="0.7", linewidth=1)
            for who, (color, mark) in looks.items():
                look = {"color": color, "marker": mark, "markersize": 4, "label": who}
                axis.plot(*curve(lines, kind, who, labels), **look)
            ticks = (0, 0.25, 0.5, 0.75, 1)
            axis.set(xlim=(0, 1), ylim=(0, 1.02), aspect="equal", xticks=ticks, yticks=ticks)
            axis.set_xticklabels(f"{tick:g}" for tick in ticks)
            axis.set_yticklabels(f"{tick:g}" for tick in ticks)
        row[0].set_ylabel(f"{'now' if kind == 'penumbra' else kind}: share that is right")
    for axis, labels in zip(axes[0], LABELS):
        axis.set_title(
            f"{labels} labels a class" if labels.isdigit() else f"{labels} of the labels"
        )
    for axis in axes[-1]:
        axis.set_xlabel("probability told")
    axes[0, -1].legend(frameon=False, loc="lower right")
    figure.tight_layout()
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, dpi=150)


def report_probabilities(lines, picture):
    print_errors(lines)
    if any(line["who"] in SINGLE for line in lines):
        print_coverage(lines)
        draw_calibration(lines, picture)


def report(lines):
    peers = {line["who"] for line in lines if line["kind"] in ("scikit-learn", "umap")}
    for part, title in PARTS.items():
        found = collect(lines, lambda line, part=part: line.get(part))
        if PROJECTION not in found:
            continue
        found = of_part(found, part)
        if part == "fit":
            again = collect(lines, lambda line: line.get("again"))
            found |= {f"{row}, `predict`": values for row, values in again.items()}
        print_ahead(title, found, PROJECTION)
        if part == "new":
            print_below(title, "the ensemble", found, PROJECTION, [ENSEMBLE], least=0.03)
        singles = sorted(row for row in peers & set(found) if not row.startswith("best"))
        if singles:
            print_below(title, "one of the others", found, PROJECTION, singles, least=0.08)
    print_size(lines)
    for at, title in enumerate(reversed(PARTS.values())):

        def pure(line, at=at):
            there = line.get("classes", 0) >= MANY_CLASSES and line["who"] != ENSEMBLE
            return line["picture"][at] if there and at < len(line.get("picture", [])) else None

        found = collect(lines, pure)
        if PROJECTION in found:
            print_ahead(f"pictures of {title}", found, PROJECTION)
