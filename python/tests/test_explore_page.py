"""The page of the explorer in a browser: labels, pairs and export."""

import csv
import io
import json
import os
import pathlib
import re
import shlex
import subprocess
import time

import numpy as np
import pytest
from conftest import blobs
from sklearn.datasets import load_digits
from test_explore import STARTED, Client, begun
from test_page import browser, place, settle  # noqa: F401 (a fixture)

import penumbra
from penumbra import _explore

NAME = "class name; Enter creates the class and labels the selected rows"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Use a folder for journals, and open no window."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PENUMBRA_BROWSER", "none")
    return tmp_path


@pytest.fixture
def opened(browser, here):  # noqa: F811
    """Open the page of an exploration. At the end, no request has left the machine, and the console
    has only expected lines."""
    pages, wrong, expected = [], [], []

    def note_version(asked):
        if have := re.search(r"next\?have=(\d+)", asked.url):
            asked.frame.page.have = int(have[1])

    def show(address, width=1280, height=800, drawn_by="", **options):
        page = browser.new_page(viewport={"width": width, "height": height}, **options)
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: wrong.append(asked.url))
        page.have = 0  # the version of the results that the page has
        page.on("request", note_version)
        page.goto(address + drawn_by)
        page.wait_for_selector(".panel canvas")
        settle(page)
        expected.append(address)
        pages.append(page)
        return page

    yield show
    for page in pages:
        page.close()
    ours = tuple(expected) + ("blob:", "data:")
    told = [line for line in wrong if not line.startswith(ours)]
    assert [line for line in told if "409" not in line and "ERR_CONNECTION" not in line] == []


@pytest.fixture
def digits(here):
    """Explore three classes of digits; return rows, exploration and true classes."""
    x, truth = (part[:200] for part in load_digits(n_class=3, return_X_y=True))
    explored = _explore.Exploration(x, show=x.reshape(-1, 8, 8))
    yield explored, x, truth
    explored.close()


def settled(explored, page, last=True):
    """Wait until the last change is fitted, by all methods or all except AutoReducer, and the page
    shows the results; return these and the arrays."""
    end = time.monotonic() + 120
    while True:
        assert time.monotonic() < end, "the last change was not fitted"
        client = Client(explored.address)
        client.next()
        is_known = client.told["answers"] == explored.journal.known.change
        if is_known and client.told["work"] in (None, "auto")[: 2 - last]:
            break
        time.sleep(0.1)
    while page.have < client.told["version"]:
        assert time.monotonic() < end, "the page has not asked for the last results"
        page.wait_for_timeout(50)
    page.wait_for_timeout(600)  # points move for 0.3 s
    settle(page)
    return client.told, client.arrays


def row_named(page):
    """Return the number of the row that the page names."""
    return int(page.locator(".tip strong").inner_text().removeprefix("row "))


def selection(page):
    return page.get_by_role("region", name="selection")


def until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing came of it"
        time.sleep(0.05)


def known(explored):
    """Return the labels by row."""
    return {i: v for i, v in enumerate(explored.labels) if v is not None}


def drag(page, path, shift=False):
    if shift:
        page.keyboard.down("Shift")
    page.mouse.move(*path[0])
    page.mouse.down()
    for x, y in path[1:]:
        page.mouse.move(x, y)
    page.mouse.up()
    if shift:
        page.keyboard.up("Shift")


def around(page, points, rows, grow=9):
    """Return a path around these rows, in pixels."""
    at = np.array([place(page, point.tolist()) for point in points[rows]])
    low, high = at.min(axis=0) - grow, at.max(axis=0) + grow
    return [low, (high[0], low[1]), high, (low[0], high[1]), low + 1]


def lonely(points):
    """Return the two rows farthest from all other rows."""
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    return np.argsort(np.sort(apart, axis=1)[:, 1])[-2:].tolist()


class Movie:
    """Records pictures of a page, if PENUMBRA_MOVIE names a file."""

    def __init__(self, page):
        self.page, self.path, self.shots, self.times = (
            page,
            os.environ.get("PENUMBRA_MOVIE"),
            [],
            [],
        )

    def take(self, seconds=1.0):
        if self.path:
            image = pytest.importorskip("PIL.Image")
            self.shots.append(image.open(io.BytesIO(self.page.screenshot())).convert("RGB"))
            self.times.append(round(1000 * seconds))

    def write(self):
        if self.path:
            more = {"append_images": self.shots[1:], "duration": self.times, "quality": 70}
            self.shots[0].save(self.path, save_all=True, loop=0, method=6, **more)


