"""The value of `prior auto`: accuracy on unlabelled rows with each prior, on real data in which one
class has more rows or labels than other classes.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/shares_table.py [SET...] [flags]

    --draws N          draws of rows and labels (3)
    --processes N      the number of parallel processes (the cores)
    --results FILE     keeps results, one JSON object per line; existing ones are not computed again
                       (build-bench/shares.jsonl)
    --also NAME=COMMAND   compare `fit` without METHOD with another penumbra command
    --seconds S        start nothing after this time
    --report           only print the tables of existing results

Each set in FOLDER has X.npy and y.npy; 3 · 10 labels per class. shares_draws.py has the regimes:
equal rows and labels in all classes; ten times the rows of one class; ten times its labels; both.
`fme` predicts by class scores; `lda`, `logistic` and `self-training` use all columns; `fit` is
without METHOD. Differences are in thousandths, with the standard error over sets; `fit` minus
another command, `before`, uses the same draws.
"""

import itertools
import os
import tempfile

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PENUMBRA_THREADS"):
    os.environ[name] = "1"  # one thread per process, also for BLAS

import auto_commands
import auto_draws
import kept_results
import numpy as np
import shares_draws
from markdown_tables import print_table, short

FIXED = ("none", "uniform", "labels")
PRIORS = (*FIXED, "auto")
# a temperature would not change classes, and needs trials
READ = ["--temperature", "none"]
METHODS = {
    "fme": ["fme", *READ],
    "lda": ["pca", *READ, "--classifier", "lda"],
    "logistic": ["pca", *READ, "--classifier", "logistic"],
    "self-training": ["pca", *READ, "--classifier", "self-training"],
}
# only methods with class scores have raw scores
CELLS = [(who, p) for who in METHODS for p in PRIORS if who == "fme" or p != "none"]
ENSEMBLE = "fit"
WHOLE_DRAWS = 10
KINDS = {"more than two classes": lambda n: n > 2, "two classes": lambda n: n == 2}


def arguments():
    parser = kept_results.parser("shares", 3)
    parser.add_argument("--also", action="append", default=[])
    return parser.parse_args()


def told(command, *arguments):
    """Return the accuracy on the unlabelled rows of a fit, and its mean over classes."""
    command.fit(*arguments, "--quiet", "--classes", command.at("c.csv"))
    hidden = ~command.draw.known
    y, right = command.draw.y, auto_commands.read_classes(command.at("c.csv"))[0] == command.draw.y
    classes = np.unique(y[hidden])
    each = [right[hidden & (y == c)].mean() for c in classes]
    return {"accuracy": float(right[hidden].mean()), "balanced": float(np.mean(each))}


def work(job):
    """Run all fits of one draw, as lines of the results file."""
    folder, name, regime, labels, seed, kind, program = job
    key = {"set": name, "regime": regime, "labels": labels, "draw": seed, "kind": kind}
    draw = shares_draws.draw(folder, name, regime, labels, seed)
    if draw is None:
        return [{**key, "who": None}]
    key["classes"] = int(draw.y.max()) + 1
    with tempfile.TemporaryDirectory() as scratch:
        command = auto_commands.Command(program, scratch, draw)
        lines = [{**key, "who": ENSEMBLE, "prior": "auto", **told(command, "--ensemble")}]
        if kind == "penumbra":
            scale = [] if regime in shares_draws.WHOLE else ["--scale", "none"]
            for who, prior in CELLS:
                found = told(command, *METHODS[who], *scale, "--prior", prior)
                lines.append({**key, "who": who, "prior": prior, **found})
    return lines


def key_of(line):
    return tuple(line[part] for part in ("set", "regime", "labels", "draw", "kind"))


def jobs(options, folder, done):
    """Return the missing results, draw by draw."""
    programs = {"penumbra": os.environ.get("PENUMBRA", "penumbra")}
    programs |= dict(also.split("=", 1) for also in options.also)
    cells = [
        (regime, labels, name)
        for regime, labels in itertools.product(shares_draws.REGIMES, shares_draws.LABELS)
        for name in options.sets or auto_draws.sets(folder)
    ]
    whole = [(regime, labels, name) for regime, (name, labels, _) in shares_draws.WHOLE.items()]
    every = list(itertools.product(range(WHOLE_DRAWS), whole))
    every += itertools.product(range(options.draws), cells)
    for (seed, (regime, labels, name)), kind in itertools.product(every, programs):
        if (name, regime, labels, seed, kind) not in done:
            yield folder, name, regime, labels, seed, kind, programs[kind]


def by_set(lines, regime, labels, who, prior, kind="penumbra", value="accuracy"):
    """Return the mean over draws for each set."""
    found = {}
    for line in lines:
        here = (line["regime"], line["labels"], line["kind"]) == (regime, labels, kind)
        if here and (line["who"], line.get("prior")) == (who, prior):
            found.setdefault(line["set"], []).append(line[value])
    return {name: np.mean(values) for name, values in found.items()}


def difference(a, b, names):
    """Return a minus b over these sets, in thousandths, and its standard error."""
    values = np.array([1000 * (a[name] - b[name]) for name in names if name in a and name in b])
    if len(values) < 2:
        return ""
    error = values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():+.0f} ({error:.0f})".replace("-", "−")


