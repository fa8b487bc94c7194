"""Models of the library: fitted, applied, saved, and pickled as the bytes of their files."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import typing

import numpy as np

from penumbra._c import ffi, lib
from penumbra._calls import call, made
from penumbra._names import python_name
from penumbra._native import Error, check, text
from penumbra._rows import Data, naming_column, numbers_or_none, rows


def path_bytes(path: str | os.PathLike[str]) -> bytes:
    """The name of a file as the library takes it."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError(f"path must not hold a NUL, got {name!r}")
    return name


@dataclasses.dataclass(frozen=True)
class Steps:
    """What happens to a row before all else, in this order.

    Attributes
    ----------
    total : float
        Rows are divided by their sums, times this; 0: they are not.
    log1p : bool
    idf : ndarray of shape (d,), or None
        Weights of the columns.
    selected : ndarray of shape (s,), or None
        The columns that stay; None: all.
    unit : bool
        Rows are divided by their lengths.
    """

    total: float
    log1p: bool
    idf: np.ndarray | None
    selected: np.ndarray | None
    unit: bool

    def taken(self, *known: str) -> list[str]:
        """The parameters whose steps there are, but these."""
        there = {
            "row_total": self.total > 0,
            "log1p": self.log1p,
            "idf": self.idf is not None,
            "select": self.selected is not None,
            "normalize": self.unit,
        }
        return [name for name, is_there in there.items() if is_there and name not in known]


@dataclasses.dataclass(frozen=True)
class Kernel:
    """The kernel of a model: z = (k(u, landmarks) - mean) W, u = scale (v - origin) for a row v.

    Attributes
    ----------
    name : str
        linear, rbf, laplacian, polynomial, cosine or precomputed.
    gamma, degree, coef0 : float, int, float
        Of exp(-gamma |u - l|^2), exp(-gamma |u - l|_1), (gamma u.l + coef0)^degree; 0 where the
        kernel has no such number.
    rows : ndarray of shape (m,)
        The landmarks among the rows of the fit, counted from 0.
    landmarks : ndarray of shape (m, s), or None
        These rows, scaled as u, with the columns that their steps leave. None: precomputed.
    origin, scale : ndarray of shape (s,), or None
        None: 0 and 1.
    """

    name: str
    gamma: float
    degree: int
    coef0: float
    rows: np.ndarray
    landmarks: np.ndarray | None
    origin: np.ndarray | None
    scale: np.ndarray | None

    @property
    def has_gamma(self) -> bool:
        """Whether its values depend on gamma."""
        return self.gamma > 0


@dataclasses.dataclass(frozen=True)
class Reader:
    """What tells the classes of rows z of an embedding: docs/model-file.md.

    Attributes
    ----------
    name : str
        nearest, neighbors, means, lda, self-training, logistic or scores.
    temperature : float
        Probabilities become p^(1 / temperature); 0: they stay.
    weights, bias : ndarray of shape (k, c) and (c,)
        Of lda, self-training and logistic: p = softmax(z @ weights + bias).
    center, divisor, rows, classes : ndarray of shape (k,), float, ndarrays (r, k) and (r,)
        Of nearest, neighbors and means: (z - center) / divisor is compared with `rows` of these
        classes. What a reader does not have is empty or 0.
    neighbors : int
        Of neighbors: the number of rows that vote.
    width : float
        Of means: p ~ exp(-distance^2 / width).
    """

    name: str
    temperature: float
    weights: np.ndarray
    bias: np.ndarray
    center: np.ndarray
    divisor: float
    rows: np.ndarray
    classes: np.ndarray
    neighbors: int
    width: float