def test_three_classes_of_digits_by_lasso_and_keys_pairs_and_what_is_taken_home(opened, digits):
    explored, x, truth = digits
    address = explored.address
    page = opened(address)
    movie = Movie(page)
    movie.take(1.5)
    page.locator(".panel").focus()
    for digit in "012":  # a row per class, in the order of suggestions
        for _ in range(20):
            page.keyboard.press("n")
            settle(page)
            if str(truth[row := row_named(page)]) == digit:
                break
        movie.take(0.6)
        page.get_by_label(NAME).fill(digit)
        page.get_by_label(NAME).press("Enter")
        until(lambda: known(explored).get(row) == digit)
    assert sorted(known(explored).values()) == ["0", "1", "2"]
    assert page.locator(".card img").evaluate("i => i.decode().then(() => i.naturalWidth)") == 8
    told, arrays = settled(explored, page)
    movie.take()
    assert told["method"] in ("fda", "auto") and "error" in told and told["error"] is None
    points = arrays["points"].reshape(-1, 2)
    for digit, key in (("1", "2"), ("2", "3")):
        first = next(i for i, v in known(explored).items() if v == digit)
        near = np.argsort(((points - points[first]) ** 2).sum(axis=1), kind="stable")[:12]
        path = around(page, points, near)
        drag(page, path)
        selection(page).get_by_text(re.compile(r"^1[2-9]|[2-9]\d rows, by lasso")).wait_for()
        movie.take(0.8)
        page.keyboard.press(key)
        until(lambda: sum(v == digit for v in known(explored).values()) >= 12)
        told, arrays = settled(explored, page)
        points = arrays["points"].reshape(-1, 2)
        movie.take()
    assert told["method"] == "auto" and told["curve"][-1][0] == told["labelled"]
    assert "with" in page.get_by_role("region", name="expected accuracy").inner_text()

    # pairs: from the named row to another; a contradiction is refused with its path
    a, b = lonely(points)
    at = [place(page, points[row].tolist()) for row in (a, b)]
    page.mouse.click(*at[0])
    assert row_named(page) == a
    drag(page, at)
    until(lambda: explored.must_link.tolist() in ([[a, b]], [[b, a]]))
    points = settled(explored, page, last=False)[1]["points"].reshape(-1, 2)
    movie.take()
    page.keyboard.press("k")
    drag(page, [place(page, points[row].tolist()) for row in (a, b)], shift=True)
    alert = page.get_by_role("alert").filter(has_text=re.compile(r"\d"))
    alert.wait_for()
    assert {str(a), str(b)} <= set(re.findall(r"\d+", alert.inner_text()))
    assert not len(explored.cannot_link)
    page.locator(".panel").focus()
    page.keyboard.press("u")
    until(lambda: not len(explored.must_link))

    # rows by the range of a column, cleared, and back again
    before = known(explored)
    page.get_by_text("select by a range").click()
    page.get_by_label("column to select by").fill("#36")
    page.wait_for_selector(".histogram svg")
    page.get_by_label("least value").fill("14")
    page.get_by_role("button", name="Select", exact=True).click()
    want = np.flatnonzero(x[:, 36] >= 14)
    selection(page).get_by_text(f"{len(want)} rows, by range #36 14 to 16").wait_for()
    page.locator(".panel").focus()
    page.keyboard.press("0")
    until(lambda: known(explored) == {i: v for i, v in before.items() if i not in want})
    page.keyboard.press("u")
    until(lambda: known(explored) == before)

    page.get_by_role("button", name="export").click()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    movie.take(2)
    command = shlex.split(dialog.locator("pre").inner_text())
    assert command[:2] == ["penumbra", "fit"]
    folder = pathlib.Path(explored.folder)
    written = {path.name for path in folder.iterdir()}
    assert {"labels.csv", "model.pen", "classes.csv", "picture.html", "command.sh"} <= written
    with open(folder / "labels.csv", newline="") as file:
        assert {int(r["row"]): r["class"] for r in csv.DictReader(file)} == before
    model = (folder / "model.pen").read_bytes()
    program = pathlib.Path(penumbra.__file__).parent / "_bin" / "penumbra"
    again = [str(program), *command[1:-1], "again.pen"]
    assert command[-2] == "-o"
    subprocess.run(again, check=True, capture_output=True)
    assert pathlib.Path("again.pen").read_bytes() == model
    assert penumbra.load("again.pen").score(x, truth) > 0.9
    movie.write()


