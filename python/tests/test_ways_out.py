"""Every parameter that changes the result for a row, in every export of a model: the result is that
computed by hand from the model file, or an error that names the parameter."""

import functools
import json
import pickle
import re
import warnings

import numpy as np
import penumbra
import pytest
from conftest import composed, run_command
from safetensors import safe_open
from safetensors.numpy import save_file
from scipy import signal, stats

N, D = 60, 9
STEPS = ("total", "log1p", "idf", "snv", "derivative")


def asked(case):
    """Return the given parameters, and the row steps by name, with their numbers."""
    steps = (step.split(":") for step in case.get("row_steps", "").split(",") if step)
    return {**case, **{step[0]: step[-1] for step in steps}}


# ---- by hand, following docs/model-file.md ----


def opened(path):
    with safe_open(path, "numpy") as file:
        about = file.metadata()
        return about, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def stepped(x, about, t):
    if "fill" in t:
        x = np.where(np.isnan(t["fill"]), 0, np.where(np.isnan(x), t["fill"], x))
    steps = {step[0]: step[-1] for step in json.loads(about.get("row", "[]"))}
    assert set(steps) <= {"total", "log1p", "idf", "snv", "derivative", "select", "l2"}
    if "total" in steps:
        total = x.sum(axis=1, keepdims=True)
        x = x / np.where(total > 0, total, 1) * steps["total"]
    x = np.log1p(x) if "log1p" in steps else x
    x = x * t["idf"] if "idf" in steps else x
    x = stats.zscore(x, axis=1, ddof=1) if "snv" in steps else x
    x = signal.savgol_filter(x, steps["derivative"], 2, deriv=1) if "derivative" in steps else x
    x = x[:, t["selected"]] if "select" in steps else x
    if json.loads(about["parameters"])["row_steps"].endswith("l2"):
        length = np.linalg.norm(x, axis=1, keepdims=True)
        x = x / np.where(length > 0, length, 1)
    return x


def kernel_values(x, about, t):
    kernel = json.loads(about["kernel"])
    if kernel["name"] == "precomputed":
        return x[:, t["landmark_rows"].astype(int)]
    u, at = t.get("kernel_scale", 1) * (x - t["kernel_origin"]), t["landmarks"].astype(float)
    away, inner = u[:, None, :] - at, u @ at.T
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(u, axis=1)[:, None] * np.linalg.norm(at, axis=1)
        return {
            "linear": lambda: inner,
            "rbf": lambda: np.exp(-kernel["gamma"] * (away**2).sum(axis=2)),
            "laplacian": lambda: np.exp(-kernel["gamma"] * np.abs(away).sum(axis=2)),
            "polynomial": lambda: (kernel["gamma"] * inner + kernel["coef0"]) ** kernel["degree"],
            "cosine": lambda: np.where(lengths > 0, inner / lengths, 0),
        }[kernel["name"]]()


def divided(p):
    return p / p.sum(axis=1, keepdims=True)


def distances(z, classifier, t, c):
    u = (z - t["classifier_center"]) / classifier["divisor"]
    far = np.linalg.norm(u[:, None, :] - t["classifier_rows"], axis=2)
    if "classifier_votes" in t:
        return far, None, None
    of = t["classifier_classes"].astype(int)
    least = [1e-9 + far[:, of == at].min(axis=1, initial=np.inf) for at in range(c)]
    least = np.stack(least, axis=1)
    return far, of, divided((least.min(axis=1, keepdims=True) / least) ** 4)


