"""Export of fitted models as ONNX graphs and FAISS transforms, which run without this package."""

from __future__ import annotations

import json
import typing
from types import SimpleNamespace

import numpy as np
from scipy.signal import savgol_filter
from sklearn.utils.validation import check_is_fitted

from penumbra._native import Error, __version__, extra, warn

if typing.TYPE_CHECKING:
    from penumbra._estimators import Reducer
    from penumbra._model import Model, Step

# Constants of class-mass normalization, distance classifiers and tempering: docs/model-file.md.
_SCORE_FLOOR, _MOST_SCORE = 1e-12, {"float64": 1e100, "float32": 1e20}
_LEAST_DISTANCE, _SHARE_FLOOR = 1e-9, 1e-4

# onnxruntime 1.13 (2022) and later read these.
_OPSET, _IR_VERSION = 17, 8

# A larger error by single precision, in deviations of Z, causes a warning.
_MUCH = 1e-3


# ---- the error by single precision ----


def _rows_to_try(model: Model) -> np.ndarray | None:
    """Return training rows, or, for a file, rows drawn from the means and deviations of columns."""
    if model.tried is not None:
        x = model.tried
        return np.asarray(x.toarray() if hasattr(x, "toarray") else x, np.float64)
    mean, deviation = model.mean, model.vector("deviation")
    if deviation is None:
        return None
    x = mean + deviation * np.random.default_rng(0).normal(size=(64, len(mean)))
    x = model.undone(x)
    return np.maximum(x, 0) if any(step.name == "total" for step in model.steps) else x


def _told_cost(
    reducer: Reducer, apply: typing.Any, name: str, instead: str, is_bytes: bool = False
) -> float:
    """Return the largest error of `apply`, which computes Z and perhaps probabilities in single
    precision, and warn of a large one. For Z: in deviations of its columns. NaN: no rows."""
    model, cost = reducer._model, np.nan
    if (rows := _rows_to_try(model)) is not None:
        rows = np.clip(np.rint(rows), 0, 255) if is_bytes else rows
        with np.errstate(all="ignore"):
            z, *shares = apply(rows.astype(np.float32))
        right = model.transform(rows, reducer.n_jobs, False)
        spread = np.maximum(right.std(axis=0), max(1e-12 * right.std(), 1e-300))
        off = [np.abs(z - right) / spread]
        off += [np.abs(p - model.predict(rows, reducer.n_jobs, False)[1]) for p in shares]
        cost = max(float(np.nan_to_num(part, nan=np.inf).max()) for part in off)
    if not cost <= _MUCH:
        warn(
            f"{name}: single precision is off by up to {cost:.2g} of the spread of a dimension or"
            f" of a probability (nan: not measured): {instead}"
        )
    return cost


# ---- ONNX ----


class _Graph:
    """Nodes in execution order. An output has a given name or one by its position."""

    def __init__(self, onnx: typing.Any, floats: type) -> None:
        self.onnx = onnx
        self.floats = floats
        self.nodes: list[typing.Any] = []
        self.constants: list[typing.Any] = []
        self.outputs: list[typing.Any] = []

    def constant(self, values: typing.Any) -> str:
        name, values = f"c{len(self.constants)}", np.asarray(values)
        if values.dtype.kind == "f":
            values = values.astype(self.floats)
        self.constants.append(self.onnx.numpy_helper.from_array(values, name))
        return name

    def less(self, x: str, origin: np.ndarray) -> str:
        """Subtract the origin, accurately even if single precision cannot represent it."""
        near = origin.astype(self.floats).astype(np.float64)
        x = self.add("Sub", x, self.constant(near))
        return x if (near == origin).all() else self.add("Add", x, self.constant(near - origin))

    def add(self, kind: str, *inputs: typing.Any, name: str = "", **attributes: typing.Any) -> str:
        """Add a node and return the name of its output; for TopK, of the second of two."""
        name = name or f"n{len(self.nodes)}"
        outputs = [f"_{name}", name] if kind == "TopK" else [name]
        names = [x if isinstance(x, str) else self.constant(x) for x in inputs]
        self.nodes.append(self.onnx.helper.make_node(kind, names, outputs, **attributes))
        return name

    def kind(self, dtype: typing.Any) -> int:
        return int(self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))

    def value(self, name: str, dtype: typing.Any, *shape: typing.Any) -> typing.Any:
        return self.onnx.helper.make_tensor_value_info(name, self.kind(dtype), list(shape))

    def cast(self, x: str, dtype: typing.Any, name: str = "") -> str:
        return self.add("Cast", x, name=name, to=self.kind(dtype))


