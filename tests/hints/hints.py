#!/usr/bin/env python3
"""Advice in messages: every piece has a row in a table, and the row does what the message says.

hints.py list            the hints in src/, cli/ and python/penumbra/, by file and line
hints.py check           each hint has a row, each row a hint, and rows use what their hints name
hints.py run COMMAND FILE...   the rows of tables, with this command (or - for the one in PATH)

A hint is a text of a message that names a flag, a command or a file to write, says "did you mean",
or begins an advice after a comma, a colon or a semicolon (set, use, drop, delete ...). Texts of
help are none. README.md says how a row looks.
"""

import ast
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

PROGRAMS = (
    r"python -m [\w.]+|iconv|gunzip|bunzip2|unxz|unlz4|zstd -dc|7z x|tar xf|unzip|sqlite3|pip install"
    r"|apt install|git lfs|numpy\.\w+|pandas\.\w+|scipy[.\w]+|kneighbors_graph"
    r"|dump_svmlight_file|write\.csv|penumbra\.kneighbors_graph"
)
COMMANDS = "fit|transform|predict|info|methods|plot|suggest|explore|compare|convert"
VERBS = (
    "set|say|use|drop|delete|remove|rename|choose|leave out|take|give|fit it|merge|run|convert|expand"
    "|label|subtract|multiply|divide|save|write|export|copy|quote|pass|sample|transform"
)
NAMED = rf"--[a-z][\w-]*|\b(?:{PROGRAMS})\b|\bpenumbra (?:COMMAND|{COMMANDS})\b"
ADVICE = re.compile(
    rf"{NAMED}|--%s|did you mean|\bCSV\b|[;:,] (?:or |%s)?(?:{VERBS}) |-o [A-Z]+ |usage: "
    r"|^(?:leave out|save it|decompress|unpack|index what) |a larger \w+ \w+"
)
# Where texts are help and not messages.
HELP = re.compile(
    r"cli_flag \w+\[\] =|args_form \w+ =|pen_method pen_method_\w+ =|pen_param \w+\[\] =|\.help ="
    r"|print_help\([\w *]*\) *\{"
)
ARGUMENTS = ("add_argument", "ArgumentParser")
REFERENCE = ("cmd_methods.c", "method_text.c", "old_flags.c")  # old names: tests/house


def c_texts(source):
    """The texts of a C file as (line, text, the code before it), literals next to each other as
    one."""
    token = re.compile(
        r"""(?P<skip>/\*.*?\*/|\s+|//[^\n]*)|(?P<text>"(?:\\.|[^"\\])*")|'(?:\\.|[^'\\])*'"""
        r"""|(?P<word>\w+)|.""",
        re.S,
    )
    found, begun, code, depth = None, "", "", 0
    for match in token.finditer(source):
        kind = match.lastgroup
        if kind == "skip":
            code += " "
        elif kind == "text":
            if found is None:
                found = [source.count("\n", 0, match.start()) + 1, "", begun + code]
            found[1] += match.group()[1:-1]
        else:
            if found:
                yield tuple(found)
                found = None
            code += match.group()
            depth += {"{": 1, "}": -1}.get(match.group(), 0)
            if match.group() == ";" or (match.group() == "}" and depth == 0):
                code = ""


def python_texts(source):
    """The texts of a Python file, without docstrings; %s where a value goes."""
    tree = ast.parse(source)
    inside = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside.add(node.value)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ARGUMENTS:
            inside.update(word.value for word in node.keywords)
            inside.update(node.args)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside.update(node.values)
            parts = [v.value if isinstance(v, ast.Constant) else "%s" for v in node.values]
            yield node.lineno, "".join(parts), ""
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inside:
            yield node.lineno, node.value, ""