def read(z, about, t, c):
    classifier = json.loads(about.get("classifier", '{"name": "scores"}'))
    best = None
    if classifier["name"] == "scores":
        p = z[:, :c] + t["bias"]
        if "class_mass" in t:
            mass, prior = t["class_mass"]
            p = divided(prior * (np.clip(p, 0, 1e100) / mass + 1e-12 / mass.max()))
    elif classifier["name"] == "means":
        far, of, _ = distances(z, classifier, t, c)
        squares = far[:, np.argsort(of)] ** 2
        p = np.exp((squares.min(axis=1, keepdims=True) - squares) / classifier["width"])
    elif classifier["name"] in ("nearest", "neighbors"):
        far, of, p = distances(z, classifier, t, c)
        best = None if of is None else of[far.argmin(axis=1)]
        voters = min(int(classifier.get("neighbors", 1)), far.shape[1])
        near = np.argsort(far, axis=1, kind="stable")[:, :voters]
        if "classifier_votes" in t:
            p = t["classifier_votes"][near].astype(float).sum(axis=1)
        elif classifier["name"] == "neighbors":
            p = (np.eye(c)[of[near]].sum(axis=1) + p / 2) / (voters + 0.5)
            best = None
    else:
        s = z @ t["classifier_weights"] + t["classifier_bias"]
        p = np.exp(s - s.max(axis=1, keepdims=True))
    p = p if classifier["name"] == "scores" else divided(p)
    best = p.argmax(axis=1) if best is None else best
    if classifier.get("temperature", 0) > 0:
        p = divided(np.maximum(p, 1e-4) ** (1 / classifier["temperature"]))
    return p, best


def by_hand(path, x):
    """Compute z, p and classes of rows."""
    about, t = opened(path)
    known = {"class_mass", "kernel", "missing", "classifier", "row", "spectra", "typical", "votes"}
    assert set(json.loads(about.get("needs", "[]"))) <= known
    u, kept = stepped(x, about, t), t.get("selected", slice(None))
    values = None
    if "kernel" in about:
        values, kept = kernel_values(u, about, t), slice(None)
        u = values
    z = (u - t["mean"][kept]) @ t["projection"][kept]
    p, best = read(z, about, t, len(json.loads(about["class_names"])))
    if "class_shares" in t:
        none = (values == 0).all(axis=1)
        p[none], best[none] = t["class_shares"], t["class_shares"].argmax()
    return z, p, best


# ---- the cases ----

# The effect of each parameter of all methods; new parameters must be added here.
CASES = {
    "n_components": [{"n_components": 2}],
    "allow_fewer": [{"n_components": 9, "allow_fewer": True}],
    "row_steps": [
        {"row_steps": steps}
        for steps in "total:100 total:median log1p idf snv derivative:3 derivative:7 select:4 "
        "l2".split()
    ],
    "scale": [{"scale": scale} for scale in ("none", "standard", "minmax", "auto")],
    "kernel": [
        {"kernel": kernel}
        for kernel in ("linear", "rbf", "laplacian", "polynomial", "cosine", "precomputed")
    ],
    "kernel_gamma": [{"kernel": "rbf", "kernel_gamma": 0.01}],
    "kernel_degree": [{"kernel": "polynomial", "kernel_degree": 2}],
    "kernel_landmarks": [
        {"kernel": "rbf", "kernel_landmarks": 12},
        {"kernel": "rbf", "kernel_landmarks": "random:12"},
    ],
    "kernel_ridge": [{"kernel": "rbf", "kernel_ridge": 0.5}],
    "random_state": [{"kernel": "rbf", "kernel_landmarks": 12, "random_state": 3}],
    "pca": [{"pca": 3}, {"pca": 0.9}, {"pca": "rank"}, {"pca": "0.99:3"}],
    "pca_scale": [{"pca": 4, "pca_scale": "unit"}],
    "classifier": [
        {"classifier": classifier}
        for classifier in ("nearest", "neighbors:3", "means", "lda", "self-training", "logistic")
    ],
    "prior": [
        {"classifier": "lda", "prior": "uniform"},
        {"classifier": "logistic", "prior": "labels"},
    ],
    "temperature": [{"classifier": "nearest", "temperature": 3}],
}
TOGETHER = [
    {"row_steps": "total:50,log1p,idf,select:5,l2"},
    {"row_steps": "log1p,snv,derivative:5,select:5,l2"},
    {"kernel": "rbf", "row_steps": "snv,derivative:7", "classifier": "neighbors"},
    {"row_steps": "log1p,idf", "scale": "standard"},
    {"row_steps": "idf,select:5", "scale": "minmax"},
    {"row_steps": "idf,l2"},
    {"row_steps": "select:5,l2", "scale": "standard"},
    {"kernel": "rbf", "row_steps": "select:4", "scale": "standard"},
    {"kernel": "rbf", "row_steps": "log1p,select:4", "kernel_landmarks": 12},
    {"kernel": "laplacian", "row_steps": "total:median,idf,select:5,l2"},
    {"kernel": "cosine", "row_steps": "log1p,select:4"},
    {"kernel": "polynomial", "row_steps": "idf", "scale": "minmax"},
]
COMMON = [("SELF", case) for cases in [*CASES.values(), TOGETHER] for case in cases]
COMMON += [("FDA", {"kernel": "polynomial", "row_steps": "select:3"})]  # of rank 19, and the mean
COMMON += [("FME", {"prior": "none", "temperature": 2})]
COMMON += [("FME", {}), ("FME", {"kernel": "rbf", "row_steps": "log1p,select:5"})]