def _most(graph: _Graph, x: str) -> str:
    """Return the largest magnitude of each row [n x 1]."""
    return graph.add("ReduceMax", graph.add("Abs", x), axes=[1], keepdims=1)


def _unit(graph: _Graph, x: str) -> str:
    """Divide rows by their lengths; keep rows of zeros. No square overflows or underflows."""
    least = float(np.finfo(graph.floats).tiny)
    x = graph.add("Div", x, graph.add("Max", _most(graph, x), least))
    squares = graph.add("ReduceSumSquare", x, axes=[1], keepdims=1)
    length = graph.add("Max", graph.add("Sqrt", squares), 1.0)
    return graph.add("Div", x, length)


def _standard_normal(graph: _Graph, x: str, step: Step) -> str:
    """Standardize each row by its mean and standard deviation; constant rows become zeros."""
    limits = np.finfo(graph.floats)
    x = graph.add("Div", x, graph.add("Max", _most(graph, x), float(limits.tiny)))
    x = graph.add("Sub", x, graph.add("ReduceMean", x, axes=[1], keepdims=1))
    off = _most(graph, x)
    varies = graph.add("Greater", off, 8 * float(limits.eps))
    x = graph.add("Div", x, graph.add("Where", varies, off, np.inf))
    squares = graph.add("ReduceSumSquare", x, axes=[1], keepdims=1)
    deviation = graph.add("Sqrt", graph.add("Div", squares, max(step.columns - 1.0, 1.0)))
    return graph.add("Div", x, graph.add("Where", varies, deviation, 1.0))


def _derivative(graph: _Graph, x: str, step: Step) -> str:
    """Take derivatives by products with blocks of a banded matrix."""
    weights = savgol_filter(np.eye(step.columns), step.value, 2, deriv=1, mode="interp")
    blocks = []
    for at in range(0, step.columns, 256):
        block = weights[:, at : at + 256]
        used = np.flatnonzero(block.any(axis=1))[[0, -1]] + [0, 1]
        part = graph.add("Slice", x, *([v] for v in (*used, 1)))
        blocks.append(graph.add("MatMul", part, block[slice(*used)]))
    return graph.add("Concat", *blocks, axis=1)


def _filled(graph: _Graph, x: str, step: Step) -> str:
    if step.value is None:
        raise Error("to_onnx cannot take missing 'drop': a graph has a result for every row")
    gap = graph.add("Or", graph.add("IsNaN", x), np.isnan(step.value))
    return graph.add("Where", gap, np.nan_to_num(step.value), x)


def _of_total(graph: _Graph, x: str, step: Step) -> str:
    """Scale rows to a total; the result is NaN or infinite if `transform` refuses a value."""
    x = graph.add("Where", graph.add("Less", x, 0.0), np.nan, x)
    total = graph.add("ReduceSum", x, [1], keepdims=1)
    total = graph.add("Where", graph.add("Equal", total, 0.0), 1.0, total)
    return graph.add("Mul", graph.add("Div", x, total), float(step.value))


def _log1p(graph: _Graph, x: str, _: Step) -> str:
    """Compute ln(1 + x) as ln(u) x / (u - 1), where u is the rounded 1 + x."""
    u = graph.add("Add", x, 1.0)
    rounded = graph.add("Sub", u, 1.0)
    ratio = graph.add("Div", graph.add("Log", u), rounded)
    small = graph.add("Equal", rounded, 0.0)
    return graph.add("Where", small, x, graph.add("Mul", ratio, x))


def _squared_distances(graph: _Graph, u: str, landmarks: np.ndarray) -> str:
    """Return squared distances [n x m], expanded about the mean of the landmarks."""
    center = landmarks.mean(axis=0)
    u, there = graph.less(u, center), landmarks - center
    products = graph.add("MatMul", u, -2.0 * there.T)
    lengths = graph.add("ReduceSumSquare", u, axes=[1], keepdims=1)
    lengths = graph.add("Add", lengths, (there**2).sum(axis=1))
    return graph.add("Max", graph.add("Add", lengths, products), 0.0)


