"""Packages that only some functions need."""

import importlib
import typing


def extra(module: str, install: str) -> typing.Any:
    """A module, or an ImportError that says what to give to ``pip install``."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"{package} is needed: pip install {install}", name=package) from error
