"""The ``penumbra`` command of this package: the same program as that of the C library."""

import os
import sys


def main() -> None:
    """Replace this process by the command, with the same arguments."""
    os.environ.setdefault("PENUMBRA_PYTHON", sys.executable)  # explore runs this package
    program = os.path.join(os.path.dirname(__file__), "_bin", "penumbra")
    os.execv(program, [sys.argv[0], *sys.argv[1:]])
