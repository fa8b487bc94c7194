"""The page of plots and reports in a browser: drawing, names, hiding, search and saving."""

import base64
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
from importlib import resources
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import blobs, run_command

import penumbra
from penumbra import _palette

sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium")
if not CHROMIUM:
    pytest.skip("there is no chromium", allow_module_level=True)

SOURCES = pathlib.Path(__file__).parents[2] / "page"
COLORS = [(0x07, 0x6F, 0x9E), (0xCC, 0x88, 0x05), (0x17, 0x73, 0x4F)]
NONE = 65535
ODD = "<script>alert(1)</script>\u2028'&quot;"  # name of a row, a class, an axis


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield found
        found.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Open HTML; at the end, there was no network request and no console output."""
    pages, wrong = [], []

    def show(html, width=1280, height=800, drawn_by="", **options):
        path = tmp_path / f"page{len(pages)}.html"
        path.write_text(html, encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": height}, **options)
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.on("request", lambda request: wrong.append(request.url))
        page.goto(path.as_uri() + drawn_by)
        assert wrong.pop(0).startswith(path.as_uri())
        page.wait_for_selector(".under text, iframe, .under line", state="attached")
        settle(page)
        pages.append(page)
        return page

    yield show
    for page in pages:
        page.close()
    assert [line for line in wrong if not line.startswith(("blob:", "data:"))] == []


def settle(page):
    """Wait until the last change is drawn."""
    page.evaluate("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")


def packed(values, kind):
    return base64.b64encode(np.asarray(values, kind).tobytes()).decode()


def picture(points, **other):
    """Make a picture by docs/cli.md; arrays by name."""
    kinds = {"label": "<u2", "class": "<u2", "probability": "<u2", "known": "u1", "row": "<u4"}
    points = np.asarray(points, float)
    found = {"title": "", "rows": len(points), "dims": points.shape[1], "axes": ["a +", ODD, "c"]}
    found["axes"] = found["axes"][: points.shape[1]]
    found["points"] = packed(points, "<f4")
    found.update((k, packed(v, kinds[k]) if k in kinds else v) for k, v in other.items())
    return found


def plot(*pictures, classes=("zero", ODD, "two"), **other):
    given = {"penumbra": "", "command": "plot", "source": "data.csv", "model": "m.pen"}
    given |= {"classes": classes, "predicted": True, "pictures": pictures} | other
    page = resources.files("penumbra").joinpath("page.html").read_text("utf-8")
    return page.replace("@JSON@", json.dumps(given).replace("<", "\\u003c"))


# Four rows at the corners of a square: known, predicted, predicted but doubtful, label and class
# differ.
CORNERS = {
    "label": [0, NONE, NONE, 2],
    "class": [0, 1, 2, 1],
    "probability": [NONE, NONE, NONE // 2, NONE],
    "known": [1, 0, 0, 1],
    "names": ["first", "second", ODD, "last"],
}
SQUARE = [[0, 0], [1, 0], [0, 1], [1, 1]]


def place(page, point, panel=0):
    """Return the pixel of a point, from the numbers on the axes."""
    return page.evaluate(
        """([x, y, i]) => {
          const panel = document.querySelectorAll(".panel")[i], at = { middle: [], end: [] };
          for (const text of panel.querySelectorAll(".under text:not(.axis)")) {
            const anchor = text.getAttribute("text-anchor"), to = anchor === "middle" ? "x" : "y";
            at[anchor]?.push([Number(text.textContent), Number(text.getAttribute(to))]);
          }
          const on = ([[a, p], [b, q]], v) => p + (q - p) * (v - a) / (b - a);
          const box = panel.getBoundingClientRect();
          return [box.x + on(at.middle, x), box.y + on(at.end, y) - 4];
        }""",
        [*point, panel],
    )


def pixels(page, x, y, r=6):
    """Return the colors around a pixel of the screen [2r+1 x 2r+1 x 3]."""
    image = pytest.importorskip("PIL.Image")
    clip = {"x": round(x) - r, "y": round(y) - r, "width": 2 * r + 1, "height": 2 * r + 1}
    return np.asarray(image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB"), int)


def tip(page):
    shown = page.locator(".tip")
    return shown.inner_text().replace("\u00a0", " ") if shown.is_visible() else None


@pytest.mark.parametrize("drawn_by", ["", "#webgl"])
def test_marks_are_where_the_axes_say_filled_hollow_and_pale(opened, drawn_by):
    page = opened(plot(picture(SQUARE, **CORNERS)), drawn_by=drawn_by)
    page.get_by_role("button", name="names").click()
    settle(page)
    known, sure, doubtful, _ = (pixels(page, *place(page, p)) for p in SQUARE)
    assert np.abs(known[6, 6] - COLORS[0]).max() < 12
    assert (sure[6, 6] > 225).all() and (doubtful[6, 6] > 225).all()

    def strength(around, c):  # of the ring, as a fraction of its color
        return ((255 - around).sum(axis=2) / (255 - np.array(COLORS[c])).sum()).max()

    assert strength(sure, 1) > 0.8
    assert 0.35 < strength(doubtful, 2) / strength(sure, 1) < 0.75
    assert ("2D canvas" in page.locator(".side").inner_text()) == (drawn_by == "")


def test_hover_names_row_label_class_and_probability(opened):
    page = opened(plot(picture(SQUARE, **CORNERS)))
    page.mouse.move(*place(page, SQUARE[0]))
    assert tip(page).split("\n")[:5] == ["first", "label", "zero", "predicted", "zero, > 99.9 %"]
    page.mouse.move(*place(page, SQUARE[2]))
    assert ODD[:20] in tip(page) and "two, 50.0 %" in tip(page)
    page.mouse.move(*place(page, SQUARE[3]))
    assert "differs from the label" in tip(page) and tip(page).startswith("last")
    x, y = place(page, SQUARE[1])
    page.mouse.move(x - 30, y)
    assert tip(page) is None
    page.mouse.click(*place(page, SQUARE[1]))
    page.mouse.move(*place(page, [0.5, 0.5]))
    assert tip(page).startswith("second")  # it stays until Escape
    page.keyboard.press("Escape")
    assert tip(page) is None


def test_wheel_zooms_about_the_pointer_and_reset_shows_all(opened):
    page = opened(plot(picture(SQUARE, **CORNERS)))
    before = place(page, [0.8, 0.3])
    page.mouse.move(*before)
    page.mouse.wheel(0, -400)
    settle(page)
    np.testing.assert_allclose(place(page, [0.8, 0.3]), before, atol=1.5)
    assert place(page, SQUARE[1])[0] - before[0] > 100 + place(page, [0.8, 0])[0] - before[0]
    page.mouse.down()
    page.mouse.move(before[0] + 60, before[1] - 40)
    page.mouse.up()
    settle(page)
    moved = np.array(place(page, [0.8, 0.3])) - before
    np.testing.assert_allclose(moved, [60, -40], atol=1.5)
    page.get_by_role("button", name="reset").click()
    settle(page)
    np.testing.assert_allclose(place(page, [0.8, 0.3]), before, atol=1.5)
    page.evaluate(  # a row is named before a move is drawn
        """at => ["keydown", "pointermove"].forEach(name => document.querySelector(".panel")
          .dispatchEvent(Object.assign(new Event(name), at)))""",
        dict(zip(("clientX", "clientY"), place(page, SQUARE[1])), key="ArrowRight"),
    )
    assert page.locator(".over circle").get_attribute("r") != "NaN"


def test_classes_are_hidden_and_looked_at_alone(opened):
    page = opened(plot(picture(SQUARE, **CORNERS)))
    entries = page.locator(".classes button")
    assert [text.split("\n")[-1] for text in entries.all_inner_texts()] == ["1", "1", "2"]
    at = place(page, SQUARE[0])
    entries.nth(0).click()
    page.mouse.move(*at)
    settle(page)
    page.mouse.move(at[0] + 1, at[1])
    assert tip(page) is None and (pixels(page, *at) > 200).all()
    assert entries.nth(0).get_attribute("aria-pressed") == "false"
    page.get_by_role("searchbox").fill("first")  # it is hidden
    page.get_by_role("searchbox").press("Enter")
    assert tip(page) is None
    page.get_by_role("searchbox").fill("")
    entries.nth(1).click(modifiers=["Shift"])
    assert [b.get_attribute("aria-pressed") for b in entries.all()] == ["false", "true", "false"]
    page.locator(".head").get_by_text("all").click()
    page.locator(".kinds button").last.click()  # label and prediction differ
    page.mouse.move(*place(page, SQUARE[1]))
    assert tip(page) is None
    page.mouse.move(*place(page, SQUARE[3]))
    assert tip(page).startswith("last")


def test_search_and_keys_go_from_row_to_row(opened):
    page = opened(plot(picture(SQUARE, **CORNERS)))
    box = page.get_by_role("searchbox")
    box.fill("S")
    assert "4 found" in page.locator(".tools").inner_text()
    box.fill("st")
    assert "2 found" in page.locator(".tools").inner_text()
    box.press("Enter")
    assert tip(page).startswith("first")
    box.press("Enter")
    assert tip(page).startswith("last")
    assert "last" in page.locator(".unseen").inner_text()  # for users who cannot see it
    box.fill("")
    page.locator(".panel").focus()
    page.keyboard.press("Escape")
    for key, name in (("n", "first"), ("n", "second"), ("p", "first")):
        page.keyboard.press(key)
        assert tip(page).startswith(name)
    before = place(page, SQUARE[0])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    settle(page)
    assert place(page, SQUARE[0])[0] < before[0] - 100
    page.keyboard.press("0")
    settle(page)
    np.testing.assert_allclose(place(page, SQUARE[0]), before, atol=1.5)


def test_rows_without_names_have_numbers(opened):
    page = opened(plot(picture(SQUARE, row=[3, 5, 8, 10**6]), classes=[]))
    page.get_by_role("searchbox").fill("1000000")
    page.get_by_role("searchbox").press("Enter")
    assert tip(page).startswith("row 1000000") and page.locator(".classes").count() == 0


def test_kept_pictures_have_every_mark_and_every_name(opened, tmp_path):
    page = opened(plot(picture(SQUARE, **CORNERS)))

    def kept(name):
        with page.expect_download() as found:
            page.get_by_role("button", name=name).click()
        found.value.save_as(tmp_path / "kept")
        return found.value.suggested_filename, (tmp_path / "kept").read_bytes()

    name, drawn = kept("save as SVG")
    tree = ElementTree.fromstring(drawn)
    texts = [text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")]
    marks = [p for p in tree.iter("{http://www.w3.org/2000/svg}path") if p.get("paint-order")]
    assert name == "data.svg" and {"zero", "two", "a +", ODD} <= set(texts)
    assert len(marks) == 4 and marks[1].get("opacity") in ("0.5", "1.0")
    page.locator(".classes button").first.click()
    assert b">zero<" not in kept("save as SVG")[1]
    name, drawn = kept("save as PNG")
    assert name == "data.png" and drawn.startswith(b"\x89PNG") and len(drawn) > 10000


def test_three_dimensions_turn(opened):
    cube = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    page = opened(plot(picture(cube, label=np.arange(8) % 3, known=np.ones(8))))

    def texts():
        return {t.text_content(): t.get_attribute("x") for t in page.locator(".axis").all()}

    before = texts()
    assert set(before) == {"a +", ODD, "c"}
    page.mouse.move(500, 400)
    page.mouse.down()
    page.mouse.move(600, 420)
    page.mouse.up()
    settle(page)
    assert texts()["a +"] != before["a +"]


def test_several_files_are_panels_with_one_list(opened):
    page = opened(plot(*(picture(SQUARE, **CORNERS | {"title": t}) for t in ("one", "two", "3"))))
    assert page.locator(".panel").count() == 3 and page.locator(".classes li").count() == 3
    for i in (0, 2):
        page.mouse.move(*place(page, SQUARE[3], i))
        assert tip(page).startswith("last")
    boxes = [panel.bounding_box() for panel in page.locator(".panel").all()]
    assert boxes[0]["y"] == boxes[1]["y"] < boxes[2]["y"]
    assert page.title() == "3 files" and "12 rows" in page.locator("p").first.inner_text()
    page.get_by_role("searchbox").fill("last")
    for i in (0, 1, 2, 0):  # through all panels and back to the first
        page.get_by_role("searchbox").press("Enter")
        assert page.locator(".panel").nth(i).locator(".over circle").count() == 1
        assert page.locator(".over circle").count() == 1 and tip(page).startswith("last")


def test_weights_of_spectra_are_curves(opened):
    at = np.linspace(400, 2500, 50)
    curves = {"at": packed(at, "<f4"), "weights": [packed(np.sin(at), "<f4")] * 2}
    page = opened(plot(picture(SQUARE, curves=curves, **CORNERS)))
    assert page.locator("figure").count() == 2
    points = page.locator("figure polyline").first.get_attribute("points").split()
    heights = np.array([float(p.split(",")[1]) for p in points])
    np.testing.assert_allclose(np.corrcoef(heights, np.sin(at))[0, 1], -1, atol=1e-3)
    assert page.locator("figure text").all_text_contents()[:2] == ["400", "2500"]


@pytest.mark.parametrize("drawn_by", ["", "#webgl"])
def test_crowds_are_dots_and_many_classes_are_said_not_to_be_told_apart(opened, drawn_by):
    rng = np.random.default_rng(0)
    label = np.arange(30000) % 150
    page = opened(
        plot(
            picture(rng.normal(size=(30000, 2)), label=label, known=label < 0),
            classes=[f"class {c}" for c in range(150)],
        ),
        drawn_by=drawn_by,
    )
    assert "Only 100 classes" in page.locator(".side").inner_text()
    icons = page.locator(".classes .mark").evaluate_all("found => found.map(m => m.innerHTML)")
    assert len({*icons[:100]}) == 100
    around = pixels(page, *place(page, [0, 0]), r=20)
    assert np.ptp(around.reshape(-1, 3), axis=0).min() > 30 and around.mean() < 240


@pytest.mark.parametrize(
    "points", [[[0, 0]], [[1, 2], [1, 2]], [[0, 5e37], [1, -5e37]], np.empty((0, 2))]
)
def test_few_equal_and_huge_points(opened, points):
    page = opened(plot(picture(points), classes=[]))
    assert page.locator(".under text").count() > 4
    assert "NaN" not in page.content().partition("<script")[0]


def test_a_notebook_shows_a_page_in_a_frame(opened):
    x, y = blobs(30)
    shown = penumbra.plot.page(penumbra.FDA(n_components=2).fit(x, y), y, x)._repr_html_()
    frame = opened(f"<!DOCTYPE html><title>a notebook</title>{shown}").frame_locator("iframe")
    assert frame.locator(".classes button").count() == 3
    assert frame.locator(".panel canvas").bounding_box()["height"] > 300


# ---- layouts ----


def clipped(page):
    """Return texts that extend beyond their box or the page."""
    return page.evaluate(
        """() => [...document.querySelectorAll("body *")].filter(node => {
          const box = node.getBoundingClientRect();
          return box.width && node.checkVisibility() && !node.closest(".wide, .unseen, svg, .side")
            && (box.right > innerWidth + 1 || box.left < -1
              || node.scrollWidth > node.clientWidth + 1
              && getComputedStyle(node).overflowX === "hidden" && !node.matches(".panel"));
        }).map(node => node.outerHTML.slice(0, 200))"""
    )


LAYOUTS = [(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")]


@pytest.mark.parametrize("width, scheme", LAYOUTS)
def test_a_plot_fits_and_is_dark_where_pages_are(opened, width, scheme):
    page = opened(plot(picture(SQUARE, **CORNERS)), width=width, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert clipped(page) == []
    corner = pixels(page, 5, 5, r=2)
    assert (corner > 240).all() if scheme == "light" else (corner < 60).all()


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Make the command's page for wine, with names that look like markup."""
    folder = tmp_path_factory.mktemp("report")
    lines = (SOURCES.parent / "examples" / "data" / "wine.csv").read_text().splitlines()
    rows = [line.replace("class_0", "</script><!--<b>") for line in lines[1:]]
    few = [row if i % 6 == 0 else row.rpartition(",")[0] + ",?" for i, row in enumerate(rows)]
    (folder / "wine.csv").write_text("\n".join([lines[0], *few]) + "\n")
    done = run_command(
        "compare", "fda,self,pca,sda", folder / "wine.csv", "--label-column", "class",
        "--effort", "0.01", "--dims", "1-3", "--report", folder / "wine.html",
    )  # fmt: skip
    return (folder / "wine.html").read_text(encoding="utf-8"), done.stdout


