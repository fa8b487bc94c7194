"""models.py PENUMBRA [--write FOLDER]: every model and file of statistics in tests/data/models, made
by earlier versions (tools/make-models), still says and gives what it did. --write: keeps what this
version says of FOLDER."""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parent / "data" / "models"


def run(*arguments):
    return subprocess.run(
        [*map(str, arguments)], stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def table(text):
    return [[number(cell) for cell in line.split(",")] for line in text.splitlines()[1:]]


def number(text):
    """Ten digits, which is more than the comparison needs; other texts as they are."""
    try:
        return float(f"{float(text):.10g}")
    except ValueError:
        return text


def answers(penumbra, path):
    """What the command says of a file, and gives for new rows."""
    said = {"info": json.loads(run(penumbra, "info", path, "--json"), parse_float=number)}
    del said["info"]["penumbra"]
    with tempfile.TemporaryDirectory() as folder:
        model, new = path, "new"
        if path.suffix == ".pens":
            method = path.stem.removesuffix("-near")
            files = sorted(path.parent.glob(f"{method}*.pens"))
            model = pathlib.Path(folder) / "model.pen"
            run(penumbra, "fit", method, *files, "--dim", 2, "-o", model, "--quiet")
        elif path.stem == "kernel_precomputed":
            new = "new_kernel"
        elif path.stem.startswith("missing"):
            new = "new_missing"
        rest = (model, DATA / f"{new}.csv", "-o", "-", "--quiet")
        said["z"] = table(run(penumbra, "transform", *rest))
        if said["info"].get("classifier"):
            said["classes"] = table(run(penumbra, "predict", *rest, "--probabilities"))
    return said


def differences(kept, now, at):
    """The places where `now` lacks something of `kept`, or has something else."""
    if isinstance(kept, dict) and isinstance(now, dict):
        for name in kept:
            yield from differences(kept[name], now.get(name, "absent"), f"{at}.{name}")
    elif isinstance(kept, list) and isinstance(now, list) and len(kept) == len(now):
        for i, (one, other) in enumerate(zip(kept, now)):
            yield from differences(one, other, f"{at}[{i}]")
    elif isinstance(kept, float) and isinstance(now, (int, float)):
        if not math.isclose(kept, now, rel_tol=1e-6, abs_tol=1e-9):
            yield f"{at}: was {kept}, is {now}"
    elif kept != now:
        yield f"{at}: was {kept}, is {now}"


def main(penumbra, write="", folder=""):
    folders = [pathlib.Path(folder)] if write else sorted(DATA.glob("*.*.*"))
    assert write or {"0.1.0", "1.0.0"} <= {folder.name for folder in folders}
    bad = []
    for folder in folders:
        files = sorted(folder.glob("*.pen*"))
        said = {path.name: answers(penumbra, path) for path in files}
        if write:
            lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in said.items())
            (folder / "answers.json").write_text(f"{{\n{lines}\n}}\n")
            continue
        kept = json.loads((folder / "answers.json").read_text())
        assert len(kept) > 60 and kept.keys() == said.keys(), f"{folder}: files without answers"
        bad += differences(kept, said, folder.name)
    print("\n".join(bad))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
