"""Results that a program which was stopped does not compute again."""

import json
import os

import numpy as np


def kept(jobs, key_of, measure, pool, keep):
    """What `measure` finds for each of `jobs`, an array by key, NaN for None. The file `keep`, if
    any, has one JSON list of key and numbers a line: what it has is not computed, what it lacks is
    added to it."""
    found = {}
    if keep and os.path.exists(keep):
        with open(keep) as file:
            found = dict(json.loads(line) for line in file)
    missing = [job for job in jobs if key_of(job) not in found]
    for job, values in zip(missing, pool.imap(measure, missing), strict=True):
        found[key_of(job)] = [None if np.isnan(v) else float(v) for v in values]
        if keep:
            with open(keep, "a") as file:
                print(json.dumps([key_of(job), found[key_of(job)]]), file=file)
    return {key_of(job): np.array(found[key_of(job)], dtype=float) for job in jobs}