def _distances(graph: _Graph, u: str, landmarks: np.ndarray) -> str:
    """Return L1 distances [n x m], by differences [n x m x d]."""
    wide = graph.add("Unsqueeze", u, [1])
    away = graph.add("Abs", graph.add("Sub", wide, landmarks))
    return graph.add("ReduceSum", away, [2], keepdims=0)


def _kernel_values(graph: _Graph, x: str, step: Step) -> str:
    """Return kernel values [n x m] of rows x [n x d] with the landmarks."""
    kernel = step.value
    if kernel.landmarks is None:
        return graph.add("Gather", x, kernel.rows, axis=1)
    u, landmarks, gamma = graph.less(x, kernel.origin), kernel.landmarks, kernel.gamma
    if kernel.scale is not None:
        u = graph.add("Mul", u, kernel.scale)
    if kernel.name in ("rbf", "laplacian"):
        far = (_squared_distances if kernel.name == "rbf" else _distances)(graph, u, landmarks)
        return graph.add("Exp", graph.add("Mul", far, -gamma))
    if kernel.name == "cosine":
        u = _unit(graph, u)
        largest = np.abs(landmarks).max(axis=1, keepdims=True)
        landmarks = landmarks / np.where(largest > 0, largest, 1)
        lengths = np.sqrt((landmarks**2).sum(axis=1, keepdims=True))
        landmarks = landmarks / np.maximum(lengths, 1)
    if kernel.name != "polynomial":
        return graph.add("MatMul", u, landmarks.T)
    # onnxruntime would fuse a separate gamma node into the product, in single precision
    inner = graph.add("MatMul", u, gamma * landmarks.T)
    inner = graph.add("Add", inner, kernel.coef0)
    return graph.add("Pow", inner, float(kernel.degree))


def _divided_by_sum(graph: _Graph, values: str) -> str:
    """Scale rows [n x c] to sums of 1."""
    return graph.add("Div", values, graph.add("ReduceSum", values, [1], keepdims=1))


def _shares(graph: _Graph, scores: str, class_mass: np.ndarray) -> str:
    """Turn scores [n x c] into probabilities by class-mass normalization, as pen_predict does."""
    mass, prior = class_mass
    above = graph.add("Max", scores, 0.0)
    above = graph.add("Min", above, _MOST_SCORE[graph.floats.__name__])
    above = graph.add("Div", above, mass)
    above = graph.add("Add", above, _SCORE_FLOOR / mass.max())
    return _divided_by_sum(graph, graph.add("Mul", above, prior))


def _softmax(graph: _Graph, z: str, weights: np.ndarray, bias: np.ndarray) -> str:
    scores = graph.add("Gemm", z, weights, bias)
    return graph.add("Softmax", scores, axis=1)


def _tempered(graph: _Graph, shares: str, temperature: float) -> str:
    """Return p^(1 / temperature) [n x c], divided by its row sums."""
    most = graph.add("ReduceMax", shares, axes=[1], keepdims=1)
    ratio = graph.add("Div", graph.add("Max", shares, _SHARE_FLOOR), most)
    return _divided_by_sum(graph, graph.add("Pow", ratio, 1 / temperature))


class _Answer(typing.NamedTuple):
    """Names of nodes: probabilities or raw scores [n x c], and class indices [n]."""

    shares: str
    best: str


def _largest(graph: _Graph, shares: str) -> _Answer:
    return _Answer(shares, graph.add("ArgMax", shares, axis=1, keepdims=0))


def _by_scores(graph: _Graph, model: Model, z: str) -> _Answer:
    first = [[at] for at in (0, model.class_count, 1)]
    scores = graph.add("Add", graph.add("Slice", z, *first), model.vector("bias"))
    mass = model.tensor("class_mass")
    return _largest(graph, scores if mass is None else _shares(graph, scores, mass))


def _by_means(graph: _Graph, classifier: SimpleNamespace, z: str) -> _Answer:
    """softmax(-|u - m|^2 / width) is affine in u after subtracting |u|^2, common to all means."""
    weights = 2 / classifier.width * classifier.rows.T
    bias = -(classifier.rows**2).sum(axis=1) / classifier.width
    return _largest(graph, _softmax(graph, _in_units(graph, classifier, z), weights, bias))


def _in_units(graph: _Graph, classifier: SimpleNamespace, z: str) -> str:
    less = graph.less(z, classifier.center)
    return graph.add("Div", less, float(classifier.divisor))