def test_what_kill_leaves_goes_on_and_gives_the_same_bytes(opened, here):
    x, y = blobs(n=120)
    np.save("x.npy", x)
    process, client = begun("-c", STARTED)
    page = opened(client.address)
    client.label("a", *np.flatnonzero(y == 0).tolist())
    client.label("b", *np.flatnonzero(y == 1).tolist())
    first = json.loads(client.get("export", "POST"))
    folder = pathlib.Path(first["folder"])
    kept = {file: (folder / file).read_bytes() for file in first["files"]}
    process.kill()
    process.wait()
    page.get_by_text("has ended or cannot be reached").first.wait_for()
    for file in {*os.listdir(folder)} - {"journal.jsonl"}:
        (folder / file).unlink()
    process, client = begun("-c", STARTED)
    page = opened(client.address)
    page.get_by_role("button", name=re.compile(r"select a: 5 labels")).wait_for()
    assert json.loads(client.get("export", "POST")) == first
    assert {file: (folder / file).read_bytes() for file in first["files"]} == kept
    process.kill()


def test_the_keyboard_is_enough(opened, here):
    x, y = blobs(n=90)
    explored = _explore.Exploration(x, y)
    page = opened(explored.address)
    settled(explored, page)
    before = explored.labels.copy()
    for _ in range(40):  # Tab reaches the plot
        if page.evaluate("() => document.activeElement.matches('.panel')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.locator(".panel").focus()
    page.keyboard.press("n")
    first = row_named(page)
    page.keyboard.press("2")
    until(lambda: explored.labels[first] == 1)
    settled(explored, page)
    page.keyboard.press("n")
    second = row_named(page)
    page.keyboard.press("d")
    until(lambda: len(explored.cannot_link) == 1)
    assert set(explored.cannot_link[0]) == {first, second}
    for _ in range(2):
        page.keyboard.press("u")
    until(lambda: (explored.labels == before).all() and not len(explored.cannot_link))
    page.keyboard.press("u")
    page.get_by_text("There is nothing to undo").wait_for()
    explored.close()
    page.get_by_text("has ended or cannot be reached").first.wait_for()


@pytest.mark.parametrize("drawn_by", ["", "#webgl"])
def test_a_label_shows_at_once_and_points_move(opened, here, drawn_by):
    x, y = blobs(n=300, d=20)
    explored = _explore.Exploration(x, y)
    page = opened(explored.address, drawn_by=drawn_by)
    settled(explored, page)
    shot = page.locator(".panel").screenshot()
    page.locator(".panel").focus()
    page.keyboard.press("a")
    selection(page).get_by_text("300 rows").wait_for()
    page.keyboard.press("1")
    page.get_by_role("button", name=re.compile("select 0: 300 labels")).wait_for()
    settle(page)
    assert page.locator(".panel").screenshot() != shot
    until(
        lambda: (
            page.evaluate("() => performance.getEntriesByName('label to positions').length") == 1
        )
    )
    assert page.evaluate("() => performance.getEntriesByName('first picture').length") == 1
    explored.close()


def test_rows_are_selected_by_box_by_class_and_by_click(opened, here):
    x, y = blobs(n=90)
    explored = _explore.Exploration(x, y)
    page = opened(explored.address)
    arrays = settled(explored, page)[1]
    points = arrays["points"].reshape(-1, 2)
    page.keyboard.press("b")
    drag(page, [around(page, points, slice(None))[k] for k in (0, 2)])
    selection(page).get_by_text("90 rows, by box").wait_for()
    page.get_by_role("button", name=re.compile("select 1: 5 labels")).click()
    count = (np.where(y < 0, arrays["class"], y) == 1).sum()
    selection(page).get_by_text(f"{count} rows, by class 1").wait_for()
    page.get_by_label("labelled rows").check()
    page.keyboard.press("a")
    selection(page).get_by_text("15 rows, by labelled").wait_for()
    first, second = lonely(points)
    page.mouse.click(*place(page, points[first].tolist()))
    page.keyboard.down("Shift")
    page.mouse.click(*place(page, points[second].tolist()))
    page.keyboard.up("Shift")
    selection(page).get_by_text("2 rows, by click").wait_for()
    explored.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280, 2560])
def test_all_is_there_at_any_width(opened, here, width, scheme):
    x, y = blobs(n=60)
    explored = _explore.Exploration(x, y, show=[f"text {i}" for i in range(60)])
    page = opened(explored.address, width=width, color_scheme=scheme)
    settled(explored, page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    for name in ("classes", "selection", "show only", "label next", "expected accuracy", "row"):
        page.get_by_role("region", name=name).scroll_into_view_if_needed()
        assert page.get_by_role("region", name=name).is_visible()
    box = page.get_by_label("select rows whose text or name contains these words")
    box.fill("TEXT 59")
    box.press("Enter")
    selection(page).get_by_text("1 row").wait_for()
    explored.close()
