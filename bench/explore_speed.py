"""`penumbra.explore` in a browser without a graphics card: the first picture, and from a label to
the positions that answer it.

    python bench/explore_speed.py CHROMIUM [ROWS...]

Rows like sentence embeddings (page_speed.py), 384 columns of floats in npy, and ten labels of each
of ten classes. The first picture, in seconds: `process`, from the start of Python, which reads the
rows; `call`, from the call of `explore`, which imports scikit-learn; `address`, from the navigation
of the browser. `label s`: twenty times the row that is suggested gets a label, a second after the
last picture, while AutoReducer is fitted: from the key to the first frame of the positions that
answer it, the median, and the longest. `page MB`: what the browser gets until the first picture;
`label MB`: for each label. `memory MB`: the peak of the process, of which `rows MB` are the rows.
Modules are compiled already, as they are after a first call.
"""

import contextlib
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from markdown_tables import print_table, short
from page_speed import made
from playwright.sync_api import sync_playwright

SIZES = (20000, 100000)
CHANGES = 20
HEADS = ("rows", "process", "call", "address", "label s", "longest s")
HEADS += ("page MB", "label MB", "memory MB", "rows MB")
EXPLORE = """import time
import numpy as np, penumbra
x, y = np.load("x.npy"), np.load("y.npy")
print(time.time(), flush=True)
penumbra.explore(x, y)
"""
# A page may not compile text, which is how Playwright waits for functions.
MEASURED = """([name, count]) => new Promise(done => {
  const look = () => {
    const found = performance.getEntriesByName(name);
    if (found.length >= count)
      done(found.map(({ startTime: at, duration }) => [performance.timeOrigin + at, duration]));
    else
      setTimeout(look, 20);
  };
  look();
})"""
MADE = "() => performance.getEntriesByName('change').length"
SENT = "() => performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)"


def measured(page, name, count=1):
    """When each measure of this name starts and how long it is, in seconds; `count` or more."""
    found = page.evaluate(MEASURED, [name, count])
    return [[begin / 1000, duration / 1000] for begin, duration in found]


def label(page, key):
    """Gives the row that is suggested next a label; until there is one, nothing happens."""
    before = page.evaluate(MADE)
    while page.evaluate(MADE) == before:
        page.keyboard.press("n")
        page.keyboard.press(key)
        page.wait_for_timeout(100)


def labelled(page):
    """Seconds from each label to its positions."""
    for change in range(CHANGES):
        page.wait_for_timeout(1000)
        label(page, str(change % 9 + 1))
        measured(page, "label to positions", change + 1)
    return [seconds for _, seconds in measured(page, "label to positions", CHANGES)]


def peak(pid):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


@contextlib.contextmanager
def exploring(folder, compiled):
    """A process that explores the rows of the folder; when it called, its address, and its number."""
    own = {"PENUMBRA_BROWSER": "none", "PYTHONPYCACHEPREFIX": compiled}
    environment = {**os.environ, **own}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with subprocess.Popen(
        [sys.executable, "-c", EXPLORE],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        yield float(run.stdout.readline()), run.stdout.readline().strip(), run.pid
        run.terminate()


def explored(browser, folder, compiled):
    """What it takes: seconds, and bytes."""
    begin = time.time()
    with exploring(folder, compiled) as (call, address, pid):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address, wait_until="commit")
        [[opened, shown]] = measured(page, "first picture")
        first = page.evaluate(SENT)
        seconds = labelled(page)
        sent = (page.evaluate(SENT) - first) / CHANGES
        memory = peak(pid)
        page.close()
    starts = [opened + shown - since for since in (begin, call, opened)]
    return [*starts, statistics.median(seconds), max(seconds)], [first, sent], memory


def main(chromium, *sizes):
    rows = []
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as compiled:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        for n in map(int, (SIZES[0], *(sizes or SIZES))):  # the first one compiles
            with tempfile.TemporaryDirectory() as folder:
                made(pathlib.Path(folder), n)
                seconds, sent, memory = explored(browser, folder, compiled)
            cells = [short(s, ".2f") for s in seconds] + [short(b / 1e6, ".2f") for b in sent]
            cells += [f"{b / 1e6:.0f}" for b in (memory, n * 384 * 4)]
            rows.append([f"{n:,}".replace(",", " "), *cells])
        browser.close()
    print_table(HEADS, rows[1:])


if __name__ == "__main__":
    main(*sys.argv[1:])
