"""Python names of methods and parameters. Only text processing, because the build also uses it."""

import difflib
import re
import typing

# Classes whose name is not the method's name in capitals.
_CLASS_NAMES = {
    "auto": "AutoReducer",
    "none": "Identity",
    "self-mix": "SELFMix",
    "sodrpac": "SODRPaC",
}

# Parameters that scikit-learn names differently, and a keyword of Python.
_PYTHON_NAMES = {
    "dim": "n_components",
    "neighbors": "n_neighbors",
    "seed": "random_state",
    "lambda": "lambda_",
}
# Former functions, classes and attributes, and their replacements.
FORMER = {
    "AutoClassifier": "AutoReducer(ensemble=True)",
    "Candidate": "an entry of Comparison.candidates",
    "MapCandidate": "an entry of Comparison.candidates",
    "Method": "an entry of methods()",
    "PairWeights": 'pair_weights="agreement"',
    "Param": "an entry of params of a method in methods()",
    "Scores": "Comparison",
    "Selection": "Comparison, the type of AutoReducer.comparison_",
    "Suggestions": "the result of an estimator's suggest",
    "Tuning": "Comparison",
    "compose": "a Pipeline of scikit-learn",
    "evaluate": "compare(X, y, estimator, effort=0)",
    "knn": "kneighbors_graph",
    "neighbors_graph": "kneighbors_graph",
    "suggest": "model.suggest(X, y, n)",
    "tune": "compare(X, y, estimator)",
    "weigh_pairs": 'pair_weights="agreement"',
    # attributes
    "reader_": "classifier_",
    "selection_": "comparison_",
}


# Former arguments, and names that other packages or the command use.
_FORMER_ARGUMENTS = {
    "chunks": "must_link",
    "dims": "n_components",
    "folds": "cv",
    "keep_per_class": "keep_labels",
    "keep_percent": 'keep_labels="P%"',
    "kernel_choice": 'kernel_landmarks="random:K"',
    "kernel_seed": "random_state",
    "landmark_mode": 'space="relative:K"',
    "landmarks": 'space="relative:K"',
    "methods": "estimators",
    "neighbors_graph": "graph",
    "on_contradiction": "contradictions",
    "pca_most": 'pca="0.99:K"',
    "reader": "classifier",
    "reader_neighbors": 'classifier="neighbors:K"',
    "reader_prior": "prior",
    "reader_temperature": "temperature",
    "readers": "classifiers",
    "shuffle": "shuffled",
    "transitive": "closure",
    **dict.fromkeys(("idf", "log1p", "normalize", "row_total", "select"), "row_steps"),
}
_MEANT = {"class_weight": "prior", "labels": "y", "quiet": "verbose", "threads": "n_jobs"}
_METHODS_MEANT = {"lda": "fda", "lineardiscriminantanalysis": "fda"}
# Names for the mark of unlabelled rows in y.
_OF_LABELS = ("unlabelled", "unlabeled", "unlabelled_value", "unlabeled_value", "missing_label")


def unknown_argument(owner: str, name: str, known: typing.Collection[str]) -> str:
    """Return the message for an argument that `owner` lacks, with the probable name."""
    message = f"{owner} has no parameter {name!r}"
    now = _FORMER_ARGUMENTS.get(name, "")
    if now.partition("=")[0] in known:
        return f"{message}: it is now {now if '=' in now else repr(now)}"
    if name in _OF_LABELS:
        return f"{message}: y is -1, NaN or None in rows without a label"
    if name in ("must_link", "cannot_link"):
        takes = "AutoReducer and methods that learn from pairs, such as WBDR"
        return f"{message}: it is an argument of fit, of {takes}"
    if name == "sample_weight":
        return f"{message}: rows have no weights; prior of an estimator weights classes"
    meant = did_you_mean(_MEANT.get(name, python_name(name)), known, 0.8)
    return message + (meant or f". It has {', '.join(known)}")


def did_you_mean(
    word: str, known: typing.Iterable[typing.Any], least: float = 0.6, of_methods: bool = False
) -> str:
    """Return the end of a message about an unknown word; "" if no known word is similar."""
    names = {str(value).casefold(): value for value in known}
    word = word.casefold()
    meant = _METHODS_MEANT.get(word, word) if of_methods else word
    near = difflib.get_close_matches(meant if meant in names else word, names, 1, least)
    return f": did you mean {names[near[0]]!r}?" if near else ""


_LIBRARY_NAMES = {value: key for key, value in _PYTHON_NAMES.items()}


def class_name(method: str) -> str:
    """Return the class of a method: ``"self-ilpp"`` is ``SELFILPP``."""
    return _CLASS_NAMES.get(method, method.replace("-", "").upper())


def python_name(parameter: str) -> str:
    """Return the Python name of a parameter: ``"dim"`` is ``n_components``."""
    return _PYTHON_NAMES.get(parameter, parameter)


def library_name(parameter: str) -> str:
    """Return the library's name of a parameter: ``"n_components"`` is ``dim``."""
    return _LIBRARY_NAMES.get(parameter, parameter)


# A flag of the command and its value, but not in a shell command; parameters at the start of a
# message, or before their value.
_FLAG = re.compile(r"python -m .*|--([a-z]+(?:-[a-z]+)*) ([\w.]+)")
_NAMED = re.compile(
    r"^(?:neighbors|seed(?! of)|lambda|folds)\b|(?<![\w-])dim\b"
    r"|(?<=set )(?:neighbors|seed|lambda)\b"
)


def python_text(text: str) -> str:
    """Replace parameter names in a message or description of the library by Python names."""

    def flag(match: re.Match[str]) -> str:
        if match.group(1) is None:
            return match.group()
        name, value = python_name(match.group(1).replace("-", "_")), match.group(2)
        return f"{name}={value}" if value[0].isdigit() else f'{name}="{value}"'

    def named(match: re.Match[str]) -> str:  # folds is an argument of compare, not a parameter
        return "cv" if match.group() == "folds" else python_name(match.group())

    return _NAMED.sub(named, _FLAG.sub(flag, text))
