"""Cells in an AnnData: a function for each method, with the conventions of scanpy.

``penumbra.pp.self(adata, labels="cell_type")`` fits ``penumbra.SELF`` to the cells and writes the
result into `adata`; ``penumbra.pp.transform`` embeds new cells with the same model. The functions
have the names of the methods, with ``_`` for ``-``: ``penumbra.pp.tr_fsda``. ``dir(penumbra.pp)``
lists them; ``help(penumbra.pp.self)`` describes one.

A function writes these entries under `key_added`, by default ``"X_"`` and its name:

======================  ==========================================================================
``obsm[key]``           the embedding, one row per cell
``varm[key]``           the loadings, one row per variable. For ``X`` or a layer: weights times the
                        standard deviation of the variable, so that they rank variables in any
                        units. For ``X_pca``: weights times its loadings ``varm["PCs"]``, if
                        present. With a kernel: none.
``uns[key]``            ``method``, ``params``, ``mean``, ``projection``, ``eigenvalues``,
                        ``classes``, ``classifier``, ``version``, and ``model``, the bytes of the
                        file. With a kernel, ``mean`` and ``projection`` apply to kernel values, and
                        ``landmarks`` lists the ``obs_names`` of the landmark cells.
``obs[key+"_class"]``   the class of each cell, after a fit to labels of two classes: by the class
                        scores of the fit if the method has them, else by its ``classifier``
``obsm[key+"_proba"]``  the class probabilities of each cell, in the order of ``classes``
======================  ==========================================================================

``adata.write_h5ad`` saves all of it. This module does not import anndata. Sparse rows, from ``X``,
layers or representations, stay sparse.
"""

from __future__ import annotations

import copy as copies
import inspect
import os
import typing

import numpy as np

import penumbra
from penumbra._estimators import PairReducer, Reducer, from_model, load
from penumbra._model import Model
from penumbra._names import did_you_mean
from penumbra._native import Error, Method, methods
from penumbra._pairs import Pairs
from penumbra._rows import Named

if typing.TYPE_CHECKING:
    AnnData = typing.Any

# With more variables than this, use X_pca: scanpy's rule for `use_rep=None`.
_MANY_VARIABLES = 50

_VALUES_SHOWN = 8

_ABOUT = """\
{title}.

Fits `penumbra.{cls}` to the cells and writes the embedding into `adata`: see `penumbra.pp`.

Parameters
----------
adata : AnnData
    The cells.
labels : str{optional}
    The column of ``adata.obs`` with the classes: categories, text or numbers. Missing values and
    -1 mean unlabelled.
unlabelled : str or sequence of str, default=()
    More values of the column that mean unlabelled, such as ``"Unknown"``.
{pairs}use_rep : str, optional
    The key of ``adata.obsm`` with the rows, or ``"X"``. None: ``"X_pca"`` if it exists and there
    are more than 50 variables, otherwise ``"X"``.
layer : str, optional
    Use this layer instead of ``adata.X``.
key_added : str, default="X_{name}"
    The key for the results.
copy : bool, default=False
    Return a copy with the results, and leave `adata` unchanged.
{own}

Returns
-------
None, or AnnData
    With ``copy=True``.

Raises
------
Error
    A key or a value does not exist, or an error of ``penumbra.{cls}.fit``.
TypeError
    `adata` is not an AnnData, or rows are sparse with ``kernel="precomputed"``.

Examples
--------
>>> import anndata, numpy as np, penumbra
>>> y = np.arange(60) % 3
>>> adata = anndata.AnnData(np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y])
>>> adata.obs["kind"] = np.where(np.arange(60) < 15, np.array(["a", "b", "c"])[y], "Unknown")
>>> penumbra.pp.{name}(adata, labels="kind", unlabelled="Unknown")
>>> len(adata.obsm["X_{name}"])
60
"""

