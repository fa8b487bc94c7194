"""penumbra.explore: label rows in a web page and watch projection and classes change."""

from __future__ import annotations

import html
import os
import pathlib
import select
import sys
import threading
import typing
import webbrowser
import zlib

import numpy as np

from penumbra import _page, _pairs, _rows
from penumbra._auto import AutoReducer
from penumbra._estimators import Reducer, Rows
from penumbra._explore.cards import Cards
from penumbra._explore.fits import Worker
from penumbra._explore.journal import Journal, Known
from penumbra._native import Error, extra, understood


def _digest(x: typing.Any) -> str:
    """Return 8 hex digits that identify the values and the shape of rows."""
    digest = zlib.crc32(repr(x.shape).encode())
    blocks = (x[first : first + 4096] for first in range(0, x.shape[0], 4096))
    for part in (x.data, x.indices, x.indptr) if _rows.is_sparse(x) else blocks:
        digest = zlib.crc32(part.tobytes(), digest)
    return f"{digest:08x}"


def _of_cells(adata: typing.Any, y: _rows.Labels, show: typing.Any) -> tuple[typing.Any, ...]:
    """Return rows, labels, the data to show, and names of an AnnData."""
    from penumbra import pp

    y = pp._known(adata, "y", y) if isinstance(y, str) else y
    names = [str(name) for name in adata.obs_names]
    return pp._Rows(adata, None, None).values(), y, adata.obs if show is None else show, names


def _begin(
    n: int, y: _rows.Labels, must_link: typing.Any, cannot_link: typing.Any
) -> tuple[Known, np.ndarray]:
    """Return the state before the first change, and the classes in the type of y."""
    classes = _rows.classes(np.full(n, None) if y is None else y)
    if len(classes.codes) != n:
        raise Error(f"y must have one entry per row, {n}, got {len(classes.codes)}")
    found = _pairs.gather(n, must_link, cannot_link)
    if found.must_link_weights is not None or found.cannot_link_weights is not None:
        raise Error("must_link and cannot_link must be without weights to be explored")
    must, cannot = (
        () if pairs is None else tuple((int(i), int(j)) for i, j in pairs) for pairs in found[:2]
    )
    no_change = np.full(n, -1, np.int32)
    return Known(tuple(classes.names), classes.codes, no_change, must, cannot), classes.values


