"""Several methods in one model: each learns from the embedding of the one before it."""

from __future__ import annotations

import collections.abc
import typing

from sklearn.utils.validation import check_is_fitted

from penumbra._estimators import PairReducer, Reducer, from_model
from penumbra._model import Model
from penumbra._names import library_name
from penumbra._native import Error, method_named

if typing.TYPE_CHECKING:
    from typing_extensions import Self


class Chain(PairReducer):
    """A chain of methods, ``"self:rca"``, as one method with one model.

    The first method learns from the rows, and each other one from the embedding that the one before
    it gives; all get the same labels, and those that learn from pairs the same pairs. The maps are
    affine, and are multiplied into one: what a `sklearn.pipeline.Pipeline` of the same methods
    computes, as one model, which `save` writes and the command reads. Sugiyama, Ide, Nakajima and
    Sese (Machine Learning 78, 2010, section 4.5.2) suggest SELF for the dimensions, then a learned
    metric in these.

    Parameters
    ----------
    chain : str, default="self:rca"
        The names of two to four methods, joined by colons, each once.
    parameters : dict, optional
        Of one method as ``{"self.beta": 0.5}``, or by the name alone if no other has it; of all but
        the last one ``"self.n_components"``, too. How the rows are prepared (``"scale"``,
        ``"kernel"``, ``"pca"`` and so on) concerns the first method.
    n_components : int, optional
        The dimensions of the embedding, and of every method whose own are not among `parameters`.
        None: all that the methods give.
    reader : {"auto", "nearest", "neighbors", "means", "lda", "self-training", "logistic", \
"scores", "none"}, default="auto"
        How classes are read from the embedding, as for the last method.
    on_contradiction, transitive, pair_weights, sample_pairs, sample_seed, n_jobs, verbose
        As for methods that learn from pairs.

    Attributes
    ----------
    components_, mean_, n_components_, eigenvalues_, info_, classes_, reader_, n_features_in_
        As for the last method; `info_` has what the others say as ``"self.beta"``.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 6)) + 4 * np.eye(6)[y]
    >>> chain = penumbra.Chain("self:rca", parameters={"beta": 0.5}, n_components=2).fit(x, y)
    >>> chain.transform(x).shape, chain.info_["self.dimensions"]
    ((60, 2), 2)
    """

    def __init__(
        self,
        chain: str = "self:rca",
        *,
        parameters: collections.abc.Mapping[str, typing.Any] | None = None,
        n_components: int | None = None,
        reader: str = "auto",
        on_contradiction: typing.Literal["error", "drop"] = "error",
        transitive: typing.Literal["off", "check", "close"] = "off",
        pair_weights: typing.Literal["given", "agreement"] = "given",
        sample_pairs: float | tuple[int, int] | None = None,
        sample_seed: int = 0,
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.chain = chain
        self.parameters = parameters
        self.n_components = n_components
        self.reader = reader
        self.on_contradiction = on_contradiction
        self.transitive = transitive
        self.pair_weights = pair_weights
        self.sample_pairs = sample_pairs
        self.sample_seed = sample_seed
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def _method(self) -> str:  # type: ignore[override]
        if not isinstance(self.chain, str) or ":" not in self.chain:
            raise Error(f"chain must be names of methods such as 'self:rca', got {self.chain!r}")
        return self.chain

    def _values(self) -> dict[str, typing.Any]:
        values: dict[str, typing.Any] = {}
        for name, value in (self.parameters or {}).items():
            if name in ("n_components", "reader"):
                raise Error(f"{name} must be an argument of Chain, not one of its parameters")
            method, dot, own = name.rpartition(".")
            values[method + dot + library_name(own)] = value
        return {**values, "n_components": self.n_components, "reader": self.reader}

    @classmethod
    def _of(cls, method: str, values: collections.abc.Mapping[str, typing.Any]) -> Self:
        """With the values that differ from the defaults."""
        defaults = {param.name: param.default for param in method_named(method).params}
        named = {name: value for name, value in values.items() if value != defaults.get(name)}
        dim, reader = named.pop("n_components", None), named.pop("reader", "auto")
        return cls(
            method,
            parameters=named or None,
            n_components=None if isinstance(dim, (str, type(None))) else int(dim),
            reader=reader,
        )


def compose(first: Reducer, second: Reducer) -> Reducer:
    """One model of two that were fitted apart: `second` to embeddings by `first`.

    So any method is fitted to rows in many places: principal components come from `Statistics` of
    all rows, each place transforms its own rows, and the method is fitted to the coordinates.

    Parameters
    ----------
    first, second : Reducer
        Fitted. The columns of `second` are the dimensions of `first`.

    Returns
    -------
    Reducer
        Fitted, a `Chain` of the two methods. It takes the columns of `first`, and tells classes by
        the reader of `second`.

    Raises
    ------
    NotFittedError
        One of them is not fitted.
    Error
        `second` has other columns, a kernel, ``normalize="l2"`` or steps for rows; it is composed
        of such a model already; one of them is the mean of several models.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 6)) + 4 * np.eye(6)[y]
    >>> pca = penumbra.PCA(n_components=4).fit(x)
    >>> fme = penumbra.FME().fit(pca.transform(x), y)
    >>> both = penumbra.compose(pca, fme)
    >>> both, np.allclose(both.transform(x), fme.transform(pca.transform(x)))
    (Chain(chain='pca:fme'...), True)
    """
    check_is_fitted(first)
    check_is_fitted(second)
    return from_model(Model.compose(first._model, second._model))
