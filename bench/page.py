"""Run a program of bench/ and write its output as a page, bench/results/NAME.md: the docstring of
the program, its tables, and their date.

    python bench/page.py [--as NAME] PROGRAM [ARGUMENT...]

The output is also shown as it arrives. Only --as writes a page: the Makefile passes it for complete
runs. The page stays unchanged if the program prints no table, prints `skipped` for a missing set,
or fails. Status 3, a number outside its tolerance, counts as a result.
"""

import ast
import datetime
import os
import platform
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUTSIDE = 3  # the status of a program if a number is outside its tolerance


def compose(name, program, output, made):
    """Return the page: title, docstring, output, and how it was made."""
    with open(program, encoding="utf-8") as file:
        about = ast.get_docstring(ast.parse(file.read()))
    return f"# {name}\n\n{about}\n\n{output.strip()}\n\n{made}\n"


def said(arguments):
    """Return the arguments, with only the last part of absolute paths."""
    return " ".join(re.sub(r"(^|=)/.*/", r"\1", argument) for argument in arguments)


def write(name, program, arguments, output):
    made = f"Written by `{said((os.path.basename(program), *arguments))}` on "
    made += f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores."
    page = os.path.join(ROOT, "bench", "results", name + ".md")
    with open(page, "w", encoding="utf-8") as file:
        file.write(compose(name, program, output, made))


def main(*arguments):
    name = None
    if arguments[0] == "--as":
        _, name, *arguments = arguments
    program, *arguments = arguments
    lines = []
    command = [sys.executable, "-u", program, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    table = any(line.startswith("|---") for line in lines)
    skipped = any(line.startswith("skipped") for line in lines)
    if name and run.returncode in (0, OUTSIDE) and table and not skipped:
        write(name, program, arguments, "".join(lines))
    return run.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
