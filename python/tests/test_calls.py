"""Side effects of long calls: Ctrl-C, progress bars, threads, other Python threads."""

import concurrent.futures
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import blobs

import penumbra

LONG = """
    import os, signal, sys, threading, time
    import numpy as np, penumbra
    rng = np.random.default_rng(0)
    x = rng.standard_normal(size=(150000, 60), dtype=np.float32)
    y = np.where(np.arange(len(x)) < 3000, np.arange(len(x)) % 10, -1)
    sent = []
    def interrupt():
        began = time.process_time()  # not seconds: on a busy machine little happens in these
        while time.process_time() < began + 0.1:
            time.sleep(0.001)
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)
"""


def python(code):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(LONG) + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_interrupted():
    """KeyboardInterrupt comes soon after the signal; the estimator stays unfitted and usable."""
    result = python("""
        model = penumbra.LPP(n_components=2)
        threading.Thread(target=interrupt).start()
        try:
            model.fit(x, y)
            print("finished")
        except KeyboardInterrupt:
            took = time.process_time() - sent[0]
            print(took / os.cpu_count(), hasattr(model, "components_"))
        print(model.fit(x[:500], np.arange(500) % 3).transform(x[:2]).shape)
    """)
    assert result.returncode == 0, result.stderr
    first, second = result.stdout.splitlines()
    took, fitted = first.split()
    assert float(took) < 0.5 and fitted == "False"  # 0.1 on an idle machine
    assert second.startswith("(2, ")


def test_interrupted_without_a_handler():
    """The traceback and the exit status are those of Python programs."""
    result = python("""
        threading.Thread(target=interrupt).start()
        penumbra.LPP(n_components=2).fit(x)
    """)
    assert result.returncode == -2 and result.stderr.rstrip().endswith("KeyboardInterrupt")


def test_other_threads_run_meanwhile():
    x = np.random.default_rng(0).normal(size=(4000, 100))
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.002):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    penumbra.LPP(n_components=2).fit(x)
    end = time.perf_counter()
    done.set()
    thread.join()
    assert sum(begin < t < end for t in ticks) > 3


def test_fits_in_several_threads():
    x, y = blobs(n=300)
    expected = penumbra.SELF(n_components=2).fit(x, y).components_
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        fits = [pool.submit(penumbra.SELF(n_components=2).fit, x, y) for _ in range(4)]
    for fit in fits:
        np.testing.assert_array_equal(fit.result().components_, expected)


def test_a_bar(capsys):
    pytest.importorskip("tqdm")
    x, y = blobs()
    penumbra.SELF(verbose=True).fit(x, y)
    assert "%" in capsys.readouterr().err
    penumbra.SELF().fit(x, y)
    assert capsys.readouterr().err == ""


def test_lines_without_tqdm(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    x, y = blobs()
    penumbra.SELF(verbose=True).fit(x, y)
    assert len(capsys.readouterr().err.splitlines()) >= 2


def test_what_a_bar_raises_is_raised(monkeypatch):
    """An error in a progress bar, such as on a closed stream, is raised."""
    import penumbra._calls

    def broken(*_):
        raise RuntimeError("no bar")

    monkeypatch.setattr(penumbra._calls, "_lines", lambda: broken)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(RuntimeError, match="no bar"):
        penumbra.SELF(verbose=True).fit(*blobs())


def test_number_of_threads():
    from penumbra._calls import threads

    every = threads(-1)
    assert threads(None) == 0 and every >= 1 and threads(-every) == 1 and threads(-1000) == 1
    assert threads(3) == 3 and threads(10**9) == 1024
    assert threads(np.int64(2)) == 2
