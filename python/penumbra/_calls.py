"""A call of the library: threads, progress bar, and Ctrl-C."""

from __future__ import annotations

import contextlib
import numbers
import sys
import threading
import typing

from penumbra._c import ffi, lib
from penumbra._native import check, system, text


class _Stopped(threading.local):
    """The exception raised in a callback of the library. Separate for each thread."""

    error: BaseException | None = None
    check: typing.Callable[[], None] | None = None  # raises an exception to stop a call


_stopped = _Stopped()


@contextlib.contextmanager
def stopped_by(check: typing.Callable[[], None]) -> typing.Iterator[None]:
    """Stop calls of this thread when `check` raises. Each progress report calls `check`."""
    _stopped.check = check
    try:
        yield
    finally:
        _stopped.check = None


def _keep(kind: typing.Any, error: BaseException, traceback: typing.Any) -> None:
    _stopped.error = error


def _progress(user: typing.Any, phase: typing.Any, done: int, total: int) -> int:
    """Receive the progress of a call; see pen_progress_fn."""
    if _stopped.check:
        _stopped.check()
    if user != ffi.NULL:
        ffi.from_handle(user)(text(phase), done, total)
    return 0


_callback = ffi.NULL  # no progress and no stop in a process that may not write machine code
with contextlib.suppress(MemoryError):
    # cffi returns 1 after an exception: the library stops
    _callback = ffi.callback("pen_progress_fn", _progress, error=1, onerror=_keep)


Show = typing.Callable[[str, int, int], None]


@contextlib.contextmanager
def _shown(verbose: bool | int) -> typing.Iterator[Show | None]:
    """Yield a function that shows progress: a tqdm bar, or lines without tqdm."""
    if not verbose:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield _lines()
        return
    with tqdm(total=0, leave=False, bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}") as bar:

        def show(phase: str, done: int, total: int) -> None:
            if bar.desc != phase or bar.total != total:
                bar.reset(total)
                bar.set_description_str(phase)
            bar.update(done - bar.n)

        yield show


def _lines() -> Show:
    """Return a function that prints each phase once."""
    shown: set[str] = set()

    def show(phase: str, done: int, total: int) -> None:
        if phase not in shown:
            print(phase, file=sys.stderr)
            shown.add(phase)

    return show


def threads(n_jobs: int | None) -> int:
    """Return the number of threads for `n_jobs`. None: all that the process may use, as the library
    counts them (cores, quota, OMP_NUM_THREADS). -1: all. -2: all but one, and so on."""
    if n_jobs is None:
        return 0
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs must be None or a whole number other than 0, got {n_jobs!r}")
    if n_jobs > 0:
        return min(int(n_jobs), 1024)
    return max(1, int(system()["threads"]) + 1 + int(n_jobs))


def call(
    function: typing.Any,
    given: tuple[typing.Any, ...],
    out: tuple[typing.Any, ...],
    n_jobs: int | None,
    verbose: bool | int,
    keep_graphs: bool = False,
) -> None:
    """Call ``function(*given, control, *out, error)`` of the library without the GIL, and raise its
    error. An exception in the progress callback, such as KeyboardInterrupt after Ctrl-C, stops the
    call and is raised again here."""
    control = ffi.new(
        "pen_control *",
        {"threads": threads(n_jobs), "progress": _callback, "keep_graphs": keep_graphs},
    )
    error = ffi.new("pen_error *")
    with _shown(verbose) as show:
        handle = ffi.new_handle(show) if show else ffi.NULL
        control.user = handle
        _stopped.error = None
        status = function(*given, control, *out, error)
    stopped, _stopped.error = _stopped.error, None
    if stopped is not None:
        raise stopped
    check(status, error)


def made(
    kind: str,
    function: typing.Any,
    given: tuple[typing.Any, ...],
    n_jobs: int | None,
    verbose: bool | int,
    keep_graphs: bool = False,
) -> typing.Any:
    """Return what ``function(*given, control, out, error)`` allocates; cffi frees it."""
    out, free = ffi.new(f"{kind} **"), getattr(lib, f"{kind}_free")
    try:
        call(function, given, (out,), n_jobs, verbose, keep_graphs)
    finally:  # a stopped call may have allocated it
        kept = ffi.gc(out[0], free)
    return kept
