"""The tables and the picture of bench/auto_table.py, from its results."""

import os
from collections import defaultdict

import auto_draws
import auto_peers
import numpy as np

CLASSES, MAP = "fit, classes", "fit, map"
LABELS = auto_draws.LABELS


def row_of(line):
    """The row of the table that a result belongs to."""
    if line["kind"] == "penumbra":
        return f"fit, {line['who']}"
    return (
        line["who"] if line["who"] not in ("classes", "map") else f"{line['kind']}, {line['who']}"
    )


def collect(lines):
    """Accuracies: of each row of the table, by set, labels and draw."""
    found = defaultdict(dict)
    for line in lines:
        if line["who"]:
            key = line["set"], line["labels"], line["draw"]
            found[row_of(line)][key] = line["accuracy"]
            if "predict" in line:
                found[f"{row_of(line)}, predict"][key] = line["predict"]
    return found


def by_set(values, labels=None):
    """The mean of a dictionary of draws for each set: over draws, then over the kinds of labels, or
    of one kind."""
    cells = defaultdict(list)
    for (name, kind, _), value in values.items():
        if labels in (None, kind):
            cells[name, kind].append(value)
    sets = defaultdict(list)
    for (name, _), cell in cells.items():
        sets[name].append(np.mean(cell))
    return np.array([np.mean(cell) for cell in sets.values()])


def with_error(values, form=".3f"):
    """Mean over sets and its standard error."""
    if len(values) < 2:
        return ""
    return f"{values.mean():{form}} ± {values.std(ddof=1) / np.sqrt(len(values)):.3f}"


def less(a, b):
    """The differences where both have a value."""
    return {key: a[key] - b[key] for key in a if key in b}


def order(found):
    """Ours first, then the others, from best to worst."""
    ours = [row for row in found if row.startswith("fit, ")]
    others = [row for row in found if row not in ours]
    return sorted(ours) + sorted(others, key=lambda row: -by_set(found[row]).mean())


def print_accuracy(found):
    heads = [
        "",
        "3 a class",
        "10 a class",
        "half",
        "mean",
        "sets",
        "classes less it",
        "map less it",
    ]
    print("| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")
    for row in order(found):
        cells = [with_error(by_set(found[row], labels)) for labels in LABELS]
        cells += [with_error(by_set(found[row])), str(len(by_set(found[row])))]
        for ours in (CLASSES, MAP):
            cells.append(
                "" if row == ours else with_error(by_set(less(found[ours], found[row])), "+.3f")
            )
        print(f"| {row} | " + " | ".join(cells) + " |")


def print_variants(found):
    """Other penumbra commands: what they have more than this one, on the same draws."""
    variants = [
        row for row in found if row.endswith((", classes", ", map")) and not row.startswith("fit")
    ]
    if not variants:
        return
    print("\n| other rule | 3 a class | 10 a class | half | mean |\n" + "|---" * 5 + "|")
    for row in sorted(variants):
        change = less(found[row], found[CLASSES if row.endswith("classes") else MAP])
        cells = [with_error(by_set(change, labels), "+.4f") for labels in (*LABELS, None)]
        print(f"| {row} | " + " | ".join(cells) + " |")


def print_below(found, ours):
    """Sets on which a single other classifier is better by more than .08 and two standard errors
    over the draws."""
    others = [
        r for r in found if not r.startswith("fit, ") and not r.endswith((", classes", ", map"))
    ]
    cells = defaultdict(list)
    for row in others:
        change = less(found[row], found[ours])
        for name, labels in {key[:2] for key in change}:
            values = np.array([v for key, v in change.items() if key[:2] == (name, labels)])
            if len(values) > 1:
                error = values.std(ddof=1) / np.sqrt(len(values))
                if values.mean() > 0.08 + 2 * error:
                    cells[name, labels].append((values.mean(), error, row))
    print(f"\n{ours}: below another by more than .08 and two standard errors:")
    for (name, labels), which in sorted(cells.items()):
        mean, error, row = max(which)
        print(f"- {name}, {labels}: {mean:.3f} ± {error:.3f} below {row}")


