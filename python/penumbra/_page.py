"""The HTML page of pictures and comparisons, which contains JSON, as the command writes it."""

from __future__ import annotations

import base64
import html
import importlib.resources
import json
import os
import pathlib
import typing

import numpy as np

from penumbra._c import lib
from penumbra._native import text


class Page(str):
    """An HTML page that needs no other file and no network. Notebooks show it in a frame."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file. OSError: it cannot be written."""
        pathlib.Path(path).write_text(self, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<Page of {len(self)} characters: save(path) writes it>"

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 640px; border: 0"
        return f'<iframe style="{style}" srcdoc="{html.escape(self)}"></iframe>'


def page(command: str, path: str | os.PathLike[str] | None, **given: typing.Any) -> Page:
    """Make the page for the results of `command`, and write it to `path`, if given."""
    name = "explore.html" if command == "explore" else "page.html"
    template = importlib.resources.files("penumbra").joinpath(name).read_text("utf-8")
    told = {"penumbra": text(lib.pen_version()), "command": command, "source": None, **given}
    # inside a script element, only "<" can start markup
    said = json.dumps(told, allow_nan=False).replace("<", "\\u003c")
    made = Page(template.replace("@JSON@", said, 1))
    if path is not None:
        made.save(path)
    return made


def row_names(rows: typing.Any) -> list[str] | None:
    """Return the index of a pandas frame, unless it counts from 0."""
    if not type(rows).__module__.startswith("pandas"):
        return None
    counts = np.array_equal(rows.index, range(len(rows)))
    return None if counts else [str(name) for name in rows.index]


def packed(values: typing.Any, kind: str) -> str:
    """Encode numbers as base64, in a type such as `<u2`."""
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()


def plotted(
    drawn: dict[str, typing.Any], classes: list[str], path: str | os.PathLike[str] | None
) -> Page:
    """Make the page of a picture of rows, from arrays that are not packed yet."""
    kinds = {"points": "<f4", "class": "<u2", "probability": "<u2", "label": "<u2", "known": "u1"}
    predicted = "class" in drawn
    if predicted:
        drawn["probability"] = 65535 * drawn["probability"].clip(0, 1) + 0.5
    picture: dict[str, typing.Any] = {"title": ""}
    picture |= {"rows": len(drawn["points"]), "dims": len(drawn["axes"])}
    for name, value in drawn.items():
        if value is not None:
            picture[name] = packed(value, kinds[name]) if name in kinds else value
    told = {"model": None, "classes": classes, "predicted": predicted, "pictures": [picture]}
    return page("plot", path, **told)


def rising(names: typing.Sequence[str]) -> np.ndarray | None:
    """Return the column names as numbers, if there are at least 30 and they only rise or fall."""
    if not 30 <= len(names) <= 20000:
        return None
    try:
        at = np.array([float(name) for name in names])
    except ValueError:
        return None
    sign = np.sign(np.diff(at))
    return at if np.isfinite(at).all() and sign[0] and (sign == sign[0]).all() else None


def curves(model: typing.Any, mix: np.ndarray) -> dict[str, typing.Any] | None:
    """Return the column weights of axes for spectra; mix [k x axes]: the axes by the dimensions of
    the model. None: these are not spectra, by the rule of loadings_spectra in the command."""
    if model is None or model.kernel is not None or not 30 <= model.columns <= 20000:
        return None
    if model.tensor("projection") is None:
        return None
    at = rising(model.column_names or [])
    if at is None:
        at = np.arange(model.columns)
        if not {"snv", "derivative"} & {name for name, *_ in model.about["steps"]}:
            return None
    weights = [packed(w, "<f4") for w in (model.projection @ mix).T]
    return {"at": packed(at, "<f4"), "weights": weights}