def hints():
    """All hints as (where, text)."""
    files = [f for d in ("src", "cli") for f in sorted((ROOT / d).rglob("*.[ch]"))]
    for file in files + sorted((ROOT / "python/penumbra").rglob("*.py")):
        texts = c_texts if file.suffix != ".py" else python_texts
        for line, text, code in texts(file.read_text(encoding="utf-8")):
            if " " in text and ADVICE.search(text) and not is_help(file, text, code):
                text = text.encode().decode("unicode_escape") if file.suffix != ".py" else text
                yield f"{file.relative_to(ROOT)}:{line}", text


def is_help(file, text, code):
    return bool(HELP.search(code)) or file.name in REFERENCE or "Exit status:" in text


def pattern(text):
    """What a message has where the text stands, with any values; the place it names may be left
    out."""
    text = re.sub(r"^(%(?:s|lld):)+ ", "", text.strip())
    parts = re.split(r"%(?:[-+ #0]*[\d*]*(?:\.[\d*]+)?(?:ll|z|l)?[a-zA-Z]|(?=$| ))", text)
    return re.compile(".*?".join(re.escape(part.replace("%%", "%")) for part in parts), re.S)


class Row:
    """One row: its lines by their marks."""

    def __init__(self, where, lines):
        self.where = where
        self.run = python if where.startswith("python.hints") else shell
        self.of = {mark: [line[2:] for line in lines if line[0] == mark] for mark in "$!+>=~"}
        self.then = [line for line in lines if line[0] in "+>"]

    def problems(self):
        if not (self.of["$"] and self.of["!"] and self.then and (self.of["="] or self.of["~"])):
            yield "a row needs $, !, + or >, and = or ~"


def rows(files):
    for file in files:
        lines, at = [], 0
        text = Path(file).read_text(encoding="utf-8").split("\n") + [""]
        for number, line in enumerate(text, 1):
            if line[:2] in ("$ ", "! ", "+ ", "> ", "= ", "~ ") or line in ("=", "$", "+", ">"):
                at = at or number
                lines.append(line if len(line) > 1 else line + " ")
            elif line.strip() == "" and lines:
                yield Row(f"{Path(file).name}:{at}", lines)
                lines, at = [], 0
            elif line.strip() and not line.startswith("#"):
                sys.exit(f"{file}:{number}: a line begins with $ ! + > = ~ or #")


def check():
    table = list(rows(sorted(HERE.glob("*.hints"))))
    bad, used, count = [], set(), 0
    for where, text in hints():
        count += 1
        form = pattern(text)
        mine = [row for row in table if any(form.search(said) for said in row.of["!"])]
        used.update(row.where for row in mine)
        done = "\n".join(line for row in mine for line in row.of["$"] + row.then)
        if not mine:
            bad.append(f"{where}: no row follows this hint: {text!r}")
        for name in set(re.findall(NAMED, text)) if mine and "follow " not in done else ():
            if name not in done and "COMMAND" not in name:
                bad.append(f"{where}: no row uses {name}, which the hint names")
    for row in table:
        bad += [f"{row.where}: {problem}" for problem in row.problems()]
        if row.where not in used:
            bad.append(f"{row.where}: no message in the sources says this: {row.of['!']}")
    print("\n".join(bad + [f"{count} hints, {len(table)} rows, {len(bad)} problems"]))
    return bool(bad)


PRELUDE = """. "$DATA_SH"
said() { cat "$SAID"; }
# follow WORDS [SED]: the command in the message from these words on, to its end or a semicolon
follow() {
    follow_line=$(sed -n "s/.*\\($1.*\\)/\\1/p" "$SAID" | sed "s/; .*//;${2-}" | tail -n 1)
    echo "+ $follow_line" >&2
    eval "$follow_line"
}
# large: big.npy, 400000 rows (the first 600 in three clouds) that take 64 MB, and their labels.txt
large() {
    blobs 600 20 3 >d.csv; penumbra convert d.csv d.npy --drop class
    { npy_header '<f8' 400000 20; tail -c +129 d.npy; } >big.npy
    dd if=/dev/zero of=big.npy bs=1 count=0 seek=64000128 2>dd.txt
    { column class d.csv; yes '?' | head -n 399400; } >labels.txt
}
# right MODEL FILE COLUMN [FLAGS]: the share of rows whose predicted class is that in the column
right() {
    penumbra predict "$1" "$2" ${4-} -o predicted.csv || return
    { column class predicted.csv; } >r.1 2>/dev/null; column "$3" "$2" >r.2
    paste -d, r.1 r.2 | awk -F, '{ right += $1 == $2 } END { printf "%.2f\\n", right / NR }'
}
"""

