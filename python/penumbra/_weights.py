"""Weights of pairs of which some are wrong."""

from __future__ import annotations

import typing

import numpy as np

from penumbra import _pairs, _rows
from penumbra._c import ffi, lib
from penumbra._calls import call
from penumbra._native import Error


class PairWeights(typing.NamedTuple):
    """Weights of must-links and of cannot-links, in the order of the lists."""

    must_link: np.ndarray
    cannot_link: np.ndarray


def weigh_pairs(
    X: _rows.Matrix,
    *,
    must_link: typing.Any = None,
    cannot_link: typing.Any = None,
    n_jobs: int | None = None,
    verbose: bool | int = False,
) -> PairWeights:
    """How well each pair agrees with the pairs around it.

    Pairs whose ends are near those of a pair vote on it. A pair that the others contradict gets the
    weight 0.01, one that they confirm 1, one that none is near 0.5; given weights are multiplied by
    that. A method with ``pair_weights="agreement"`` does the same, with the rows as it scales them.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows, in the units in which they are to be near or far.
    must_link, cannot_link : array-like of shape (m, 2) or Pairs, optional
        Pairs of row numbers, the same as for ``fit``.
    n_jobs : int, optional
        Threads: None or -1 for all cores; the result does not depend on it.
    verbose : bool, default=False
        Show progress.

    Returns
    -------
    PairWeights
        For ``Pairs(must_link, weights.must_link)``, with ``transitive="off"``: chains of wrong
        must-links contradict right cannot-links.

    Raises
    ------
    Error
        No such rows (``PEN_BAD_PAIR``); pairs that contradict each other (``PEN_CONTRADICTION``).

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> x = np.concatenate([np.linspace(0, 1, 30), np.linspace(9, 10, 30)])[:, None]
    >>> same = [[i, i + 10] for i in (*range(15), *range(30, 45))] + [[3, 50]]  # the last is wrong
    >>> different = [[i, i + 30] for i in range(30)]
    >>> weights = penumbra.weigh_pairs(x, must_link=same, cannot_link=different)
    >>> bool(weights.must_link[-1] < 0.1 < 0.9 < weights.must_link[0])
    True
    """
    x = np.asarray(_rows.unwrap(X))
    if x.ndim != 2:
        raise Error(f"X must have two dimensions, got the shape {x.shape}")
    linked = _pairs.gather(len(x), must_link, cannot_link)
    data = _rows.Data(x, linked=linked)
    found = PairWeights(
        *(np.zeros(0 if pairs is None else len(pairs)) for pairs in linked[:2]),
    )
    raw = [ffi.cast("double *", weights.ctypes.data) for weights in found]
    call(
        lambda control, error: lib.pen_weigh_pairs(data.raw, control, *raw, error), n_jobs, verbose
    )
    return found
