"""The C library: its errors, and the table of its methods. Nothing here needs scikit-learn."""

from __future__ import annotations

import dataclasses
import errno
import functools
import importlib
import inspect
import itertools
import json
import os
import sys
import typing
import warnings

from penumbra._c import ffi, lib
from penumbra._names import class_name, library_name, python_name, python_text, unknown_argument

if typing.TYPE_CHECKING:
    from typing_extensions import Self as Self
else:  # Python 3.10 must also resolve the hints
    Self = getattr(typing, "Self", typing.Any)

__version__: str = ffi.string(lib.pen_version()).decode()
lib.pen_system(ffi.NULL, 0)  # sets the OpenBLAS of the package to one thread


class Error(ValueError):
    """An error of the library: one line with the argument, the rule, and the value received.

    Attributes
    ----------
    code : str
        The status of the library, such as ``"PEN_NO_LABELS"`` or ``"PEN_RANK_TOO_SMALL"``.

    Examples
    --------
    >>> import penumbra
    >>> try:
    ...     penumbra.PCA(n_components=0).fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
    ... except penumbra.Error as error:
    ...     print(error.code, "|", error)
    PEN_BAD_ARGUMENT | n_components must be a whole number >= 1 or all, got 0
    """

    def __init__(self, message: str, code: str = "PEN_BAD_ARGUMENT") -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return type(self), (str(self), self.code)


class PenumbraWarning(UserWarning):
    """A problem that does not stop a fit: labels that do not predict classes, columns that number
    the rows or determine the labels, classes with similar names."""


def warn(message: str) -> None:
    """Issue a PenumbraWarning for the line that called this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("penumbra."):
        frame, level = frame.f_back, level + 1
    warnings.warn(python_text(message), PenumbraWarning, level)


_Function = typing.TypeVar("_Function", bound=typing.Callable[..., typing.Any])


def understood(function: _Function) -> _Function:
    """Wrap the function, so that the TypeError for an unknown argument suggests the right name."""
    known = inspect.signature(function).parameters

    @functools.wraps(function)
    def checked(*arguments: typing.Any, **named: typing.Any) -> typing.Any:
        for name in named:
            if name not in known:
                listed = [k for k in known if k != "self"]
                raise TypeError(unknown_argument(f"{function.__name__}()", name, listed))
        return function(*arguments, **named)

    return typing.cast("_Function", checked)


def extra(module: str, install: str) -> typing.Any:
    """Import a module. The ImportError says what to ``pip install``."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"{package} is needed: pip install {install}", name=package) from error


def text(value: typing.Any) -> str:
    """Return a string of the library; "" for NULL."""
    return ffi.string(value).decode() if value else ""


def text_of(function: typing.Any, *given: typing.Any) -> str:
    """Return the text that ``function(*given, text, size)`` writes; it returns the size."""
    size = function(*given, ffi.NULL, 0) + 1
    buffer = ffi.new("char[]", size)
    function(*given, buffer, size)
    return text(buffer)


def system() -> dict[str, typing.Any]:
    """Return what pen_system reports about the environment."""
    found: dict[str, typing.Any] = json.loads(text_of(lib.pen_system))
    return found


def check(status: int, error: typing.Any) -> None:
    """Raise MemoryError, OSError or Error for a status other than PEN_OK."""
    if status == lib.PEN_OK:
        return
    message = python_text(text(error.message))
    if status == lib.PEN_NO_MEMORY:
        raise MemoryError(message)
    if status == lib.PEN_FILE_ERROR:
        for number in errno.errorcode:  # to raise FileNotFoundError and so on
            if message.endswith(os.strerror(number)):
                raise OSError(number, message)
        raise OSError(message)
    raise Error(message, ffi.typeof("pen_status").elements[status])


# ---- methods and parameters ----

Kind = typing.Literal["real", "int", "choice", "flag", "text"]
_KINDS: tuple[Kind, ...] = ("real", "int", "choice", "flag", "text")
_TRAITS = tuple(
    (
        "labels uses_unlabelled must_links cannot_links predicts propagates unnested neighbors "
        "baseline merges merges_rows"
    ).split()
)


