"""Run the programs of docs/dask.md for Ray, and for Spark if it is installed, with Java."""

import pathlib
import re
import sys

import numpy as np
import pytest
from conftest import same_map

import penumbra

BLOCKS = 20
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "dask.md"


def code_of(heading):
    """Return the first code block under a heading of the page."""
    if not PAGE.exists():
        pytest.skip("the documentation is not here")
    section = PAGE.read_text().split(f"\n## {heading}\n")[1]
    return re.search(r"```\n(.*?)```", section, re.DOTALL).group(1)


@pytest.fixture
def fda():
    return penumbra.FDA(scale="standard")


def blocks_of(wine):
    return list(zip(np.array_split(wine[0], BLOCKS), np.array_split(wine[1], BLOCKS)))


def merged_here(fda, blocks):
    return penumbra.Statistics.merge(
        penumbra.Statistics(fda, x, y, block=i) for i, (x, y) in enumerate(blocks)
    )


def test_spark(wine, fda, monkeypatch):
    sql = pytest.importorskip("pyspark.sql")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    try:
        builder = sql.SparkSession.builder.master("local[2]")
        session = builder.config("spark.ui.enabled", "false").getOrCreate()
    except Exception as error:  # of any kind, without Java
        pytest.skip(f"Spark does not start: {error}")
    try:
        x, y = wine
        rows = [(values.tolist(), int(label)) for values, label in zip(x, y)]
        slices = session.sparkContext.parallelize(rows, BLOCKS)
        frame = session.createDataFrame(slices, ["features", "label"])
        names = {"np": np, "penumbra": penumbra, "fda": fda, "d": x.shape[1], "frame": frame}
        exec(code_of("Spark"), names)
        same_map(fda, penumbra.FDA(scale="standard").fit(*wine), wine[0])
        ends = np.cumsum(slices.glom().map(len).collect())[:-1]
        here = merged_here(fda, list(zip(np.split(x, ends), np.split(y.astype(float), ends))))
        assert names["merged"].bytes() == here.bytes()
    finally:
        session.stop()


def test_ray(wine, fda, monkeypatch):
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        blocks = blocks_of(wine)
        names = {"penumbra": penumbra, "ray": ray, "fda": fda, "blocks": blocks}
        exec(code_of("Ray"), names)
        same_map(fda, penumbra.FDA(scale="standard").fit(*wine), wine[0])
        parts = penumbra.Statistics.merge(names["parts"])
        assert parts.bytes() == merged_here(penumbra.FDA(scale="standard"), blocks).bytes()
    finally:
        ray.shutdown()
