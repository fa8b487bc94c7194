"""Stages the pages of the site: python docs/_site/stage.py SOURCE. Copies docs/ and the pages it
links to, writes the references of the C library and of the command, and draws a picture for each
method."""

import itertools
import pathlib
import re
import shutil
import subprocess
import sys

import penumbra
from pictures import draw

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = ["model", "files", "compare", "statistics"]
PENUMBRA = pathlib.Path(sys.executable).with_name("penumbra")
OTHERS = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "tests/README.md",
    "tests/hints/README.md",
    "examples/strings/README.md",
]
FUNCTION = re.compile(
    r"^(?:static inline )?(?!typedef|struct|enum|#)\w[\w *]*?\bpen_\w+\([^;{]*?\)"
    r"(?=;|\n\{)",
    re.MULTILINE,
)
TYPE = re.compile(
    r"^typedef (?P<kind>struct|enum)?.*?(?P<name>pen_\w+)(?: \{|;)|"
    r"^#define (?P<macro>\w+)|^typedef int \(\*(?P<callback>\w+)\)",
    re.MULTILINE,
)


def copy(source):
    """docs/ and the pages next to it; links from docs/ to these lead to where they are staged."""
    shutil.copytree(ROOT / "docs", source, dirs_exist_ok=True)
    shutil.copytree(ROOT / "bench" / "results", source / "bench" / "results", dirs_exist_ok=True)
    for page in OTHERS:
        (source / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / page, source / page)
    for page in source.glob("**/*.md"):
        up = "../" * (len(page.relative_to(source).parts) - 1)
        text = page.read_text(encoding="utf-8")
        text = text.replace(f"]({up}../", f"]({up}").replace(f"]({up}docs/", f"]({up}")
        text = text.replace("](bench/results)", "](bench/index.md)")
        text = re.sub(r"\]\((.*?)tasks/(\w+)\.py\)", r"](\1gallery/\2)", text)
        text = re.sub(r"\]\((.*?)tasks\)", r"](\1gallery/index)", text)
        page.write_text(text, encoding="utf-8")


def prose(comment):
    """A C comment as Markdown: without its stars, with special characters escaped."""
    text = re.sub(r"(?m)^ ?\* ?", "", comment.strip()).strip()
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [re.sub(r"([*_<\[\]])", r"\\\1", part) for part in parts[::2]]
    text = "".join(parts)
    # each documented error begins a line: give it a paragraph
    return re.sub(r"(?m)^(?=(?:PEN\\_|Cost:))", "\n", text)


def declaration(text, code):
    """Markdown of the declarations below a comment."""
    functions = [re.sub(r"\s+", " ", found[0]) for found in FUNCTION.finditer(code)]
    names = [f"c:function}} {name.removeprefix('static inline ')}" for name in functions]
    for found in TYPE.finditer(code):
        kind = "macro" if found["macro"] else found["kind"] or "type"
        names.append(f"c:{kind}}} {found['name'] or found['macro'] or found['callback']}")
    if code and (not functions or "typedef" in FUNCTION.sub("", code)):
        text += f"\n\n```c\n{code}\n```"
    for name in names[:-1]:
        yield f"````{{{name}\n````\n"
    yield f"````{{{names[-1]}\n\n{text}\n````\n" if names else f"{text}\n"


def header(name):
    """Markdown of a header: its first comment, then a section for each title in it."""
    text = (ROOT / "include" / "penumbra" / f"{name}.h").read_text(encoding="utf-8")
    about = re.match(r"/\* \w+\.h - (.*?)\*/", text, re.DOTALL)[1]
    summary, *paragraphs = re.split(r"\n \*\n", about.rstrip(" *\n"))
    summary = prose(summary)
    yield f"# penumbra/{name}.h\n\n{summary[0].upper()}{summary[1:]}\n"
    for is_code, group in itertools.groupby(paragraphs, lambda text: text.startswith(" *     ")):
        text_of = "\n\n".join(group)
        code = re.sub(r"(?m)^ \*     ", "", text_of)
        yield f"```c\n{code}\n```\n" if is_code else prose(text_of) + "\n"
    body = text.split("#pragma GCC visibility push(default)\n#endif\n")[1]
    body = body.split("#ifdef __GNUC__")[0]
    body = re.sub(r"/\* -+ (.*?) -+\n \* ", r"/* ---- \1 ---- */\n\n/* ", body)
    for block in re.split(r"\n\n+", body.strip()):
        title = re.match(r"/\* -+ (.*?) -+ \*/$", block)
        comment = re.match(r"/\*(.*?)\*/\n?", block, re.DOTALL)
        if title:
            yield f"## {title[1].capitalize()}\n"
        elif comment:
            yield from declaration(prose(comment[1]), block[comment.end() :].strip())
        else:
            yield from declaration("", block)


def commands():
    """Markdown of the help of all commands."""

    def said(*arguments):
        run = subprocess.run([PENUMBRA, *arguments], capture_output=True, text=True, check=False)
        return run.stdout + run.stderr

    overview = said()
    yield f"# Command reference\n\n```text\n{overview}```\n"
    for name in re.findall(r"^  (?!penumbra )(\w+) ", overview, re.MULTILINE):
        yield f"## penumbra {name}\n\n```text\n{said(name, '--help')}```\n"
    yield f"## Parameters of every method\n\n```text\n{said('methods', 'none')}```\n"


CAPTION = """*Five handwritten digits with five labels of each (filled), in two dimensions, with the
defaults. The nearest labelled row has the class of a hidden row in {:.0%} of cases.*"""


def pictures(source):
    """A picture below the first formula, or the first paragraph, of the page of each method."""
    for method in penumbra.methods():
        page = source / "methods" / f"{method.name}.md"
        text = page.read_text(encoding="utf-8")
        right = draw(getattr(penumbra, method.class_name), page.with_suffix(".png"))
        picture = f"![Digits by {method.name}]({method.name}.png)\n\n{CAPTION.format(right)}\n\n"
        end = text.find("$$\n\n")
        end = end + 4 if end >= 0 else text.index("\n\n", text.index("\n\n") + 2) + 2
        page.write_text(text[:end] + picture + text[end:], encoding="utf-8")


def lists(source):
    """The pages of methods below their README; a class for each method in the reference."""
    with (source / "methods" / "README.md").open("a", encoding="utf-8") as file:
        file.write("\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n")
    classes = "\n".join(f"   {method.class_name}" for method in penumbra.methods())
    page = source / "api.md"
    page.write_text(page.read_text(encoding="utf-8").replace("METHODS", classes), encoding="utf-8")


def main(source):
    source = pathlib.Path(source)
    copy(source)
    for name in HEADERS:
        page = "\n".join(header(name))
        (source / "c" / f"{name}.md").write_text(page, encoding="utf-8")
    pictures(source)
    lists(source)
    (source / "commands.md").write_text("\n".join(commands()), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
