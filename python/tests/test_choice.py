"""compare, evaluate, tune: the command's numbers, models and words."""

import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import warnings

import numpy as np
import pytest
from conftest import blobs, run_command

import penumbra
from penumbra import _palette

ROOT = pathlib.Path(__file__).parents[2]
WINE = ROOT / "examples" / "data" / "wine.csv"
LITTLE = 0.0005  # effort: fractions of a second


@pytest.fixture(scope="module")
def wine():
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(WINE)
    return frame, frame.pop("class")


@pytest.fixture(scope="module")
def compared(wine):
    return penumbra.compare(*wine, effort=LITTLE)


def command(*arguments):
    """What the command prints as JSON: one object, or one a line."""
    text = run_command(*arguments, "--label-column", "class", "--json", "--quiet").stdout
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def class_of(name):
    return next(m.class_name for m in penumbra.methods() if m.name == name)


def name_here(name):
    method, slash, classifier = name.partition("/")
    return name if method == "columns" else class_of(method) + slash + classifier


def same_bins(ours, theirs):
    assert (ours is None) == (theirs is None)
    for row, bin in zip(ours if theirs else (), theirs or ()):
        same(row, [bin["predicted"], bin["right"], bin["rows"]])


def same(ours, theirs):
    """Equal numbers; NaN is null."""
    ours, theirs = np.atleast_1d(ours), np.atleast_1d(np.array(theirs, dtype=float))
    np.testing.assert_array_equal(ours, theirs)


def write(path, x, y=None):
    lines = [",".join(map(repr, row)) for row in x.tolist()]
    if y is not None:
        lines = [f"{line},{label}" for line, label in zip(lines, y)]
    path.write_text("\n".join(lines) + "\n")


# ---- compare ----


def test_a_comparison_has_the_numbers_of_the_command(compared):
    theirs = command("compare", WINE, "--effort", LITTLE)
    assert [c.method for c in compared.candidates] == [class_of(t["method"]) for t in theirs]
    for ours, line in zip(compared.candidates, theirs):
        for name in ("score", "deviation", "untuned", "log_loss", "brier", "p", "stability"):
            same(getattr(ours, name), line[name])
        assert ours.name == name_here(line["name"]) and ours.classifier == line["classifier"]
        assert ours.dim == line["dims"] and (ours.tried == "tried") == line["tried"]
        assert ours.same_as == (line["same_as"] and name_here(line["same_as"]))
        if ours.tried == "tried":
            same(ours.trials, line["trials"])
    taken = [line["taken"] for line in theirs].index(True)
    assert list(compared.classes) == theirs[taken]["class_names"]
    np.testing.assert_array_equal(compared.confusion, theirs[taken]["confusion"])
    same_bins(compared.calibration, theirs[taken]["calibration"])
    assert compared.chosen == taken and compared.recommended.method == class_of(
        theirs[taken]["method"]
    )
    same(compared.margin, theirs[0]["margin"])
    assert compared.tuned == theirs[0]["tuned"]
    assert {c.tried for c in compared.candidates} == {"tried", "left out"}


def test_a_comparison_says_what_the_command_says(compared):
    said = run_command("compare", WINE, "--label-column", "class", "--effort", LITTLE)
    ours = repr(compared).splitlines()
    theirs = said.stdout.splitlines()
    assert ours[0] == theirs[0]

    def numbers(line):
        score = r"(\d\.\d{4}) \+- (\d\.\d{4}) +(\d\.\d{4}) +(\d\.\d{3}(?= )|< 0\.001|)"
        return re.findall(score, line)

    count = sum(c.tried == "tried" for c in compared.candidates)
    assert [numbers(a) for a in ours[2 : count + 2]] == [numbers(b) for b in theirs[2 : count + 2]]
    assert all(numbers(line) for line in ours[2 : count + 2])
    methods = sum(not c.baseline for c in compared.candidates)
    reason = said.stderr.splitlines()[-1].partition(f"of {methods} candidates")[2]
    assert compared.summary.endswith(reason) and reason
    assert "n_components" not in "".join(ours[1 : count + 2])  # there is a column for it


