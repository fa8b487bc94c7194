"""binding.py INCLUDE OUT.py: write penumbra._cdef, cffi's tables of the headers in INCLUDE."""

import pathlib
import re
import sys

from cffi import FFI


def headers(include: str) -> str:
    names = [f"penumbra/{name}.h" for name in ("model", "files", "compare", "statistics")]
    return "".join((pathlib.Path(include) / name).read_text("utf-8") for name in names)


def declarations(text: str) -> str:
    """Return headers without what cffi cannot parse: comments, directives, function bodies."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"^#(.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r'^extern "C" \{', "", text, flags=re.MULTILINE)
    text = re.sub(r"^static inline .*?^\}", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^\}$", "", text, flags=re.MULTILINE)


def main(include: str, out: str) -> None:
    text, ffi = headers(include), FFI()
    ffi.cdef(declarations(text))
    ffi.set_source("penumbra._cdef", None)
    ffi.emit_python_code(out)
    tables = pathlib.Path(out).read_text("utf-8")
    texts = re.search(r"#define PEN_UNLABELLED_TEXTS[ \\\n]+(.*)", text).group(1)
    with open(out, "w", encoding="utf-8") as file:  # type checkers know no name of the library
        file.write(tables.replace("\nffi = ", "\nimport typing\n\nffi: typing.Any = "))
        file.write(f"UNLABELLED = ({texts})\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
