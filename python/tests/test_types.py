"""What a type checker sees of the package: its names, their parameters, and no others."""

import subprocess
import sys

import pytest

GOOD = """
import numpy as np
import penumbra
from penumbra import FME, SODRPaC, compare, load

x = np.zeros((4, 2))
z: np.ndarray = penumbra.SELF(n_components=2, beta=0.5).fit(x, [0, 1, -1, -1]).transform(x)
classes: np.ndarray = FME(prior="uniform").fit(x, [0, 1, -1, -1]).predict(x)
SODRPaC().fit(x, must_link=[[0, 1]], cannot_link=[[0, 2]])
mean = penumbra.AutoReducer(2, ensemble=True).fit(x, [0, 1, -1, -1])
members: tuple[penumbra.Reducer, ...] = mean.members_
found: penumbra.Comparison = penumbra.AutoReducer().fit(x, [0, 1, 0, 1]).comparison_
name: str = type(compare(x, [0, 0, 1, 1]).best_estimator).__name__
penumbra.LabelledOnly, penumbra.SemiSupervisedKFold(3), penumbra.methods()[0].params[0].name
load("model").save("copy")
penumbra.PCA(kernel="rbf", kernel_gamma="auto/4", kernel_landmarks="all")
penumbra.FME(kernel="polynomial", kernel_gamma=0.5, kernel_degree=2, kernel_landmarks=500)
"""
BAD = """
import penumbra

penumbra.SELF(n_component=2)
penumbra.SELF(total="all")
penumbra.FME(n_components=2)
penumbra.PCA().fit([[0]], must_link=[])
penumbra.nothing
penumbra.PCA(kernel="poly")
penumbra.PCA(kernel="rbf", kernel_gamma="auto*2")
"""


def test_what_a_type_checker_sees(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(BAD)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", "good.py", "bad.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    errors = [line.split(":")[:2] for line in done.stdout.splitlines() if ": error:" in line]
    assert errors == [["bad.py", str(line)] for line in range(4, 11)], done.stdout
