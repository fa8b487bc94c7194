"""RSSDR in NumPy for rssdr_claims.py, with neighbors and weights from any space: the distances to
all rows, as in its paper (docs/methods/rssdr.md), or the rows themselves."""

import numpy as np
from scipy.linalg import eigh

SHARE, DIMS = 0.98, 10  # of the variance, in the components; dimensions at most


def components(x):
    centered = x - x.mean(0)
    u, values, _ = np.linalg.svd(centered, full_matrices=False)
    share = np.cumsum(values**2) / np.sum(values**2)
    return (u * values)[:, : np.searchsorted(share, SHARE) + 1]


def squares(x):
    """Return squared distances between all rows."""
    length2 = (x**2).sum(1)
    found = np.maximum(length2[:, None] + length2 - 2 * x @ x.T, 0)
    np.fill_diagonal(found, 0)
    return found


def relative_space(z):
    return np.sqrt(squares(z))


def nearest(distance2, k):
    away = distance2.copy()
    np.fill_diagonal(away, np.inf)
    return np.argsort(away, 1, kind="stable")[:, :k]


def scatter(z, i, j):
    difference = z[i] - z[j]
    return difference.T @ difference


def residuals(z, y, k):
    """Return rows of z minus their combinations of k neighbors in the space of y."""
    near = nearest(squares(y), k)
    difference = y[near] - y[:, None]
    products = difference @ difference.transpose(0, 2, 1)
    trace = np.trace(products, axis1=1, axis2=2)
    products += np.where(trace > 0, 1e-3 * trace, 1)[:, None, None] * np.eye(k)
    weights = np.linalg.solve(products, np.ones((len(y), k, 1)))[:, :, 0]
    weights /= weights.sum(1, keepdims=True)
    return z - np.einsum("ik,ikp->ip", weights, z[near])


def scatters(z, y, pairs, k):
    """Return the scatters of cannot-links, non-neighbors, must-links, and the residuals of
    reconstructions in the space of y."""
    i, j, kind = pairs.T
    n, near = len(z), np.zeros((len(z), len(z)), bool)
    near[np.arange(n)[:, None], nearest(squares(z), k)] = True
    union = np.triu(near | near.T, 1).nonzero()
    centered, rest = z - z.mean(0), residuals(z, y, k)
    far = n * centered.T @ centered - scatter(z, *union)
    cannot, must = (scatter(z, i[kind == sign], j[kind == sign]) for sign in (-1, 1))
    return cannot, far, must, rest.T @ rest


def rssdr(z, parts, alphas, beta):
    """Return for each alpha the rows z in the dimensions of RSSDR, from its scatters."""
    cannot, far, must, rest = parts
    denominator = must + beta * rest
    p = len(denominator)
    denominator += 1e-9 * np.trace(denominator) / p * np.eye(p)
    root = np.linalg.inv(np.linalg.cholesky(denominator))
    cannot, far, largest = root @ cannot @ root.T, root @ far @ root.T, (max(p - DIMS, 0), p - 1)
    for alpha in alphas:
        vectors = eigh(cannot + alpha * far, subset_by_index=largest)[1][:, ::-1]
        yield z @ (root.T @ vectors)