def other_value(param):
    """Return a value of a parameter that is not its default."""
    if param.kind == "flag":
        return not param.default
    for text in (*param.choices, *param.grid):
        value = text if param.kind == "choice" or text in param.words else float(text)
        value = int(value) if param.kind == "int" and text not in param.words else value
        if value != param.default:
            return value
    if param.kind == "text":
        return {"space": "relative:9", "sample_pairs": "50%"}[param.name]
    number = param.default if isinstance(param.default, (int, float)) else 1
    return int(number) + 1 if param.kind == "int" else number / 2 + 0.25


OWN = [
    (method.class_name, {param.name: other_value(param)})
    for method in penumbra.methods()
    for param in method.params
    if param.is_own
]


def counts(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(N) % 3
    x = rng.poisson(2 + 6 * np.eye(D)[y]).astype(float)
    x[:, 7] = 5  # removed before a fit
    return x, np.where(np.arange(N) < 30, y, -1)


@functools.cache
def made(name, settings):
    """Return a fitted estimator, training rows, and new rows; the last has no kernel value."""
    (x, y), new = counts(0), counts(1)[0]
    if "kernel" in dict(settings):
        new[-1] *= 1e4
    if dict(settings).get("kernel") == "precomputed":
        x, new = x @ x.T, new @ x.T
    estimator = getattr(penumbra, name)(**dict(settings), n_jobs=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(x, y), x, new


def cell(name, case):
    try:
        return made(name, tuple(case.items()))
    except penumbra.Error as error:  # a value that needs other parameters
        assert name != "SELF"
        pytest.skip(str(error))


def walked(cases):
    return pytest.mark.parametrize(
        "name, case", cases, ids=[f"{name}-{json.dumps(case)}" for name, case in cases]
    )


def assert_near(found, right, tolerance=1e-8):
    assert found.shape == right.shape
    size = np.maximum(np.abs(right), np.abs(right[:-1]).max())  # the far row has its own size
    off = np.abs((found - right) / size).max()
    assert off <= tolerance


# ---- the exports ----


def test_every_common_parameter_is_walked():
    common = {p.name for method in penumbra.methods() for p in method.params if not p.is_own}
    assert common == set(CASES)


@walked(COMMON + OWN)
def test_models_and_graphs(name, case, tmp_path):
    """transform, predict, predict_proba, load, pickle, and the ONNX graph."""
    model, _, new = cell(name, case)
    model.save(tmp_path / "m.pen")
    z, p, best = by_hand(tmp_path / "m.pen", new)
    copies = [model, penumbra.load(tmp_path / "m.pen"), pickle.loads(pickle.dumps(model))]
    for each in copies:
        assert_near(each.transform(new), z)
        assert_near(each.predict_proba(new), p)
        assert (each.predict(new).astype(int) == best).all()
        assert np.array_equal(each.transform(new), model.transform(new))
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(model.to_onnx(np.float64).SerializeToString())
    found, classes, shares = session.run(["Z", "class", "probabilities"], {"X": new})
    assert_near(found, z)
    assert_near(shares, p)
    assert (classes == best).all()


@walked(COMMON)
def test_graphs_in_single_precision(name, case):
    """All numbers are single precision. The error is reported, with a warning if large."""
    onnxruntime = pytest.importorskip("onnxruntime")
    model, x, _ = cell(name, case)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        graph = model.to_onnx(compute="float32")
    assert all(part.data_type != 11 for part in graph.graph.initializer)  # DOUBLE
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    z, right = session.run(["Z"], {"X": x.astype(np.float32)})[0], model.transform(x)
    off = (np.abs(z - right) / right.std(axis=0)).max()
    (cost,) = [float(p.value) for p in graph.metadata_props if p.key == "difference"]
    assert off <= 3 * cost + 1e-5
    assert cost <= (0.1 if "kernel" in case else 1e-5)
    assert bool(told) == (cost > 1e-3)


@walked(COMMON)
def test_inverse_transform(name, case, tmp_path):
    model, x, _ = cell(name, case)
    gone = {"kernel", "total", "snv", "derivative", "select", "l2"} & set(asked(case))
    if gone:
        with pytest.raises(AttributeError, match="|".join(gone)):
            model.inverse_transform(model.transform(x))
        return
    model.save(tmp_path / "m.pen")
    z = by_hand(tmp_path / "m.pen", x)[0]
    back = model.inverse_transform(z)
    np.testing.assert_allclose(model.transform(back), z, atol=1e-8 * np.abs(z).max())
    # the row nearest to the mean, after row steps, in the units of the fit
    weights = model._model.vector("idf") if "idf" in asked(case) else 1
    u = (np.log1p(back) if "log1p" in asked(case) else back) * weights
    units = np.where(model.scale_ > 0, model.scale_, np.inf)
    nearest = np.linalg.lstsq(model.components_ / units, z.T, rcond=1e-10)[0].T / units
    np.testing.assert_allclose(u - model.mean_, nearest, atol=1e-8 * np.abs(nearest).max())


@walked(COMMON)
def test_faiss(name, case):
    faiss = pytest.importorskip("faiss")
    model, x, _ = cell(name, case)
    k = model.n_components_
    gone = {"kernel", "total", "log1p", "snv", "derivative"} & set(asked(case))
    if {"idf", "l2"} <= set(asked(case)):
        gone |= {"idf"}
    if gone:
        index = faiss.IndexFlatL2(k)
        with pytest.raises(penumbra.Error, match="|".join(gone)) as told:
            model.to_faiss(index)
        hint = re.search(r"index\.add\(.*\)$", str(told.value)).group()
        eval(hint, {"index": index, "model": model, "X": x})
        assert_near(index.reconstruct_n(0, N), model.transform(x).astype(np.float32), 1e-6)
        return
    index = model.to_faiss(faiss.IndexFlatL2(k))
    index.add(x.astype(np.float32))
    z = model.transform(x)
    assert_near(index.index.reconstruct_n(0, N), z.astype(np.float32), 1e-5)
    if "l2" in asked(case):
        with pytest.raises(penumbra.Error, match="l2"):
            model.to_faiss()
    else:
        assert_near(model.to_faiss().apply(x.astype(np.float32)), z.astype(np.float32), 1e-5)


@walked(COMMON)
def test_views(name, case, tmp_path):
    """Every tensor of the file is available by name, with its size; some are attributes."""
    model, _, _ = cell(name, case)
    model.save(tmp_path / "m.pen")
    _, t = opened(tmp_path / "m.pen")
    for tensor, values in t.items():
        found = model._model.tensor(tensor)
        assert np.array_equal(found, values.reshape(len(values), -1)), tensor
    assert np.array_equal(model.components_, t["projection"].T)
    assert np.array_equal(model.mean_, t["mean"])
    assert ("landmarks" in t) == hasattr(model, "landmarks_")
    if "landmarks" in t:
        assert np.array_equal(model.landmarks_, t["landmarks"])
        assert model.landmarks_.shape[1] == int(asked(case).get("select", D))


def voting(name, case, path):
    """Return a model whose rows vote with probabilities: its file gets these tensors, see
    docs/model-file.md. Some rows are equal, with different votes."""
    model, x, new = cell(name, {**case, "classifier": "none"})
    model.save(path)
    about, t = opened(path)
    rng, about = np.random.default_rng(8), {k: v for k, v in about.items() if k != "crc32"}
    z = np.repeat(model.transform(x), 2, axis=0)
    t["classifier_center"] = z.mean(axis=0)
    t["classifier_rows"] = ((z - t["classifier_center"]) / 2).astype(np.float32)
    t["classifier_votes"] = divided(rng.random((len(z), 3)) ** 4).astype(np.float32)
    needs = [*json.loads(about.get("needs", "[]")), "classifier", "votes"]
    classifier = {"name": "neighbors", "divisor": 2, "neighbors": 5, "temperature": 0.7}
    about |= {"format": "2", "needs": json.dumps(needs), "classifier": json.dumps(classifier)}
    save_file(t, path, about)
    return penumbra.load(path), x, new


@walked([("SELF", {}), ("SELF", TOGETHER[0]), ("SELF", {"kernel": "rbf"})])
def test_rows_that_vote(name, case, tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    model, _, new = voting(name, case, tmp_path / "m.pen")
    z, p, best = by_hand(tmp_path / "m.pen", new)
    model.save(tmp_path / "again.pen")
    copies = [model, penumbra.load(tmp_path / "again.pen"), pickle.loads(pickle.dumps(model))]
    for each in copies:
        assert_near(each.transform(new), z)
        assert_near(each.predict_proba(new), p)
        assert (each.predict(new).astype(int) == best).all()
    t = opened(tmp_path / "again.pen")[1]
    assert np.array_equal(model._model.tensor("classifier_votes"), t["classifier_votes"])
    for dtype in (np.float64, np.float32):
        with warnings.catch_warnings():  # about errors by single precision
            warnings.simplefilter("ignore")
            graph = model.to_onnx(dtype, compute=np.dtype(dtype).name)
        session = onnxruntime.InferenceSession(graph.SerializeToString())
        classes, shares = session.run(["class", "probabilities"], {"X": new.astype(dtype)})
        assert_near(shares, p, 1e-8 if dtype is np.float64 else 1e-4)
        assert (classes == best).all()


@walked(COMMON)
def test_one_after_another(name, case, tmp_path):
    """Compose the model with another, as the first and as the second."""
    model, x, _ = cell(name, case)
    model.save(tmp_path / "m.pen")
    last = penumbra.FDA(ridge=0.1).fit(model.transform(x), counts(0)[1])
    both = composed(model, last)
    last.save(tmp_path / "last.pen")
    z = by_hand(tmp_path / "m.pen", x)[0]
    found, right = both.transform(x), by_hand(tmp_path / "last.pen", z)[0]
    assert_near(found * np.sign((found * right).sum(axis=0)), right)  # both models affect the signs
    gone = {"kernel", *STEPS, "select", "l2"} & set(asked(case))
    if gone and case.get("kernel") != "precomputed":
        first = penumbra.PCA(n_components=D - 1, scale="none").fit(x)
        few = {"row_steps": "select:4"} if "select" in case else {}
        second = getattr(penumbra, name)(**{**case, **few}).fit(
            np.abs(first.transform(x)), counts(0)[1]
        )
        with pytest.raises(penumbra.Error, match="kernel|row_steps"):
            composed(first, second)


@walked([(name, case) for name, case in COMMON if case.get("kernel") != "precomputed"])
def test_loadings(name, case, tmp_path):
    """varm of penumbra.pp: weights times deviations for rows of X; for other rows only if the model
    is linear in them."""
    anndata = pytest.importorskip("anndata")
    x, y = counts(0)
    cells = anndata.AnnData(x, obs={"kind": np.array(["a", "b", "c", "?"])[y]})
    method = getattr(penumbra.pp, name.lower())
    method(cells, "kind", unlabelled="?", **case)
    key = f"X_{name.lower()}"
    facts = cells.uns[key]
    assert (key in cells.varm) == ("kernel" not in case)
    if key in cells.varm:
        (tmp_path / "m.pen").write_bytes(facts["model"].tobytes())
        _, t = opened(tmp_path / "m.pen")
        assert np.array_equal(cells.varm[key], t["projection"] * t["deviation"][:, None])
    cells.obsm["X_pca"], cells.varm["PCs"] = x, np.eye(D)
    method(cells, "kind", unlabelled="?", use_rep="X_pca", **case)
    gone = {"kernel", *STEPS, "l2"} & set(asked(case))
    assert (key in cells.varm) == (not gone)
    if not gone:
        (tmp_path / "m.pen").write_bytes(cells.uns[key]["model"].tobytes())
        assert np.array_equal(cells.varm[key], opened(tmp_path / "m.pen")[1]["projection"])


def test_rows_of_the_fit_are_no_part_of_files_and_pickles():
    model, _, _ = made("SELF", (("scale", "none"),))
    assert len(model._model.tried) <= 256
    assert pickle.loads(pickle.dumps(model))._model.tried is None


def test_columns_far_from_zero():
    """In single precision the mean is subtracted first, or else an export reports the error."""
    faiss, onnxruntime = pytest.importorskip("faiss"), pytest.importorskip("onnxruntime")
    x, y = counts(0)
    x += 1e6  # whole numbers, so that the rows are exact
    model, rows = penumbra.SELF(n_components=3).fit(x, y), x.astype(np.float32)
    z = model.transform(x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        index, graph = model.to_faiss(faiss.IndexFlatL2(3)), model.to_onnx(compute="float32")
    index.add(rows)
    assert_near(index.index.reconstruct_n(0, N), z.astype(np.float32), 1e-5)
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    assert_near(session.run(["Z"], {"X": rows})[0], z.astype(np.float32), 1e-5)
    with pytest.warns(penumbra.PenumbraWarning, match=r"to_faiss\(index\)"):
        alone = model.to_faiss().apply(rows)
    assert np.abs(alone - z).max() > 1e-3 * z.std()
    with pytest.warns(penumbra.PenumbraWarning, match="single precision"):  # of fractions
        pickle.loads(pickle.dumps(model)).to_onnx(compute="float32")


@pytest.mark.parametrize(
    "flags", [[], ["--row-steps", "log1p,idf"], ["--kernel", "rbf", "--row-steps", "select:5"]]
)
def test_missing_values(flags, tmp_path):
    """A model of rows with gaps fills gaps in new rows."""
    onnxruntime = pytest.importorskip("onnxruntime")
    faiss = pytest.importorskip("faiss")
    (x, y), new = counts(0), counts(1)[0]
    rng = np.random.default_rng(5)
    x[rng.random(x.shape) < 0.1] = np.nan
    x[:, 3] = np.nan  # a column without values
    new[rng.random(x.shape) < 0.1] = np.nan
    np.savetxt(tmp_path / "x.csv", x, delimiter=",")
    np.savetxt(tmp_path / "y.csv", y, fmt="%d")
    given = [tmp_path / "x.csv", "--labels", tmp_path / "y.csv", *flags, "--quiet"]
    run_command("fit", "self", *given, "--missing", "mean", "-o", tmp_path / "m.pen")
    model = penumbra.load(tmp_path / "m.pen")
    z, p, best = by_hand(tmp_path / "m.pen", new)
    assert_near(model.transform(new), z)
    assert_near(model.predict_proba(new), p)
    session = onnxruntime.InferenceSession(model.to_onnx(np.float64).SerializeToString())
    found, classes, shares = session.run(["Z", "class", "probabilities"], {"X": new})
    assert_near(found, z)
    assert_near(shares, p)
    assert (classes == best).all()
    with pytest.raises(penumbra.Error, match="kernel" if "--kernel" in flags else "missing"):
        model.to_faiss(faiss.IndexFlatL2(model.n_components_))
    np.savetxt(tmp_path / "x.csv", np.where(np.arange(D) == 3, 1, x), delimiter=",")
    run_command("fit", "self", *given, "--missing", "drop", "-o", tmp_path / "m.pen")
    with pytest.raises(penumbra.Error, match="missing 'drop'"):
        penumbra.load(tmp_path / "m.pen").to_onnx()