@pytest.mark.parametrize("width, scheme", LAYOUTS)
def test_a_report_is_seen_before_it_is_read(opened, report, width, scheme):
    html, said = report
    page = opened(html, width=width, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert clipped(page) == []
    recommended = next(line for line in said.splitlines() if line.startswith(" >")).split()[2:4]
    assert page.locator("#recommended").inner_text() == "/".join(recommended)
    for part in ("#recommended", ".scores", "pre", ".panel canvas"):
        box = page.locator(part).first.bounding_box()
        assert box["y"] + min(box["height"], 200) < (800 if width == 1280 else 1500), part
    command = next(line for line in said.splitlines() if line.startswith("next: "))
    assert command.removeprefix("next: ") in page.locator("pre").inner_text()
    assert page.locator("details[open]").count() == 0 < page.locator("details").count()
    assert "</script><!--<b>" in page.locator("body").inner_text()


def test_a_report_unfolds_and_is_complete_on_paper(opened, report):
    page = opened(report[0])
    for details in page.locator("details").all():
        details.locator("summary").focus()
        page.keyboard.press("Enter")
        settle(page)
        assert details.get_attribute("open") is not None
    assert clipped(page) == []
    assert "Probabilities" in page.locator("body").inner_text()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = false)")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert page.locator(".printed svg path").count() > 20
    assert page.locator(".printed > svg").bounding_box()["width"] > 400
    assert clipped(page) == [] and page.locator("details p").last.is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0 == page.locator(".printed").count()


def test_the_colors_are_those_of_the_package():
    marks = (SOURCES / "marks.js").read_text("utf-8").partition("NO_CLASS")[0]
    assert tuple(re.findall("#[0-9A-F]{6}", marks)) == _palette.COLORS


def test_the_page_is_small_and_clean():
    files = [path for path in SOURCES.iterdir() if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= 180_000
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]
    assert len(lines) <= 3780 and max(map(len, lines)) <= 100
    deno = pathlib.Path(sys.executable).parent / "deno"
    if not deno.exists():
        pytest.skip("there is no deno, which reads the scripts")
    done = subprocess.run([deno, "lint", SOURCES], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