class Column:
    """A regime with this number of labels per class."""

    def __init__(self, lines, regime, labels):
        self.lines, self.regime, self.labels = lines, regime, labels
        key = (regime, labels, "penumbra")
        here = [li for li in lines if li["who"] and (li["regime"], li["labels"], li["kind"]) == key]
        self.classes = {line["set"]: line["classes"] for line in here}

    def of(self, who, prior, kind="penumbra", value="accuracy"):
        return by_set(self.lines, self.regime, self.labels, who, prior, kind, value)

    def mean(self, who, prior, kind="penumbra"):
        values = list(self.of(who, prior, kind).values())
        return short(np.mean(values), ".3f") if values else ""

    def ahead(self, who, keep, value="accuracy"):
        """Return `auto` minus the best fixed prior over all sets."""
        fixed = [of for of in (self.of(who, p, value=value) for p in FIXED) if of]
        if not fixed:
            return ""
        best = max(fixed, key=lambda of: np.mean(list(of.values())))
        return difference(self.of(who, "auto", value=value), best, self.named(keep))

    def ahead_of(self, other, keep):
        """Return `fit` minus that of another program."""
        old = self.of(ENSEMBLE, "auto", other)
        return difference(self.of(ENSEMBLE, "auto"), old, self.named(keep))

    def named(self, keep):
        return [name for name, classes in self.classes.items() if keep(classes)]


def regimes_of(columns):
    """Return the measured regimes."""
    return list(dict.fromkeys(regime for (regime, _), column in columns.items() if column.classes))


def pairs(columns, cell):
    """Return a table cell for each regime, with both numbers of labels."""
    cells = [[cell(columns[r, k]) for k in shares_draws.LABELS] for r in regimes_of(columns)]
    return [" · ".join(cell) if any(cell) else "" for cell in cells]


def print_means(columns):
    rows = [
        [f"`{who}`, `{prior}`", *pairs(columns, lambda c, w=who, p=prior: c.mean(w, p))]
        for who, prior in CELLS
    ]
    rows.append(["`fit`", *pairs(columns, lambda c: c.mean(ENSEMBLE, "auto"))])
    print_table(["accuracy", *regimes_of(columns)], rows)


def print_ahead(columns, others):
    """Print the lead of `auto` over the best fixed prior of the column, and of the new program over
    other programs."""
    keeps = {"": lambda _: True} | {f", {title}": keep for title, keep in KINDS.items()}
    rows = []
    for title, keep in keeps.items():
        rows += [
            [f"`{who}`{title}", *pairs(columns, lambda c, w=who, k=keep: c.ahead(w, k))]
            for who in METHODS
        ]
        rows += [
            [f"`fit` less {old}{title}", *pairs(columns, lambda c, o=old, k=keep: c.ahead_of(o, k))]
            for old in others
        ]
    balanced = pairs(columns, lambda c: c.ahead("fme", lambda _: True, "balanced"))
    rows.append(["`fme`, each class counting alike", *balanced])
    print_table(["`auto` less the best fixed prior", *regimes_of(columns)], rows)


def print_below(columns, who="fme", most=0.05):
    """Print how often a prior is far below the set's best fixed prior, and the largest gap."""
    rows = []
    for title, keep in KINDS.items():
        cells = []
        for prior in ("auto", *FIXED):
            gaps = []
            for column in columns.values():
                fixed = [column.of(who, p) for p in FIXED]
                for name, value in column.of(who, prior).items():
                    if keep(column.classes[name]):
                        gaps.append(max(of[name] for of in fixed if name in of) - value)
            far = np.array(gaps) > most
            cells.append(f"{far.sum()} of {len(far)}, −{short(max(gaps), '.2f')}" if gaps else "")
        rows.append([title, *cells])
    far = f"`{who}`: more than {short(most, '.2f')} below the best fixed prior of the set; worst"
    print_table([far, *(f"`{prior}`" for prior in ("auto", *FIXED))], rows)


def print_whole(lines):
    rows = []
    for regime, (name, labels, more) in shares_draws.WHOLE.items():
        title = f"{name}, {labels} labels a class"
        title += f", {more} of one" if more > labels else ""
        for who in METHODS:
            cells = [by_set(lines, regime, labels, who, prior) for prior in PRIORS]
            cells = [short(of[name], ".3f") if name in of else "" for of in cells]
            rows.append([title, f"`{who}`", *cells])
        for kind in sorted({line["kind"] for line in lines if line["regime"] == regime}):
            found = by_set(lines, regime, labels, ENSEMBLE, "auto", kind)
            told = "`fit`" if kind == "penumbra" else f"`fit`, {kind}"
            rows.append([title, told, *[""] * len(FIXED), short(found[name], ".3f")])
    print_table(["all rows", "", *(f"`{prior}`" for prior in PRIORS)], rows)


def report(lines):
    columns = {
        (r, k): Column(lines, r, k)
        for r, k in itertools.product(shares_draws.REGIMES, shares_draws.LABELS)
    }
    others = sorted({line["kind"] for line in lines} - {"penumbra"})
    counts = pairs(columns, lambda c: str(len(c.classes)))
    print_table(["sets", *regimes_of(columns)], [["with 3 · 10 labels a class", *counts]])
    print_means(columns)
    print_ahead(columns, others)
    print_below(columns)
    print_whole(lines)


def main():
    options, folder = arguments(), os.environ.get("PENUMBRA_DATA")
    if not folder:
        print("skipped: PENUMBRA_DATA names no folder")
        return
    if not options.report:
        done = {key_of(line) for line in kept_results.read(options.results)}
        todo = jobs(options, folder, done)
        kept_results.measure(work, todo, options.results, options.processes, options.seconds)
    report(kept_results.read(options.results))


if __name__ == "__main__":
    main()
