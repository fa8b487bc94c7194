"""The code in the documents runs, in order, and prints the documented output."""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
FILES = ["README.md", "docs/start.md", "docs/python.md", "docs/dask.md"]


def blocks(path, language="python"):
    """The blocks of a language in a document, with the lines that they begin at."""
    text = path.read_text(encoding="utf-8")
    for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 1, match.group(1)


def files_of_a_user(folder):
    """The files that commands in README.md name."""
    from sklearn.datasets import load_digits

    frame = load_digits(as_frame=True).frame.rename(columns={"target": "class"})
    frame.drop(columns="class").tail(100).to_csv(folder / "new.csv", index=False)
    frame.drop(columns="class").to_csv(folder / "rows.csv", index=False)
    digit = frame["class"]
    pairs = [(i, i + 1, 1 if digit[i] == digit[i + 1] else -1) for i in range(200)]
    (folder / "pairs.csv").write_text("".join(f"{i},{j},{kind}\n" for i, j, kind in pairs))
    frame["class"] = digit.astype(object).where(frame.index < 50, "")
    frame.to_csv(folder / "data.csv", index=False)
    (folder / "labels.csv").write_text("".join(f"{i},{digit[i]}\n" for i in range(50)))
    frame["class"] = digit
    frame.to_csv(folder / "digits.csv", index=False)


@pytest.mark.parametrize("name", ["README.md", "docs/start.md"])
def test_commands(name, tmp_path):
    pytest.importorskip("pandas")
    wheel = os.environ.get("PENUMBRA_WHEEL") or pytest.skip("no PENUMBRA_WHEEL")
    files_of_a_user(tmp_path)
    packages = tmp_path / "packages"
    pip = f"{sys.executable} -m pip install --quiet --no-deps --target {packages} {wheel}"
    paths = {"PATH": f"{packages / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(packages)}
    ran = 0
    for line, code in blocks(ROOT / name, "sh"):
        if code.startswith("make"):
            made = re.findall(r"^make ([\w-]+)", code, re.MULTILINE)
            assert all(f"\n{target}:" in (ROOT / "Makefile").read_text() for target in made)
            continue
        code = code.replace("pip install penumbra-learn", pip)
        run = subprocess.run(
            ["sh", "-e", "-c", code],
            cwd=tmp_path,
            env={**os.environ, **paths},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{name}:{line}: {run.stderr}"
        ran += 1
    assert ran > 2


@pytest.mark.parametrize("name", ["README.md", "docs/questions.md"])
def test_commands_within_sentences(name, tmp_path):
    pytest.importorskip("pandas")
    files_of_a_user(tmp_path)
    program = os.environ.get("PENUMBRA") or pathlib.Path(sys.executable).with_name("penumbra")
    text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
    commands = ["fit data.csv --label-column class -o model.pen"]
    commands += re.findall(r"`penumbra ((?!explore)[^`A-Z]*[^`A-Z ])`", text)
    commands = [command for command in commands if "." in command]
    for command in commands:
        arguments = command.replace("data.pen", "model.pen").split()
        arguments += ["--effort", "0"] if arguments[0] == "compare" else []
        run = subprocess.run([program, *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert run.returncode == 0, f"{name}: penumbra {command}: {run.stderr}"
    assert len(commands) > 2


def test_numbers_in_the_readme():
    program = ROOT / "bench" / "readme.py"
    assert subprocess.run([sys.executable, program, "--check"], check=False).returncode == 0
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 110 and max(map(len, lines)) <= 100


@pytest.mark.parametrize("name", FILES)
def test_documents(name, tmp_path, monkeypatch):
    for package in ("anndata", "dask", "faiss", "pandas"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    checked = 0
    for line, code in blocks(ROOT / name):
        assert max(map(len, code.splitlines())) <= 100
        expected = re.findall(r"^# -> (.*)$", code, re.MULTILINE)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * line + code, str(ROOT / name), "exec"), names)
        if expected:
            assert printed.getvalue().splitlines() == expected, f"{name}:{line}"
        checked += len(expected)
    assert checked > 0


@pytest.mark.parametrize("name", FILES)
def test_links_lead_somewhere(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (ROOT / name).parent.joinpath(target).exists(), target