_OF_PAIRS = """\
must_link, cannot_link : str or array-like of shape (m, 2), optional
    Pairs of cell names (``adata.obs_names``); pairs with unknown cells are ignored. Or the key of a
    matrix in ``adata.obsp`` whose nonzero entries are the pairs. `must_link` can also be a column
    of ``adata.obs``: cells with equal values are must-linked, and missing values mean none.
"""


# ---- contents of an AnnData ----


def _entry(holder: typing.Any, key: str, name: str, where: str) -> typing.Any:
    """Return `holder[key]`, or raise an error that lists the keys."""
    if key not in holder:
        # in layers, None is X
        keys = ", ".join(str(one) for one in holder.keys() if one is not None) or "empty"
        raise Error(f"{name} must be a key of {where} ({keys}), got {key!r}")
    return holder[key]


def _require_cells(adata: typing.Any, function: str) -> None:
    if not all(hasattr(adata, name) for name in ("obs", "obsm", "uns", "var_names")):
        raise TypeError(f"{function}() needs an AnnData, got {type(adata).__name__}")


def _require_values(column: typing.Any, words: typing.Iterable[typing.Any], key: str) -> None:
    """Raise an error for a word that is no value: a misspelled mark would be learned as a class."""
    values = column.cat.categories if hasattr(column, "cat") else column.dropna().unique()
    known = values.tolist()
    for word in words:
        if word in known:
            continue
        listed = ", ".join(map(str, known[:_VALUES_SHOWN])) or "none"
        more = ", ..." * (len(known) > _VALUES_SHOWN)
        raise Error(
            f"unlabelled must be among the values of adata.obs[{key!r}] ({listed}{more}),"
            f" got {word!r}{did_you_mean(str(word), known)}"
        )


def _known(
    adata: AnnData, name: str, key: str, unlabelled: tuple[typing.Any, ...] = ()
) -> np.ndarray:
    """Return a column of obs, with None for unlabelled cells."""
    column = _entry(adata.obs, key, name, "adata.obs")
    _require_values(column, unlabelled, key)
    values = np.array(column, dtype=object)
    values[np.asarray(column.isna() | column.isin(unlabelled))] = None
    return values


def _pairs(adata: AnnData, name: str, pairs: typing.Any) -> Pairs | np.ndarray:
    """Return pairs of cell names, or groups of must-linked cells."""
    if name == "must_link" and isinstance(pairs, str) and pairs in adata.obs:
        return _known(adata, name, pairs)
    if isinstance(pairs, str):
        i, j = _entry(adata.obsp, pairs, name, "adata.obsp").nonzero()
        names = np.asarray(adata.obs_names, dtype=str)
        pairs = np.stack([names[i[i != j]], names[j[i != j]]], axis=1)
    return pairs if isinstance(pairs, Pairs) else Pairs(pairs)


def _matrix(x: typing.Any, where: str) -> typing.Any:
    """Load rows into memory, as a SciPy sparse matrix, an array or a frame."""
    if x is None:
        raise Error(f"{where} must hold rows, got None")
    if hasattr(x, "to_memory"):  # sparse, in a backed file
        x = x.to_memory()
    if hasattr(x, "tocsr") or hasattr(x, "iloc"):
        return x
    return np.asarray(x if hasattr(x, "__array__") else x[...])


