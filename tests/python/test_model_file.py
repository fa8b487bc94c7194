"""The programs of docs/model-file.md, which read models with NumPy alone.

PENUMBRA in the environment is the command to test.
"""

import os
import re
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def test_programs_of_the_page_give_what_transform_writes(tmp_path, monkeypatch):
    """Each `$ penumbra fit` of the section is run, and so is the program after it."""
    page = (ROOT / "docs" / "model-file.md").read_text(encoding="utf-8")
    section = page[page.index("## Reading it with NumPy alone") :]
    fits = re.findall(r"^    \$ penumbra (fit .*)$", section, re.MULTILINE)
    programs = re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    wine = (ROOT / "examples" / "data" / "wine.csv").read_text(encoding="ascii")
    (tmp_path / "wine.csv").write_text(wine, encoding="ascii")
    monkeypatch.chdir(tmp_path)
    assert len(fits) == len(programs) == 2

    printed = []
    penumbra = os.environ["PENUMBRA"]
    names = {"print": printed.append}
    for fit, program in zip(fits, programs, strict=True):
        subprocess.run([penumbra, *fit.split(), "--quiet"], check=True)
        exec(program, names)  # noqa: S102
        model = fit.split()[-1]
        transform = ["transform", model, "wine.csv", "--drop", "class", "-o", "z.npy", "--quiet"]
        subprocess.run([penumbra, *transform], check=True)
        expected = np.load("z.npy")
        scale = np.abs(expected).max()
        np.testing.assert_allclose(printed[-1], expected, rtol=0, atol=1e-11 * scale)
