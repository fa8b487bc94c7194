"""Models of the library: fit, apply, save, and pickle them as the bytes of their files."""

from __future__ import annotations

import functools
import json
import types
import typing

import numpy as np

from penumbra._c import ffi, lib
from penumbra._calls import call, made
from penumbra._names import python_name
from penumbra._native import Error, Filed, at, owned, text
from penumbra._rows import Data, naming_column, numbers_at, rows


class Step(typing.NamedTuple):
    """A step on a row, see docs/model-file.md. Its value: for `missing`, fill [d], or None if such
    rows get no result; for row steps, a number, weights idf [d] or selected columns; `kernel`; for
    `project`, a mean and W."""

    name: str
    value: typing.Any
    columns: int  # of the rows that a model takes


class Model(Filed):
    """A pen_model. Immutable; threads may share it."""

    _kind = "pen_model"

    # some training rows, to measure the errors of exports; not in files and pickles
    tried: typing.Any = None

    @classmethod
    def fit(cls, spec: typing.Any, data: Data, n_jobs: int | None, verbose: bool | int) -> Model:
        """Fit a model that keeps the graphs of the fit."""
        with naming_column(data.rows.values, lambda: data.names):
            given = (lib.pen_fit, (spec, data.raw), n_jobs, verbose)
            model = cls._of(made("pen_model", *given, keep_graphs=True))
        # at most 256 training rows and 8 MB, but at least 8 rows
        x, (n, d) = data.rows.values, data.rows.values.shape
        step = max(1, min(max(-(-n // 256), n * d >> 20), n // 8))
        model.tried = x[::step].copy()
        return model

    @classmethod
    def compose(cls, first: Model, second: Model) -> Model:
        """Return the model that embeds rows by `first`, and the result by `second`.

        Error: the columns of `second` do not match, or it has a kernel or row steps.
        """
        return cls._of(owned("pen_model", lib.pen_model_compose, first._raw, second._raw))

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return parsed_model, (self.bytes(),)

    # ---- contents ----

    @functools.cached_property
    def about(self) -> dict[str, typing.Any]:
        """The facts that pen_model_info returns."""
        found: dict[str, typing.Any] = json.loads(text(lib.pen_model_info(self._raw)))
        return found

    @property
    def method(self) -> str:
        return str(self.about["method"])

    @property
    def last_method(self) -> str:
        """The method, or the last method of a composed model."""
        return self.method.rpartition(":")[2]

    @property
    def is_ensemble(self) -> bool:
        """Whether the model predicts by the mean of several models."""
        return bool(self.about["members"])

    def members(self) -> list[Model]:
        """Return the models of an ensemble; any other model returns itself."""
        count = len(self.about["members"])
        return [Model._of(self._member(i)) for i in range(count)] if count else [self]

    def _member(self, index: int) -> typing.Any:
        """Return one model of the ensemble, which keeps the ensemble alive."""
        raw = ffi.cast("pen_model *", lib.pen_model_member(self._raw, index))
        kept = self._raw
        return ffi.gc(raw, lambda _: kept)

    @property
    def columns(self) -> int:
        return int(lib.pen_model_columns(self._raw))

    @property
    def dim(self) -> int:
        return int(lib.pen_model_dim(self._raw))

    @property
    def class_count(self) -> int:
        return int(lib.pen_model_class_count(self._raw))

    @property
    def kernel_name(self) -> str:
        """The name of the kernel, or "none"."""
        return str(self.about["kernel"]["name"]) if self.about["kernel"] else "none"

    @property
    def kernel(self) -> types.SimpleNamespace | None:
        """The kernel, see docs/model-file.md: name, gamma, degree and coef0 (0 if unused), rows,
        landmarks, origin, and scale or None."""
        about = self.about["kernel"]
        if about is None:
            return None
        return types.SimpleNamespace(
            name=about["name"],
            gamma=float(about.get("gamma", 0)),
            degree=int(about.get("degree", 0)),
            coef0=float(about.get("coef0", 0)),
            rows=np.asarray(self.vector("landmark_rows")).astype(np.int64),
            landmarks=self.tensor("landmarks"),
            origin=self.vector("kernel_origin"),
            scale=self.vector("kernel_scale"),
        )

    def tensor(self, name: str) -> np.ndarray | None:
        """Return a copy of a tensor of the file [rows x cols], or None: see docs/model-file.md."""
        view = lib.pen_model_tensor(self._raw, name.encode())
        return numbers_at(view.values, view.rows, view.cols) if view.values else None

    def vector(self, name: str) -> np.ndarray | None:
        found = self.tensor(name)
        return None if found is None else found.ravel()

    def _metadata(self) -> dict[str, str]:
        """Return the metadata of the file."""
        file = self.bytes()
        header = json.loads(file[8 : 8 + int.from_bytes(file[:8], "little")])
        return dict(header["__metadata__"])

    @functools.cached_property
    def steps(self) -> list[Step]:
        """All steps on a row before classification, in order; exports follow them."""
        mean, projection, kernel = self.mean, self.projection, self.kernel
        selected = self.vector("selected")
        kept = slice(None) if selected is None else selected.astype(np.int64)
        values = {"idf": self.vector("idf"), "select": kept}
        found: list[tuple[str, typing.Any]] = []
        if self.about["missing"] != "error":
            found.append(("missing", self.vector("fill")))
        for name, *number in self.about["steps"]:
            found.append((name, values.get(name, *number)))
        if kernel is not None:
            found.append(("kernel", kernel))
        else:
            mean, projection = mean[kept], projection[kept]
        found.append(("project", (mean, projection)))
        return [Step(*step, self.columns) for step in found]

    def beyond(self, *known: str) -> Step | None:
        """Return a step that is not `known` to an export: the kernel, or else the first such step.
        None: the export knows all steps."""
        others = [step for step in self.steps if step.name not in (*known, "project")]
        return min(others, key=lambda step: step.name != "kernel", default=None)

    def undone(self, x: np.ndarray) -> np.ndarray:
        """Invert the row steps `idf` and `log1p`."""
        for step in reversed(self.steps):
            if step.name == "idf":
                x = x / step.value
            elif step.name == "log1p":
                x = np.expm1(x)
        return x

    @property
    def projection(self) -> np.ndarray:
        """W [d x k]; with a kernel [m x k], for its values with m landmarks."""
        return np.asarray(self.tensor("projection"))

    @property
    def mean(self) -> np.ndarray:
        """[d]; with a kernel [m]."""
        return np.asarray(self.vector("mean"))

    @property
    def classifier_name(self) -> str | None:
        """The name of the classifier, or None."""
        name: str | None = self.about["classifier"]
        return name

    @property
    def gives_shares(self) -> bool:
        """Whether `predict` returns probabilities instead of raw scores or nothing."""
        if self.classifier_name != "scores":
            return self.classifier_name is not None
        is_tempered = self.parameters.get("temperature", "none") != "none"
        return is_tempered or self.tensor("class_mass") is not None

    @property
    def classifier(self) -> types.SimpleNamespace | None:
        """The classifier, see docs/model-file.md: its name, its metadata, and rows, votes, weights,
        center, bias and classes, each possibly None. None: there is no classifier."""
        if self.classifier_name is None:
            return None
        parts = {part: self.tensor(f"classifier_{part}") for part in ("rows", "votes", "weights")}
        parts |= {part: self.vector(f"classifier_{part}") for part in ("center", "bias", "classes")}
        if parts["classes"] is not None:
            parts["classes"] = parts["classes"].astype(np.int64)
        about = {"name": self.classifier_name, "temperature": 0}
        about |= json.loads(self._metadata().get("classifier", "{}"))
        return types.SimpleNamespace(**about, **parts)

    @property
    def propagated(self) -> np.ndarray | None:
        """Class scores of the training rows [n x classes], or None."""
        return self.tensor("probabilities")

    @property
    def class_names(self) -> list[str]:
        return list(self.about["class_names"])

    @property
    def column_names(self) -> list[str] | None:
        names: list[str] | None = self.about["column_names"]
        return names

    def _names_of(self, x: np.ndarray) -> list[str] | None:
        """Return the column names of x: those of the model, or of its landmarks only."""
        names, kernel = self.column_names, self.kernel
        if names is None or kernel is None or x.shape[1] == len(names):
            return names
        return [names[row] for row in kernel.rows]

    @property
    def info(self) -> dict[str, typing.Any]:
        return dict(self.about["info"])

    @property
    def parameters(self) -> dict[str, typing.Any]:
        """Values by their Python names, as words where there is one."""
        return {python_name(name): value for name, value in self.about["parameters"].items()}

    # ---- use ----

    def transform(self, x: typing.Any, n_jobs: int | None, verbose: bool | int) -> np.ndarray:
        """Return (x - mean) W [n x k], where kernels replace x by kernel values.

        float32 for float32 rows, otherwise float64.
        """
        data, is_single = rows(x), x.dtype == np.float32
        out = np.empty((x.shape[0], self.dim), np.float32 if is_single else np.float64)
        into = (lib.PEN_F32 if is_single else lib.PEN_F64, at("void *", out), self.dim)
        try:
            with naming_column(x, lambda: self._names_of(x)):
                call(lib.pen_transform, (self._raw, data.raw), into, n_jobs, verbose)
        except Error as error:
            if error.code == "PEN_BAD_DATA" and is_single:
                raise Error(f"{error} for float32: pass float64 rows", error.code) from None
            raise
        return out

    def predict(
        self, x: typing.Any, n_jobs: int | None, verbose: bool | int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the class index of each row [n], and probabilities or scores [n x classes]."""
        codes = np.empty(x.shape[0], np.int32)
        scores = np.empty((x.shape[0], self.class_count))
        self._ask(x, (codes, scores, None), n_jobs, verbose)
        return codes, scores

    def typicality(self, x: typing.Any, n_jobs: int | None, verbose: bool | int) -> np.ndarray:
        """Return how typical each row is of the training rows [n]."""
        out = np.empty(x.shape[0])
        self._ask(x, (None, None, out), n_jobs, verbose)
        return out

    def _ask(
        self,
        x: typing.Any,
        out: tuple[np.ndarray | None, ...],
        n_jobs: int | None,
        verbose: bool | int,
    ) -> None:
        """Call pen_predict into the given arrays: classes, scores, typicality."""
        data = rows(x)
        into = tuple(map(at, ("int32_t *", "double *", "double *"), out))
        with naming_column(x, lambda: self._names_of(x)):
            call(lib.pen_predict, (self._raw, data.raw), into, n_jobs, verbose)


def parsed_model(data: bytes) -> Model:
    """Pickles name this function, because cloudpickle would pickle a class method by value."""
    return Model.parse(data)