class _Rows:
    """The rows of the cells and their location."""

    def __init__(self, adata: AnnData, use_rep: str | None, layer: str | None) -> None:
        if layer is not None and use_rep not in (None, "X"):
            raise Error(f"use_rep must be None or 'X' if layer is given, got {use_rep!r}")
        if use_rep is None:
            is_wide = adata.n_vars > _MANY_VARIABLES and layer is None
            use_rep = "X_pca" if is_wide and "X_pca" in adata.obsm else "X"
        self.adata, self.use_rep, self.layer = adata, use_rep, layer

    def values(self, names: np.ndarray | None = None) -> typing.Any:
        """Return the rows [n x d]; of X or a layer, the variables with these names, in order."""
        adata = self.adata
        if self.use_rep != "X":
            where = f"adata.obsm[{self.use_rep!r}]"
            return _matrix(_entry(adata.obsm, self.use_rep, "use_rep", "adata.obsm"), where)
        if names is not None and list(names) != list(adata.var_names):
            missing = [name for name in names if name not in adata.var_names]
            if missing:
                raise Error(
                    f"adata must have the {len(names)} variables of the model,"
                    f" got none for {len(missing)}, such as {missing[0]!r}"
                )
            adata = adata[:, names]
        if self.layer is None:
            x, where = adata.X, "adata.X"
        else:
            x = _entry(adata.layers, self.layer, "layer", "adata.layers")
            where = f"adata.layers[{self.layer!r}]"
        import pandas as pd

        x = _matrix(x, where)
        if hasattr(x, "tocsr"):
            return Named(x, adata.var_names)
        return pd.DataFrame(x, columns=adata.var_names, copy=False)

    def loadings(self, estimator: Reducer) -> np.ndarray | None:
        """Return the loadings [variables x k], or None if they are unknown."""
        if estimator._model.kernel_name != "none":
            return None
        projection: np.ndarray = estimator.components_.T
        if self.use_rep == "X":
            weighted: np.ndarray = projection * estimator.deviation_[:, None]
            return weighted
        varm = self.adata.varm
        key = "PCs" if self.use_rep == "X_pca" and "PCs" in varm else self.use_rep
        is_linear = not estimator._model.beyond("missing", "select")
        if key not in varm or varm[key].shape[1] != len(projection) or not is_linear:
            return None
        composed: np.ndarray = np.asarray(varm[key]) @ projection
        return composed


# ---- writing ----


def _put(holder: typing.Any, key: str, value: typing.Any) -> None:
    """Set an entry; for None, delete the entry of an earlier call."""
    if value is not None:
        holder[key] = value
    elif key in holder:
        del holder[key]


_Answer = tuple[typing.Optional[np.ndarray], typing.Optional[np.ndarray]]


def _predicted(estimator: Reducer, x: typing.Any) -> _Answer:
    """Return predicted classes and probabilities, or None for each that the model lacks."""
    if not hasattr(estimator, "predict"):
        return None, None
    has_shares = hasattr(estimator, "predict_proba")
    return estimator.predict(x), estimator.predict_proba(x) if has_shares else None


def _propagated(estimator: typing.Any) -> _Answer:
    """Return the classes and probabilities of the training rows, by class scores."""
    are_shares = estimator.prior != "none" or estimator.temperature != "none"
    return estimator.transduction_, estimator.label_distributions_ if are_shares else None


def _write(adata: AnnData, key: str, estimator: Reducer, z: np.ndarray, answer: _Answer) -> None:
    """Write the embedding and the classes of cells."""
    import pandas as pd

    adata.obsm[key] = np.asarray(z)
    classes, shares = answer
    chosen = None if classes is None else pd.Categorical(classes, categories=estimator.classes_)
    _put(adata.obs, f"{key}_class", chosen)
    _put(adata.obsm, f"{key}_proba", shares)


def _facts(estimator: Reducer, rows: _Rows, labels: str | None) -> dict[str, typing.Any]:
    """Return the entries of uns, in types that h5ad files support."""
    model = estimator._model
    kernel, cells = model.kernel, rows.adata.obs_names
    params = dict(model.parameters, use_rep=rows.use_rep, layer=rows.layer, labels=labels)
    facts = {
        "method": model.method,
        "params": {name: value for name, value in params.items() if value is not None},
        "mean": model.mean,
        "projection": model.projection,
        "eigenvalues": model.vector("eigenvalues"),
        "landmarks": None if kernel is None else np.asarray(cells, dtype=str)[kernel.rows],
        "classes": getattr(estimator, "classes_", None),
        "classifier": model.classifier_name,
        "version": penumbra.__version__,
        "model": np.frombuffer(model.bytes(), np.uint8),
    }
    return {name: value for name, value in facts.items() if value is not None}


