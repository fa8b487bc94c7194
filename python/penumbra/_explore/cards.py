"""What the page shows of a row: text, an image, a line over its columns, or a table."""

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
    """Pixels, u1 [h x w] or [h x w x 3], as a file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    height, width = pixels.shape[:2]
    size = struct.pack(">IIBBBBB", width, height, 8, 2 if pixels.ndim == 3 else 0, 0, 0, 0)
    lines = np.pad(pixels.reshape(height, -1), ((0, 0), (1, 0)))  # each begins with its filter, 0
    body = zlib.compress(lines.tobytes(), 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def image_type(data: bytes) -> str | None:
    """That of a file, as its first bytes say; None: it is no image that is shown."""
    return next((f"image/{k}" for begin, k in _BEGINS.items() if data.startswith(begin)), None)


def _cell(value: typing.Any) -> str:
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    return str(value)


class Cards:
    """The rows, and what is shown of them: `show` as penumbra.explore takes it."""

    def __init__(self, rows: _rows.Named, show: typing.Any, names: list[str] | None) -> None:
        self.values, self.names, n = rows.values, names, rows.shape[0]
        self.columns = [] if rows.names is None else [str(name) for name in rows.names]
        self.columns = self.columns or [f"#{j}" for j in range(rows.shape[1])]
        self.at = _page.rising(self.columns) if show is None else None
        self.kind = "columns" if self.at is None else "spectrum"
        self.table: dict[str, typing.Any] = {}
        self.shown: typing.Any = None
        if hasattr(show, "columns") or isinstance(show, dict):
            frame: typing.Any = show
            self.kind = "table"
            self.table = {str(name): np.asarray(frame[name], object) for name in frame}
        elif show is not None:
            is_array = isinstance(show, np.ndarray) and show.ndim > 1
            self.shown = show if is_array else list(show)
            self.kind = self._take_pixels(show) if is_array else self._kind(self.shown)
        for part in (self.shown, *self.table.values()):
            if part is not None and len(part) != n:
                raise Error(f"show must have one entry a row, {n}, got {len(part)}")

    def _take_pixels(self, show: np.ndarray) -> str:
        is_color = show.ndim == 4 and show.shape[3] == 3
        if not (show.ndim == 3 or is_color) or not show.size or show.dtype.kind not in "biuf":
            raise Error(f"show must have shape (n, h, w) or (n, h, w, 3), got {show.shape}")
        self._low, high = float(np.nanmin(show)), float(np.nanmax(show))
        self._step = 255 / (high - self._low) if high > self._low else 0
        return "image"

    def _kind(self, show: list[typing.Any]) -> str:
        """What the entries are, as the first says."""
        first = show[0] if show else None
        if isinstance(first, bytes):
            return "image"
        if not isinstance(first, (str, os.PathLike)) or not os.path.isfile(first):
            return "text"
        if not os.fspath(first).lower().endswith(_ENDINGS):
            return "text"
        self.shown = [pathlib.Path(path).absolute() for path in show]
        return "image"

    # ---- what the page asks for ----

    def card(self, row: int) -> dict[str, typing.Any]:
        """What is shown of a row."""
        card: dict[str, typing.Any] = {"image": self.kind == "image", "spectrum": None}
        card["text"] = str(self.shown[row]) if self.kind == "text" else None
        if self.kind == "spectrum":
            values = self._row(row)[1]
            card["spectrum"] = {"at": np.asarray(self.at).tolist(), "values": values.tolist()}
        if self.kind == "table":
            card["table"] = [[k, _cell(values[row])] for k, values in self.table.items()][:_MOST]
        else:
            card["table"] = [[self.columns[j], _cell(v)] for j, v in zip(*self._row(row))][:_MOST]
        return card

    def _row(self, row: int) -> tuple[typing.Any, np.ndarray]:
        """Columns of a row and its values there; of a sparse row those that are listed."""
        one = self.values[[row]]
        return (
            (range(len(one[0])), one[0]) if isinstance(one, np.ndarray) else (one.indices, one.data)
        )

    def image(self, row: int) -> bytes | None:
        """The image of a row as a file; None: it is none that is shown."""
        data = self.shown[row] if self.kind == "image" else b""
        if isinstance(data, np.ndarray):
            scaled = (np.nan_to_num(data.astype(float)) - self._low) * self._step
            return _png((scaled.clip(0, 255) + 0.5).astype(np.uint8))
        if isinstance(data, os.PathLike):
            data = pathlib.Path(data).read_bytes()
        return bytes(data) if image_type(data) else None

    def column(self, j: int) -> bytes:
        """A column of the rows, as f4 [n]."""
        column = self.values[:, [j]]
        column = column if isinstance(column, np.ndarray) else column.toarray()
        return bytes(column.astype("<f4").tobytes())

    def search(self, text: str) -> bytes:
        """The rows, as u4, whose text or name contains this text in any case."""
        wanted, found = text.casefold(), np.zeros(self.values.shape[0], bool)
        shown = [self.shown] if self.kind == "text" else [*self.table.values()]
        for texts in [*shown, self.names or []]:
            for row, one in enumerate(texts):
                found[row] |= wanted in str(one).casefold()
        return np.flatnonzero(found).astype("<u4").tobytes()
