"""Run `penumbra fit` on files, on one thread, for bench/auto_table.py and shares_table.py."""

import csv
import json
import os
import re
import subprocess
import sys

import numpy as np
from auto_peers import purity

# A process inherits its parent's memory peak, so a small process starts the command.
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
        """Run the command; return its processor seconds and its memory peak in MB. self.reported
        gets its standard error."""
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
        """Run `predict` on a file of rows; return classes and their probabilities."""
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
    """Return the accuracy that a fit expects, half the width of its interval, and whether the
    labels predict classes; None: the fit expects nothing."""
    lines = re.sub(r"\n {10}", " ", reported)  # join lines that were wrapped at 80 columns
    line = re.search(r"^expect .*", lines, re.MULTILINE)
    if not line:
        return None
    told = re.search(r"([\d.]+) ± ([\d.]+)", line[0])
    return [float(told[1]), float(told[2]), "nothing" not in line[0]]


def tensor(path, name):
    """Return a tensor of a model file; None: it has no such tensor."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        if name not in header:
            return None
        start, end = header[name]["data_offsets"]
        file.seek(start, os.SEEK_CUR)
        kind = {"F64": np.float64, "F32": np.float32}[header[name]["dtype"]]
        return np.frombuffer(file.read(end - start), kind).reshape(header[name]["shape"])


def pictures(command, flat=None):
    """Return the purity of the ten nearest rows in two columns: for unlabelled training rows among
    all training rows, and for new rows among themselves."""
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
    """Run `penumbra fit`; return the accuracy on unlabelled training rows, by the fit and by the
    model, and on new rows; the calibration, the expected accuracy, and the size of the model."""
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