# ---- the functions ----


def _reduce(
    method: Method,
    adata: AnnData,
    labels: str | None,
    *,
    unlabelled: str | typing.Sequence[str] = (),
    use_rep: str | None = None,
    layer: str | None = None,
    key_added: str | None = None,
    copy: bool = False,
    **parameters: typing.Any,
) -> AnnData | None:
    """Implement the functions of all methods."""
    _require_cells(adata, _name(method))
    if labels is None and "labels" in method.traits:
        raise TypeError(f"{_name(method)}() needs labels, a column of adata.obs")
    cls: type[Reducer] = getattr(penumbra, method.class_name)
    given: dict[str, typing.Any] = {}
    if issubclass(cls, PairReducer):
        pairs = {kind: parameters.pop(kind, None) for kind in ("must_link", "cannot_link")}
        given = {kind: _pairs(adata, kind, p) for kind, p in pairs.items() if p is not None}
        if given:
            given["row_id"] = np.asarray(adata.obs_names, dtype=str)
    estimator = cls(**parameters)
    words = (unlabelled,) if isinstance(unlabelled, str) else tuple(unlabelled)
    y = None if labels is None else _known(adata, "labels", labels, words)
    rows = _Rows(adata, use_rep, layer)
    x = rows.values()
    estimator.fit(x, y, **given)

    adata = adata.copy() if copy else adata
    key = key_added or _key(method)
    is_scored = hasattr(estimator, "transduction_") and estimator.classifier in ("auto", "scores")
    answer = _propagated(estimator) if is_scored else _predicted(estimator, x)
    _write(adata, key, estimator, estimator.transform(x), answer)
    _put(adata.varm, key, rows.loadings(estimator))
    adata.uns[key] = _facts(estimator, rows, labels)
    return adata if copy else None


def _key(method: Method) -> str:
    return "X_" + _name(method)


def _name(method: Method) -> str:
    return method.name.replace("-", "_")


def _signature(method: Method, learns_pairs: bool) -> inspect.Signature:
    """Return the signature of a method's function, for help() and editors."""
    parameter, none = inspect.Parameter, inspect.Parameter.empty
    options = {"unlabelled": (), **dict.fromkeys(["use_rep", "layer", "key_added"]), "copy": False}
    if learns_pairs:
        options.update(dict.fromkeys(["must_link", "cannot_link"]))
    own = inspect.signature(getattr(penumbra, method.class_name)).parameters.values()
    needed = none if "labels" in method.traits else None
    return inspect.Signature(
        [
            parameter("adata", parameter.POSITIONAL_OR_KEYWORD),
            parameter("labels", parameter.POSITIONAL_OR_KEYWORD, default=needed),
            *(parameter(n, parameter.KEYWORD_ONLY, default=v) for n, v in options.items()),
            *(p.replace(kind=parameter.KEYWORD_ONLY) for p in own),
        ]
    )


def _document(method: Method, learns_pairs: bool) -> str:
    cls = getattr(penumbra, method.class_name)
    documented = inspect.getdoc(cls) or ""
    own = documented.partition("Parameters\n----------\n")[2].split("\n\nAttributes\n")[0]
    return _ABOUT.format(
        title=method.title,
        cls=method.class_name,
        name=_name(method),
        optional="" if "labels" in method.traits else ", optional",
        pairs=_OF_PAIRS if learns_pairs else "",
        own=own,
    )


def _function(method: Method) -> typing.Callable[..., typing.Any]:
    def function(adata: AnnData, labels: str | None = None, **options: typing.Any) -> typing.Any:
        return _reduce(method, adata, labels, **options)

    learns_pairs = issubclass(getattr(penumbra, method.class_name), PairReducer)
    function.__name__ = function.__qualname__ = _name(method)
    function.__doc__ = _document(method, learns_pairs)
    function.__signature__ = _signature(method, learns_pairs)  # type: ignore[attr-defined]
    return function


