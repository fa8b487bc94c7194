"""One model of two that were fitted apart."""

from sklearn.utils.validation import check_is_fitted

from penumbra._estimators import Reducer, from_model
from penumbra._model import Model


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
        Fitted, of the class of `second`. It takes the columns of `first`, and tells classes by the
        classifier of `second`; `info_` has what `first` says as ``"pca.residual"``. Another `fit`
        learns from rows as they are given, without `first`.

    Raises
    ------
    NotFittedError
        One of them is not fitted.
    Error
        `second` has other columns, a kernel or row steps; it is composed
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
    (FME(), True)
    """
    check_is_fitted(first)
    check_is_fitted(second)
    return from_model(Model.compose(first._model, second._model))