def _rows_of_classes(classifier: SimpleNamespace, c: int) -> np.ndarray:
    """Return the row numbers of each class [c x largest class], padded with the last one."""
    of_class = [np.flatnonzero(classifier.classes == at) for at in range(c)]
    most = max(map(len, of_class))
    return np.stack([np.pad(rows, (0, most - len(rows)), "edge") for rows in of_class])


def _by_distances(graph: _Graph, classifier: SimpleNamespace, z: str, c: int) -> _Answer:
    """Classify as nearest and neighbors do, by direct differences [n x rows x k]."""
    wide = graph.add("Unsqueeze", _in_units(graph, classifier, z), [1])
    away = graph.add("Sub", wide, classifier.rows)
    squares = graph.add("ReduceSumSquare", away, axes=[2], keepdims=0)
    of_class = graph.add("Gather", squares, _rows_of_classes(classifier, c), axis=1)
    far = graph.add("Sqrt", graph.add("ReduceMin", of_class, axes=[2], keepdims=0))
    far = graph.add("Add", far, _LEAST_DISTANCE)
    ratio = graph.add("Div", graph.add("ReduceMin", far, axes=[1], keepdims=1), far)
    square = graph.add("Mul", ratio, ratio)
    shares = _divided_by_sum(graph, graph.add("Mul", square, square))
    if classifier.name == "nearest":
        nearest = graph.add("ArgMin", squares, axis=1, keepdims=0)
        return _Answer(shares, graph.add("Gather", classifier.classes, nearest))
    return _largest(graph, _voted(graph, classifier, squares, shares, c))


def _least(graph: _Graph, values: str, count: int) -> str:
    """Return the indices of the smallest values of each row [n x count], lower indices first."""
    return graph.add("TopK", values, [count], axis=1, largest=0)


def _mean_of_votes(graph: _Graph, classifier: SimpleNamespace, z: str) -> _Answer:
    """Average the votes of the nearest rows. Products find a few candidates up to rounding, and
    differences [n x few x k] select the exact nearest ones."""
    u, count = _in_units(graph, classifier, z), min(classifier.neighbors, len(classifier.rows))
    some = min(2 * count + 16, len(classifier.rows))
    few = _least(graph, _squared_distances(graph, u, classifier.rows), some)
    few = "_" + _least(graph, few, some)  # sorted: the values of TopK
    there = graph.add("Gather", classifier.rows, few, axis=0)
    away = graph.add("Sub", graph.add("Unsqueeze", u, [1]), there)
    squares = graph.add("ReduceSumSquare", away, axes=[2], keepdims=0)
    voters = graph.add("GatherElements", few, _least(graph, squares, count), axis=1)
    votes = graph.add("Gather", classifier.votes, voters, axis=0)
    total = graph.add("ReduceSum", votes, [1], keepdims=0)
    return _largest(graph, _divided_by_sum(graph, total))


def _voted(graph: _Graph, classifier: SimpleNamespace, squares: str, shares: str, c: int) -> str:
    """Return p by votes of the nearest rows, ties by row number; `shares` count as half a vote."""
    voters = _least(graph, squares, classifier.neighbors)
    voices = graph.add("Gather", np.eye(c)[classifier.classes], voters, axis=0)
    votes = graph.add("ReduceSum", voices, [1], keepdims=0)
    votes = graph.add("Add", votes, graph.add("Mul", shares, 0.5))
    return graph.add("Div", votes, classifier.neighbors + 0.5)


def _read(graph: _Graph, model: Model, classifier: SimpleNamespace, z: str) -> _Answer:
    """Apply the classifier to z."""
    if classifier.name == "scores":
        answer = _by_scores(graph, model, z)
    elif classifier.name == "means":
        answer = _by_means(graph, classifier, z)
    elif classifier.votes is not None:
        answer = _mean_of_votes(graph, classifier, z)
    elif classifier.name in ("nearest", "neighbors"):
        answer = _by_distances(graph, classifier, z, model.class_count)
    elif classifier.weights is not None:
        answer = _largest(graph, _softmax(graph, z, classifier.weights, classifier.bias))
    else:
        raise Error(f"to_onnx does not know classifier {classifier.name!r}: fit with another one")
    if classifier.temperature == 0:
        return answer
    return answer._replace(shares=_tempered(graph, answer.shares, classifier.temperature))


