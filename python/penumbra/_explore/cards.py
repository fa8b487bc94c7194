"""Cards: the page shows a row as text, an image, a curve over its columns, or a table."""

from __future__ import annotations

import os
import pathlib
import struct
import typing
import zlib

import numpy as np

from penumbra import _page, _rows
from penumbra._native import Error

_MOST = 50  # columns of a card
_BEGINS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"RIFF": "webp"}
_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp")


def _png(pixels: np.ndarray) -> bytes:
    """Return pixels, u1 [h x w] or [h x w x 3], as a PNG file."""
    height, width = pixels.shape[:2]
    size = struct.pack(">IIBBBBB", width, height, 8, 2 if pixels.ndim == 3 else 0, 0, 0, 0)
    lines = np.pad(pixels.reshape(height, -1), ((0, 0), (1, 0)))  # each starts with a filter, 0
    file, body = b"\x89PNG\r\n\x1a\n", zlib.compress(lines.tobytes(), 1)
    for kind, data in ((b"IHDR", size), (b"IDAT", body), (b"IEND", b"")):
        check = struct.pack(">I", zlib.crc32(kind + data))
        file += struct.pack(">I", len(data)) + kind + data + check
    return file


def image_type(data: bytes) -> str | None:
    """Return the type of an image file by its first bytes; None: not a supported image."""
    return next((f"image/{k}" for begin, k in _BEGINS.items() if data.startswith(begin)), None)


def _cell(value: typing.Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)


def _entries(show: list[typing.Any]) -> tuple[str, list[typing.Any]]:
    """Return the kind of the entries, by the first one, and the entries."""
    first: typing.Any = show[0] if show else None
    is_name = isinstance(first, (str, os.PathLike)) and str(first).lower().endswith(_ENDINGS)
    if is_name and os.path.isfile(first):
        return "image", [pathlib.Path(path).absolute() for path in show]
    return "image" if isinstance(first, bytes) else "text", show


class Cards:
    """The rows and the data to show for them; see `show` of penumbra.explore."""

    def __init__(self, rows: _rows.Named, show: typing.Any, names: list[str] | None) -> None:
        self.values, self.names, (n, d) = rows.values, names, rows.shape
        counted = [f"#{j}" for j in range(d)]
        self.columns = counted if rows.names is None else [str(name) for name in rows.names]
        self.at = None
        self.shown: dict[str, typing.Any] = {}  # by column; "" without columns
        listed = show if isinstance(show, dict) else getattr(show, "columns", None)
        if listed is not None:
            self.kind = "table"
            self.shown = {str(name): np.asarray(show[name], object) for name in listed}
        elif isinstance(show, np.ndarray) and show.ndim > 1:
            is_image = show.ndim == 3 or show.shape[3:] == (3,)
            if not is_image or not show.size or show.dtype.kind not in "biuf":
                raise Error(f"show must have shape (n, h, w) or (n, h, w, 3), got {show.shape}")
            self.kind, self.shown[""] = "image", show
            self._low, self._high = float(np.nanmin(show)), float(np.nanmax(show))
        elif show is not None:
            self.kind, self.shown[""] = _entries(list(show))
        else:
            self.at = None if _rows.is_sparse(self.values) else _page.rising(self.columns)
            self.kind = "columns" if self.at is None else "spectrum"
        for part in self.shown.values():
            if len(part) != n:
                raise Error(f"show must have one entry per row, {n}, got {len(part)}")

    def card(self, row: int, labelled: str | None) -> dict[str, typing.Any]:
        """Return the card of a row with its label; a sparse row shows its stored columns."""
        one, at = self.values[[row]], self.at
        columns, values = (one.indices, one.data) if _rows.is_sparse(one) else (None, one[0])
        names = self.columns if columns is None else [self.columns[j] for j in columns]
        cells = [(name, column[row]) for name, column in self.shown.items()]
        cells = cells if self.kind == "table" else list(zip(names, values))
        return {
            "text": str(self.shown[""][row]) if self.kind == "text" else None,
            "image": self.kind == "image",
            "labelled": labelled,
            "table": [[name, _cell(value)] for name, value in cells[:_MOST]],
            "spectrum": None if at is None else {"at": at.tolist(), "values": values.tolist()},
        }

    def image(self, row: int) -> bytes | None:
        """Return the image of a row as a file; None: not a supported image."""
        data = self.shown[""][row] if self.kind == "image" else b""
        if isinstance(data, np.ndarray):
            shares = (np.nan_to_num(data.astype(float)) - self._low) / (self._high - self._low or 1)
            return _png((255 * shares.clip(0, 1) + 0.5).astype(np.uint8))
        data = data.read_bytes() if isinstance(data, pathlib.Path) else bytes(data)
        return data if image_type(data) else None

    def column(self, j: int) -> bytes:
        """Return a column of the rows, as f4 [n]."""
        return np.asarray(self.values[:, [j]].sum(axis=1), "<f4").tobytes()  # also if sparse

    def search(self, text: str) -> bytes:
        """Return the rows whose text or name contains this text, ignoring case, as u4."""
        wanted, found = text.casefold(), np.zeros(self.values.shape[0], bool)
        shown = () if self.kind == "image" else self.shown.values()
        for texts in (*shown, self.names or ()):
            for row, one in enumerate(texts):
                found[row] |= wanted in str(one).casefold()
        return np.flatnonzero(found).astype("<u4").tobytes()
