"""Rows to label next: the results of the library's rule, in Python types."""

from __future__ import annotations

import os
import pathlib

import numpy as np
import penumbra
import pytest
from conftest import blobs


def test_reasons_are_the_models_own(tmp_path: pathlib.Path) -> None:
    x, known = blobs(120, 4, per_class=3, apart=3)
    model = penumbra.FME().fit(x, known)
    found = model.suggest(x, known, n=12)
    assert len(found) == len(set(found.rows)) == 12
    assert (known[found.rows] == -1).all()
    p = model.predict_proba(x[found.rows])
    order = np.argsort(-p, axis=1)
    assert found.classes is not None and found.probabilities is not None
    assert (found.classes == model.classes_[order[:, :2]]).all()
    np.testing.assert_allclose(found.probabilities, np.sort(p, axis=1)[:, :0:-1], rtol=1e-12)
    assert found.margins is not None
    np.testing.assert_allclose(
        found.margins, found.probabilities[:, 0] - found.probabilities[:, 1], rtol=1e-12
    )
    assert (found.shares > 0).all()
    assert str(found).splitlines()[0].startswith(f"row {found.rows[0]}: {found.classes[0, 0]} (")
    path = os.fspath(tmp_path / "m.pen")
    model.save(path)
    assert (penumbra.load(path).suggest(x, known, 12).rows == found.rows).all()


def test_labels_of_any_type() -> None:
    x, y = blobs(120, 4, per_class=3, apart=3)
    names = np.array(["ash", "birch", "cedar", None], dtype=object)[y]
    model = penumbra.FME().fit(x, names)
    found = model.suggest(x, names, n=3)
    assert found.classes is not None and set(found.classes.ravel()) <= {"ash", "birch", "cedar"}
    assert not set(found.rows) & set(range(9))
    assert (model.suggest(x, y, 3).rows == found.rows).all()


def test_no_labels_and_fewer_rows() -> None:
    x, _ = blobs()
    x = np.concatenate([x, x[:40]])
    with pytest.warns(penumbra.PenumbraWarning, match="60 of 80 rows: all remaining rows are"):
        found = penumbra.PCA(n_components=2).fit(x).suggest(x, n=80)
    assert found.classes is None and found.probabilities is None and found.margins is None
    assert set(found.rows) == set(range(60))
    assert str(found).startswith(f"row {found.rows[0]}: tells ")
