"""Following the advice in messages works: the rows of tests/hints that need the package."""

import contextlib
import importlib.util
import io
import os
import pathlib
import subprocess
import sys
import traceback
import warnings

import pytest

HINTS = pathlib.Path(__file__).parents[2] / "tests/hints"
FOUND = importlib.util.spec_from_file_location("hints", HINTS / "hints.py")
hints = importlib.util.module_from_spec(FOUND)
FOUND.loader.exec_module(hints)


def test_hints_of_the_converter():
    bin = pathlib.Path(sys.executable).parent
    done = subprocess.run(
        [sys.executable, HINTS / "hints.py", "run", "-", HINTS / "convert.hints"],
        env=dict(os.environ, PATH=f"{bin}:{os.environ['PATH']}"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def in_this_process(script, said, env):
    """Return the output of Python after this script."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.showwarning = lambda *told: err.write(warnings.formatwarning(*told[:4]))
            try:
                exec(hints.PYTHON + script, {"__name__": "__main__"})
            except Exception:
                traceback.print_exc()
                return 1, out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


hints.python = in_this_process
ROWS = list(hints.rows([HINTS / "python.hints"]))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.where)
def test_hints_of_python(row):
    assert hints.run_row(row, {}) is None
