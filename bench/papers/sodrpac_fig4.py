"""Figure 4 of Tong, Suzuki (2010): 1-NN accuracy for 150 pairs, of which 0, 20 .. 100 % are
must-links.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/sodrpac_fig4.py [SET...]
        [--runs 5] [--grid-runs 1] [--keep FILE]

Sets, protocol and columns are as in sodrpac_fig3.py, with every second value of gamma and lambda in
its grid. `one`: the best pair of values for all fractions of must-links.

The paper has no numbers. Its text says that SODRPaC changes less with this fraction than other
methods (`spread` here: largest minus smallest value of the row), and that its accuracy on monks-2
falls if all pairs are must-links: a change from 0.8 to 1. Nothing is counted.

--keep FILE keeps results, and does not repeat existing ones.
"""

import sys

import numpy as np
from protocol import arguments, check, workers
from sodrpac_fig3 import METHODS, OTHER, curves_of

SHARES = (0, 0.2, 0.4, 0.6, 0.8, 1)
PAIRS = 150
KINDS = tuple((round(PAIRS * share), PAIRS - round(PAIRS * share)) for share in SHARES)
AXES = {  # of the paper's figure
    "monks1": (0.54, 0.70),
    "monks2": (0.50, 0.90),
    "monks3": (0.75, 1.00),
    "heart_statlog": (0.71, 0.79),
    "letter": (0.80, 1.00),
}


def main():
    asked = arguments(__doc__, OTHER, files=("keep",), runs=5, grid_runs=1)
    check()
    heads = ("set, dimensions", "paper's axis", "method", *(f"{s:g}" for s in SHARES))
    heads += ("spread", "0.8 to 1", "standard error of the mean")
    print("| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")
    said = []
    with workers() as (scratch, pool):
        for name in asked.sets:
            given = ((asked.runs, asked.grid_runs), pool, scratch, asked.keep)
            names, curves, errors = curves_of(name, KINDS, 2, *given)
            spreads = np.ptp(curves, axis=1)
            for method, curve, spread, error in zip(names, curves, spreads, errors):
                line = (f"{name}, {OTHER[name][0]}", "{:g} to {:g}".format(*AXES[name]), method)
                line += tuple(f"{accuracy:.3f}" for accuracy in curve)
                line += (f"{spread:.3f}", f"{curve[-1] - curve[-2]:+.3f}", f"{error:.3f}")
                print("| " + " | ".join(line) + " |", flush=True)
            others = spreads[1 : len(METHODS) - 1]
            at = dict(zip(names, spreads))
            smoother = [kind for kind in names[-4:] if at[kind] < others.min()]
            said.append((name, smoother))
    print()
    for name, smoother in said:
        which = ", ".join(smoother) or "none of them"
        print(f"- {name}: SODRPaC changes less than SSDR, CMM, CLPP and NPSSDR: {which}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
