"""Tables as Markdown."""

import re


def short(value, form):
    """A number without the zero before its point."""
    return re.sub(r"(?<![0-9])0\.", ".", f"{value:{form}}", count=1)


def print_table(heads, rows):
    print(f"\n| {' | '.join(heads)} |\n" + "|---" * len(heads) + "|")
    for row in rows:
        print(f"| {' | '.join(row)} |")