class Exploration:
    """The result of `explore`: the current labels, pairs and model.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
        In the type of `y` if it contains all classes; else text, with None for unlabelled rows.
    must_link, cannot_link : ndarray of shape (m, 2)
        Pairs of row numbers.
    model : Reducer, or None
        An AutoReducer, fitted to these on access. None: there are no labels and no pairs.
    folder : str
        The folder with all changes.
    address : str
        The address of the page. Everybody on this machine who knows it can see the rows.
    """

    def __init__(
        self,
        X: _rows.Matrix,
        y: _rows.Labels = None,
        show: typing.Any = None,
        pairs: tuple[typing.Any, typing.Any] = (None, None),
        *,
        names: list[str] | None = None,
        data: typing.Sequence[str] = (),
        program: str | None = None,
    ) -> None:
        """`data`: the arguments by which the command `program` reads the rows, if known."""
        for module in ("starlette", "uvicorn"):
            extra(module, '"penumbra-learn[explore]"')
        from penumbra._explore.server import Server  # needs these modules

        if all(hasattr(X, name) for name in ("obs", "obsm", "uns", "var_names")):
            X, y, show, names = _of_cells(X, y, show)
        self._rows = rows = X if isinstance(X, Rows) else Rows(X)
        if (place := _rows.not_finite(rows.values)) is not None:
            message = f"X must be finite to be explored, got NaN or infinity in row {place[0]}"
            raise Error(f"{message}, column {place[1]}", "PEN_NOT_FINITE")
        if rows.shape[0] < 2:
            raise Error(f"X must have at least 2 rows to be explored, got {rows.shape[0]}")
        begin, self._values = _begin(rows.shape[0], y, *pairs)
        self.cards = Cards(rows, show, _page.row_names(X) if names is None else names)
        self.ended, self._closing = threading.Event(), threading.Lock()
        folder = pathlib.Path(f"explore-{_digest(rows.values)}").absolute()
        self.folder, self.program, self.data = folder.name, program, data
        self.journal = Journal(folder, rows.shape[1], begin)
        self.worker = Worker(rows, self.journal)
        self._server = Server(self)
        self.address = self._server.address

    # ---- current state ----

    @property
    def labels(self) -> np.ndarray:
        known, values = self.journal.known, self._values
        if not 0 < len(known.classes) == len(values):
            values = np.array(known.classes, object)
        none = {"i": -1, "f": np.nan, "M": np.datetime64("NaT")}.get(values.dtype.kind)
        values = values.astype(object) if none is None else values
        labels: np.ndarray = np.append(values, np.array(none, values.dtype))[known.codes]
        return labels

    @property
    def must_link(self) -> np.ndarray:
        return self.journal.known.pairs.get("must_link", np.empty((0, 2), int))

    @property
    def cannot_link(self) -> np.ndarray:
        return self.journal.known.pairs.get("cannot_link", np.empty((0, 2), int))

    @property
    def model(self) -> Reducer | None:
        known = self.journal.known
        y = self.labels if known.counts.any() else None
        if y is None and not known.pairs:
            return None
        return AutoReducer().fit(_rows.Named(self._rows.values, self._rows.names), y, **known.pairs)

    # ---- end ----

    def close(self) -> None:
        """Stop the server. The folder keeps all changes."""
        with self._closing:
            if self.ended.is_set():
                return
            self.worker.end()
            self._server.close()
            self.worker.join()
            self.journal.close()
            self.ended.set()

    def wait(self) -> None:
        """Show the page until its "finish", Ctrl-C, or, if it was closed, Enter in the terminal."""
        print(f"{self.address}\nLabels are kept in {self.folder}. Ctrl-C ends.", flush=True)
        if os.environ.get("PENUMBRA_BROWSER") != "none":
            webbrowser.open(self.address)
        told = False
        try:
            while not self.ended.wait(0.2):
                asks = bool(self._server.is_left and sys.stdin and sys.stdin.isatty())
                if asks and not told:
                    print(f"The page is closed. It is still at {self.address} Enter ends.")
                told = asks
                if asks and select.select([sys.stdin], [], [], 0)[0]:
                    sys.stdin.readline()
                    break
        except KeyboardInterrupt:
            print()
        self.close()

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 760px; border: 0"
        return f'<iframe style="{style}" src="{html.escape(self.address)}"></iframe>'


@understood
def explore(
    X: _rows.Matrix,
    y: _rows.Labels = None,
    *,
    show: typing.Any = None,
    must_link: typing.Any = None,
    cannot_link: typing.Any = None,
) -> Exploration:
    """Label rows in a page of the browser, and watch projection and classes change.

    Each change is saved immediately in a folder ``explore-XXXXXXXX`` of the current directory. The
    name depends on the rows, so the same rows continue there. The page also exports labels,
    pairs, and the model with its command to this folder. Only this machine can open the page, at an
    address that cannot be guessed. Needs ``pip install "penumbra-learn[explore]"``.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), AnnData or Rows
        The rows, as for `fit`. From an AnnData, the same rows as in `penumbra.pp`, with names.
    y : array-like of shape (n_samples,), optional
        Initial labels; -1, NaN, None and pd.NA mean unlabelled. For an AnnData, also the name of a
        column of ``obs``.
    show : optional
        What the page shows for a row: a list of texts, images (files, bytes, or an array of shape
        (n, h, w) or (n, h, w, 3)), or a frame. None: the columns of `X`, drawn as a curve if their
        names are numbers that only rise or fall; for an AnnData, ``obs``.
    must_link, cannot_link : array-like of shape (m, 2), optional
        Initial pairs of row numbers.

    Returns
    -------
    Exploration
        Returned after the page, Ctrl-C or Enter ends it. A notebook shows the page and continues.

    Raises
    ------
    Error
        A value is NaN or infinite, there is only one row, labels and pairs contradict each other,
        sizes do not match, or another process uses the folder.
    ImportError
        The server packages are not installed.
    """
    explored = Exploration(X, y, show, (must_link, cannot_link))
    if "ipykernel" not in sys.modules:
        explored.wait()
    return explored