def test_methods_that_fail_for_the_same_reason_are_named_together():
    found = penumbra.compare(*blobs(8, 5, per_class=2), methods=["PCA", "SALOE", "SALWE"])
    (line,) = [line for line in repr(found).splitlines() if line.startswith("failed: ")]
    assert line.startswith("failed: SALOE, SALWE: n_neighbors must be in [1, 7]")
    failed = found.candidates[-1]
    assert failed.estimator is None and np.isnan(failed.score) and failed.trials.size == 0


def in_a_page(page):
    """What stands in the place of the template for the results, and the rest."""
    template = (ROOT / "page" / "report.html").read_text(encoding="utf-8")
    before, after = template.split("@JSON@")
    assert page.startswith(before) and page.endswith(after)
    return page[len(before) : len(page) - len(after)]


def without_seconds(results):
    return [{name: e[name] for name in e if name != "seconds"} for e in results]


def test_the_page_has_the_results_of_the_command(compared, tmp_path):
    flags = ("--effort", LITTLE, "--report", tmp_path / "theirs.html")
    theirs = command("compare", WINE, *flags)
    page = compared.to_html(tmp_path / "ours.html")
    assert (tmp_path / "ours.html").read_text(encoding="utf-8") == page == compared.to_html()
    ours = json.loads(in_a_page(page))
    assert [list(e) for e in ours] == [list(e) for e in theirs]  # the order, too
    assert without_seconds(ours) == without_seconds(theirs)
    assert [type(e["seconds"]) for e in ours] == [float] * len(ours)
    shown = json.loads(in_a_page((tmp_path / "theirs.html").read_text(encoding="utf-8")))
    assert without_seconds(shown) == without_seconds(theirs)


def test_results_of_partly_labelled_rows_and_failures_are_those_of_the_command(tmp_path):
    """Names that are markup; most rows unlabelled; some methods cost too much."""
    rng = np.random.default_rng(0)
    y = np.array(["</script><b>", "<!--\u2028&c;"])[np.arange(120) % 2].astype(object)
    x = rng.normal(size=(120, 4)) + 3 * np.eye(4)[np.arange(120) % 2]
    y[8:] = None
    write(tmp_path / "x.csv", x, [c or "NA" for c in y])
    flags = ("--label-column", -1, "--methods", "fda,pca+rbf,saloe,lpp", "--runs", 1, "--inductive")
    text = run_command("compare", tmp_path / "x.csv", *flags, "--effort", 3e-5, "--json").stdout
    theirs = [json.loads(line) for line in text.split("\n") if line]
    methods = ["FDA", "PCA+rbf", "SALOE", "LPP"]
    found = penumbra.compare(x, y, methods=methods, runs=1, effort=3e-5, inductive=True)
    page = found.to_html()
    inside = in_a_page(page)
    assert "<" not in inside and without_seconds(json.loads(inside)) == without_seconds(theirs)
    assert any(e["failure"] for e in theirs) and any(e["stability"] for e in theirs)


