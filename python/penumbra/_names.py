"""How Python spells the names of methods and parameters. Pure text: the build uses it too."""

import re

# Classes whose name is not that of the method in capitals.
_CLASS_NAMES = {
    "auto": "AutoReducer",
    "none": "Identity",
    "self-mix": "SELFMix",
    "sodrpac": "SODRPaC",
}

# Words that scikit-learn has, and a keyword of Python.
_PYTHON_NAMES = {
    "dim": "n_components",
    "neighbors": "n_neighbors",
    "seed": "random_state",
    "lambda": "lambda_",
}
_LIBRARY_NAMES = {value: key for key, value in _PYTHON_NAMES.items()}


def class_name(method: str) -> str:
    """The class of a method: ``"self-ilpp"`` is ``SELFILPP``."""
    return _CLASS_NAMES.get(method, method.replace("-", "").upper())


def python_name(parameter: str) -> str:
    """The name of a parameter here: ``"dim"`` is ``n_components``."""
    return _PYTHON_NAMES.get(parameter, parameter)


def library_name(parameter: str) -> str:
    """The name of a parameter in the library: ``"n_components"`` is ``dim``."""
    return _LIBRARY_NAMES.get(parameter, parameter)


# A flag of the command and its value, but not in a line that is typed into a shell; parameters at
# the start of a message, or before their value.
_FLAG = re.compile(r"python -m .*|--([a-z]+(?:-[a-z]+)*) ([\w.]+)")
_NAMED = re.compile(
    r"^(?:neighbors|seed|lambda)\b|(?<![\w-])dim\b|(?<=set )(?:neighbors|seed|lambda)\b"
)


def python_text(text: str) -> str:
    """A message or a description of the library, with the names that parameters have here."""

    def flag(match: re.Match[str]) -> str:
        if match.group(1) is None:
            return match.group()
        name, value = python_name(match.group(1).replace("-", "_")), match.group(2)
        return f"{name}={value}" if value[0].isdigit() else f'{name}="{value}"'

    return _NAMED.sub(lambda match: python_name(match.group()), _FLAG.sub(flag, text))