def _answer(
    graph: _Graph, model: Model, classifier: SimpleNamespace, z: str, values: str
) -> _Answer:
    """Predict as pen_predict does: rows whose kernel values are all 0 get the class shares."""
    answer, known = _read(graph, model, classifier, z), model.vector("class_shares")
    if known is None:
        return answer
    none = graph.add("Equal", _most(graph, values), 0.0)
    shares = graph.add("Where", none, known[None], answer.shares)
    none = graph.add("Squeeze", none, [1])
    return _Answer(shares, graph.add("Where", none, known.argmax(), answer.best))


def _together(graph: _Graph, answers: list[_Answer], temperature: np.ndarray | None) -> _Answer:
    """Average the probabilities of an ensemble, and temper them if there is a temperature."""
    mean = answers[0]
    if len(answers) > 1:
        total = graph.add("Sum", *(answer.shares for answer in answers))
        mean = _largest(graph, graph.add("Div", total, float(len(answers))))
    if temperature is None:
        return mean
    return mean._replace(shares=_tempered(graph, mean.shares, float(temperature[0])))


def _predictions(graph: _Graph, reducer: Reducer, answer: _Answer, floats: type) -> None:
    classes, name = reducer.classes_, "probabilities" if reducer._model.gives_shares else "scores"
    is_whole = classes.dtype.kind in "iu" and classes.max() < 2**63
    values = classes.astype(np.int64) if is_whole else classes.astype(str).astype(object)
    graph.add("Gather", values, answer.best, name="class")
    graph.cast(answer.shares, floats, name)
    graph.outputs.append(graph.value("class", values.dtype, "n"))
    graph.outputs.append(graph.value(name, floats, "n", len(classes)))


def _type_of(dtype: typing.Any) -> np.dtype[typing.Any]:
    rule = "dtype must be float32, float64 or uint8"
    try:
        kind: np.dtype[typing.Any] = np.dtype(dtype)
    except TypeError:
        raise Error(f"{rule}, got {dtype!r}") from None
    if kind.name not in ("float32", "float64", "uint8"):
        raise Error(f"{rule}, got {kind.name}")
    return kind


def _projected(graph: _Graph, x: str, step: Step) -> str:
    mean, projection = step.value
    return graph.add("MatMul", graph.less(x, mean), projection)


_NODES: dict[str, typing.Callable[[_Graph, str, Step], str]] = {
    "missing": _filled,
    "total": _of_total,
    "log1p": _log1p,
    "idf": lambda graph, x, step: graph.add("Mul", x, step.value),
    "snv": _standard_normal,
    "derivative": _derivative,
    "select": lambda graph, x, step: graph.add("Gather", x, step.value, axis=1),
    "l2": lambda graph, x, _: _unit(graph, x),
    "kernel": _kernel_values,
    "project": _projected,
}


def _embedded(graph: _Graph, model: Model, x: str) -> tuple[str, str]:
    """Return Z [n x k] and the input of the projection: columns or kernel values."""
    values = x
    for step in model.steps:
        values, x = x, _NODES[step.name](graph, x, step)
    return x, values


def _facts(model: Model, classifiers: list[SimpleNamespace | None]) -> dict[str, typing.Any]:
    """Return the metadata of a graph."""
    facts: dict[str, typing.Any] = {"method": model.method, "parameters": model.parameters}
    if model.column_names is not None:
        facts["column_names"] = model.column_names
    if len(classifiers) > 1:
        facts["classifiers"] = [each.name for each in classifiers if each is not None]
    elif classifiers[0] is not None:
        facts["classifier"] = classifiers[0].name
    if model.class_count:
        facts["class_names"] = model.class_names
    return facts


