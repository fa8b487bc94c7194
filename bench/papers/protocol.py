"""Shared by the programs that reproduce published tables: their command line, the command penumbra, random folds, 1-NN, clusters. Random draws are those
of docs/sampling.md, folds those of docs/evaluation.md, both reimplemented here."""
import argparse
import atexit
import functools
import hashlib
import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager

import numpy as np

MASK, STEP = 2**64 - 1, 0x9E3779B97F4A7C15


def penumbra(*args):
    """Run the command named by PENUMBRA quietly and return its output. Papers have columns as they are, and fits no classifier, unless it is told otherwise."""
    command = [os.environ.get("PENUMBRA", "penumbra"), *map(str, args)]
    told = {str(arg).split("=")[0] for arg in args}
    if args[0] in ("fit", "compare") and "--scale" not in told:
        command += ["--scale", "none"]
    if args[0] == "fit" and "--classifier" not in told:
        command += ["--classifier", "none"]  # and no trials for its temperature
    if args[0] != "info":
        command.append("--quiet")
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def arguments(about, known, files=(), usual=None, there=str, texts=(), switches=(), **numbers):
    """The sets that the command line names, or the usual ones (None: all known ones), as far as PENUMBRA_DATA has them (has
    there(name)), names of files, texts and numbers (with their defaults), and switches. Ends the program if there is nothing to do."""
    parser = argparse.ArgumentParser(description=about.split("\n")[0])
    parser.add_argument("sets", nargs="*", metavar="SET", help="data sets: " + ", ".join(known))
    for name, default in numbers.items():
        parser.add_argument("--" + name.replace("_", "-"), type=int, default=default, metavar="N", help=f"({default or 'as the program says'})")
    for name in files:
        parser.add_argument("--" + name, metavar="FILE")
    for name, default in dict(texts).items():
        parser.add_argument("--" + name, default=default, metavar="TEXT", help=f"({default or 'none'})")
    for name in switches:
        parser.add_argument("--" + name, action="store_true")
    asked = parser.parse_args()
    atexit.register(print_time)
    unknown = [name for name in asked.sets if name not in known]
    if unknown:
        parser.error("no such set: " + ", ".join(unknown) + "; there are " + ", ".join(known))
    folder, names = os.environ.get("PENUMBRA_DATA"), asked.sets or list(usual or known)
    asked.sets = [name for name in names if folder and os.path.exists(os.path.join(folder, there(name)))]
    if len(asked.sets) < len(names):
        print("skipped, for PENUMBRA_DATA names no folder with them:", ", ".join(name for name in names if name not in asked.sets))
    if not asked.sets:
        sys.exit(0)
    return asked


def path_of(*parts):
    """A file of PENUMBRA_DATA."""
    return os.path.join(os.environ["PENUMBRA_DATA"], *parts)


def embedded(model, x):
    """The rows x by the projection in the file of a model; a process that transforms them takes as long as that of the fit."""
    with open(model, "rb") as file:
        head, data = json.loads(file.read(int.from_bytes(file.read(8), "little"))), file.read()
    tensor = lambda name: np.frombuffer(data[slice(*head[name]["data_offsets"])])
    return (x - tensor("mean")) @ tensor("projection").reshape(head["projection"]["shape"])


def load(name, file="X.npy"):
    return np.load(path_of(name, file))


def load_labels(name):
    return np.unique(load(name, "y.npy").ravel(), return_inverse=True)[1].astype(np.int32)


@contextmanager
def workers():
    """A folder for files, and a pool of processes, each of which runs the command with one thread."""
    with tempfile.TemporaryDirectory() as scratch, multiprocessing.get_context("fork").Pool() as pool:
        yield scratch, pool


# ---- kept results ----

earlier = []  # seconds that the kept results in use took


