"""Results kept in a file, one JSON object per line, so that existing ones are not repeated."""

import argparse
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed


def parser(name, draws):
    """Return a parser of the common flags; results are kept in build-bench/NAME.jsonl."""
    made = argparse.ArgumentParser()
    made.add_argument("sets", nargs="*")
    made.add_argument("--draws", type=int, default=draws)
    made.add_argument("--processes", type=int, default=os.cpu_count())
    made.add_argument("--results", default=f"build-bench/{name}.jsonl")
    made.add_argument("--seconds", type=float)
    made.add_argument("--report", action="store_true")
    return made


def read(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file]


def measure(work, jobs, path, processes, seconds=None):
    """Add the lines that `work` makes of each job, several jobs in parallel. Start no job after
    `seconds`. Print the error of a failed job and skip it."""
    start = time.monotonic()
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with ProcessPoolExecutor(processes) as pool, open(path, "a") as file:
        waiting = {pool.submit(work, job): job for job in jobs}
        for count, future in enumerate(as_completed(waiting)):
            if future.cancelled():
                continue
            try:
                file.writelines(json.dumps(line) + "\n" for line in future.result())
            except (RuntimeError, ValueError, LookupError, OSError) as why:
                print(f"{waiting[future]}: {type(why).__name__} {why}", file=sys.stderr)
            file.flush()
            if sys.stderr.isatty():
                print(f"\r{count + 1} of {len(waiting)}", end="", file=sys.stderr, flush=True)
            if seconds is not None and time.monotonic() - start > seconds:
                for other in waiting:
                    other.cancel()
