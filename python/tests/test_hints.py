"""Advice in messages is followed: the rows of tests/hints that need the package."""

import os
import pathlib
import subprocess
import sys

import pytest

HINTS = pathlib.Path(__file__).parents[2] / "tests/hints"


@pytest.mark.parametrize("table", ["convert.hints", "python.hints"])
def test_hints(table):
    bin = pathlib.Path(sys.executable).parent
    done = subprocess.run(
        [sys.executable, HINTS / "hints.py", "run", "-", HINTS / table],
        env=dict(os.environ, PATH=f"{bin}:{os.environ['PATH']}"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
