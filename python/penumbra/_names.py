"""How Python spells the names of methods and parameters. Pure text: the build uses it too."""

import difflib
import re
import typing

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
# Names that have left the package, its functions, classes and estimators, and what is there now.
FORMER = {
    "AutoClassifier": "AutoReducer(ensemble=True)",
    "Candidate": "an entry of Comparison.candidates",
    "MapCandidate": "an entry of Comparison.candidates",
    "Method": "what methods() lists",
    "PairWeights": 'pair_weights="agreement"',
    "Param": "an entry of params of what methods() lists",
    "Scores": "Comparison",
    "Selection": "Comparison, of which AutoReducer.comparison_ is one",
    "Suggestions": "what suggest of an estimator returns",
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


# The same of arguments; and what other packages, or the command, call them.
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
# Names for what y says.
_OF_LABELS = ("unlabelled", "unlabeled", "unlabelled_value", "unlabeled_value", "missing_label")


def unknown_argument(owner: str, name: str, known: typing.Collection[str]) -> str:
    """What is said of an argument that `owner` does not have: what was probably meant."""
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
        return f"{message}: rows have no weights; prior of an estimator weighs classes"
    meant = did_you_mean(_MEANT.get(name, python_name(name)), known, 0.8)
    return message + (meant or f". It has {', '.join(known)}")


def did_you_mean(
    word: str, known: typing.Iterable[typing.Any], least: float = 0.6, of_methods: bool = False
) -> str:
    """The end of a message about a word that is none of these; "" where none is alike."""
    names = {str(value).casefold(): value for value in known}
    word = word.casefold()
    meant = _METHODS_MEANT.get(word, word) if of_methods else word
    near = difflib.get_close_matches(meant if meant in names else word, names, 1, least)
    return f": did you mean {names[near[0]]!r}?" if near else ""


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
    r"^(?:neighbors|seed|lambda|folds)\b|(?<![\w-])dim\b|(?<=set )(?:neighbors|seed|lambda)\b"
)


def python_text(text: str) -> str:
    """A message or a description of the library, with the names that parameters have here."""

    def flag(match: re.Match[str]) -> str:
        if match.group(1) is None:
            return match.group()
        name, value = python_name(match.group(1).replace("-", "_")), match.group(2)
        return f"{name}={value}" if value[0].isdigit() else f'{name}="{value}"'

    def named(match: re.Match[str]) -> str:  # folds are of compare, and no parameter of a method
        return "cv" if match.group() == "folds" else python_name(match.group())

    return _NAMED.sub(named, _FLAG.sub(flag, text))
