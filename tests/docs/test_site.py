"""The site of `make docs`, in the folder PENUMBRA_SITE, is complete and readable on a phone, has no
dead link, and its search answers what people ask."""

import functools
import html.parser
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import threading
import urllib.parse

import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).parents[2]
SITE = pathlib.Path(os.environ["PENUMBRA_SITE"])
PAGES = sorted(str(page.relative_to(SITE)) for page in SITE.rglob("*.html"))
SHOWN = [
    "index",
    "start",
    "questions",
    "methods/README",
    "methods/self",
    "commands",
    "c/model",
    "api/penumbra.SELF",
    "gallery/index",
    "gallery/plot_pairs",
]
MOST_WORDS = 60_000


class Links(html.parser.HTMLParser):
    """What a page links to and loads, and the places in it that may be linked to."""

    def __init__(self, page):
        super().__init__()
        self.links, self.loaded, self.places = [], [], {""}
        self.feed((SITE / page).read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.places.add(values.get("id"))
        target = values.get("href") or values.get("src")
        if target:
            (self.links if tag == "a" else self.loaded).append(target)


@functools.cache
def parsed(page):
    return Links(page)


def faults_of(page, target):
    scheme, host, path, _, fragment = urllib.parse.urlsplit(target)
    if scheme or host:
        return ["loaded from elsewhere"] if target in parsed(page).loaded else []
    path = urllib.parse.unquote(path)
    other = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not (SITE / other).is_file():
        return ["no such file"]
    dead = fragment and other.endswith(".html") and fragment not in parsed(other).places
    return ["no such place"] if dead else []


def test_every_link_leads_somewhere():
    assert [
        (page, target, fault)
        for page in PAGES
        for target in parsed(page).links + parsed(page).loaded
        for fault in faults_of(page, target)
    ] == []


def test_gallery_ran():
    tasks = [page for page in PAGES if page.startswith("gallery/plot_")]
    assert len(tasks) == 10
    for task in tasks:
        text = (SITE / task).read_text(encoding="utf-8")
        assert "sphx-glr-single-img" in text, f"{task} has no picture"
        assert "sphx-glr-script-out" in text, f"{task} printed nothing"
        words = re.sub(r"<[^>]*>", "", text)
        assert re.search(r"\n(python -m )?penumbra", words), f"{task} lacks the command"
        assert "\nLimits" in words, f"{task} lacks its limits"


def test_methods_have_formulas_and_pictures():
    for method in (ROOT / "docs" / "methods").glob("[!R]*.md"):
        text = (SITE / "methods" / f"{method.stem}.html").read_text(encoding="utf-8")
        assert text.count('display="block"') == method.read_text(encoding="utf-8").count("$$") / 2
        assert "\\max" not in text and "<merror" not in text
        assert f"{method.stem}.png" in text


def test_words_by_hand():
    listed = subprocess.run(
        ["git", "ls-files", "*.md", "docs/tasks/*"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    words = sum(
        len(re.findall(r"\S*[^\W\d_]\S*", (ROOT / name).read_text(encoding="utf-8")))
        for name in listed
        if not name.startswith("bench/results/")
    )
    assert words <= MOST_WORDS


def test_citation_has_the_version_of_the_project():
    project = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    version = re.search(r"project\(penumbra VERSION ([0-9.]+)", project)[1]
    assert re.search(rf"(?m)^version: {re.escape(version)}$", citation)
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"penumbra ({version}-" in (ROOT / "debian/changelog").read_text(encoding="utf-8")


def test_recipe_has_the_version_and_address_of_the_project():
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
    version = re.search(r"penumbra VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    address = re.search(r'Repository = "(.*)"', (ROOT / "pyproject.toml").read_text())[1]
    assert f"  version: {version}\n  address: {address} " in recipe


@pytest.fixture(scope="module")
def browser():
    program = shutil.which("chromium")
    if not program:
        pytest.skip("no chromium")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def address():
    handler = functools.partial(Quiet, directory=SITE)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def opened(browser, address, width=1280):
    """A page that fails if it loads anything from elsewhere or writes to the console."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.faults = []
    page.on("console", lambda said: said.type == "error" and page.faults.append(said.text))
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on(
        "request",
        lambda request: (
            request.url.startswith((address, "data:")) or page.faults.append(request.url)
        ),
    )
    return page


@pytest.mark.parametrize("width", [390, 1280])
def test_pages_fit_the_screen(browser, address, width):
    page = opened(browser, address, width)
    for name in SHOWN:
        assert page.goto(f"{address}/{name}.html").ok, name
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    assert page.faults == []
    page.close()


def test_the_first_hit_answers(browser, address):
    page = opened(browser, address)
    wrong = []
    for line in (ROOT / "tests" / "docs" / "questions.txt").read_text().splitlines():
        question, wanted = line.split("->")
        page.goto(f"{address}/search.html?q={urllib.parse.quote(question.strip())}")
        page.wait_for_selector("#search-results li a")
        found = page.get_attribute("#search-results li a", "href")
        found = re.sub(r"\?highlight=[^#]*", "", found)
        if not any(found.startswith(place) for place in wanted.split()):
            wrong.append(f"{line}: {found}")
    assert wrong == [] and page.faults == []
    page.close()