def _model(
    adata: AnnData, model: typing.Any
) -> tuple[Reducer, typing.Mapping[str, typing.Any], str | None]:
    """Return an estimator, the parameters of its fit in `pp`, and the key of its results."""
    key = None
    if isinstance(model, str) and model in adata.uns:
        key, model = model, adata.uns[model]
    if isinstance(model, Reducer):
        return model, {}, key
    if isinstance(model, typing.Mapping):
        stored = _entry(model, "model", "model", "the uns entry of a fit")
        params = _entry(model, "params", "params", "the uns entry of a fit")
        return from_model(Model.parse(np.asarray(stored, np.uint8).tobytes())), params, key
    if isinstance(model, str) and not os.path.exists(model):
        keys = ", ".join(adata.uns) or "empty"
        raise Error(f"model must be a key of adata.uns ({keys}) or a file, got {model!r}")
    return load(model), {}, key


def transform(
    adata: AnnData,
    model: typing.Any,
    *,
    use_rep: str | None = None,
    layer: str | None = None,
    key_added: str | None = None,
    copy: bool = False,
    n_jobs: int | None = None,
) -> AnnData | None:
    """Embed new cells with a model, and predict their classes if the model has a classifier.

    A cell gets the same coordinates as it would among the cells of the fit. Variables are matched
    by name, in any order; additional variables are ignored. A representation such as ``X_pca`` must
    come from the same projection as in the fit.

    Writes ``obsm[key]``, and with a classifier ``obs[key + "_class"]`` and
    ``obsm[key + "_proba"]``.

    Parameters
    ----------
    adata : AnnData
        New cells.
    model : str, mapping, Reducer or path
        The result of a function of this module, ``adata_of_the_fit.uns[key]``, or its key in
        ``adata.uns``; a fitted estimator; or a model file.
    use_rep, layer : str, optional
        The location of the rows. None: the same as in the fit.
    key_added : str, optional
        The key for the results. None: `model` if it is a key, otherwise ``"X_"`` and the name of
        the method.
    copy : bool, default=False
        Return a copy with the results, and leave `adata` unchanged.
    n_jobs : int, optional
        Threads, as in estimators.

    Returns
    -------
    None, or AnnData
        With ``copy=True``.

    Raises
    ------
    Error, TypeError
        A key or a variable does not exist, or `model` or `adata` has a wrong type.

    Examples
    --------
    >>> import anndata, numpy as np, penumbra
    >>> x = np.random.default_rng(0).normal(size=(60, 5))
    >>> cells, new = anndata.AnnData(x[:40]), anndata.AnnData(x[40:])
    >>> penumbra.pp.pca(cells, n_components=2)
    >>> penumbra.pp.transform(new, cells.uns["X_pca"])
    >>> new.obsm["X_pca"].shape
    (20, 2)
    """
    _require_cells(adata, "transform")
    estimator, params, key = _model(adata, model)
    if n_jobs is not None:
        estimator = copies.copy(estimator).set_params(n_jobs=n_jobs)
    if use_rep is None and layer is None:
        use_rep, layer = params.get("use_rep"), params.get("layer")
    names = getattr(estimator, "feature_names_in_", None)
    x = _Rows(adata, use_rep, layer).values(names)
    if names is None:
        x = x.values if isinstance(x, Named) or hasattr(x, "iloc") else x

    adata = adata.copy() if copy else adata
    key = key_added or key or _key(estimator.method)
    _write(adata, key, estimator, estimator.transform(x), _predicted(estimator, x))
    return adata if copy else None


def __getattr__(name: str) -> typing.Any:
    for method in methods():
        if name == _name(method):
            function = globals()[name] = _function(method)
            return function
    raise AttributeError(f"module 'penumbra.pp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return ["transform", *map(_name, methods())]
