"""Tables as Markdown, and pages that show them."""

import contextlib
import io
import re

TABLE = re.compile(r"(?m)^\|.*\n\|[-|: ]+\|\n(?:\|.*(?:\n|\Z))*")


def short(value, form):
    """A number without the zero before its point."""
    return re.sub(r"(?<![0-9])0\.", ".", f"{value:{form}}", count=1)


def print_table(heads, rows):
    print(f"\n| {' | '.join(heads)} |\n" + "|---" * len(heads) + "|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def heads_of(table):
    return table.split("\n", 1)[0].strip()


def replace_tables(path, text):
    """Puts the tables of a text in the place of those in a page that have the same heads, and tells
    which are not in the page."""
    new = {heads_of(table): table for table in TABLE.findall(text)}
    with open(path, encoding="utf-8") as file:
        page = file.read()
    there = {heads_of(table) for table in TABLE.findall(page)}
    page = TABLE.sub(lambda old: new.get(heads_of(old[0]), old[0]), page)
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    for heads in new.keys() - there:
        print(f"not in {path}: {heads}")


def report_into(path, report):
    """Prints what `report` prints, and puts its tables into a page; None: only prints."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        report()
    print(text.getvalue(), end="")
    if path:
        replace_tables(path, text.getvalue())