@dataclasses.dataclass(frozen=True)
class Param:
    """A parameter of a method, as the library describes it."""

    name: str  # in Python; n_components is dim in the library and in model files
    kind: Kind
    default: float | int | bool | str
    help: str  # one line
    choices: tuple[str, ...]  # the values of a choice
    words: tuple[str, ...]  # words that stand for special values, such as "auto"
    grid: tuple[str, ...]  # values worth trying; empty if the default is enough
    is_own: bool  # specific to the method or to methods that learn from pairs
    syntax: str  # of a text: its form, such as "auto|all|K|random|random:K"


@dataclasses.dataclass(frozen=True)
class Method:
    """A method, as the library describes it."""

    name: str  # in the library, the command and model files
    class_name: str  # in this package
    title: str  # the full name
    cite: str  # the publication
    dims: str  # the possible dimensions, in words
    cost: str  # the cost of a fit, in words
    not_for: str  # where measurements show that it fails; "" if no such case is known
    # labels: needs labels; uses_unlabelled, must_links, cannot_links: learns from these; predicts:
    # predicts classes of any rows; propagates: only of the training rows; unnested: the first
    # columns are not the solution for fewer dimensions; neighbors: uses nearest rows, and fit takes
    # a graph; baseline: the unchanged columns; merges, merges_rows: can be fitted from statistics
    # of blocks of rows
    traits: frozenset[str]
    params: tuple[Param, ...]


def _until(first: typing.Any, is_there: typing.Callable[[typing.Any], typing.Any]) -> typing.Any:
    """Return the entries of a table of the library, up to the first missing one."""
    return itertools.takewhile(is_there, (first[i] for i in itertools.count())) if first else ()


def _value(kind: Kind, words: tuple[str, ...], setting: str) -> float | int | bool | str:
    """Return the value of a setting that pen_spec_get wrote."""
    if kind == "flag":
        return setting == "true"
    if kind == "choice" or setting in words:
        return setting
    if kind == "text":  # which can be a number
        try:
            return int(setting) if setting.isdigit() else float(setting)
        except ValueError:
            return setting
    return int(setting) if kind == "int" else float(setting)


def _param(raw: typing.Any, usual: typing.Any) -> Param:
    kind = _KINDS[raw.type]
    words = tuple(text(word.text) for word in _until(raw.words, lambda word: word.text))
    return Param(
        python_name(text(raw.name)),
        kind,
        _value(kind, words, text_of(lib.pen_spec_get, usual, raw.name)),
        python_text(text(raw.help)),
        tuple(map(text, _until(raw.choices, bool))),
        words,
        tuple(text(raw.grid).split()),
        raw.common != 1,
        text(raw.syntax),
    )


def _all() -> typing.Iterator[typing.Any]:
    """Yield the records of all methods."""
    return itertools.takewhile(bool, map(lib.pen_method_at, itertools.count()))


def _method(raw: typing.Any) -> Method:
    name, usual = text(raw.name), owned("pen_spec", lib.pen_spec_new, raw.name)
    return Method(
        name,
        class_name(name),
        text(raw.title),
        text(raw.cite),
        text(raw.dims),
        text(raw.cost),
        python_text(text(raw.not_for)),
        frozenset(trait for i, trait in enumerate(_TRAITS) if raw.traits & 1 << i),
        tuple(_param(param, usual) for param in _until(raw.params, lambda param: param.name)),
    )


@functools.cache
def methods() -> tuple[Method, ...]:
    """Return all methods, in the order of the library.

    Examples
    --------
    >>> import penumbra
    >>> [m.class_name for m in penumbra.methods() if "predicts" in m.traits]
    ['FME', 'SOGE', 'ASL']
    """
    return tuple(map(_method, _all()))


@functools.cache
def class_names() -> tuple[str, ...]:
    """Return the class names of all methods, quickly: for the attributes of the package."""
    return tuple(class_name(text(raw.name)) for raw in _all())


