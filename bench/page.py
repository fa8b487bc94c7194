"""Runs a program of bench/ and writes what it prints as a page, bench/results/NAME.md: what the
program says of itself, its tables, and when they were made.

    python bench/page.py [--as NAME] PROGRAM [ARGUMENT...]

The output is shown as it comes. The page stays as it was if the program prints no table, leaves out
sets that PENUMBRA_DATA lacks, or fails; status 1, a number outside its tolerance, is a result.
"""

import ast
import datetime
import os
import platform
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def compose(name, program, output, made):
    """The page: title, docstring, output, and how it was made."""
    with open(program, encoding="utf-8") as file:
        about = ast.get_docstring(ast.parse(file.read()))
    return f"# {name}\n\n{about}\n\n{output.strip()}\n\n{made}\n"


def main(*arguments):
    name = None
    if arguments[0] == "--as":
        _, name, *arguments = arguments
    program, *arguments = arguments
    name = name or os.path.splitext(os.path.basename(program))[0]
    lines = []
    with subprocess.Popen(
        [sys.executable, program, *arguments], stdout=subprocess.PIPE, text=True
    ) as run:
        for line in run.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    table = any(line.startswith("|---") for line in lines)
    skipped = any(line.startswith("skipped") for line in lines)
    if run.returncode in (0, 1) and table and not skipped:
        today = datetime.date.today().isoformat()
        made = f"Written by `{' '.join((os.path.basename(program), *arguments))}` on {today}, "
        made += f"{platform.machine()}, {os.cpu_count()} cores."
        page = os.path.join(ROOT, "bench", "results", name + ".md")
        with open(page, "w", encoding="utf-8") as file:
            file.write(compose(name, program, "".join(lines), made))
    return run.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
