"""The explorer without its page: journal, fits, access to the server, and export."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import webbrowser
import zlib

import numpy as np
import pytest
import scipy.sparse
from conftest import WINE, blobs, run_command

import penumbra
from penumbra import _calls, _explore
from penumbra._explore import __main__, fits

pytest.importorskip("starlette")
X, Y = blobs()
BIN = os.path.join(os.path.dirname(penumbra.__file__), "_bin")
KINDS = {"points": "<f4", "labelled": "<u4", "given": "u1"}


class Client:
    """A client that behaves like the page."""

    def __init__(self, address):
        self.address = address
        _, _, self.host, self.token, _ = address.split("/")
        self.told, self.arrays = {"version": 0}, {}

    def ask(self, method, path, body=None, **headers):
        server = http.client.HTTPConnection(self.host, timeout=60)
        server.putrequest(method, path, skip_host="Host" in headers)
        data = json.dumps(body).encode()
        for name, value in {**headers, "Content-Length": len(data)}.items():
            server.putheader(name, value)
        server.endheaders(data)
        answer = server.getresponse()
        self.headers = answer.headers
        return answer.status, answer.read()

    def get(self, path, method="GET"):
        status, body = self.ask(method, f"/{self.token}/{path}")
        assert status == 200, body
        return body

    def do(self, action, **asked):
        """Make a change; return its number, or the error."""
        status, body = self.ask("POST", f"/{self.token}/do", {"action": action, **asked})
        return json.loads(body)["change" if status == 200 else "error"]

    def label(self, name, *rows):
        return self.do("label", rows=list(rows), name=name, rule="lasso")

    def next(self):
        body = self.get(f"next?have={self.told['version']}")
        at = 4 + int.from_bytes(body[:4], "little")
        self.told = json.loads(body[4:at])
        for name, kind, count in self.told["arrays"]:
            dtype = np.dtype(KINDS.get(name, "<u2"))
            assert at % 8 == 0 and dtype.str[1:] == kind
            if name == "points":
                self.arrays.pop("typical", None)
            self.arrays[name] = np.frombuffer(body, dtype, count, at)
            at += -(-self.arrays[name].nbytes // 8) * 8
        assert at == len(body) and self.told.get("error") is None, self.told

    def until(self, method, change=0):
        """Wait until the results of `method` for a change are complete; return them."""
        while (self.told.get("answers", -1), self.told.get("method")) != (change, method):
            self.next()
        while "typical" not in self.arrays:
            self.next()
        return self.told


@pytest.fixture
def explore(tmp_path, monkeypatch):
    """Yield a function that starts explorations in a separate folder, with their pages."""
    monkeypatch.chdir(tmp_path)
    begun = []

    def start(*given, **named):
        begun.append(_explore.Exploration(*given, **named))
        return begun[-1], Client(begun[-1].address)

    yield start
    for one in begun:
        one.close()


@pytest.fixture
def held(monkeypatch):
    """Return an event; AutoReducer waits for it before it fits."""
    gate = threading.Event()

    class Held(penumbra.AutoReducer):
        def fit(self, *given, **named):
            while not gate.wait(0.02):
                _calls._stopped.check()  # after a newer change, or at the end
            return super().fit(*given, **named)

    monkeypatch.setattr(fits, "AutoReducer", Held)
    yield gate
    gate.set()


def test_labels_move_points_and_say_classes(explore, held):
    explored, page = explore(X)
    assert page.until("pca")["suggested"] and not page.arrays["given"].any()
    assert (page.arrays["class"] == 65535).all() and page.told["labelled"] == 0
    page.label("ant", *range(0, 15, 3))
    page.until("fda", page.label("bee", *range(1, 15, 3)))
    before = page.arrays["points"].reshape(-1, 2).astype(float)
    change = page.label("cat", *range(2, 15, 3))
    page.until("fda", change)
    after = page.arrays["points"].reshape(-1, 2).astype(float)
    model = penumbra.FDA().fit(X, Y)
    assert (page.arrays["class"] == model.predict(X)).all()
    assert abs(page.arrays["probability"] / 65535 - model.predict_proba(X).max(axis=1)).max() < 1e-4
    assert abs(page.arrays["typical"] / 65535 - model.typicality(X)).max() < 1e-4
    z = model.transform(X)
    assert np.linalg.matrix_rank(np.column_stack([(z - z.mean(axis=0)), after]), tol=1e-3) == 2
    turned = after.T @ before  # no rotation remains: symmetric, without negative eigenvalues
    assert abs(turned[0, 1] - turned[1, 0]) < 1e-3 and np.linalg.eigvalsh(turned)[0] > 0
    held.set()
    told = page.until("auto", change)
    assert told["counts"] == [5, 5, 5] and told["curve"][0][0] == 15 and told["chance"] < 0.5
    assert " or " in told["suggested"][0][1]
    assert explored.labels.tolist()[13:16] == ["bee", "cat", None]
    assert explored.model.score(X, np.array(["ant", "bee", "cat"])[np.arange(60) % 3]) > 0.9


def test_the_newest_change_wins(explore, held):
    _, page = explore(X, Y)
    page.until("fda")
    change = page.label("0", 15)
    held.set()
    while page.told["method"] != "auto":
        page.next()
    assert page.told["answers"] == change
    asked = iter([None])  # a second check raises StopIteration, which stops the call
    with _calls.stopped_by(lambda: next(asked)), pytest.raises(StopIteration):
        penumbra.AutoReducer().fit(X, Y)
    assert penumbra.AutoReducer().fit(X, Y).predict(X).size == 60


def test_undo_of_everything(explore):
    explored, page = explore(X, Y, pairs=([[20, 21]], None))
    seen = [explored.journal.known]
    for action, asked in (
        ("label", {"rows": [3, 4], "name": "new"}),
        ("label", {"rows": [3, 5], "class": 1}),
        ("label", {"rows": [0, 3]}),
        ("class", {"name": "empty"}),
        ("link", {"rows": [30, 31], "kind": "cannot_link"}),
        ("unlink", {"rows": [21, 20]}),
    ):
        assert page.do(action, **asked) == len(seen)
        seen.append(explored.journal.known)
    assert seen[3].codes[:6].tolist() == [-1, 1, 2, -1, 3, 1]
    assert seen[6].must_link == () and seen[6].cannot_link == ((30, 31),)
    for before in seen[-2::-1]:
        page.do("undo")
        now = explored.journal.known
        assert now.codes.tolist() == before.codes.tolist() and now.classes == before.classes
        assert (now.must_link, now.cannot_link) == (before.must_link, before.cannot_link)
    assert page.do("undo") == "there is nothing to undo"
    assert json.loads(page.get("row/0"))["labelled"] == "0, given"


def test_contradictions_are_refused_with_their_path(explore, held):
    explored, page = explore(X)
    page.label("a", 0, 2)
    page.label("b", 1)
    page.do("link", kind="must_link", rows=[2, 7])
    before = explored.journal.path.read_bytes()
    chain = "but a chain of must-links joins them: 0=2-7"
    for kind, rows, said in (
        ("cannot_link", [0, 7], f"rows 0 and 7 cannot link, {chain}"),
        ("must_link", [0, 1], "rows 0 and 1 must link, but their labels differ"),
        ("must_link", [1, 7], f"rows 0 and 1 have different labels, {chain}-1"),
        ("must_link", [7, 2], "rows 7 and 2 are linked already"),
        ("must_link", [4, 4], "must_link: pair 1 (counted from 0): a pair needs two"),
    ):
        assert page.do("link", kind=kind, rows=rows).startswith(said)
    assert page.label("b", 7) == "rows 2 and 7 must link, but their labels differ"
    assert explored.journal.path.read_bytes() == before
    assert page.until("wbdr", 3)["must_link"] == [[2, 7]]


def test_refused_changes(explore):
    explored, page = explore(X, Y)
    before = explored.journal.path.read_bytes()
    label = {"action": "label", "rows": [0], "class": 0}
    for asked, said in (
        (label | {"name": "x" * 201}, "a class must have a name of 1 to 200 letters"),
        (label | {"name": "NaN "}, 'a class must not be called "NaN", which means'),
        (label | {"name": "a\0"}, "a class must have a name of 1 to 200 letters that can be"),
        ({"action": "class", "name": "0"}, 'there is a class "0" already'),
        (label | {"rows": [60]}, "row must be a whole number in [0, 59]"),
        (label | {"class": 3}, "class must be a whole number in [0, 2]"),
        ({"action": "unlink", "rows": [0, 1]}, "rows 0 and 1 are not linked"),
    ):
        assert page.do(**asked).startswith(said)
    assert explored.journal.path.read_bytes() == before and not explored.journal.known.change


def test_who_is_answered(explore):
    explored, page = explore(X)
    good, port = f"/{page.token}/", page.host.partition(":")[2]
    assert '"rows": 60, "columns": ["#0", "#1"' in page.get("").decode()
    assert page.headers["Cache-Control"] == "no-store"
    for path, headers, status in (
        (good, {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}, 200),
        (good, {"Host": "127.0.0.1:1"}, 200),  # through a tunnel
        (good, {"Host": "evil.example"}, 403),
        (good, {"Host": page.host, "Origin": f"http://localhost:{port}"}, 403),
        (f"/{page.token[:-1]}/", {}, 403),
        ("/", {}, 403),
        (good + "journal.jsonl", {}, 404),
        (good + "row/60", {}, 409),
    ):
        found, body = page.ask("GET", path, **headers)
        assert found == status and (status != 403 or not body), (path, headers)
    assert page.ask("POST", "/do", {"action": "class", "name": "a"})[0] == 403


STARTED = "import penumbra, numpy as np; penumbra.explore(np.load('x.npy'))"


def begun(*arguments):
    """Start a process that explores; yield it and its page."""
    told = {"env": {**os.environ, "PENUMBRA_BROWSER": "none"}, "text": True}
    process = subprocess.Popen([sys.executable, *arguments], stdout=-1, stderr=-1, **told)
    line = process.stdout.readline().strip()
    return process, Client(line or process.communicate()[1])


def test_a_journal_outlives_its_process(explore, tmp_path):
    np.save("x.npy", X)
    process, page = begun("-c", STARTED)
    for name, row in (("ü,1", 1), ("b", 2), ("gone", 3)):
        page.label(name, row)
    page.do("undo")
    with pytest.raises(penumbra.Error, match="is in use: these rows are being explored"):
        explore(X)
    process.kill()
    process.communicate()
    (journal,) = tmp_path.glob("explore-????????/journal.jsonl")
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"label": "torn", "ro')
    explored, page = explore(X)
    assert journal.read_bytes() == whole and explored.folder == journal.parent.name
    assert explored.labels.tolist()[:4] == [None, "ü,1", "b", None]
    assert explored.journal.known.labelled(1).startswith("ü,1, by lasso, ")
    assert page.label("c", 4) == 1
    explored.close()
    journal.write_bytes(whole + b"[]\n")
    with pytest.raises(penumbra.Error, match="journal.jsonl:6: this line is no change of these"):
        explore(X)


NAMES = np.array(["it's", 'a "b", c', "1", None], object)


@pytest.mark.parametrize("kind", [np.asarray, scipy.sparse.csr_array])
def test_the_exported_command_makes_the_exported_model(explore, monkeypatch, kind):
    explored, page = explore(kind(X * (X > 0)), NAMES[Y])
    page.label("it's", 18)
    answer = json.loads(page.get("export", "POST"))
    monkeypatch.chdir(answer["folder"])
    assert {*answer["files"], "rows.npz"} < {*os.listdir()} and "picture.html" in answer["files"]
    labels = open("labels.csv").read().splitlines()
    assert labels[:3] == ["row,class,rule", "0,it's,given", '1,"a ""b"", c",given']
    assert labels[-1] == "18,it's,lasso" and len(labels) == 17
    model, before = penumbra.load("model.pen"), open("model.pen", "rb").read()
    os.remove("model.pen")
    assert answer["command"] == open("command.sh").read().strip()
    told = {"cwd": "..", "env": {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}}
    subprocess.run(["sh", f"{explored.folder}/command.sh"], check=True, **told)
    assert open("model.pen", "rb").read() == before and len(open("classes.csv").readlines()) == 61
    np.testing.assert_array_equal(model.components_, explored.model.components_)
    assert isinstance(model, penumbra.AutoReducer) and model.classes_.tolist() == sorted(NAMES[:3])


def test_names_are_exported(explore):
    frame = pytest.importorskip("pandas").DataFrame(X, [f"r{i}" for i in range(60)], [*"aö,de"])
    _, page = explore(frame, Y)
    folder = json.loads(page.get("export", "POST"))["folder"]
    assert penumbra.load(f"{folder}/model.pen").feature_names_in_.tolist() == [*"aö,de"]
    assert open(f"{folder}/classes.csv").readlines()[1].startswith("r0,0,")


def test_pairs_are_exported_and_nothing_is_not(explore, monkeypatch):
    explored, page = explore(X)
    export = f"/{page.token}/export"
    assert b"there is nothing to export yet" in page.ask("POST", export)[1]
    page.do("link", kind="cannot_link", rows=[20, 22])
    monkeypatch.setattr(explored, "program", "/bin/false")
    assert page.ask("POST", export) == (409, b'{"error":"/bin/false ended with status 1"}')
    assert sorted(os.listdir(explored.folder)) == ["journal.jsonl", "rows.npz"]
    monkeypatch.setattr(explored, "program", f"{BIN}/penumbra")
    files = json.loads(page.get("export", "POST"))["files"]
    assert files == ["command.sh", "model.pen", "pairs.csv", "picture.html"]
    assert open(f"{explored.folder}/pairs.csv").read() == "20,22,-1\n"


def test_what_is_shown_of_a_row(explore):
    open("a.GIF", "wb").write(b"GIF89a")
    spectra = penumbra._rows.Named(np.tile(X, 6), [str(400 + j) for j in range(30)])
    last = {"at": [*range(400, 430)], "values": np.tile(X[59], 6).tolist()}
    for x, show, kind, card in (
        (X, ["Über"] * 59 + ["so"], "text", {"text": "so", "image": False}),
        (X, [b"GIF8"] * 60, "image", {"text": None, "image": True}),
        (X, ["a.GIF"] * 60, "image", {"image": True}),
        (X, np.arange(360).reshape(60, 2, 3), "image", {"image": True}),
        (X, {"a": range(60), "b": [0.5] * 60}, "table", {"table": [["a", "59"], ["b", "0.5"]]}),
        (X, None, "columns", {"table": [[f"#{j}", f"{X[59, j]:.6g}"] for j in range(5)]}),
        (spectra, None, "spectrum", {"spectrum": last}),
        (scipy.sparse.csr_array(np.eye(60)), None, "columns", {"table": [["#59", "1"]]}),
    ):
        explored, page = explore(x, show=show)
        assert (
            explored.cards.kind == kind and card.items() <= json.loads(page.get("row/59")).items()
        )
        found = np.frombuffer(page.get("search?text=%C3%9CBER"), "<u4").tolist()
        assert found == [*range(59)] * (kind == "text")
        image = page.get("image/59") if kind == "image" else b"GIF8"
        if not image.startswith(b"GIF8"):
            assert image[16:26] == bytes([0, 0, 0, 3, 0, 0, 0, 2, 8, 0])
            lines = zlib.decompress(image[image.index(b"IDAT") + 4 : -16])
            assert lines == bytes([0, 251, 252, 253, 0, 254, 254, 255])
        column = explored._rows.values[:, [4]].sum(axis=1)
        assert np.allclose(np.frombuffer(page.get("column/4"), "<f4"), column)
        explored.close()


def test_what_cannot_be_explored(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    heavy = penumbra.Pairs([[0, 1]], [2])
    for given, named, said in (
        ([np.where(X > 5, np.nan, X)], {}, "X must be finite to be explored, got NaN"),
        ([X[:1]], {}, "X must have at least 2 rows to be explored, got 1"),
        ([X, Y[1:]], {}, "y must have one entry per row, 60, got 59"),
        ([X], {"must_link": heavy}, "must_link and cannot_link must be without weights"),
        ([X, Y], {"must_link": [[0, 1]]}, "rows 0 and 1 must link, but their labels differ"),
        ([X], {"show": ["a"]}, "show must have one entry per row, 60, got 1"),
        ([X], {"show": X}, "show must have shape (n, h, w) or (n, h, w, 3), got (60, 5)"),
    ):
        with pytest.raises(penumbra.Error) as refused:
            penumbra.explore(*given, **named)
        assert str(refused.value).startswith(said) and not os.listdir(tmp_path)


@pytest.mark.parametrize("x", [X[:2], X[:, :1], 0 * X + X[:, [0]], scipy.sparse.csr_array(X)])
def test_few_rows_columns_and_labels(explore, held, x):
    _, page = explore(x)
    page.label("a", 0)
    page.until("fda", page.label("b", 1))
    points = page.arrays["points"].reshape(-1, 2)
    assert len(points) == x.shape[0] and np.isfinite(points).all()
    directions = 2 if scipy.sparse.issparse(x) else 1
    assert np.linalg.matrix_rank(points - points.mean(axis=0), tol=1e-3) == directions


def test_labels_have_the_type_of_y(explore):
    for y in (Y, np.where(Y < 0, np.nan, Y), NAMES[Y], np.array([True, False] + 58 * [None])):
        explored, page = explore(X, y)
        (has, values), (had, given) = map(penumbra._rows.known, (explored.labels, y))
        assert (has == had).all() and values.tolist() == given.tolist()
        page.label("new", 59)
        assert explored.labels[59] == "new" and explored.labels[[0, 58]].tolist()[1] is None
        explored.close()
        os.remove(explored.journal.path)


def test_doubt(explore):
    _, page = explore(X, np.where(np.arange(60) == 4, 0, Y))  # a fit to that label believes it
    page.until("auto")
    assert page.told["suspects"] == [[4, "0", "1"]]
    said = fits.sentence([[10, 0.8, 0.05], [20, 0.84, 0.03]])
    assert said.startswith("From 10 to 20 labels the expected accuracy did not rise")
    assert fits.sentence([[9, 0.8, 0.1], [18, 0.8, 0.1]]) is None
    assert fits.sentence([[10, 0.8, 0.03], [20, 0.84, 0.03]]) is None


def test_an_anndata(explore):
    cells = pytest.importorskip("anndata").AnnData(X.astype("f4"))
    cells.obs["kind"] = np.array(["u", "a", "b", "c"])[Y + 1]
    cells.obs_names = [f"cell{i}" for i in range(60)]
    explored, page = explore(cells, "kind")
    assert explored.cards.columns == [*"01234"] and sum(explored.journal.known.counts) == 60
    assert json.loads(page.get("row/1"))["table"] == [["kind", "b"]]
    assert np.frombuffer(page.get("search?text=CELL59"), "<u4").tolist() == [59]


def test_its_ends(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PENUMBRA_BROWSER", raising=False)
    monkeypatch.setattr(webbrowser, "open", lambda at: Client(at).get("end", "POST"))
    explored = penumbra.explore(X, Y)
    assert explored.ended.is_set() and explored.address in capsys.readouterr().out
    monkeypatch.setitem(sys.modules, "ipykernel", pytest)
    explored = penumbra.explore(X)
    assert f'src="{explored.address}"' in explored._repr_html_() and not explored.ended.is_set()
    assert explored.model is None
    explored.close()
    assert not [one for one in threading.enumerate() if isinstance(one, fits.Worker)]


def test_enter_ends_what_was_closed(explore, monkeypatch, capsys):
    monkeypatch.setenv("PENUMBRA_BROWSER", "none")
    monkeypatch.setattr("penumbra._explore.server._AWAY", 0.1)
    keys, terminal = os.openpty()
    explored, page = explore(X)
    with open(terminal) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        os.write(keys, b"\n")  # before the page was opened, so nothing happens
        waiting = threading.Thread(target=explored.wait)
        waiting.start()
        waiting.join(1)
        assert waiting.is_alive()
        page.until("pca")  # and leaves
        waiting.join(60)
    os.close(keys)
    assert (
        explored.ended.is_set() and "The page is closed. It is still at" in capsys.readouterr().out
    )


def test_what_the_command_starts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows").mkdir()
    run_command("convert", WINE, "rows/rows.npz", "--label-column", "class", "--keep-labels", 2)
    (tmp_path / "rows/shown.csv").write_text("note,empty\n" + "good,\n" * 178)
    data = [str(WINE), "--drop=class"]
    process, page = begun("-m", "penumbra._explore", "rows", f"{BIN}/penumbra", *data)
    assert '"source": "wine.csv"' in page.get("").decode() and not os.path.exists("rows")
    assert '"columns": ["alcohol", "malic_acid"' in page.get("").decode()
    assert json.loads(page.get("row/0"))["table"] == [["note", "good"]]
    assert page.until("fda")["classes"] == ["class_0", "class_1", "class_2"]
    answer = json.loads(page.get("export", "POST"))
    assert answer["command"].startswith(f"penumbra fit {WINE} --drop=class --labels explore-")
    model = penumbra.load(f"{answer['folder']}/model.pen")
    assert model.classes_.tolist() == ["class_0", "class_1", "class_2"]
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1] == "" and process.returncode == 0
    monkeypatch.setattr(sys, "argv", ["", "a", "b"])
    assert __main__.main() == 1
    assert capsys.readouterr().err.startswith("penumbra explore: [Errno 2] No such file")
