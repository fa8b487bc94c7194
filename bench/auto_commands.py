"""`penumbra fit` as bench/auto_table.py and shares_table.py run it: in files, on one thread."""

import csv
import json
import os
import re
import subprocess
import sys

import numpy as np
from auto_peers import purity

# A process begins with the memory of the one that started it as its most: hence a small one between.
MEASURE = """
import resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
sys.exit(status)
"""


class Command:
    """A penumbra command in a folder with the rows and the labels of a draw."""

    def __init__(self, program, scratch, draw):
        self.program, self.scratch, self.draw = program, scratch, draw
        for name, rows in (("x", draw.x), ("new", draw.new_x), ("labels", draw.given)):
            np.save(self.at(f"{name}.npy"), rows)

    def at(self, name):
        return os.path.join(self.scratch, name)

    def run(self, *arguments):
        """Its processor time in seconds, and the most memory that it took in MB. What it reported
        is in self.reported."""
        command = [*self.program.split(), *arguments, "--threads", "1"]
        measured = [sys.executable, "-S", "-c", MEASURE, *command]
        done = subprocess.run(measured, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
        self.reported = done.stderr
        seconds, memory = done.stdout.splitlines()[-1].split()
        return float(seconds), float(memory)

    def fit(self, *arguments):
        labels = ("--labels", self.at("labels.npy"), "-o", self.at("m.pen"))
        return self.run("fit", *arguments, self.at("x.npy"), *labels)

    def classes(self, rows):
        """What `predict` tells of a file of rows: classes and their probabilities."""
        self.run("predict", self.at("m.pen"), self.at(rows), "-o", self.at("p.csv"))
        return read_classes(self.at("p.csv"))

    def transform(self, rows):
        self.run("transform", self.at("m.pen"), self.at(rows), "-o", self.at("z.npy"))
        return np.load(self.at("z.npy")).astype(np.float64)


def read_classes(path):
    with open(path, newline="") as file:
        lines = list(csv.DictReader(file))
    told = np.array([int(line["class"]) for line in lines])
    return told, np.array([float(line["probability"]) for line in lines])


def expected(reported):
    """The accuracy that a fit expects, half the width of its interval, and whether it says that the
    labels predict classes; None: it expects nothing."""
    lines = re.sub(r"\n {10}", " ", reported)  # what does not fit in 80 columns goes on below
    line = re.search(r"^expect .*", lines, re.MULTILINE)
    if not line:
        return None
    told = re.search(r"([\d.]+) ± ([\d.]+)", line[0])
    return [float(told[1]), float(told[2]), "nothing" not in line[0]]


def tensor(path, name):
    """A tensor of a model file; None: it has no such tensor."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        if name not in header:
            return None
        start, end = header[name]["data_offsets"]
        file.seek(start, os.SEEK_CUR)
        kind = {"F64": np.float64, "F32": np.float32}[header[name]["dtype"]]
        return np.frombuffer(file.read(end - start), kind).reshape(header[name]["shape"])


def pictures(command, flat=None):
    """How pure the ten nearest in two columns are: of hidden rows among those of the fit, and of
    the others among themselves."""
    draw = command.draw
    parts = [
        ("x.npy", draw.y, ~draw.known),
        ("new.npy", draw.new_y, np.full(len(draw.new_y), True)),
    ]
    embedded = [(command.transform(rows), y, asked) for rows, y, asked in parts if len(y)]
    columns = embedded[0][0].shape[1]
    flat = np.eye(columns, 2) if flat is None else flat
    return {"columns": columns, "picture": [purity(z @ flat, y, asked) for z, y, asked in embedded]}


def pca(command):
    command.fit("pca", "--dim", "2")
    return pictures(command)


def fitted(command, *arguments):
    """`penumbra fit`: accuracy on the hidden rows as the fit tells them, as the model does, and on
    rows that are not in the fit, how right the probabilities are, what it expects, and its size."""
    draw = command.draw
    seconds, _ = command.fit(*arguments, "--classes", command.at("c.csv"))
    expects = expected(command.reported)
    told, p = read_classes(command.at("c.csv"))
    new, p_new = command.classes("new.npy") if len(draw.new_y) else (draw.new_y, np.zeros(0))
    return {
        **draw.accuracy(told, new),
        "again": draw.accuracy(command.classes("x.npy")[0], new)["fit"],
        **draw.bins(told, p, new, p_new),
        **pictures(command, tensor(command.at("m.pen"), "picture")),
        "kb": round(os.path.getsize(command.at("m.pen")) / 1000, 1),
        "cpu": round(seconds, 2),
        "expect": expects,
    }