def to_onnx(reducer: Reducer, dtype: typing.Any, compute: str) -> typing.Any:
    """See Reducer.to_onnx."""
    check_is_fitted(reducer)
    kind = _type_of(dtype)
    if compute not in ("float64", "float32"):
        raise Error(f"compute must be float64 or float32, got {compute!r}")
    graph = _Graph(extra("onnx", '"penumbra-learn[onnx]"'), getattr(np, compute))
    helper, model = graph.onnx.helper, reducer._model
    floats = np.float32 if np.float32 in (kind, graph.floats) else np.float64
    x, d, k = "X", model.columns, model.dim
    if kind != graph.floats:
        x = graph.cast(x, graph.floats)
    members = model.members()
    embedded = [_embedded(graph, member, x) for member in members]
    z = _embedded(graph, model, x)[0] if model.is_ensemble else embedded[0][0]
    graph.cast(z, floats, "Z")
    graph.outputs.append(graph.value("Z", floats, "n", k))
    classifiers = [member.classifier for member in members]
    parts = zip(members, classifiers, embedded)
    answers = [_answer(graph, m, each, *at) for m, each, at in parts if each is not None]
    if answers:
        mean = _together(graph, answers, model.vector("mean_temperature"))
        _predictions(graph, reducer, mean, floats)
    made = helper.make_model(
        helper.make_graph(
            graph.nodes,
            model.method,
            [graph.value("X", kind, "n", d)],
            graph.outputs,
            graph.constants,
            doc_string=reducer.method.title,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR_VERSION,
        producer_name="penumbra",
        producer_version=__version__,
    )
    facts = _facts(model, classifiers)
    graph.onnx.checker.check_model(made, full_check=True)
    if compute == "float32":
        from onnx.reference import ReferenceEvaluator

        names = [output.name for output in graph.outputs if output.name != "class"]
        run = ReferenceEvaluator(made).run
        facts["difference"] = _told_cost(
            reducer,
            lambda rows: run(names, {"X": rows.astype(kind)}),
            "to_onnx",
            'leave out compute="float32"',
            kind == np.uint8,
        )
    helper.set_model_props(
        made, {key: v if isinstance(v, str) else json.dumps(v) for key, v in facts.items()}
    )
    return made


# ---- FAISS ----


def to_faiss(reducer: Reducer, index: typing.Any = None) -> typing.Any:
    """See Reducer.to_faiss."""
    check_is_fitted(reducer)
    faiss, model = extra("faiss", '"penumbra-learn[faiss]"'), reducer._model
    instead = "index what transform gives, index.add(model.transform(X).astype('float32'))"
    steps, k = {step.name: step.value for step in model.steps}, model.dim
    is_unit = "l2" in steps
    if step := model.beyond("select", "l2" if is_unit else "idf"):
        if step.name == "kernel":
            rule = f"needs kernel='none', a linear projection, got {step.value.name!r}"
        else:
            rule = f"cannot take {step.name}, which is no transform of FAISS"
        raise Error(f"to_faiss {rule}: {instead}")
    if is_unit and index is None:
        raise Error(
            "to_faiss needs an index where row_steps end with l2, which is no linear transform:"
            f" to_faiss(faiss.IndexFlatL2({k}))"
        )
    if index is not None and not isinstance(index, faiss.Index):
        raise TypeError(f"index must be an index of FAISS, got {index!r}")
    if index is not None and index.d != k:
        raise Error(f"index must have {k} dimensions, the components, got {index.d}")
    d, mean, projection, transforms = model.columns, model.mean, model.projection, []
    if "idf" in steps:
        mean, projection = mean / steps["idf"], projection * steps["idf"][:, None]
    if is_unit and "select" in steps:
        kept, (mean, projection) = steps["select"], steps["project"]
        transforms.append(faiss.RemapDimensionsTransform(d, len(kept), False))
        faiss.copy_array_to_vector(kept.astype(np.int32), transforms[0].map)
        d = len(kept)
    if is_unit:
        transforms.append(faiss.NormalizationTransform(d, 2.0))
    origin = np.zeros(d, np.float32)
    if index is not None:  # subtract first, to keep digits far from zero
        origin = mean.astype(np.float32)
        transforms.append(faiss.CenteringTransform(d))
        faiss.copy_array_to_vector(origin, transforms[-1].mean)
        transforms[-1].is_trained = True
    linear = faiss.LinearTransform(d, k, True)
    faiss.copy_array_to_vector(projection.T.astype(np.float32).ravel(), linear.A)
    faiss.copy_array_to_vector(((origin - mean) @ projection).astype(np.float32), linear.b)
    linear.is_trained = True
    linear.set_is_orthonormal()
    transforms.append(linear)

    if index is None:
        instead = "to_faiss(index) subtracts the mean first"

    def apply(rows: typing.Any) -> list[typing.Any]:
        for transform in transforms:
            rows = transform.apply(rows)
        return [rows]

    _told_cost(reducer, apply, "to_faiss", instead)
    if index is None:
        return linear
    chain = faiss.IndexPreTransform(index)
    for transform in reversed(transforms):
        chain.prepend_transform(transform)
    return chain