def test_a_browser_draws_the_page(compared, tmp_path):
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("there is no chromium")
    compared.to_html(tmp_path / "page.html")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile"]
    drawn = subprocess.run(
        [chromium, *flags, "--enable-logging=stderr", "--dump-dom", tmp_path / "page.html"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Uncaught" not in drawn.stderr
    assert f'<strong id="recommended">{compared.results[compared.chosen]["name"]}<' in drawn.stdout
    for heading in ("Candidates", "Failed or left out", "Predicted classes"):
        assert f"<h2>{heading}</h2>" in drawn.stdout


def test_colors_are_those_of_the_command():
    pictures = ROOT / "cli" / "pictures"
    source = (pictures / "palette.c").read_text() + (pictures / "palette.h").read_text()
    colors = tuple("#" + c for c in re.findall(r"0x([0-9A-F]{6})\b", source))
    ours = (_palette.NO_CLASS, _palette.OUTLINE, _palette.AXIS, _palette.TEXT, _palette.GRID)
    assert colors[:15] == (*_palette.COLORS, *ours) and colors[16] == _palette.PAPER
    crossed = re.findall(r"\}, (\d) \}", source)
    assert [lines != "0" for lines in crossed] == [bool(inner) for _, inner in _palette.SHAPES]
    assert [_palette.shape(c) for c in (-1, 9, 10, 99)] == [
        _palette.SHAPES[i] for i in (0, 9, 1, 8)
    ]


def test_the_best_is_unfitted_and_ready(compared, wine):
    best = compared.best
    assert type(best).__name__ == compared.recommended.method
    assert not hasattr(best, "components_") and best is not compared.recommended.estimator
    assert best.fit(*wine).n_components_ == compared.recommended.dim
    frame = compared.to_frame()
    assert len(frame) == len(compared.candidates) and frame.recommended.sum() == 1
    assert frame.score[0] == compared.candidates[0].score


def test_few_rows_have_few_decimals_and_an_error_that_is_not_zero():
    x, y = blobs(60, 5, per_class=4)
    found = penumbra.compare(10 * x, y, methods=["PCA", penumbra.SDA, penumbra.LFDA()])
    assert found.held_out == 12 and found.candidates[0].score == 1
    assert found.margin == math.sqrt(1 / 48 / 12)  # of one in two of two rows, not of none
    first = repr(found).splitlines()[2]
    assert "1.00 +- 0.00" in first and "1.0000" not in first
    assert "standard error about 0.04" in found.summary
    assert not any(c.stability > 1 for c in found.candidates)


def test_small_classes_are_remarked():
    x, y = blobs(90, 5, per_class=10)
    y[np.nonzero(y == 2)[0][1:]] = -1
    found = penumbra.compare(x, y, methods=["PCA/lda"], runs=1)
    assert found.reason == "the only one"
    assert 'class "2" has 1 labelled row, fewer than 5 folds' in repr(found)


def test_a_label_among_the_columns_is_a_warning_everywhere():
    x, y = blobs(90, 5, per_class=30)
    x[:, 3] = y
    message = "column 3 determines the labels"
    with pytest.warns(penumbra.PenumbraWarning, match=message):
        found = penumbra.compare(x, y, methods=["PCA"], runs=1)
    assert f"warning: {message}" in repr(found)
    with pytest.warns(penumbra.PenumbraWarning, match=message):
        penumbra.AutoReducer(effort=1e-6).fit(x, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        penumbra.compare(x[:, :3], y, methods=["PCA"], runs=1)


@pytest.mark.parametrize(
    "act",
    [
        lambda x, y: penumbra.compare(x, y, methods=["PCA"], runs=1),
        lambda x, y: penumbra.evaluate(penumbra.PCA(), x, y, runs=1),
        lambda x, y: penumbra.tune(penumbra.PCA(), x, y, runs=1),
        lambda x, y: penumbra.FDA().fit(x, y),
        lambda x, y: penumbra.PCA().fit(x),
    ],
)
def test_a_column_that_numbers_the_rows_is_a_warning_everywhere(act):
    pandas = pytest.importorskip("pandas")
    x, y = blobs(90, 4, per_class=30)
    frame = pandas.DataFrame(x, columns=list("abcd"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        act(frame, y)
    shuffled = np.random.default_rng(0).permutation(90)
    for name, column, order in (("t", 2, np.arange(90)), ("id", 0, shuffled)):
        numbered = frame.copy()
        numbered.insert(column, name, order)
        told = f"column {name} numbers the rows"
        with pytest.warns(penumbra.PenumbraWarning, match=told) as warned:
            found = act(numbered, y)
        assert [w.filename for w in warned] == [__file__] * len(warned)
        if not hasattr(found, "transform"):
            assert f"warning: column {name} numbers the rows" in repr(found)
    with pytest.warns(penumbra.PenumbraWarning, match="column 2 numbers the rows"):
        act(np.insert(x, 2, np.arange(90)[::-1], axis=1), y)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"folds": 1}, "folds must be at least 2, got 1"),
        ({"folds": 2.5}, "folds must be a whole number, got 2.5"),
        ({"runs": True}, "runs must be a whole number, got True"),
        ({"effort": 0}, "effort must be a number above 0, got 0"),
        ({"random_state": -1}, "random_state must be at least 0, got -1"),
        ({"random_state": 2**64}, r"random_state must be in \[0, 2\*\*64 - 1\], got 18446744"),
        ({"random_state": 0.5}, "random_state must be a whole number, got 0.5"),
        ({"inductive": "maybe"}, "inductive must be True or False, got 'maybe'"),
        ({"methods": ["UMAP"]}, "methods must be among Identity, PCA, .* got 'UMAP'"),
        ({"methods": "UMAP"}, "methods must be among Identity, PCA, .* got 'UMAP'"),
        ({"methods": 5}, "methods must be among Identity, PCA, .* got 5"),
        ({"methods": []}, "methods must name at least one, got none"),
        ({"methods": "PCA/knn"}, 'unknown classifier "knn"; classifiers: nearest, neighbors'),
        ({"methods": "PCA/scores"}, "this method has no class scores"),
        ({"classifiers": "knn"}, 'unknown classifier "knn"'),
        ({"classifiers": []}, "classifiers must be names such as 'nearest' and 'lda', got "),
        ({"classifiers": [1]}, "classifiers must be names such as 'nearest' and 'lda', got "),
    ],
)
def test_arguments_are_checked(arguments, message):
    with pytest.raises(penumbra.Error, match=message):
        penumbra.compare(*blobs(), **arguments)


@pytest.mark.parametrize("one", ["PCA", "pca", penumbra.PCA, penumbra.PCA(n_components=2)])
def test_one_method_needs_no_list(one):
    found = penumbra.compare(*blobs(), methods=one, runs=1, effort=1e-6)
    names = [c.name for c in found.candidates if not c.baseline]
    assert sorted(names) == ["PCA/lda", "PCA/nearest"]


def test_classifiers_are_tried_on_the_same_fits():
    x, y = blobs(90, 5, per_class=10)
    both = penumbra.compare(x, y, methods=["FDA", "FME/lda"], classifiers=["logistic", "nearest"])
    names = {c.name for c in both.candidates}
    assert names == {"FDA/logistic", "FDA/nearest", "FME/lda"} | {
        f"columns/{classifier}" for classifier in ("nearest", "lda", "logistic")
    }
    alone = penumbra.compare(x, y, methods="FDA", classifiers="logistic")
    ours, theirs = (
        next(c for c in found.candidates if c.name == "FDA/logistic") for found in (both, alone)
    )
    np.testing.assert_array_equal(ours.trials, theirs.trials)
    assert ours.estimator.classifier == "logistic" and ours.log_loss > 0
    baseline = next(c for c in both.candidates if c.name == "columns/lda")
    assert baseline.baseline and baseline.title == "the standardized columns"
    assert baseline.estimator.scale == "standard" and baseline.method == "PCA"


def test_the_outcome_adds_up():
    x, y = blobs(90, 5, per_class=10)
    names = np.array(["u", "v", "w"], dtype=object)[y]
    names[y < 0] = None
    found = penumbra.compare(x, names, methods="PCA/lda", runs=2)
    assert found.classes == ("u", "v", "w") and found.recommended.name == "PCA/lda"
    np.testing.assert_array_equal(found.confusion.sum(axis=1), [20, 20, 20])
    assert found.calibration[:, 2].sum() == 60
    with_rows = found.calibration[found.calibration[:, 2] > 0]
    assert with_rows[:, 1] @ with_rows[:, 2] == pytest.approx(np.trace(found.confusion))


def test_the_largest_seed_is_taken():
    found = penumbra.compare(*blobs(), methods="PCA", runs=1, effort=1e-6, random_state=2**64 - 1)
    assert found.facts.seed == 2**64 - 1


def test_stability_has_a_column_where_there_is_any():
    x, y = blobs()
    some = penumbra.compare(x, y, methods=["PCA", "SDA"], runs=1)
    none = penumbra.compare(x, np.arange(60) % 3, methods=["PCA", "SDA"], runs=1)
    for found, is_there in ((some, True), (none, False)):
        head, *rows = repr(found).splitlines()[1:4]
        assert ("  stable  " in head) == is_there
        # the last letter of a heading is above the last one of right-aligned numbers
        for heading in ("dims", "seconds"):
            end = head.index(heading) + len(heading)
            assert all(row[end - 1].isdigit() and row[end] == " " for row in rows)


def test_a_frame_without_pandas_says_what_is_needed(monkeypatch):
    x, y = blobs()
    compared = penumbra.compare(x, y, methods="PCA", runs=1)
    results = [compared, penumbra.evaluate(penumbra.PCA(), x, y, runs=1)]
    monkeypatch.setitem(sys.modules, "pandas", None)
    for result in [*results, penumbra.tune(penumbra.PCA(), x, y)]:
        with pytest.raises(ImportError, match="pip install pandas"):
            result.to_frame()


def test_a_seed_from_a_generator_is_drawn_once():
    x, y = blobs(60, 5, per_class=8)
    found = penumbra.compare(x, y, methods=["PCA"], runs=1, random_state=np.random.default_rng(3))
    seed = int(np.random.default_rng(3).integers(np.iinfo(np.int32).max))
    again = penumbra.compare(x, y, methods=["PCA"], runs=1, random_state=seed)
    assert found.facts.seed == seed
    np.testing.assert_array_equal(found.candidates[0].trials, again.candidates[0].trials)


# ---- evaluate and tune ----


def test_scores_are_those_of_the_command(wine):
    scores = penumbra.evaluate(penumbra.SELF(beta=0.25), *wine, dims=[1, 2, 40], runs=2)
    theirs = command("evaluate", "self", WINE, "--beta", 0.25, "--dims", "1,2,40", "--runs", 2)
    assert scores.dims.tolist() == theirs["dims"]
    same(scores.mean, theirs["accuracy"]["mean"])
    same(scores.deviation, theirs["accuracy"]["deviation"])
    same(scores.accuracy, theirs["accuracy"]["trials"])
    same(scores.error_area, theirs["error_area"])
    same(scores.mean_error, theirs["mean_error"])
    same(scores.mean_error_deviation, theirs["mean_error_deviation"])
    given = scores.accuracy[:, :2]
    assert scores.mean_error == pytest.approx(1 - given.mean())
    assert scores.mean_error_deviation == pytest.approx(given.mean(axis=1).std(ddof=1))
    assert scores.best_dim == theirs["largest"]["dims"]
    assert np.isnan(scores.mean[2]) and "\n40" not in repr(scores)
    accuracy = scores.mean[1]
    assert scores.standard_error[1] == pytest.approx(math.sqrt(accuracy * (1 - accuracy) / 178))
    assert len(scores.to_frame()) == 3


def test_scores_take_the_dimensions_of_the_estimator(wine):
    scores = penumbra.evaluate(penumbra.SELF(n_components=3), *wine, runs=1)
    assert scores.dims.tolist() == [3]
    assert penumbra.evaluate(penumbra.SELF(), *wine, dims=2, runs=1).dims.tolist() == [2]
    assert penumbra.evaluate(penumbra.FME(), *wine, runs=1, folds=2).dims.shape == (1,)
    with pytest.raises(TypeError, match="estimator must be of a method of penumbra"):
        penumbra.evaluate(penumbra.AutoReducer(), *wine)


def test_scores_of_several_sizes_are_those_of_the_command(wine):
    pytest.importorskip("pandas")
    model = penumbra.SDA()
    for size in (10, 1):
        scores = penumbra.evaluate(model, *wine, dims=[1, 2], runs=1, keep_per_class=size)
        flags = ("--dims", "1,2", "--runs", 1, "--keep-per-class", size)
        theirs = command("evaluate", "sda", WINE, *flags)
        assert scores.keep_per_class == theirs["keep_per_class"] == size
        assert f"keep_per_class={size}" in repr(scores)
        assert scores.to_frame()["keep_per_class"].tolist() == [size, size]
        same(scores.accuracy, theirs["accuracy"]["trials"])
        same(scores.dropped, theirs["dropped"]["trials"])
    percent = penumbra.evaluate(model, *wine, dims=2, runs=1, keep_percent=20)
    theirs = command("evaluate", "sda", WINE, "--dims", 2, "--runs", 1, "--keep-percent", 20)
    same(percent.accuracy, theirs["accuracy"]["trials"])
    everything = penumbra.evaluate(model, *wine, dims=2, runs=1)
    assert everything.dropped is None and everything.keep_per_class is None


def test_scores_of_several_samples_of_pairs_are_those_of_the_command(wine):
    model = penumbra.WBDR(scale="standard")
    flags = ("--scale", "standard", "--dims", 2, "--runs", 1)
    for sample, words in ((0.05, "5%"), (400, "400"), ((50, 100), "50+100")):
        scores = penumbra.evaluate(model, *wine, dims=2, runs=1, sample_pairs=sample)
        assert scores.sample_pairs == sample
        theirs = command("evaluate", "wbdr", WINE, *flags, "--sample-pairs", words)
        same(scores.accuracy, theirs["accuracy"]["trials"])
        assert theirs["sample_pairs"] == words


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"keep_per_class": 0}, "keep_per_class must be at least 1, got 0"),
        ({"keep_per_class": [3, 10]}, "keep_per_class must be a whole number, got"),
        ({"keep_percent": -1}, "keep_percent must be a number above 0, got -1"),
        ({"keep_percent": 101}, "101"),
        ({"keep_per_class": 3, "keep_percent": 5}, "cannot both be given, got 3 and 5"),
        ({"sample_pairs": 0.5}, "sample_pairs is of methods that learn from pairs, got SDA"),
    ],
)
def test_sizes_that_scores_cannot_have(wine, sizes, message):
    with pytest.raises(penumbra.Error, match=message):
        penumbra.evaluate(penumbra.SDA(), *wine, runs=1, **sizes)


