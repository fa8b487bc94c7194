"""binding.py INCLUDE OUT.c: let cffi write the source of penumbra._c from headers in INCLUDE."""

import pathlib
import re
import sys

from cffi import FFI


def declarations(include: str) -> str:
    """Return the headers without what cffi cannot parse: comments, directives, function bodies."""
    headers = [f"penumbra/{name}.h" for name in ("model", "files", "compare", "statistics")]
    text = "".join((pathlib.Path(include) / name).read_text("utf-8") for name in headers)
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"^#(.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r'^extern "C" \{', "", text, flags=re.MULTILINE)
    text = re.sub(r"^static inline .*?^\}", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^\}$", "", text, flags=re.MULTILINE)


def main(include: str, out: str) -> None:
    ffi = FFI()
    ffi.cdef(declarations(include))
    ffi.cdef(
        'extern "Python" int penumbra_progress(void *user, const char *phase, int64_t done,'
        " int64_t total);"
    )
    ffi.cdef("static const char *const penumbra_unlabelled[...];")
    ffi.set_source(
        "penumbra._c",
        "#include <penumbra.h>\n"
        "static const char *const penumbra_unlabelled[] = { PEN_UNLABELLED_TEXTS };",
        py_limited_api=True,
    )
    ffi.emit_c_code(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