@functools.cache
def _auto() -> Method:
    """Return the automatic method, which the list of methods does not contain."""
    return _method(lib.pen_method_named(b"auto"))


def method_named(name: str) -> Method:
    """Return the method with this `name` in the library. Error: there is none."""
    for method in (*methods(), _auto()):
        if method.name == name:
            return method
    raise Error(f"unknown method {name!r}: penumbra {__version__} has none", "PEN_UNKNOWN_NAME")


def owned(kind: str, function: typing.Any, *given: typing.Any) -> typing.Any:
    """Return what ``function(*given, out, error)`` allocates; cffi frees it."""
    out, error = ffi.new(f"{kind} **"), ffi.new("pen_error *")
    check(function(*given, out, error), error)
    return ffi.gc(out[0], getattr(lib, f"{kind}_free"))


def at(kind: str, array: typing.Any) -> typing.Any:
    """Return a pointer to the memory of a NumPy array; NULL for None."""
    return ffi.NULL if array is None else ffi.cast(kind, array.ctypes.data)


def _path_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return a file name as bytes for the library."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError(f"path must not hold a NUL, got {name!r}")
    return name


class Filed:
    """An object of the library that can be saved. Pickles hold the bytes of its file."""

    _kind: typing.ClassVar[str]  # the prefix of its C functions, such as "pen_model"

    _raw: typing.Any  # cffi frees it

    @classmethod
    def _of(cls, raw: typing.Any) -> Self:
        """Wrap an object of the library."""
        new = cls.__new__(cls)
        new._raw = raw
        return new

    @classmethod
    def _function(cls, name: str) -> typing.Any:
        return getattr(lib, f"{cls._kind}_{name}")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file that `save` or the command wrote. OSError: it cannot be read; Error: it has
        another format, or is damaged."""
        return cls._of(owned(cls._kind, cls._function("load"), _path_bytes(path)))

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """Read the bytes of a file. Error: they have another format, or are damaged."""
        return cls._of(owned(cls._kind, cls._function("from_bytes"), data, len(data)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a safetensors file, completely or not at all. The command also reads it. OSError:
        the system's error."""
        error = ffi.new("pen_error *")
        check(self._function("save")(self._raw, _path_bytes(path), error), error)

    def bytes(self) -> bytes:
        """Return the bytes of the file, always the same for the same object."""
        out, size, error = ffi.new("void **"), ffi.new("size_t *"), ffi.new("pen_error *")
        check(self._function("to_bytes")(self._raw, out, size, error), error)
        try:
            return bytes(ffi.buffer(out[0], size[0]))
        finally:
            lib.pen_free(out[0])


# ---- the parameters of one fit ----


def _setting(value: typing.Any) -> str:
    """Return a value as text for pen_spec_set."""
    import numpy as np

    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, str):
        return value
    raise TypeError(f"must be a number, a word, True or False, got {value!r}")


def spec(method: str, values: typing.Mapping[str, typing.Any]) -> typing.Any:
    """Make a pen_spec of these values, by Python names. None keeps the default.

    Raises TypeError and Error, which name the parameter.
    """
    raw, error = owned("pen_spec", lib.pen_spec_new, method.encode()), ffi.new("pen_error *")
    for name, value in values.items():
        if value is None:
            continue
        try:
            setting = _setting(value)
        except TypeError as problem:
            raise TypeError(f"{name} {problem}") from None
        check(lib.pen_spec_set(raw, library_name(name).encode(), setting.encode(), error), error)
    return raw


def spec_values(raw: typing.Any) -> dict[str, typing.Any]:
    """Return the values of a pen_spec that differ from the defaults, by Python names."""
    values = {}
    for param in method_named(text(lib.pen_spec_method(raw).name)).params:
        setting = text_of(lib.pen_spec_get, raw, library_name(param.name).encode())
        value = _value(param.kind, param.words, setting)
        if value != param.default:
            values[param.name] = value
    return values
