"""The code in the documents runs, in order, and prints the documented output."""

import contextlib
import io
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
FILES = ["README.md", "python/README.md", "docs/python.md", "docs/dask.md"]


def blocks(path):
    """Return the Python blocks of a document, with their first line numbers."""
    text = path.read_text(encoding="utf-8")
    for match in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 1, match.group(1)


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
