"""classes.py PROGRAM OUT.py: write the classes of the package, one for each method.

PROGRAM is the command, whose `methods --json` describes them.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys
import textwrap

HEAD = '''"""A class for each method of the library, written by python/classes.py."""

# ruff: noqa
# fmt: off

from __future__ import annotations

import typing

import numpy as np

from penumbra._estimators import PairReducer, Reducer
from penumbra._partial import OnePass, OnePassPairs
'''

WIDTH = 96

SHARED = """\
n_jobs : int, optional
    Threads: None or -1 for all cores that the process may use. Results do not depend on it.
verbose : bool, default=False
    Show progress: a tqdm bar where tqdm is installed.
"""

ATTRIBUTES = """\
components_ : ndarray of shape (n_components_, n_features)
    The projection, one component per row. With a kernel it applies to kernel values, with shape
    (n_components_, n_landmarks).
mean_ : ndarray of shape (n_features,)
    Subtracted before the projection. With a kernel: of shape (n_landmarks,).
scale_ : ndarray of shape (n_features,)
    Without a kernel: the factors by which the parameter `scale` multiplied the columns, 0 for
    columns that the fit left out. `components_` includes them.
deviation_ : ndarray of shape (n_features,)
    Without a kernel: the standard deviations of the columns before scaling. A weight times its
    deviation is the contribution of a column, in any units.
n_components_ : int
landmarks_ : ndarray of shape (n_landmarks, n_features or those selected)
    With a kernel: its landmarks, which are training rows, after row steps and scaling.
landmark_indices_ : ndarray of shape (n_landmarks,)
    With a kernel: the row numbers of the landmarks in the fit.
kernel_gamma_ : float
    With an rbf, laplacian or polynomial kernel: the value of `kernel_gamma` that was used.
{eigenvalues}{classes}{propagated}{graphs}info_ : dict
    Facts about the fit: rows, labelled, ridge, residual and so on.
n_features_in_ : int
feature_names_in_ : ndarray of shape (n_features,)
    Only if the columns have names.
"""


GRAPHS = """\
graph_ : scipy.sparse.csr_matrix of shape (n_samples, n_samples)
    The sparse graph that the fit used or learned, if any; not in saved models.
graphs_ : dict of str to csr_matrix
    All such graphs, by name.
