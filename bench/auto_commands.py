"""`penumbra fit` as bench/auto_table.py runs it: in files, on one thread."""

import csv
import json
import os
import subprocess

import numpy as np
from auto_peers import nearest

BINS = 10


class Command:
    """A penumbra command in a folder with the rows and the labels of a draw."""

    def __init__(self, program, scratch, draw):
        self.program, self.scratch, self.draw = program, scratch, draw
        np.save(self.at("x.npy"), draw.x)
        np.save(self.at("labels.npy"), draw.given)

    def at(self, name):
        return os.path.join(self.scratch, name)

    def run(self, *arguments):
        command = [self.program, *arguments, "--quiet", "--threads", "1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")

    def fit(self, *arguments):
        labels = ("--labels", self.at("labels.npy"))
        self.run("fit", *arguments, self.at("x.npy"), *labels, "-o", self.at("m.pen"))

    def about(self):
        command = [self.program, "info", self.at("m.pen"), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)


def read_classes(path):
    """The class that each line tells, and its probability, by the column of that class."""
    with open(path, newline="") as file:
        lines = list(csv.DictReader(file))
    told = np.array([int(line["class"]) for line in lines])
    return told, np.array([float(line[line["class"]]) for line in lines])


def calibration(p, right):
    """[bins x 3]: rows, the sum of their probabilities, and how many are right."""
    at = np.minimum((p * BINS).astype(int), BINS - 1)
    return [
        [int(np.sum(at == b)), float(p[at == b].sum()), int(right[at == b].sum())]
        for b in range(BINS)
    ]


def answer(command, kind):
    """`penumbra fit --answer map` or `classes`: accuracy on the hidden rows by the fit and by the
    model file, and how right the probabilities are."""
    draw, hidden = command.draw, ~command.draw.known
    command.fit("--answer", kind, "--propagate", command.at("c.csv"))
    told, p = read_classes(command.at("c.csv"))
    model = command.at("m.pen")
    command.run("predict", model, command.at("x.npy"), "--probabilities", "-o", command.at("p.csv"))
    predicted, p_predicted = read_classes(command.at("p.csv"))
    right, predicted_right = (t[hidden] == draw.y[hidden] for t in (told, predicted))
    return {
        "accuracy": draw.accuracy(told),
        "predict": draw.accuracy(predicted),
        "bins": calibration(p[hidden], right),
        "predict_bins": calibration(p_predicted[hidden], predicted_right),
    }


def version_0_1_0(command):
    """`fit auto` of version 0.1.0, with the nearest labelled row in the embedding."""
    command.fit("auto")
    command.run("transform", command.at("m.pen"), command.at("x.npy"), "-o", command.at("z.npy"))
    z = np.load(command.at("z.npy"))
    about = command.about()["method"]
    return {"accuracy": command.draw.accuracy(nearest(z, command.draw)), "chosen": about}
