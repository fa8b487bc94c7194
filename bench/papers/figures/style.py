"""Shared parts of the programs that draw the figures of papers: command line, style, and the
numbers of the last run, from which a figure can be drawn again."""

import argparse
import inspect
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from protocol import made_from, penumbra, version

BLUE, ORANGE, GREEN, RED, SKY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9"
PURPLE, GRAY, INK = "#aa4499", "#777777", "#333333"
LOOKS = {  # color, marker and dashes of each method, the same in all figures
    "pca": (GRAY, "x", "--"),
    "fda": (SKY, "^", "-"),
    "lfda": (RED, "^", "-"),
    "self": (BLUE, "o", "-"),
    "ssdr": (GREEN, "s", "-"),
    "cfld": (ORANGE, "v", "-"),  # wider: often the same as wbdr
    "bwdr": (BLUE, "o", "-"),
    "wbdr": (RED, "D", "-"),
    "cmm": (ORANGE, "v", "-"),
    "clpp": (PURPLE, "P", "-"),
    "npssdr": (SKY, "^", "-"),
    "sodrpac": (BLUE, "o", "-"),
    "salwe": (BLUE, "o", "-"),
    "saloe": (RED, "D", "-"),
}
NAMES = {"bwdr": "BWDR", "cfld": "cFLD", "ilpp": "iLPP", "sodrpac": "SODRPaC"}
TITLES = {
    "wdbc": "breast cancer Wisconsin",
    "heart_statlog": "heart",
    "mfeat_factors": "handwritten numerals (factors)",
    "kr_vs_kp": "chess",
    "mfeat_karhunen": "handwritten numerals (Karhunen-Loève)",
    "cnae9": "CNAE-9",
    "segmentation2100": "image segmentation",
    "seeds": "seeds",
    "isolet1": "isolet, letters A to M / N to Z",
    "yaleb32": "YaleB",
    "mnist70000": "MNIST, 6000 images",
    "coil20_16_derived": "COIL20",
    "msra25": "MSRA25",
    "pie_pose27": "PIE, pose 27",
    "olivetti": "Olivetti faces",
    "monks1": "monks-1",
    "monks2": "monks-2",
    "monks3": "monks-3",
    "letter": "letter (A to D)",
    "ssl1_digit1": "SSL1 (Digit1)",
    "ssl2_usps": "SSL2 (USPS)",
    "ssl3_coil2": "SSL3 (COIL2)",
    "ssl4_bci": "SSL4 (BCI)",
    "ssl5_g241c": "SSL5 (g241c)",
    "ssl6_coil": "SSL6 (COIL)",
    "ssl7_g241n": "SSL7 (g241n)",
}

plt.rcParams.update(
    {
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.labelsize": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": "#aaaaaa",
        "axes.grid": True,
        "grid.color": "#e8e8e8",
        "axes.axisbelow": True,
        "lines.linewidth": 1.5,
        "lines.markersize": 4.5,
        "legend.frameon": False,
        "figure.constrained_layout.use": True,
        "savefig.dpi": 100,
    }
)


def name_of(method):
    return NAMES.get(method, method.upper())


def curve(axes, x, y, method, label=None, **more):
    color, marker, dashes = LOOKS[method]
    given = {"color": color, "marker": marker, "linestyle": dashes, **more}
    if method == "cfld":
        given = {"lw": 4, "ms": 9, "alpha": 0.7, **given}
    axes.plot(x, y, label=label or name_of(method), **given)


def legend_below(figure, axes, columns):
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns)


