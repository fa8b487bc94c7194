"""A plot in a browser without a graphics card: the time to the first picture, and per frame.

    PENUMBRA=build/penumbra python bench/page_speed.py CHROMIUM [ROWS...]

The rows resemble sentence embeddings (bench_embeddings.c): 384 float columns in npy. The model is
that of `fit fda` on ten labels in each of ten classes. `plot s`: the command `penumbra plot MODEL
ROWS -o page.html`; `open s`: then, until the browser shows the first picture; `frame ms`: from one
picture to the next while the view moves, the median of 30; `hover ms`: to find the row under the
pointer, the median of 30. `canvas`: the drawing without a graphics card; `webgl`: WebGL2, as with a
graphics card, but computed by the processor (SwiftShader).
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from markdown_tables import print_table
from playwright.sync_api import sync_playwright

SIZES = (20000, 100000, 1000000)
CLASSES, LABELS = 10, 10
HEADS = ("rows", "page MB", "plot s", "open s", "drawn by", "frame ms", "hover ms")
SHOWN = """() => new Promise(done => {
  const wait = () => document.querySelector(".over text")
    ? requestAnimationFrame(() => requestAnimationFrame(done)) : requestAnimationFrame(wait);
  wait();
})"""
MOVES = """async () => {
  const panel = document.querySelector(".panel"), box = panel.getBoundingClientRect();
  const times = [], finds = [], next = () => new Promise(requestAnimationFrame);
  for (let i = 0, last = await next(); i < 33; i++) {
    const key = i % 2 ? "ArrowLeft" : "ArrowRight";
    panel.dispatchEvent(new KeyboardEvent("keydown", { key }));
    const now = await next();
    if (i > 2) times.push(now - last);
    last = now;
  }
  for (let i = 0; i < 30; i++) {
    const clientX = box.x + 100 + 20 * i, clientY = box.y + 200 + i, begin = performance.now();
    panel.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, pointerId: 1 }));
    finds.push(performance.now() - begin);
  }
  return [times, finds];
}"""


def made(folder, n):
    """Make rows, and labels for some of them."""
    rng = np.random.default_rng(n)
    truth = rng.integers(0, CLASSES, n)
    x = rng.normal(size=(CLASSES, 384)).astype(np.float32)[truth]
    for begin in range(0, n, 10000):
        x[begin : begin + 10000] += 2 * rng.normal(size=x[begin : begin + 10000].shape)
    y = np.full(n, -1)
    for c in range(CLASSES):
        rows = np.flatnonzero(truth == c)[:LABELS]
        y[rows] = truth[rows]
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", y)


def drawn(path, chromium, hash_):
    flags = ["--no-sandbox"]
    flags += ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if hash_ else ["--disable-gpu"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        begin = time.perf_counter()
        page.goto(path.as_uri() + hash_)
        page.evaluate(SHOWN)
        shown = time.perf_counter() - begin
        frames, finds = (statistics.median(times) for times in page.evaluate(MOVES))
        browser.close()
    return shown, frames, finds


def main(chromium, *sizes):
    penumbra, rows = os.environ["PENUMBRA"], []
    for n in map(int, sizes or SIZES):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            made(folder, n)
            model, page = folder / "m.pen", folder / "page.html"
            data = [folder / "x.npy", "--labels", folder / "y.npy", "--quiet", "-o"]
            subprocess.run([penumbra, "fit", "fda", *data, model], check=True)
            begin = time.perf_counter()
            subprocess.run([penumbra, "plot", model, *data, page], check=True)
            wrote = time.perf_counter() - begin
            for kind, hash_ in (("canvas", ""), ("webgl", "#webgl")):
                shown, frames, finds = drawn(page, chromium, hash_)
                size = f"{page.stat().st_size / 1e6:.1f}"
                cells = [f"{wrote:.2f}", f"{shown:.2f}", kind, f"{frames:.0f}", f"{finds:.1f}"]
                rows.append([f"{n:,}".replace(",", " "), size, *cells])
    print_table(HEADS, rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