def pooled(lines, kind, who, bins):
    """Rows, mean probability and right share of each bin, over all draws."""
    all_bins = [line[bins] for line in lines if (line["kind"], line["who"]) == (kind, who)]
    sums = np.sum(all_bins, axis=0) if all_bins else np.zeros((0, 3))
    sums = sums[sums[:, 0] > 0] if len(sums) else sums
    return sums[:, 0], sums[:, 1] / sums[:, 0], sums[:, 2] / sums[:, 0]


def curves(lines):
    """What is to be drawn: a title, rows, probabilities and right shares, on the same draws."""
    bare = {(r["set"], r["labels"], r["draw"]) for r in lines if r["kind"] == "untempered"}
    if bare:
        lines = [r for r in lines if (r["set"], r["labels"], r["draw"]) in bare]
    kinds = [kind for kind in ("penumbra", "untempered") if any(r["kind"] == kind for r in lines)]
    for kind in kinds:
        for who in ("classes", "map"):
            title = f"{who}{'' if kind == 'penumbra' else ', not tempered'}"
            yield title, *pooled(lines, kind, who, "bins")
            if kind == "penumbra":
                yield f"{title}, predict", *pooled(lines, kind, who, "predict_bins")


def print_calibration(lines):
    print("\n| probability told | " + " | ".join(title for title, *_ in curves(lines)) + " |")
    columns = [dict(zip(np.round(p, 6), zip(n, right))) for _, n, p, right in curves(lines)]
    print("|---" * (1 + len(columns)) + "|")
    for b in range(10):
        cells = []
        for column in columns:
            inside = [(p, *cell) for p, cell in column.items() if min(int(p * 10), 9) == b]
            cells.append(
                f"{inside[0][0]:.3f}: {inside[0][2]:.3f} of {int(inside[0][1])}" if inside else ""
            )
        print(f"| {b / 10:.1f} to {(b + 1) / 10:.1f} | " + " | ".join(cells) + " |")
    gaps = [f"{np.sum(n * abs(p - right)) / n.sum():.3f}" for _, n, p, right in curves(lines)]
    print("| mean distance | " + " | ".join(gaps) + " |")


def draw_calibration(lines, path):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "penumbra", "font.size": 10})
    from matplotlib import pyplot as plt

    looks = {"classes": ("#2a4d9b", "o", "-"), "map": ("#d1770f", "s", "-")}
    figure, axes = plt.subplots(figsize=(4.6, 4.4))
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for title, _, p, right in curves(lines):
        if "predict" in title:
            continue
        color, mark, style = looks[title.split(",")[0]]
        bare = "not tempered" in title
        axes.plot(
            p,
            right,
            color=color,
            marker=mark,
            linestyle=":" if bare else style,
            markerfacecolor="white" if bare else color,
            markersize=5,
            label=title,
        )
    axes.set(
        xlabel="probability told",
        ylabel="share of hidden rows that are right",
        xlim=(0, 1),
        ylim=(0, 1),
        aspect="equal",
    )
    axes.legend(frameon=False, loc="upper left")
    figure.tight_layout()
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, dpi=150)


def report(lines, picture):
    found = collect(lines)
    plain = {
        r: v for r, v in found.items() if not r.endswith((", classes", ", map")) or r[:4] == "fit,"
    }
    plain = {r: v for r, v in plain.items() if "predict" not in r or r[:4] == "fit,"}
    print_accuracy(plain)
    print_variants(found)
    for ours in (CLASSES, MAP):
        print_below(found, ours)
    print_calibration(lines)
    draw_calibration(lines, picture)


def digits(folder, both_answers, program, draws=10):
    """All 1797 digits with three labels a class: accuracy on the others."""
    found = defaultdict(list)
    for seed in range(draws):
        draw = auto_draws.draw(folder, "sk_digits8x8", "3", seed, most_rows=10**6)
        found["1-NN on pixels"].append(draw.accuracy(auto_peers.nearest(draw.x, draw)))
        peers = auto_peers.scikit_learn(draw, ("shrinkage LDA", "self-training logistic"))
        for name, accuracy in list(peers.items())[:2]:
            found[name].append(accuracy)
        for kind, result in both_answers(draw, program).items():
            found[f"fit, {kind}"].append(result["accuracy"])
            found[f"fit, {kind}, predict"].append(result["predict"])
    for name, values in found.items():
        print(f"{name}: {with_error(np.array(values))}")