class Model:
    """A pen_model. Immutable; threads may share it."""

    def __init__(self, raw: typing.Any) -> None:
        self.raw = raw  # freed when it is dropped

    @classmethod
    def fit(cls, spec: typing.Any, data: Data, n_jobs: int | None, verbose: bool | int) -> Model:
        return cls.fit_graphs(spec, data, n_jobs, verbose)[0]

    @classmethod
    def fit_graphs(
        cls, spec: typing.Any, data: Data, n_jobs: int | None, verbose: bool | int
    ) -> tuple[Model, typing.Any]:
        """The model, and the pen_graphs of the fit."""
        graphs = ffi.new("pen_graphs **")
        with naming_column(data.rows.values, lambda: data.names):
            model = cls(
                made(
                    "pen_model",
                    lambda out, control, error: lib.pen_fit_graphs(
                        spec, data.raw, control, out, graphs, error
                    ),
                    lib.pen_model_free,
                    n_jobs,
                    verbose,
                )
            )
        return model, ffi.gc(graphs[0], lib.pen_graphs_free)

    @classmethod
    def fit_selected(
        cls, selection: typing.Any, data: Data, answer: int, n_jobs: int | None, verbose: bool | int
    ) -> Model:
        """What a pen_selection chose, by a pen_answers."""
        return cls(
            made(
                "pen_model",
                lambda out, control, error: lib.pen_fit_selected(
                    selection, data.raw, answer, control, out, error
                ),
                lib.pen_model_free,
                n_jobs,
                verbose,
            )
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Raises OSError, and Error for what is not a model file."""
        out, error = ffi.new("pen_model **"), ffi.new("pen_error *")
        check(lib.pen_model_load(path_bytes(path), out, error), error)
        return cls(ffi.gc(out[0], lib.pen_model_free))

    @classmethod
    def parse(cls, data: bytes) -> Model:
        """The model whose file has these bytes."""
        out, error = ffi.new("pen_model **"), ffi.new("pen_error *")
        check(lib.pen_model_parse(data, len(data), out, error), error)
        return cls(ffi.gc(out[0], lib.pen_model_free))

    @classmethod
    def compose(cls, first: Model, second: Model) -> Model:
        """The model that embeds rows by `first`, and the embedding by `second`.

        Error: `second` has other columns, a kernel, normalize l2 or row steps.
        """
        out, error = ffi.new("pen_model **"), ffi.new("pen_error *")
        check(lib.pen_compose(first.raw, second.raw, out, error), error)
        return cls(ffi.gc(out[0], lib.pen_model_free))

    def save(self, path: str | os.PathLike[str]) -> None:
        error = ffi.new("pen_error *")
        check(lib.pen_model_save(self.raw, path_bytes(path), error), error)

    def bytes(self) -> bytes:
        """What the file of the model holds."""
        out, size, error = ffi.new("void **"), ffi.new("size_t *"), ffi.new("pen_error *")
        check(lib.pen_model_bytes(self.raw, out, size, error), error)
        try:
            return bytes(ffi.buffer(out[0], size[0]))
        finally:
            lib.pen_model_bytes_free(out[0])

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return parsed_model, (self.bytes(),)

    # ---- what it holds ----

    @property
    def method(self) -> str:
        return text(lib.pen_model_method(self.raw))

    @property
    def member_count(self) -> int:
        """The number of models that answer together; 1: a model alone."""
        return int(lib.pen_model_members(self.raw))

    def members(self) -> list[Model]:
        """A copy of each of them, alone."""
        error, members = ffi.new("pen_error *"), []
        for index in range(self.member_count):
            out = ffi.new("pen_model **")
            check(lib.pen_model_copy_member(self.raw, index, out, error), error)
            members.append(Model(ffi.gc(out[0], lib.pen_model_free)))
        return members

    @property
    def input_dim(self) -> int:
        return int(lib.pen_model_input_dim(self.raw))

    @property
    def output_dim(self) -> int:
        return int(lib.pen_model_output_dim(self.raw))

    @property
    def class_count(self) -> int:
        return int(lib.pen_model_class_count(self.raw))

    @property
    def kernel_name(self) -> str:
        """Its name: "none" where there is no kernel."""
        view = lib.pen_model_kernel(self.raw)
        return "none" if view == ffi.NULL else text(view.name)

    @property
    def kernel(self) -> Kernel | None:
        """The kernel whose values the projection takes, a copy; None: it takes rows."""
        view = lib.pen_model_kernel(self.raw)
        if view == ffi.NULL:
            return None
        rows = self._tensor("landmark_rows")
        assert rows is not None
        return Kernel(
            text(view.name),
            float(view.gamma),
            int(view.degree),
            float(view.coef0),
            rows.ravel().astype(np.int64),
            self._tensor("landmarks"),
            self._vector("kernel_origin"),
            self._vector("kernel_scale"),
        )

    def _tensor(self, name: str) -> np.ndarray | None:
        """A copy of a tensor of its file [rows x cols], or None; its sizes come with it."""
        view = lib.pen_model_tensor(self.raw, name.encode())
        return numbers_or_none(view.values, view.rows, view.cols)

    def _vector(self, name: str) -> np.ndarray | None:
        found = self._tensor(name)
        return None if found is None else found.ravel()

    @functools.cached_property
    def _about(self) -> dict[str, str]:
        """The metadata of its file."""
        file = self.bytes()
        about: dict[str, str] = json.loads(file[8 : 8 + int.from_bytes(file[:8], "little")])[
            "__metadata__"
        ]
        return about

    @property
    def steps(self) -> Steps:
        """What happens to a row before `mean` and `projection`, or its kernel."""
        taken = {step[0]: step[1:] for step in json.loads(self._about.get("row", "[]"))}
        selected = self._vector("selected")
        return Steps(
            float(*taken.get("total", (0,))),
            "log1p" in taken,
            self._vector("idf"),
            None if selected is None else selected.astype(np.int64),
            self.parameters["normalize"] == "l2",
        )

    @property
    def projection(self) -> np.ndarray:
        """W [d x k]; with a kernel [m x k], of its values with m landmarks."""
        found = self._tensor("projection")
        assert found is not None
        return found

    @property
    def mean(self) -> np.ndarray:
        """[d]; with a kernel [m]."""
        found = self._vector("mean")
        assert found is not None
        return found

    @property
    def scale(self) -> np.ndarray | None:
        """Factors of the columns [d], 0 where the fit left one out; None: all 1, or a kernel."""
        return self._vector("scale")

    @property
    def deviation(self) -> np.ndarray | None:
        """Standard deviations of the columns over the rows of the fit [d]; None: a kernel."""
        return self._vector("deviation")

    @property
    def eigenvalues(self) -> np.ndarray | None:
        """[k], or None."""
        return self._vector("eigenvalues")

    @property
    def bias(self) -> np.ndarray | None:
        """[classes], or None."""
        return self._vector("bias")

    @property
    def class_mass(self) -> np.ndarray | None:
        """[2 x classes], or None."""
        return self._tensor("class_mass")

    @property
    def class_shares(self) -> np.ndarray | None:
        """Those of a row without any kernel value [classes], or None."""
        return self._vector("class_shares")

    @property
    def reader_name(self) -> str | None:
        """What tells the classes of rows; None: nothing."""
        return text(lib.pen_model_reader(self.raw)) or None

    @property
    def gives_shares(self) -> bool:
        """Whether `predict` gives probabilities, and not raw scores or nothing."""
        if self.reader_name != "scores":
            return self.reader_name is not None
        is_tempered = self.parameters.get("reader_temperature", "none") != "none"
        return is_tempered or bool(lib.pen_model_class_mass(self.raw) != ffi.NULL)

    @property
    def reader(self) -> Reader | None:
        """The reader as the file of the model has it; None: there is none."""
        if self.reader_name is None:
            return None
        form = json.loads(self._about.get("reader", "{}"))
        none = np.empty(0)

        def part(name: str) -> np.ndarray:
            found = self._tensor(f"reader_{name}")
            return none if found is None else found

        return Reader(
            self.reader_name,
            float(form.get("temperature", 0)),
            part("weights"),
            part("bias").ravel(),
            part("center").ravel(),
            float(form.get("divisor", 0)),
            part("rows"),
            part("classes").ravel().astype(np.int64),
            int(form.get("neighbors", 0)),
            float(form.get("width", 0)),
        )

    @property
    def propagated(self) -> np.ndarray | None:
        """Class scores of the rows of the fit [n x classes], or None."""
        return numbers_or_none(
            lib.pen_model_propagated(self.raw),
            int(lib.pen_model_fitted_rows(self.raw)),
            self.class_count,
        )

    @property
    def class_names(self) -> list[str]:
        return [text(lib.pen_model_class_name(self.raw, i)) for i in range(self.class_count)]

    @property
    def feature_names(self) -> list[str] | None:
        names = [lib.pen_model_feature_name(self.raw, i) for i in range(self.input_dim)]
        return None if ffi.NULL in names else [text(name) for name in names]

    def _names_of(self, x: np.ndarray) -> list[str] | None:
        """The names of the columns of x: those of the model, or of its landmarks alone."""
        names, kernel = self.feature_names, self.kernel
        if names is None or kernel is None or x.shape[1] == len(names):
            return names
        return [names[row] for row in kernel.rows]

    @property
    def info(self) -> dict[str, typing.Any]:
        found: dict[str, typing.Any] = json.loads(text(lib.pen_model_info(self.raw)))
        return found

    @property
    def parameters(self) -> dict[str, typing.Any]:
        """Values by the names that they have in Python; words where values have one."""
        facts = json.loads(text(lib.pen_model_parameters(self.raw)))
        return {python_name(name): value for name, value in facts.items()}

    # ---- what it does ----

    def transform(self, x: typing.Any, n_jobs: int | None, verbose: bool | int) -> np.ndarray:
        """(x - mean) W [n x k], of kernel values if there is a kernel.

        float32 for float32 rows, float64 for others.
        """
        data = rows(x)
        out = np.empty(
            (data.count, self.output_dim), np.float32 if x.dtype == np.float32 else np.float64
        )
        array = ffi.new("pen_array *", data.raw)
        pointer = ffi.cast("void *", out.ctypes.data)
        kind = lib.PEN_F32 if out.dtype == np.float32 else lib.PEN_F64
        try:
            with naming_column(x, lambda: self._names_of(x)):
                call(
                    lambda control, error: lib.pen_transform(
                        self.raw, array, kind, pointer, self.output_dim, control, error
                    ),
                    n_jobs=n_jobs,
                    verbose=verbose,
                )
        except Error as error:
            if error.code == "PEN_BAD_DATA" and out.dtype == np.float32:
                raise Error(f"{error} for float32: pass float64 rows", error.code) from None
            raise
        return out

    def predict(
        self, x: typing.Any, n_jobs: int | None, verbose: bool | int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The class of each row [n], an index, and probabilities or scores [n x classes]."""
        data = rows(x)
        codes = np.empty(data.count, np.int32)
        scores = np.empty((data.count, self.class_count))
        array = ffi.new("pen_array *", data.raw)
        with naming_column(x, lambda: self._names_of(x)):
            call(
                lambda control, error: lib.pen_predict(
                    self.raw,
                    array,
                    ffi.cast("int32_t *", codes.ctypes.data),
                    ffi.cast("double *", scores.ctypes.data),
                    control,
                    error,
                ),
                n_jobs=n_jobs,
                verbose=verbose,
            )
        return codes, scores


def parsed_model(data: bytes) -> Model:
    """What pickles name: cloudpickle would take a method of the class apart."""
    return Model.parse(data)