# Before each row of Python: three clouds, and their classes.
PYTHON = """import sys, numpy as np, penumbra
x = np.random.default_rng(0).normal(size=(60, 4)) + 4 * np.eye(4)[np.arange(60) % 3]
y = np.arange(60) % 3
"""


def python(script, said, env):
    return shell(script, said, env, ["python", "-c", PYTHON + script])


def shell(script, said, env, command=None):
    env = dict(env, SAID=str(said))
    command = command or ["sh", "-c", PRELUDE + script]
    done = subprocess.run(
        ["timeout", "60", *command], env=env, cwd=said.parent / "folder",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        errors="replace",
    )
    return done.returncode, done.stdout, done.stderr


def wild(said):
    text = ".*?".join(map(re.escape, said.split("...")))
    return re.compile(text.replace(r"\ ", r"\s+"), re.S)  # a long line goes on in the next one


def run_row(row, env):
    """What went otherwise than the row says, or None."""
    with tempfile.TemporaryDirectory() as work:
        said = Path(work) / "said"
        (Path(work) / "folder").mkdir()
        bad = "\n".join(row.of["$"])
        said.write_text("")
        _, out, err = row.run(bad, said, env)
        said.write_text(err if err.strip() else out)
        for words in row.of["!"]:
            if not wild(words).search(err + out):
                return f"the message is: {(err + out).strip()[:700]}\nand not: {words}"
        follow = [f"{row.of['$'][-1]} " * (line[0] == "+") + line[2:] for line in row.then]
        first = row.of["$"][:-1] if row.run is python else ["set -e"]
        status, out, err = row.run("\n".join(first + follow), said, env)
        if status:
            return f"the hint ends in status {status}: {err.strip()}"
        if row.of["="] and out.rstrip("\n").split("\n") != row.of["="]:
            return "the result is:\n= " + out.rstrip("\n").replace("\n", "\n= ")
        for words in row.of["~"]:
            if not wild(words).search(out + err):
                return f"no {words!r} in:\n{out}{err}"
    return None


def can_run(file):
    for need in re.findall(r"^# needs: (.*)", Path(file).read_text(encoding="utf-8"), re.M):
        if subprocess.run(["sh", "-c", need], stdout=subprocess.DEVNULL).returncode:
            print(f"{file}: left out, as this fails: {need}")
            return False
    return True


def run(command, files):
    with tempfile.TemporaryDirectory() as path:
        env = dict(os.environ, LC_ALL="C", DATA_SH=str(ROOT / "tests/cli/data.sh"),
                   EXAMPLES=str(ROOT / "examples/data"))
        if command != "-":
            os.symlink(Path(command).resolve(), Path(path) / "penumbra")
            env["PATH"] = path + ":" + env["PATH"]
        table = list(rows(filter(can_run, files)))
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda row: run_row(row, env), table))
    bad = [f"{row.where}: {told}" for row, told in zip(table, results) if told]
    print("\n".join(bad + [f"{len(table)} rows, {len(bad)} not as they should be"]))
    return bool(bad)


if __name__ == "__main__":
    what = sys.argv[1:2]
    if what == ["list"]:
        print("\n".join(f"{where}: {text!r}" for where, text in hints()))
    elif what == ["check"]:
        sys.exit(check())
    elif what == ["run"] and len(sys.argv) > 3:
        sys.exit(run(sys.argv[2], sys.argv[3:]))
    else:
        sys.exit(__doc__)