def test_shuffled_labels_score_by_chance(wine):
    scores = penumbra.evaluate(penumbra.SELF(), *wine, dims=[2], shuffle=True)
    assert scores.mean[0] < 0.6


def test_tuning_is_that_of_the_command(wine):
    found = penumbra.tune(penumbra.SELF(scale="standard"), *wine)
    theirs = command("tune", "self", WINE, "--scale", "standard")
    assert found.planned == theirs["planned"] and found.held_out == theirs["held_out"]
    assert len(found.candidates) == len(theirs["candidates"]) > 4
    for ours, line in zip(found.candidates, theirs["candidates"]):
        same(ours.score, line["score"])
        same(ours.deviation, line["deviation"])
        assert (ours.dim, ours.order) == (line["dims"], line["order"])
        assert ours.estimator.beta == line["parameters"]["beta"]
        assert ours.estimator.scale == "standard"
    assert found.best.fit(*wine).n_components_ == found.candidates[0].dim
    assert len(found.to_frame()) == found.planned


def test_values_to_try(wine):
    estimator = penumbra.SELF(beta=0.3, scale="standard")
    values = {"beta": ["auto", 0.5], "classifier": ["nearest", "lda"], "ridge": ["auto"]}
    found = penumbra.tune(estimator, *wine, grid=values, most_dims=2)
    tried = sorted((str(c.estimator.beta), c.estimator.classifier) for c in found.candidates)
    assert tried == [(b, r) for b in ("0.5", "auto") for r in ("lda", "nearest")]
    assert found.planned == 4 and {c.estimator.scale for c in found.candidates} == {"standard"}
    for c in found.candidates:
        beta, classifier = c.estimator.beta, c.estimator.classifier
        alone = penumbra.SELF(beta=beta, scale="standard", classifier=classifier)
        only = penumbra.tune(alone, *wine, grid={"beta": [beta], "ridge": ["auto"]}, most_dims=2)
        assert [o.score for o in only.candidates] == [c.score]
    with pytest.raises(penumbra.Error, match=r"beta must be in \[0, 1\] or auto, got 2"):
        penumbra.tune(estimator, *wine, grid={"beta": [2]})
    with pytest.raises(penumbra.Error, match="no values"):
        penumbra.tune(estimator, *wine, grid={"beta": []})
    with pytest.raises(TypeError, match="grid: beta must have a list"):
        penumbra.tune(estimator, *wine, grid={"beta": 0.5})
    with pytest.raises(penumbra.Error, match="unknown parameter"):
        penumbra.tune(estimator, *wine, grid={"delta": [1]})


def test_tuning_leaves_failures_at_the_end():
    x, y = blobs(60, 5, per_class=4)
    found = penumbra.tune(penumbra.SELF(), x, y)
    scores = [c.score for c in found.candidates]
    assert scores == sorted(scores, key=lambda s: (math.isnan(s), -s))
    assert repr(found).count("\n") >= len(scores)


@pytest.mark.parametrize(
    "call",
    [
        lambda x, y: penumbra.compare(x, y),
        lambda x, y: penumbra.evaluate(penumbra.SELF(), x, y),
        lambda x, y: penumbra.tune(penumbra.SELF(), x, y),
        lambda x, y: penumbra.AutoReducer().fit(x, y),
    ],
)
def test_nan_is_named(call):
    pd = pytest.importorskip("pandas")
    x, y = blobs()
    x[5, 2] = np.nan
    with pytest.raises(penumbra.Error, match='^values must be finite, got NaN .* column "c"$'):
        call(pd.DataFrame(x, columns=list("abcde")), y)
