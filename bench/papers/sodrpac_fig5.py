"""Figure 5 of Tong, Suzuki (2010): 1-NN accuracy of SODRPaC over lambda and gamma, next to PCA.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/sodrpac_fig5.py [SET...]
        [--runs 2] [--keep FILE]

Sets and protocol are as in sodrpac_fig3.py. The paper does not give its number of pairs; here there
are 75 must-links and 75 cannot-links. The whole grid is computed; every second lambda is shown.
`gamma` is 2^j in units of the squared mean length of the centered rows.

The paper has no numbers. Its text names two regions where SODRPaC is likely to be best: small
lambda / (1 + lambda), where gamma matters little, in all but (f) and (h); and large lambda and
gamma, in (b), (e), (f), (h). The table shows the means for lambda up to 1/4, for lambda and gamma
of at least 4, and for the rest; and the effect of gamma (largest minus smallest value, averaged
over lambda) for small and for larger lambda. Nothing is counted.

--keep FILE keeps results, and does not repeat existing ones.
"""

import sys

import numpy as np
from protocol import arguments, check, key_of, results, workers
from sodrpac_trial import FOLDS, GAMMAS, LAMBDAS, Trial, grid_of

DIMS = {"monks1": (3, 4), "monks2": (3, 4), "monks3": (3, 4), "letter": (3, 15)}
AXES = {  # of the paper's figure
    ("monks1", 3): (0.65, 0.85),
    ("monks1", 4): (0.6, 0.9),
    ("monks2", 3): (0.5, 0.8),
    ("monks2", 4): (0.7, 0.9),
    ("monks3", 3): (0.6, 0.8),
    ("monks3", 4): (0.7, 0.9),
    ("letter", 3): (0.6, 0.8),
    ("letter", 15): (0.97, 0.99),
}
HALF, SMALL, LARGE = 75, 0.25, 4


def accuracies(job):
    """Score PCA, then SODRPaC on the grid, in both numbers of dimensions, in one fold."""
    name, run, fold, scratch = job
    trial, dims = Trial(name, run, fold, scratch), DIMS[name]
    grid = [trial.on_grid(*values, dims, HALF, HALF) for values in grid_of(1)]
    return np.concatenate([trial.accuracies("pca", dims, 0, 0), *grid])


def accuracies_of_folds(name, runs, pool, scratch, keep=None):
    """Return accuracies [folds x PCA and grid x dimensions]."""
    jobs = [(name, run, fold, scratch) for run in range(runs) for fold in range(FOLDS)]
    found = results(accuracies, jobs, key_of, pool, keep)
    found = np.array([found[key_of(job)] for job in jobs], dtype=float)
    return found.reshape(len(jobs), -1, 2)


def spread_of_gamma(surface, chosen):
    return np.ptp(surface[:, chosen], axis=0).mean()


def surface_table(panel, name, dim, pca, surface, error):
    low, high = AXES[name, dim]
    print(
        f"\n({panel}) {name} in {dim} dimensions, the paper's axis {low:g} to {high:g}; PCA"
        f" {pca:.3f}; standard error of the best {error:.3f}\n"
    )
    shown = range(0, len(LAMBDAS), 2)
    print("| gamma, lambda | " + " | ".join(f"{LAMBDAS[i]:g}" for i in shown) + " |")
    print("|---" * (1 + len(shown)) + "|")
    for gamma, row in zip(GAMMAS, surface):
        print(f"| {gamma:g} | " + " | ".join(f"{row[i]:.3f}" for i in shown) + " |", flush=True)


def regions(panel, name, dim, pca, surface):
    small, large = LAMBDAS <= SMALL, (GAMMAS >= LARGE)[:, None] & (LAMBDAS >= LARGE)[None, :]
    rest = ~small[None, :] & ~large
    at = np.unravel_index(surface.argmax(), surface.shape)
    best = f"{surface.max():.3f} at {GAMMAS[at[0]]:g}, {LAMBDAS[at[1]]:g}"
    means = (surface[:, small], surface[large], surface[rest])
    spreads = (spread_of_gamma(surface, small), spread_of_gamma(surface, ~small))
    line = (f"({panel}) {name}, {dim}", f"{pca:.3f}", best, f"{100 * (surface > pca).mean():.0f} %")
    return line + tuple(f"{m.mean():.3f}" for m in means) + tuple(f"{s:.3f}" for s in spreads)


def main():
    asked = arguments(__doc__, DIMS, files=("keep",), runs=2)
    check()
    panels, lines = iter("abcdefgh"), []
    of_panel = {(name, dim): next(panels) for name, dims in DIMS.items() for dim in dims}
    with workers() as (scratch, pool):
        for name in asked.sets:
            found = accuracies_of_folds(name, asked.runs, pool, scratch, asked.keep)
            for d, dim in enumerate(DIMS[name]):
                mean = found[:, :, d].mean(0)
                surface = mean[1:].reshape(len(GAMMAS), len(LAMBDAS))
                best = found[:, 1 + mean[1:].argmax(), d]
                error = best.std(ddof=1) / np.sqrt(len(best))
                given = (of_panel[name, dim], name, dim, mean[0], surface)
                surface_table(*given, error)
                lines.append(regions(*given))
    heads = ("panel", "PCA", "best, at gamma, lambda", "grid above PCA", "lambda small")
    heads += ("lambda and gamma large", "the rest", "gamma changes it: lambda small", "larger")
    print("\n| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")
    for line in lines:
        print("| " + " | ".join(line) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
