"""binding.py HEADER OUT.c: the source of penumbra._c, made by cffi from the header."""

import re
import sys

from cffi import FFI


def declarations(text: str) -> str:
    """What cffi understands of the header: no comments, no directives, no function bodies."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.MULTILINE)
    text = re.sub(r'^extern "C" \{', "", text, flags=re.MULTILINE)
    text = re.sub(r"^static inline .*?^\}", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^\}$", "", text, flags=re.MULTILINE)


def main(header: str, out: str) -> None:
    ffi = FFI()
    with open(header, encoding="utf-8") as file:
        ffi.cdef(declarations(file.read()))
    ffi.cdef(
        'extern "Python" int penumbra_progress(void *user, const char *phase, int64_t done,'
        " int64_t total);"
    )
    ffi.set_source("penumbra._c", "#include <penumbra.h>", py_limited_api=True)
    ffi.emit_c_code(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