def heat_map(axes, values, x, y, **more):
    """Draw values [len(y) x len(x)] as colors, with a tick for each (in long lists, for some)."""
    axes.grid(False)
    image = axes.imshow(values, aspect="auto", origin="lower", **more)
    for ticks, texts in ((axes.set_xticks, x), (axes.set_yticks, y)):
        step = -(-len(texts) // 8)
        ticks(range(0, len(texts), step), texts[::step])
    return image


def sets_there(*names):
    """Return the data sets that exist in PENUMBRA_DATA."""
    folder = os.environ.get("PENUMBRA_DATA")
    return [name for name in names if folder and os.path.isdir(os.path.join(folder, name))]


def side_by_side(function, jobs):
    """Run function for each of jobs, in threads, because the work is done by processes of the
    command."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda job: function(*job), jobs))


def embed(at, method, *flags):
    """Embed the rows of at("rows.npy") by the method; return them and the info of the model. Flags
    give labels and pairs."""
    model, embedded = at(method + ".pen"), at(method + ".npy")
    penumbra("fit", method, at("rows.npy"), *flags, "--threads", 1, "-o", model)
    penumbra("transform", model, at("rows.npy"), "--threads", 1, "-o", embedded)
    return np.load(embedded), json.loads(penumbra("info", model, "--json"))


def few_colors(path):
    """Reduce a picture to a palette, which makes it a third of the size."""
    with Image.open(path) as picture:
        smaller = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    smaller.save(path, optimize=True)


class Figures:
    """The figures of one paper: pairs of a measuring and a drawing function."""

    def __init__(self, paper, about):
        self.paper, self.about, self.all = paper, about, {}

    def add(self, number, measure, draw, sets=()):
        """Add a figure. measure() returns numbers for JSON; with sets, measure(sets) of existing
        ones. draw(numbers) returns a figure."""
        self.all[f"{self.paper}_fig{number}"] = measure, draw, sets

    def numbers(self, name, file, again):
        """Return the numbers in the file, if they belong to these data and programs (or for
        `again`); otherwise measure them."""
        measure, _, sets = self.all[name]
        there, kept = sets_there(*sets), {}
        if os.path.exists(file):
            with open(file, encoding="utf-8") as f:
                kept = json.load(f)
        if again and "numbers" in kept:
            return kept["numbers"]
        if len(there) < len(sets):
            missing = ", ".join(s for s in sets if s not in there)
            print(f"{name}: skipped, for PENUMBRA_DATA names no folder with them: {missing}")
            if not there:
                return None
        source = [version(), *map(made_from, there)]
        if "numbers" in kept and kept["made_from"] == source:
            return kept["numbers"]
        found = measure(there) if inspect.signature(measure).parameters else measure()
        found = json.loads(json.dumps(found, default=lambda array: np.asarray(array).tolist()))
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file + ".part", "w", encoding="utf-8") as f:
            json.dump({"made_from": source, "numbers": found}, f)
        os.replace(file + ".part", file)
        return found

    def main(self):
        parser = argparse.ArgumentParser(description=self.about.split("\n")[0])
        parser.add_argument("figures", nargs="*", metavar="FIGURE", help=", ".join(self.all))
        parser.add_argument("--out", default="docs/figures", metavar="FOLDER", help="pictures")
        parser.add_argument("--numbers", default="build/figures", metavar="FOLDER")
        parser.add_argument("--redraw", action="store_true", help="from the numbers of last time")
        asked = parser.parse_args()
        unknown = [name for name in asked.figures if name not in self.all]
        if unknown:
            parser.error(
                "no such figure: " + ", ".join(unknown) + "; there are " + ", ".join(self.all)
            )
        os.makedirs(asked.out, exist_ok=True)
        failed = False
        for name in asked.figures or self.all:
            file = os.path.join(asked.numbers, name + ".json")
            try:
                found = self.numbers(name, file, asked.redraw)
            except subprocess.CalledProcessError as error:
                failed = True
                print(f"{name}: not drawn: {error}", file=sys.stderr)
                continue
            if found is not None:
                self.draw(name, found, os.path.join(asked.out, name + ".png"))
        return 1 if failed else 0

    def draw(self, name, found, path):
        figure = self.all[name][1](found)
        figure.savefig(path, metadata={"Software": None})
        plt.close(figure)
        few_colors(path)
        print(f"{name}: {path}, {os.path.getsize(path) // 1024} KB", flush=True)
