"""The package itself: the files of the wheel, the cost of an import, its BLAS, its command."""

import ast
import graphlib
import hashlib
import importlib.metadata
import inspect
import os
import pathlib
import re
import signal
import subprocess
import sys
import textwrap
import time
import zipfile

import pytest
import threadpoolctl
from conftest import blobs, run_command

import penumbra

HERE = pathlib.Path(penumbra.__file__).parent
linux = pytest.mark.skipif(sys.platform != "linux", reason="uses functions of Linux")
COMMAND = pathlib.Path(sys.executable).with_name("penumbra")


def run(code, **settings):
    """Return the output of a new Python process."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        **settings,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


# ---- the wheel ----


@pytest.fixture(scope="module")
def wheel():
    path = os.environ.get("PENUMBRA_WHEEL")
    if not path:
        pytest.skip("PENUMBRA_WHEEL names no wheel")
    return pathlib.Path(path)


def test_the_wheel_is_small_and_for_every_python(wheel):
    assert wheel.stat().st_size < 10e6
    assert "-py3-none-" in wheel.name


def test_links_of_the_description_lead_to_the_repository():
    text = importlib.metadata.metadata("penumbra-learn")["Description"]
    targets = re.findall(r"\]\(([^)]*)\)", text)
    assert len(targets) > 10 and all(target.startswith("https://") for target in targets)


def test_the_wheel_holds_one_blas_and_the_licenses(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        files = [n for n in names if "/licenses/" in n and not n.endswith("/")]
        licenses = {n: archive.read(n).decode() for n in files}
        metadata = archive.read(next(n for n in names if n.endswith("/METADATA"))).decode()
    suffix = ".dylib" if sys.platform == "darwin" else ".so"
    libraries = sorted(n for n in names if suffix in n)
    names_of_libraries = ("openblas_pen", "penumbra_py")
    assert libraries == [f"penumbra/_bin/lib{name}{suffix}" for name in names_of_libraries]
    assert not [n for n in names if n.endswith((".h", ".a", ".c", ".cmake"))]
    assert [n for n in names if n == "penumbra/py.typed"]
    own, blas = sorted(licenses)
    assert "Redistribution and use" in licenses[own]
    for word in ["OpenBLAS", "LAPACK", "libgfortran", "GCC RUNTIME LIBRARY EXCEPTION"]:
        assert word in licenses[blas]
    assert metadata.count("License-File: ") == 2


@linux
def test_a_service_that_may_not_write_machine_code():
    said = run("""
        import ctypes, sys
        if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0):  # PR_SET_MDWE
            sys.exit(print("skip"))
        import numpy as np, penumbra
        penumbra.PCA().fit(np.eye(4))
    """)
    if said == "skip":
        pytest.skip("PR_SET_MDWE came with Linux 6.3")


def test_the_command_uses_the_library_of_the_package(tmp_path):
    (tmp_path / "libpenumbra.so").write_text("another")
    settings = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    subprocess.run([HERE / "_bin" / "penumbra", "--version"], env=settings, check=True)


# ---- the names ----

FORMER = "evaluate tune AutoClassifier Scores Tuning Selection Candidate suggest neighbors_graph"
# old and new names, by function
FORMER_ARGUMENTS = {
    "fit": {"neighbors_graph": "graph", "chunks": "must_link"},
    "compare": {
        "folds": "cv",
        "dims": "n_components",
        "readers": "classifiers",
        "keep_per_class": "keep_labels",
        "shuffle": "shuffled",
    },
    "SELF": {
        "reader": "classifier",
        "reader_neighbors": 'classifier="neighbors:K"',
        "reader_prior": "prior",
        "reader_temperature": "temperature",
        "class_weight": "prior",
        "kernel_choice": 'kernel_landmarks="random:K"',
        "kernel_seed": "random_state",
        "pca_most": 'pca="0.99:K"',
        **dict.fromkeys(("normalize", "row_total", "log1p", "idf", "select"), "row_steps"),
    },
    "RCA": {"on_contradiction": "contradictions", "transitive": "closure"},
    "RSSDR": {"landmarks": 'space="relative:K"', "landmark_mode": 'space="relative:K"'},
    "suggest": {"labels": "y"},
}


def test_old_names_say_the_new_one():
    for name in FORMER.split():
        with pytest.raises(AttributeError, match=f"'{name}': it is now .+"):
            getattr(penumbra, name)
    fitted = penumbra.AutoReducer().fit(*blobs())
    for old, new in (("reader_", "classifier_"), ("selection_", "comparison_")):
        with pytest.raises(AttributeError, match=f"AutoReducer has no {old}: it is now {new}"):
            getattr(fitted, old)
        assert hasattr(fitted, new) and not hasattr(fitted, old)


@pytest.mark.parametrize("where", FORMER_ARGUMENTS)
def test_old_arguments_say_the_new_one(where):
    made = penumbra.RCA() if where == "fit" else penumbra.PCA()
    call = getattr(penumbra, where, None) or getattr(made, where)
    for old, new in FORMER_ARGUMENTS[where].items():
        with pytest.raises(TypeError, match=rf"no parameter '{old}': .*'?{new}'?"):
            call(**{old: 1})
    assert "self" not in inspect.signature(call).parameters


# ---- the import ----


def imported(path):
    """Return the modules of the package that a module imports, except for type checking."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typed = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for part in node.body
        for inner in ast.walk(part)
    }
    for node in set(ast.walk(tree)) - typed:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("penumbra"):
            names = [alias.name for alias in node.names] if node.module == "penumbra" else []
            yield from [n for n in names if (HERE / f"{n}.py").is_file()]
            if "." in node.module:
                yield node.module.partition(".")[2]


