"""`penumbra.explore` in a browser without a graphics card: the time to the first picture, and from
a label to the new positions.

    python bench/explore_speed.py CHROMIUM [ROWS...]

The rows resemble sentence embeddings (page_speed.py): 384 float columns in npy, and ten labels in
each of ten classes. The time to the first picture, in seconds: `process`, from the start of Python,
which reads the rows; `call`, from the call of `explore`, which imports scikit-learn; `address`,
from the navigation of the browser. `label s`: the suggested row gets a label twenty times, a second
after the last picture, while AutoReducer is fitted; the time from the key to the first frame of the
new positions, median and maximum. `page MB`: the data that the browser gets until the first
picture; `label MB`: the data for each label. `memory MB`: the peak of the process; `rows MB`: its
part for the rows. Python modules are already compiled, as after a first call.
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
# Playwright waits for functions by compiling text, which the page does not allow.
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
    """Return start and duration of at least `count` measures of this name, in seconds."""
    found = page.evaluate(MEASURED, [name, count])
    return [[begin / 1000, duration / 1000] for begin, duration in found]


def label(page, key):
    """Label the next suggested row; do nothing while there is none."""
    before = page.evaluate(MADE)
    while page.evaluate(MADE) == before:
        page.keyboard.press("n")
        page.keyboard.press(key)
        page.wait_for_timeout(100)


def labelled(page):
    """Return the seconds from each label to its positions."""
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
    """Yield the start, address and process id of a process that explores the rows of the folder."""
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
    """Return the cost: seconds and bytes."""
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