"""


def load(path):
    spec = importlib.util.spec_from_file_location("names", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


names = load(os.path.join(os.path.dirname(__file__), "penumbra", "_names.py"))


def prose(text, indent=""):
    return "\n".join(
        textwrap.wrap(
            text,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
        )
    )


def sentence(text):
    return text[:1].upper() + text[1:] + "."


def default_of(param):
    """Return the default as Python code."""
    if param["name"] == "dim":
        return "None"
    if param["type"] in ("choice", "flag", "text"):
        return repr(param["default"])
    for word, value in param["words"].items():
        if value == param["default"]:
            return repr(word)
    return repr(param["default"])


def annotation(param):
    kind = {"real": "float", "int": "int", "flag": "bool"}.get(param["type"])
    if param["type"] == "choice":
        return f"typing.Literal[{', '.join(map(repr, param['choices']))}]"
    if param["type"] == "text":
        kinds = dict.fromkeys(("kernel_landmarks", "sample_pairs"), "int | str")
        return {**kinds, "pca": "float | str"}.get(param["name"], "str")
    if param["name"] == "dim":  # two words: the first is None here
        return "int | None" if len(param["words"]) == 1 else "int | typing.Literal['auto'] | None"
    if param["name"] == "seed":
        return "int | np.random.RandomState | np.random.Generator"
    words = ", ".join(map(repr, param["words"])) if param["type"] != "flag" else ""
    return f"{kind} | typing.Literal[{words}]" if words else kind


def values_of(param):
    """Return the type or the values of a parameter, for a docstring."""
    if param["type"] == "choice":
        return "{" + ", ".join(f'"{c}"' for c in param["choices"]) + "}"
    if param["type"] == "flag":
        return "bool"
    if param["type"] == "text":
        return annotation(param).replace(" | ", " or ")
    if param["name"] == "dim":
        return "int" if len(param["words"]) == 1 else 'int or "auto"'
    words = "".join(f' or "{word}"' for word in param["words"])
    return ("float" if param["type"] == "real" else "int") + words


def bounds_of(param):
    if param["type"] not in ("real", "int") or param["name"] == "dim":
        return ""
    low, high = param.get("min"), param.get("max")
    if high is not None:
        return (
            f"In {'(' if param.get('exclusive_min') else '['}{low:g}, {high:g}"
            + (")" if param.get("exclusive_max") else "]")
            + "."
        )
    return f"At least {low:g}." if not param.get("exclusive_min") else f"More than {low:g}."


def parameter(param):
    name = names.python_name(param["name"])
    default = default_of(param).replace("'", '"')
    tail = "optional" if default == "None" else f"default={default}"
    lines = [f"{name} : {values_of(param)}, {tail}"]
    about = sentence(names.python_text(param["help"]))
    if param["name"] == "dim":
        word = next(iter(param["words"]))
        about = "The dimensions of the embedding. None: " + (
            "all." if word == "all" else "the method chooses."
        )
        about += ' "auto": chosen by held-out labels or pairs.' if len(param["words"]) > 1 else ""
    if param["type"] == "text":
        about += f" One of ``{param['syntax']}``."
    parts = [about, bounds_of(param)]
    if param["grid"]:
        parts.append("Worth trying: " + ", ".join(map(str, param["grid"])) + ".")
    lines.append(prose(" ".join(p for p in parts if p), "    "))
    return "\n".join(lines)


def sources(method):
    learns = [
        word
        for word, has in (
            ("labels", method["needs_labels"]),
            ("must-links", method["must_links"]),
            ("cannot-links", method["cannot_links"]),
            (
                "all rows, labelled or not"
                if method["needs_labels"]
                else "all rows, in pairs or not"
                if method["must_links"]
                else "all rows",
                method["uses_unlabelled"],
            ),
        )
        if has
    ]
    if not learns:
        return "Learns nothing: a baseline for other methods."
    text = "Learns from " + (
        learns[0] if len(learns) == 1 else ", ".join(learns[:-1]) + " and " + learns[-1]
    )
    if method["must_links"]:
        text += "; labels count as pairs"
    return text + "."


def example(cls, method):
    fit = "x" if not (method["needs_labels"] or method["must_links"]) else "x, y"
    lines = [
        ">>> import numpy as np, penumbra",
        ">>> rng = np.random.default_rng(0)",
        ">>> y = np.arange(60) % 3  # three classes",
        ">>> x = rng.normal(size=(60, 5)) + 4 * np.eye(5)[y]",
    ]
    if fit != "x":
        lines.append(">>> y[15:] = -1  # most rows are unlabelled")
    lines.append(f">>> reducer = penumbra.{cls}().fit({fit})")
    lines += [">>> reducer.transform(x).shape == (60, reducer.n_components_)", "True"]
    if fit != "x":
        lines += [">>> reducer.predict(x).shape", "(60,)"]
    return "\n".join(lines)


def docstring(cls, method):
    about = [sources(method)]
    if method["predicts"]:
        about.append("It computes class scores, and predicts by these unless `classifier` is set.")
    elif method["propagates"]:
        about.append("A fit computes class scores for its own rows.")
    if method["merges"]:
        about.append(
            "If its parameters need only one pass over the rows, it also learns from rows as they"
            " arrive (`partial_fit`) and from blocks of rows (`penumbra.Statistics`)."
        )
    if method["experimental"]:
        about.append("Experimental: the formula was reconstructed from secondary sources.")
    if method["not_for"]:
        about.append(sentence("not for: " + names.python_text(method["not_for"]).rstrip(".")))
    parts = [
        sentence(method["title"]),
        prose(" ".join(about)),
        prose(
            f"Dimensions: {method['dims']}. Cost of a fit: {method['cost']}, for n rows, l labelled"
            " rows, d columns, k neighbors, c classes, p pairs, t iterations."
        ),
        "Parameters\n----------\n"
        + "\n".join(map(parameter, ordered(method)))
        + "\n"
        + SHARED.rstrip(),
        "Attributes\n----------\n"
        + ATTRIBUTES.format(
            eigenvalues="eigenvalues_ : ndarray of shape (n_components_,)\n"
            "    Eigenvalues of the criterion, best first, if the method solves an eigenproblem.\n",
            classes="classes_ : ndarray of shape (n_classes,)\n    Only after a fit with labels.\n"
            "classifier_ : str\n    The classifier that `predict` uses. Only after a fit with"
            " labels of two classes.\n"
            + (
                "n_iter_ : int\n"
                if any(p["name"] == "max_iter" for p in method["parameters"])
                else ""
            ),
            propagated="label_distributions_ : ndarray of shape (n_samples, n_classes)\n"
            "    Class scores of the training rows; not in saved models.\n"
            "transduction_ : ndarray of shape (n_samples,)\n    The classes of these rows.\n"
            if method["propagates"]
            else "",
            graphs=GRAPHS if method["seeks_neighbors"] or method["name"] == "rssdr" else "",
        ).rstrip(),
        "References\n----------\n" + prose(method["cite"] + ".").replace("..", "."),
        "Examples\n--------\n" + example(cls, method),
    ]
    return "\n\n".join(parts)


def ordered(method):
    """Put n_components first, because users set it most. Methods of class scores have none."""
    fixed = method["dims"] in ("classes", "columns")
    parameters = [p for p in method["parameters"] if not (fixed and p["name"] == "dim")]
    return sorted(parameters, key=lambda p: p["name"] != "dim")


def source(method):
    cls = names.class_name(method["name"])
    pairs = method["must_links"] or method["cannot_links"]
    merges = method["merges"]  # of rows as they arrive, so with partial_fit
    base = ("PairReducer", "OnePassPairs") if pairs else ("Reducer", "OnePass")
    arguments = []
    for param in ordered(method):
        name = names.python_name(param["name"])
        arguments.append((name, annotation(param), default_of(param)))
    arguments += [("n_jobs", "int | None", "None"), ("verbose", "bool | int", "False")]
    signature = [f"        {name}: {kind} = {default}," for name, kind, default in arguments]
    signature.insert(signature[0].startswith("        n_components"), "        *,")
    assignments = [f"        self.{name} = {name}" for name, _, _ in arguments]
    body = textwrap.indent(docstring(cls, method), "    ").lstrip()
    body = re.sub(r"[ ]+$", "", body, flags=re.MULTILINE)
    return "\n".join(
        [
            f"class {cls}({base[merges]}):",
            f'    r"""{body}\n    """',
            "",
            f"    _method = {method['name']!r}",
            "",
            "    def __init__(",
            "        self,",
            *signature,
            "    ) -> None:",
            *assignments,
        ]
    )


def main(program, out):
    methods = json.loads(subprocess.check_output([program, "methods", "--json"]))["methods"]
    every = [names.class_name(m["name"]) for m in methods]
    text = HEAD + f"\n__all__ = {every!r}\n\n\n" + "\n\n\n".join(map(source, methods)) + "\n"
    with open(out, "w", encoding="utf-8") as file:
        file.write(text)


main(*sys.argv[1:])