def test_modules_import_each_other_in_no_circle():
    needs = {path.stem: set(imported(path)) for path in HERE.glob("*.py")}
    assert len(needs) > 20 and "_rows" in needs["_estimators"]
    list(graphlib.TopologicalSorter(needs).static_order())  # CycleError


def test_import_is_quick():
    """Measured in processor time, which other programs do not change."""
    code = "from time import process_time as t; a = t(); import penumbra; print(t() - a)"
    assert min(float(run(code)) for _ in range(5)) < 0.15


def test_import_loads_nothing_heavy_and_changes_no_environment():
    code = "import os, sys; before = dict(os.environ); import penumbra"
    is_same, *loaded = run(f"{code}; print(before == dict(os.environ), *sys.modules)").split()
    assert is_same == "True"
    assert not {"sklearn", "pandas", "scipy", "polars", "matplotlib", "onnx"} & set(loaded)


def test_another_copy_of_the_same_blas_is_not_taken():
    """The OpenBLAS of another package keeps its threads; that of penumbra has one."""
    found = run("""
        import ctypes, os, importlib.util, threadpoolctl
        def threads():
            return {i["filepath"]: i["num_threads"] for i in threadpoolctl.threadpool_info()}
        package = os.path.dirname(importlib.util.find_spec("scipy_openblas32").origin)
        other = ctypes.CDLL(os.path.join(package, "lib", "libscipy_openblas.so"))
        other.scipy_openblas_set_num_threads(2)
        before = threads()
        import penumbra
        after = threads()
        new = set(after) - set(before)
        print({p: after[p] for p in before} == before, before.values(),
              [(os.path.basename(p), after[p]) for p in new])
    """)
    assert found == "True dict_values([2]) [('libopenblas_pen.so', 1)]"


def test_one_blas_and_one_thread_after_fits():
    x, y = blobs(600, 20)
    penumbra.SELF(n_components=2).fit(x, y)
    own = [i for i in threadpoolctl.threadpool_info() if i["filepath"].startswith(str(HERE))]
    assert [(i["internal_api"], i["prefix"], i["num_threads"]) for i in own] == [
        ("openblas", "libopenblas", 1)
    ]


@linux
def test_a_core_that_computes_wrongly_is_replaced_for_this_library_only():
    code = """if True:
        import ctypes, os, types
        ctypes.CDLL = lambda name: types.SimpleNamespace(getauxval=lambda kind: 1 << 23)
        os.uname = lambda: types.SimpleNamespace(machine="aarch64", sysname="Linux")
        import penumbra
        assert "OPENBLAS_CORETYPE" not in os.environ
    """
    settings = {**os.environ, "OPENBLAS_VERBOSE": "2"}
    settings.pop("OPENBLAS_CORETYPE", None)
    done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True)
    assert done.returncode == 0 and done.stderr.lower().count(b"neoversen1") == 1


# ---- processes ----


@linux
def test_threads_end_with_the_call():
    x, y = blobs(600, 20)
    fit = penumbra.SELF(n_components=2, n_jobs=4).fit
    fit(x, y)  # libraries of scikit-learn have their own threads
    before = len(os.listdir("/proc/self/task"))
    fit(x, y)
    assert len(os.listdir("/proc/self/task")) == before


def test_fork_after_a_threaded_fit():
    x, y = blobs(600, 20)
    fit = penumbra.SELF(n_components=2, n_jobs=4).fit
    expected = hashlib.sha256(fit(x, y).transform(x)).digest()
    classifier, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        os.write(writer, hashlib.sha256(fit(x, y).transform(x)).digest())
        os._exit(0)
    os.close(writer)
    assert os.read(classifier, 32) == expected
    os.close(classifier)
    assert os.waitpid(child, 0)[1] == 0


# ---- the command ----


def test_the_command_has_the_version_of_the_package():
    assert run_command("--version").stdout == f"penumbra {penumbra.__version__}\n"


def test_the_command_reads_standard_input_and_gives_its_status(tmp_path):
    rows = "a,b,class\n" + "".join(f"{i},{i * i % 7},{i % 2}\n" for i in range(20))
    fit = [COMMAND, "fit", "pca", "-", "--label-column", "class", "-o", tmp_path / "model"]
    assert subprocess.run(fit, input=rows, text=True, capture_output=True).returncode == 0
    assert penumbra.load(tmp_path / "model").n_features_in_ == 2
    assert subprocess.run([COMMAND, "fit"], capture_output=True).returncode == 2
    missing = subprocess.run([COMMAND, "info", tmp_path / "none"], capture_output=True, text=True)
    assert missing.returncode == 1 and "none" in missing.stderr


@linux
def test_an_interrupt_reaches_the_command(tmp_path):
    fit = subprocess.Popen(
        [COMMAND, "fit", "pca", "-", "-o", tmp_path / "model"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # background: ignored
    )
    while os.readlink(f"/proc/{fit.pid}/exe") != str(HERE / "_bin/penumbra"):
        time.sleep(0.01)
    fit.send_signal(signal.SIGINT)
    error = fit.communicate()[1]
    assert fit.returncode in (-signal.SIGINT, 128 + signal.SIGINT) and b"Traceback" not in error
    assert not (tmp_path / "model").exists()
