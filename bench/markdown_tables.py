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


def name_of(table):
    """What stands above its first column."""
    return table.split("|")[1].strip()


def replace_tables(path, text):
    """Puts the tables of a text in the place of those in a page that have the same name above their
    first column, and tells which are not in the page."""
    new = {name_of(table): table for table in TABLE.findall(text)}
    with open(path, encoding="utf-8") as file:
        page = file.read()
    there = {name_of(table) for table in TABLE.findall(page)}
    page = TABLE.sub(lambda old: new.get(name_of(old[0]), old[0]), page)
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    for name in new.keys() - there:
        print(f"not in {path}: {name}")


def report_into(path, report):
    """Prints what `report` prints, and puts its tables into a page; None: only prints."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        report()
    print(text.getvalue(), end="")
    if path:
        replace_tables(path, text.getvalue())
