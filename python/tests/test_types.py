"""The view of type checkers: all names and parameters of the package, and no others."""

import pathlib
import shutil
import subprocess
import sys

import pytest

import penumbra

PROJECT = pathlib.Path(__file__).parents[2] / "pyproject.toml"

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
plain: np.ndarray = penumbra.LabelledOnly(penumbra.PCA()).fit(x, [0, 1, -1, -1]).predict(x)
kind: str = penumbra.methods()[0].params[0].name + penumbra.methods()[0].title
load("model").save("copy")
penumbra.PCA(kernel="rbf", kernel_gamma="auto/4", kernel_landmarks="all")
penumbra.FME(kernel="polynomial", kernel_gamma=0.5, kernel_degree=2, kernel_landmarks=500)
stats = penumbra.Statistics(penumbra.FDA(), x, [0, 1, -1, -1], block=3)
fda: penumbra.FDA = penumbra.Statistics.merge([stats]).fit(penumbra.FDA())
accuracy: float = fda.partial_fit(x).score(x, [0, 1, -1, -1]) + found.best_score
rows: np.ndarray = fda.suggest(x, n=2).rows
for train, test in penumbra.SemiSupervisedKFold(3).split(x, [0, 1, -1, -1]):
    fda.fit(x[train], groups=test)
try:
    penumbra.RCA().fit(x, must_link=penumbra.Pairs([[0, 1]], [0.5]))
except penumbra.Error as error:
    code: str = error.code
"""
# Attributes of a fitted model that editors show.
SHOWN = """
import penumbra

model = penumbra.SELF().fit([[0.0]])
reveal_type(model)
reveal_type(model.transform)
reveal_type(model.predict)
reveal_type(model.score)
reveal_type(model.components_)
reveal_type(model.info_)
reveal_type(model.classes_)
reveal_type(model.n_components_)
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


def checked(folder, module, *arguments):
    """Return the output lines of a type checker for the programs in a folder."""
    pytest.importorskip(module)
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=folder, capture_output=True, text=True
    )
    return done.stdout.splitlines(), done.stdout + done.stderr


@pytest.fixture
def programs(tmp_path):
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(BAD)
    (tmp_path / "shown.py").write_text(SHOWN)
    return tmp_path


def test_what_mypy_sees(programs):
    modules = ("-p", "penumbra", "-m", "good", "-m", "bad", "-m", "shown")
    settings = ("--config-file", PROJECT, "--cache-dir", "cache")
    lines, told = checked(programs, "mypy", *settings, *modules)
    errors = [line.split(":")[:2] for line in lines if ": error:" in line]
    assert errors == [["bad.py", str(line)] for line in range(4, 11)], told  # none in the package
    shown = [line for line in lines if "Revealed type" in line]
    for name in ("SELF", "def (X: Any) -> ", "-> float", "dict[str, Any]", "int"):
        assert any(name in line.replace("builtins.", "") for line in shown), told
    # an array or, after set_output or of dask, another: what is shown of it is that of arrays
    assert all("numpy.ndarray[" in line and "Any" in line[-8:] for line in shown[1:3]), told
    assert len(shown) == 8 and not any('"Any"' in line for line in shown), told


def test_what_pyright_sees(programs):
    """Check the programs and the package."""
    home = pathlib.Path(penumbra.__file__).parent
    shutil.copytree(home, programs / "penumbra", ignore=shutil.ignore_patterns("_bin", "*.so"))
    shutil.copy(PROJECT, programs / "pyproject.toml")
    lines, told = checked(programs, "pyright", "--pythonpath", sys.executable, ".")
    errors = [line.strip().split(":")[:2] for line in lines if " - error:" in line]
    assert errors == [[str(programs / "bad.py"), str(line)] for line in range(4, 11)], told
    assert "7 errors, 0 warnings" in told, told
    shown = [line.partition(" is ")[2] for line in lines if "information: Type of" in line]
    assert shown[0] == '"SELF"' and shown[3].endswith('-> float"'), told
    for i in (1, 2):
        assert shown[i].startswith('"(X: Any) -> (ndarray'), told
        assert shown[i].endswith('| Any)"'), told
    assert not any("Unknown" in line for line in shown[:4]), told
