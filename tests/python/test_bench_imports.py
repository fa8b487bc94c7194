"""The names that programs of bench/ import from each other exist. Most programs are too slow to run
in a test."""

import ast
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
TREES = {file: ast.parse(file.read_text(encoding="utf-8")) for file in BENCH.rglob("*.py")}
OTHERS = {"PIL", "binding", "cffi", "matplotlib", "metric_learn", "numpy", "penumbra", "playwright", "scipy", "sklearn", "umap"}
OTHERS |= sys.stdlib_module_names


def names_of(tree):
    """Return all top-level names, also inside `with`, `if` or `for`."""
    found, rest = set(), list(tree.body)
    for node in rest:  # grows
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        else:
            rest += ast.iter_child_nodes(node)
            assigned = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            found |= {node.id} if assigned else set()
    return found


@pytest.mark.parametrize("file", TREES, ids=lambda file: str(file.relative_to(BENCH)))
def test_imported_names_are_there(file):
    missing = []
    for node in ast.walk(TREES[file]):
        if not isinstance(node, ast.ImportFrom) or node.module.split(".")[0] in OTHERS:
            continue
        there = set().union(*(names_of(TREES[f]) for f in TREES if f.stem == node.module))
        missing += [f"{node.module}.{a.name}" for a in node.names if a.name not in there]
    assert not missing
