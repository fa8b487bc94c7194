"""Writes the table of accuracies of README.md from pages of bench/results.

    python bench/readme.py [--check]

With --check nothing is written: status 1 if README.md has other numbers.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEAD = "| accuracy | penumbra | strongest rival |\n|---|---|---|\n"
RIVAL = "the best of these seven by cross-validation"


def cells(page, name, table):
    """The cells of the row `name` in the table of a page whose header has the text `table`."""
    text = (ROOT / "bench" / "results" / page).read_text(encoding="utf-8")
    part = text[text.index(table) :]
    row = re.search(rf"^\|\s*`?{re.escape(name)}`?\s*\|(.*)\|$", part, re.MULTILINE)[1]
    return [cell.strip() for cell in row.split("|")]


def lines():
    names = ["penumbra fit --classes", "scikit-learn LabelSpreading"]
    ours, rival = (cells("digits.md", name, "| accuracy")[0] for name in names)
    yield f"| 1797 digits, 3 labels a class | {ours} | `LabelSpreading` {rival} |"
    three, ten, half = cells("auto_table.md", RIVAL, "| rows that are not in the fit |")[4:7]
    best = "best of seven scikit-learn classifiers"
    yield f"| 54 data sets, 3 labels a class | {three} | {best}, |"
    yield f"| the same, 10 labels a class | {ten} | tuned, and chosen by |"
    yield f"| the same, half of all labels | {half} | cross-validation |"


def main(*arguments):
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    before, after = text.split(HEAD)
    table = "".join(f"{line}\n" for line in lines())
    new = before + HEAD + table + after[after.index("\n\n") + 1 :]
    if arguments == ("--check",):
        return new != text
    readme.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
