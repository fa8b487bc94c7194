"""The tables of cffi, against the headers and the library."""

import contextlib
import pathlib
import shutil
import subprocess
import sys

import pytest

import penumbra
from penumbra._c import ffi, lib

INCLUDE = pathlib.Path(__file__).parents[2] / "include"
HERE = pathlib.Path(penumbra.__file__).parent


def facts():
    """Yield C expressions about all types, and their values for cffi."""
    for name in ffi.list_types()[0]:
        kind = ffi.typeof(name)
        with contextlib.suppress(ffi.error):  # the members are known to the library alone
            yield f"sizeof({name})", ffi.sizeof(kind)
            for member, field in kind.fields if kind.kind == "struct" else ():
                yield f"offsetof({name}, {member})", field.offset
                yield f"sizeof((({name} *)0)->{member})", ffi.sizeof(field.type)
        yield from kind.relements.items() if kind.kind == "enum" else ()


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
def test_layouts_and_names_are_those_of_the_headers_and_the_library(tmp_path):
    expressions, values = zip(*facts(), strict=True)
    assert "offsetof(pen_error, message)" in expressions and "PEN_NO_MEMORY" in expressions
    lines = [f'    printf("%lld\\n", (long long)({e}));\n' for e in expressions]
    program = "#include <penumbra.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{\n"
    (tmp_path / "facts.c").write_text(program + "".join(lines) + "}\n")
    subprocess.run(["cc", "-I", INCLUDE, "facts.c", "-o", "facts"], cwd=tmp_path, check=True)
    told = subprocess.run(tmp_path / "facts", capture_output=True, text=True).stdout.split()
    assert list(map(int, told)) == list(values)
    assert len(dir(lib)) > 100 and all(hasattr(lib, name) for name in dir(lib))


def test_a_package_without_its_library(tmp_path):
    shutil.copytree(HERE, tmp_path / "penumbra", ignore=shutil.ignore_patterns("libpenumbra_py.*"))
    code = "import sys; sys.path.insert(0, '.'); import penumbra; penumbra.PCA"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: the library of penumbra cannot be loaded: "), done.stderr
    assert "libpenumbra_py." in last
