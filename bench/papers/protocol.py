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
    """Run the command named by PENUMBRA quietly and return its output. Unless flags say otherwise, columns are not scaled, as in papers, and fits have no classifier."""
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
    """Parse the command line: the named or usual sets (None: all known ones) that exist in PENUMBRA_DATA (there(name)), names
    of files, texts and numbers (with their defaults), and switches. End the program if there is nothing to do."""
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
    """Return the path of a file in PENUMBRA_DATA."""
    return os.path.join(os.environ["PENUMBRA_DATA"], *parts)


def embedded(model, x):
    """Embed the rows x by the projection in a model file; a process of `transform` would take as long as the fit."""
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
    """Yield a folder for files, and a pool of processes that run the command with one thread each."""
    with tempfile.TemporaryDirectory() as scratch, multiprocessing.get_context("fork").Pool() as pool:
        yield scratch, pool


# ---- kept results ----

earlier = []  # seconds that the kept results in use took


def seconds():
    """Return the processor time of this process and its finished children."""
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
    """Return a digest of the programs of this folder that are in use, the command, and NumPy."""
    here, digest = os.path.dirname(os.path.abspath(__file__)) + os.sep, hashlib.sha256(np.__version__.encode())
    files = {os.path.abspath(module.__file__) for module in list(sys.modules.values()) if getattr(module, "__file__", None)}
    for path in sorted(file for file in files if file.startswith(here)):
        add_file(digest, path)
    add_file(digest, shutil.which(os.environ.get("PENUMBRA", "penumbra")))
    return digest.hexdigest()


@functools.lru_cache
def made_from(name):
    """Return a digest of programs and data: a file or a folder of PENUMBRA_DATA, or no data for generated rows."""
    digest, path = hashlib.sha256(version().encode()), os.path.join(os.environ.get("PENUMBRA_DATA", ""), name)
    inside = sorted(os.path.join(path, file) for file in os.listdir(path)) if os.path.isdir(path) else [path]
    for file in filter(os.path.isfile, inside):
        add_file(digest, file)
    return digest.hexdigest()[:16]


def kept(keep):
    """Read the file `keep`: seconds and result by key and digest. Remove an incomplete last line."""
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
    """Return a job without its last part, the folder for files."""
    return ", ".join(map(str, job[:-1]))


def results(measure, jobs, key_of, pool, keep, there=str, missing=True):
    """Return measure(job) for each job, by key_of(job). The result may depend only on this key, on the programs, and on the data of the set job[0], which are
    there(job[0]) in PENUMBRA_DATA. The file `keep` (None: no file) stores results, one JSON list per line: key, digest of programs and data, seconds,
    result. Results of other data or programs stay in the file and are not used. Results from the file have lists instead of arrays.
    `missing`: measure missing results."""
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
    """Return names of files in scratch that no other process uses."""
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
    """Return the fold of each of n rows: in random order, rows go to the folds in turn."""
    folds = np.empty(n, dtype=int)
    folds[Random(seed).permutation(n)] = np.arange(n) % k
    return folds


def stratified_folds(y, k, seed):
    """Return the fold of each row: rows of each class, in random order, go to the folds in turn."""
    random, folds, at = Random(seed), np.empty(len(y), dtype=int), 0
    for c in np.unique(y):
        members = np.flatnonzero(y == c)
        folds[members[random.permutation(len(members))]] = (at + np.arange(len(members))) % k
        at += len(members)
    return folds


def drawn_pairs(labels, must, cannot, seed):
    """Draw these numbers of must-links and cannot-links of the labelled rows by docs/sampling.md: [i, j, 1 or -1], i < j."""
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
    """Return for each r in dims the fraction of test rows whose nearest training row (lowest index on ties) in the first r columns has the same label."""
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
    """Give each empty cluster the point farthest from its center, among points that are not alone."""
    for c in np.setdiff1d(np.arange(k), cluster):
        free = np.where(np.bincount(cluster, minlength=k)[cluster] > 1, distance2, -1)
        if free.max() >= 0:
            cluster[free.argmax()], distance2[free.argmax()] = c, 0


def lloyd(points, centers):
    """Return the sum of squared distances to the centers at convergence, and the cluster of each point."""
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
    """Return the cluster of each point by the best of several starts, in a tie the first."""
    points = points - points.mean(0)
    found = [lloyd(points, first_centers(points, k, Random(derive(seed, u)))) for u in range(starts)]
    return min(found, key=lambda sum_and_cluster: sum_and_cluster[0])[1]


def normalized_rand(truth, cluster):
    """Return the mean of two fractions: of same-class pairs in one cluster, and of other pairs in different clusters."""
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
    """Check values of docs/sampling.md, and folds of another program."""
    assert Random(42).permutation(10) == [8, 3, 6, 5, 4, 0, 9, 2, 1, 7]
    assert derive(42, 3, 5) == 15655485300240997167
    assert stratified_folds(np.repeat([0, 1], 5), 3, 4).tolist() == [1, 0, 1, 0, 2, 0, 0, 2, 1, 2]
    pairs = drawn_pairs(np.arange(10) % 3, 4, 6, 9).tolist()
    assert pairs[:4] == [[0, 6, 1], [2, 5, 1], [3, 6, 1], [4, 7, 1]] and pairs[9] == [7, 8, -1]
    assert plain_folds(10, 3, 4).tolist() == [1, 2, 2, 0, 0, 1, 1, 0, 2, 0]


