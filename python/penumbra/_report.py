"""What ``penumbra compare --json`` prints of a comparison, and the page that it fills."""

from __future__ import annotations

import importlib.resources
import json
import math
import typing

from penumbra import _rows
from penumbra._c import ffi, lib
from penumbra._native import spec_settings, text
from penumbra._trials import folds_of

_PLACE = "@JSON@"  # of the results in report.html


def page(results: typing.Iterable[dict[str, typing.Any]]) -> str:
    """The page with these results. In a script only "<" can begin what it takes for markup."""
    template = importlib.resources.files("penumbra").joinpath("report.html").read_text("utf-8")
    lines = (json.dumps(e, ensure_ascii=False, allow_nan=False) for e in results)
    listed = ",\n".join(lines).replace("<", "\\u003c")
    return template.replace(_PLACE, f"[{listed}]")


def results(
    raw: typing.Any, data: _rows.Data, classes: _rows.Classes | None, how: typing.Any
) -> tuple[dict[str, typing.Any], ...]:
    """The objects of a pen_comparison by a pen_protocol, in the command's words and order."""
    trials = _trials(data, classes, how)
    return tuple(
        {
            **_candidate(raw, m),
            **trials,
            "held_out": raw.held_out,
            "inner_folds": raw.inner_folds,
            "margin": _number(raw.margin),
            "interrupted": False,
            "compared": raw.count,
            "tuned": raw.tuned,
            **(_outcome(raw, classes) if m == raw.chosen else {}),
        }
        for m in range(raw.count)
    )


def _number(value: typing.Any) -> typing.Any:
    """JSON has no NaN and no infinity."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _numbers(raw: typing.Any, count: int) -> list[typing.Any] | None:
    return None if raw == ffi.NULL else [_number(raw[i]) for i in range(count)]


def _candidate(raw: typing.Any, m: int) -> dict[str, typing.Any]:
    e = raw.candidates[m]
    failure = text(e.failure)
    settings = list(spec_settings(e.spec)) if e.spec else None
    return {
        "method": text(e.method.name),
        "name": text(e.name),
        "title": title(e),
        "classifier": text(e.classifier),
        "baseline": bool(e.baseline),
        "rank": m + 1,
        "experimental": e.method.source == lib.PEN_SOURCE_RECONSTRUCTED,
        "failure": failure or None,
        "score": _number(e.score),
        "deviation": None if failure else _number(e.deviation),
        "untuned": _number(e.untuned),
        "log_loss": _number(e.log_loss),
        "brier": _number(e.brier),
        "p": _number(e.p),
        "stability": _number(e.stability),
        "taken": m == raw.chosen,
        "dims": e.dim,
        "tried": e.tried == lib.PEN_TRIED,
        "grid": e.grid,
        "combinations": e.combinations,
        "cost": _number(e.cost),
        "same_as": text(e.same_as) or None,
        "seconds": _number(e.seconds),
        "chance": _number(raw.chance),
        "p_value": _number(raw.p_value),
        "predicts": bool(raw.predicts),
        "parameters": None if settings is None else {name: _number(v) for name, v, _ in settings},
        "changed": None if settings is None else [name for name, _, new in settings if new],
        "trials": _numbers(e.trials, 0 if failure else raw.trials),
        "curve": _numbers(e.curve, raw.dim_count),
    }


def title(candidate: typing.Any) -> str:
    """What a pen_compared is: the title of its method."""
    if candidate.baseline and not candidate.method.traits & lib.PEN_BASELINE:
        return "the standardized columns"
    return text(candidate.method.title)


def _trials(
    data: _rows.Data, classes: _rows.Classes | None, how: typing.Any
) -> dict[str, typing.Any]:
    rows, columns = data.rows.values.shape
    return {
        "rows": rows,
        "columns": columns,
        "labelled": 0 if classes is None else int((classes.codes >= 0).sum()),
        "classes": 0 if classes is None else len(classes.names),
        "folds": folds_of(data, how),
        "runs": how.runs or lib.PEN_COMPARE_RUNS,
        "seed": how.seed,
        "given_folds": how.fold_of != ffi.NULL,
        "groups": data.raw.groups != ffi.NULL,
        "plain": bool(how.plain),
        "inductive": bool(how.inductive),
        "shuffle": bool(how.shuffle),
    }


def _outcome(raw: typing.Any, classes: _rows.Classes | None) -> dict[str, typing.Any]:
    """How the predictions of the recommended candidate went."""
    count = raw.class_count
    codes = [raw.classes[c] for c in range(count)]
    rows = [raw.confusion[i * count : (i + 1) * count] for i in range(count)]
    bins = [raw.calibration[b] for b in range(lib.PEN_CALIBRATION_BINS)]
    return {
        "class_names": [str(c) if classes is None else classes.names[c] for c in codes],
        "confusion": [list(row) for row in rows],
        "calibration": [
            {"rows": b.rows, "predicted": _number(b.predicted), "right": _number(b.right)}
            for b in bins
        ],
    }
