"""The wheel in a new environment of every CPython on this machine, without a compiler."""

import glob
import json
import os
import shutil
import subprocess
import sys

import pytest

WHEEL = os.environ.get("PENUMBRA_WHEEL")
FACTS = """
import json, sys
print(json.dumps([sys.implementation.name, sys.version_info[:2], sys.executable]))
"""
FIRST_STEPS = """
import sys, numpy as np, penumbra
x = np.random.default_rng(0).normal(size=(60, 4)) + 4 * np.eye(4)[np.arange(60) % 3]
y = np.where(np.arange(60) < 9, np.arange(60) % 3, -1)
z = penumbra.SELF(n_components=2).fit(x, y).transform(x)
print(z.shape, penumbra.__version__)
"""


def pythons():
    """Return a program for each version, from PATH and pyenv."""
    folders = os.environ["PATH"].split(":")
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    folders += glob.glob(pyenv + "/versions/*/bin")
    found = {}
    others = [p for folder in folders for p in sorted(glob.glob(folder + "/python3.[0-9]*"))]
    for program in [sys.executable, *others]:
        if "-" in program:
            continue  # python3.11-config
        done = subprocess.run([program, "-c", FACTS], capture_output=True, text=True)
        if done.returncode != 0:  # a pyenv shim for a version that is not selected
            continue
        kind, version, path = json.loads(done.stdout)
        if kind == "cpython" and version >= [3, 10]:
            found.setdefault(tuple(version), path)
    if len(found) > 1:  # all other tests run in this one
        del found[sys.version_info[:2]]
    return [pytest.param(path, id="{}.{}".format(*v)) for v, path in sorted(found.items())]


def environment(folder, python):
    """Make a virtual environment, and a PATH with its programs and without compilers."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    tools = folder / "tools"
    tools.mkdir()
    for name in ["env", "sh", "uname"]:
        (tools / name).symlink_to(shutil.which(name))
    return {"PATH": f"{folder}/bin:{tools}", "HOME": str(folder)}


def installed(folder, *arguments):
    """Install into the environment by uv; return its output."""
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-build"]
    return subprocess.run(
        [*uv, "--python", folder / "bin/python", *arguments], capture_output=True, text=True
    )


@pytest.mark.skipif(not WHEEL, reason="PENUMBRA_WHEEL names no wheel")
@pytest.mark.parametrize("python", pythons())
def test_first_steps_where_nothing_can_be_compiled(python, tmp_path):
    settings = environment(tmp_path / "venv", python)
    needed = installed(tmp_path / "venv", "cffi>=2", "numpy", "scikit-learn>=1.6")
    if needed.returncode != 0:
        pytest.skip("what the wheel needs is not here: " + needed.stderr[-300:])
    own = installed(tmp_path / "venv", "--no-index", WHEEL)
    assert own.returncode == 0, own.stderr

    assert not any(shutil.which(c, path=settings["PATH"]) for c in ["cc", "gcc", "clang", "cmake"])
    done = subprocess.run(
        [tmp_path / "venv/bin/python", "-c", FIRST_STEPS],
        env=settings,
        capture_output=True,
        text=True,
    )
    assert done.stderr == "" and done.stdout.startswith("(60, 2) ")
    version = done.stdout.split()[-1]
    command = subprocess.run(
        [tmp_path / "venv/bin/penumbra", "--version"], env=settings, capture_output=True, text=True
    )
    assert command.stdout == f"penumbra {version}\n"
