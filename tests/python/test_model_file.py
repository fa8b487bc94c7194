"""The programs of docs/model-file.md, which read models with NumPy alone.

PENUMBRA in the environment is the command to test.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def programs_of(heading, folder):
    """Return each `$ penumbra fit` of a section of the page, with the program after it; wine.csv
    lies in the folder."""
    page = (ROOT / "docs" / "model-file.md").read_text(encoding="utf-8")
    section = page[page.index(f"## {heading}\n") + 3 :].split("\n## ")[0]
    fits = re.findall(r"^    \$ penumbra (fit .*)$", section, re.MULTILINE)
    programs = re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    wine = (ROOT / "examples" / "data" / "wine.csv").read_text(encoding="ascii")
    (folder / "wine.csv").write_text(wine, encoding="ascii")
    assert len(fits) == len(programs) == 2
    return zip(fits, programs, strict=True)


def run(*arguments):
    subprocess.run([os.environ["PENUMBRA"], *arguments, "--quiet"], check=True)


def test_programs_of_the_page_give_what_transform_writes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = []
    names = {"print": printed.append}
    for fit, program in programs_of("Reading it with NumPy alone", tmp_path):
        run(*fit.split())
        exec(program, names)  # noqa: S102
        run("transform", fit.split()[-1], "wine.csv", "--drop", "class", "-o", "z.npy")
        expected = np.load("z.npy")
        scale = np.abs(expected).max()
        np.testing.assert_allclose(printed[-1], expected, rtol=0, atol=1e-11 * scale)


def test_programs_of_the_page_give_what_predict_writes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = []
    rows = np.loadtxt(
        ROOT / "examples" / "data" / "wine.csv", delimiter=",", skiprows=1, usecols=range(13)
    )
    names = {"print": printed.append, "x": rows}
    page = (ROOT / "docs" / "model-file.md").read_text(encoding="utf-8")
    exec(page.split("```python\n")[2].split("about, t = ")[0], names)  # noqa: S102
    for fit, program in programs_of("Classes with NumPy alone", tmp_path):
        run(*fit.split())
        exec(program, names)  # noqa: S102
        model = fit.split()[-1]
        run("predict", model, "wine.csv", "--drop", "class", "--probabilities", "-o", "p.csv")
        lines = [line.split(",") for line in Path("p.csv").read_text("ascii").splitlines()[1:]]
        assert printed[-1] == [line[1] for line in lines]
        expected = np.array([[float(cell) for cell in line[5:]] for line in lines])
        np.testing.assert_allclose(printed[-2], expected, rtol=1e-5, atol=1e-12)  # six digits
        np.testing.assert_array_equal(expected.max(axis=1), [float(line[2]) for line in lines])