def seconds():
    """Processor time of this process and of those it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def print_time():
    kept_ = f", {sum(earlier) / 60:.1f} of it in an earlier run" if earlier else ""
    print(f"\nprocessor time: {(seconds() + sum(earlier)) / 60:.1f} minutes{kept_}")


def add_file(digest, path):
    digest.update(os.path.basename(path).encode())
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)


@functools.lru_cache
def version():
    """A digest of what measures: the programs of this folder that are in use, the command, NumPy."""
    here, digest = os.path.dirname(os.path.abspath(__file__)) + os.sep, hashlib.sha256(np.__version__.encode())
    files = {os.path.abspath(module.__file__) for module in list(sys.modules.values()) if getattr(module, "__file__", None)}
    for path in sorted(file for file in files if file.startswith(here)):
        add_file(digest, path)
    add_file(digest, shutil.which(os.environ.get("PENUMBRA", "penumbra")))
    return digest.hexdigest()


@functools.lru_cache
def made_from(name):
    """A digest of what measures and of the data: a file of PENUMBRA_DATA, the files of a folder there, or neither, for what is generated."""
    digest, path = hashlib.sha256(version().encode()), os.path.join(os.environ.get("PENUMBRA_DATA", ""), name)
    inside = sorted(os.path.join(path, file) for file in os.listdir(path)) if os.path.isdir(path) else [path]
    for file in filter(os.path.isfile, inside):
        add_file(digest, file)
    return digest.hexdigest()[:16]


def kept(keep):
    """Seconds and result by key and what it was made from, of the lines in the file `keep`. A line that was not finished is cut off."""
    if not keep or not os.path.exists(keep):
        return {}
    with open(keep, "rb+") as file:
        text = file.read()
        whole = text.rfind(b"\n") + 1
        file.truncate(whole)
    lines = [json.loads(line) for line in text[:whole].splitlines()]
    return {(line[0], line[1]): line[2:] for line in lines if len(line) == 4}


def keyed(work):
    measure, key, source, job = work
    before = seconds()
    value = measure(job)
    return key, source, seconds() - before, value


def key_of(job):
    """All that a job says but its last part, the folder for files."""
    return ", ".join(map(str, job[:-1]))


def results(measure, jobs, key_of, pool, keep, there=str, missing=True):
    """measure(job) for each job, by key_of(job), which says all that the result depends on but the programs and the data of the set job[0], which are
    there(job[0]) in PENUMBRA_DATA. Read from and added to the file `keep` (None: no file), a JSON list a line: key, what the result was made from, seconds,
    result. Results that were made from other data or by other programs stay in the file and are not used. What was read has lists in place of arrays.
    `missing`: measure what is not there."""
    old, found, todo = kept(keep), {}, []
    for job in jobs:
        key, source = key_of(job), made_from(there(job[0])) if keep else ""
        if (key, source) in old:
            took, found[key] = old[key, source]
            earlier.append(took)
        else:
            todo.append((measure, key, source, job))
    unused = len({key for _, key, *_ in todo} & {key for key, _ in old})
    if unused:
        print(f"{keep}: {unused} results of other data or other programs are not used", file=sys.stderr)
    for key, source, took, value in pool.imap_unordered(keyed, todo if missing else []):
        found[key] = value
        if keep:
            with open(keep, "a") as file:
                print(json.dumps([key, source, took, value], default=lambda array: array.tolist()), file=file)
    return found


def files_of_process(scratch):
    """Names of files in scratch that no other process has."""
    return lambda name: os.path.join(scratch, f"{os.getpid()}_{name}")


class Random:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + STEP) & MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53

    def below(self, n):
        return min(int(self.uniform() * n), n - 1)

    def permutation(self, n):
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def derive(seed, *tags):
    for tag in tags:
        seed = Random(seed ^ ((tag + 1) * STEP & MASK)).next()
    return seed


def plain_folds(n, k, seed):
    """The fold of each of n rows: in random order they are dealt to the folds one after the other."""
    folds = np.empty(n, dtype=int)
    folds[Random(seed).permutation(n)] = np.arange(n) % k
    return folds


def stratified_folds(y, k, seed):
    """The fold of each row: members of each class, in random order, are dealt to the folds one after the other."""
    random, folds, at = Random(seed), np.empty(len(y), dtype=int), 0
    for c in np.unique(y):
        members = np.flatnonzero(y == c)
        folds[members[random.permutation(len(members))]] = (at + np.arange(len(members))) % k
        at += len(members)
    return folds


def drawn_pairs(labels, must, cannot, seed):
    """So many must-links and cannot-links of the labelled rows, as docs/sampling.md draws them: [i, j, 1 or -1], i < j."""
    known = [c for c in np.unique(labels) if c >= 0]
    members = sorted((np.flatnonzero(labels == c) for c in known), key=lambda rows: (-len(rows), rows[0]))
    rows, random, found = np.concatenate(members), Random(seed), []
    i, j = (rows[at] for at in np.triu_indices(len(rows), 1))
    for kind, count in ((1, must), (-1, cannot)):
        of_kind = np.flatnonzero((labels[i] == labels[j]) == (kind == 1))
        some, fewer = set(), min(count, len(of_kind) - count)
        while len(some) < fewer:
            some.add(random.below(len(of_kind)))
        taken = np.isin(np.arange(len(of_kind)), sorted(some)) == (count == fewer)
        pairs = np.sort(np.stack([i, j], 1)[of_kind[taken]], 1)
        found += [(a, b, kind) for a, b in pairs[np.lexsort(pairs.T[::-1])].tolist()]
    return np.array(found)


def neighbor_accuracy(train, train_y, test, test_y, dims):
    """For each r in dims, the fraction of test rows whose nearest training row (lowest index on ties) in the first r columns has their label."""
    distance2 = np.zeros((len(test), len(train)))
    right = []
    for r in range(max(dims)):
        distance2 += (test[:, r][:, None] - train[:, r][None, :]) ** 2
        if r + 1 in dims:
            right.append(np.mean(train_y[distance2.argmin(1)] == test_y))
    return np.array(right)


def standardize(train, test):
    """Standardize both by the mean and standard deviation of train; a nearly constant column is only centered."""
    mean, deviation = train.mean(0), train.std(0)
    deviation[deviation <= 1e-12 * deviation.max()] = 1
    return (train - mean) / deviation, (test - mean) / deviation


def first_centers(points, k, random):
    """k-means++: each point becomes the next center with a probability that grows with its squared distance to the nearest one so far."""
    n, chosen, distance2 = len(points), [random.below(len(points))], np.inf
    while len(chosen) < k:
        distance2 = np.minimum(distance2, ((points - points[chosen[-1]]) ** 2).sum(1))
        below = np.cumsum(distance2)
        chosen.append(min(np.searchsorted(below, random.uniform() * below[-1], "right"), n - 1) if below[-1] > 0 else random.below(n))
    return points[chosen]


def fill_empty(cluster, distance2, k):
    """Give each empty cluster the point farthest from its center, of those that are not alone."""
    for c in np.setdiff1d(np.arange(k), cluster):
        free = np.where(np.bincount(cluster, minlength=k)[cluster] > 1, distance2, -1)
        if free.max() >= 0:
            cluster[free.argmax()], distance2[free.argmax()] = c, 0


def lloyd(points, centers):
    """The sum of squared distances to the centers at convergence, and the cluster of each point."""
    before = None
    for _ in range(300):
        all2 = ((points[:, None, :] - centers[None, :, :]) ** 2).sum(2)
        cluster, distance2 = all2.argmin(1), all2.min(1)
        fill_empty(cluster, distance2, len(centers))
        if before is not None and (cluster == before).all():
            break
        before = cluster
        centers = np.array([points[cluster == c].mean(0) if (cluster == c).any() else centers[c] for c in range(len(centers))])
    return distance2.sum(), cluster


def kmeans(points, k, seed, starts=10):
    """The cluster of each point; the best of several starts, the first of equal ones."""
    points = points - points.mean(0)
    found = [lloyd(points, first_centers(points, k, Random(derive(seed, u)))) for u in range(starts)]
    return min(found, key=lambda sum_and_cluster: sum_and_cluster[0])[1]


def normalized_rand(truth, cluster):
    """The mean of two fractions: of pairs of one class, those in one cluster; of all other pairs, those in different clusters."""
    table = np.zeros((truth.max() + 1, cluster.max() + 1))
    np.add.at(table, (truth, cluster), 1)
    pairs = lambda count: (count * (count - 1) / 2).sum()
    total, classes, clusters, both = pairs(table.sum()), pairs(table.sum(1)), pairs(table.sum(0)), pairs(table)
    shares = []
    if classes > 0:
        shares.append(both / classes)
    if total > classes:
        shares.append((total - classes - clusters + both) / (total - classes))
    return np.mean(shares) if shares else 1.0


def check():
    """Check values of docs/sampling.md, and folds found by another program."""
    assert Random(42).permutation(10) == [8, 3, 6, 5, 4, 0, 9, 2, 1, 7]
    assert derive(42, 3, 5) == 15655485300240997167
    assert stratified_folds(np.repeat([0, 1], 5), 3, 4).tolist() == [1, 0, 1, 0, 2, 0, 0, 2, 1, 2]
    pairs = drawn_pairs(np.arange(10) % 3, 4, 6, 9).tolist()
    assert pairs[:4] == [[0, 6, 1], [2, 5, 1], [3, 6, 1], [4, 7, 1]] and pairs[9] == [7, 8, -1]
    assert plain_folds(10, 3, 4).tolist() == [1, 2, 2, 0, 0, 1, 1, 0, 2, 0]


