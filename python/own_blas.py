"""own_blas.py OUT.so: copy the OpenBLAS of scipy-openblas32 and print the folder of its headers.

The dynamic linker loads one file per library name in a process. The copy has a different name, so
other packages do not share its number of threads.
"""

import importlib.metadata
import os
import pathlib
import sys

import scipy_openblas32

NAME = b"libscipy_openblas.so"
LICENSE = os.path.join(os.path.dirname(__file__), "LICENSE.openblas")


def renamed(library: bytes, name: bytes) -> bytes:
    """Return the library under another name, which must not be longer than the original."""
    entry = b"\0" + NAME + b"\0"
    if library.count(entry) != 1 or library.count(NAME) != 1:
        sys.exit(
            f"own_blas: {NAME.decode()} must occur once in scipy-openblas32, not "
            f"{library.count(NAME)} times"
        )
    if len(name) > len(NAME):
        sys.exit(f"own_blas: {name.decode()} is longer than {NAME.decode()}")
    return library.replace(entry, b"\0" + name.ljust(len(NAME), b"\0") + b"\0")


def same_license() -> bool:
    """Whether the license in this folder is that of the installed package."""
    text = importlib.metadata.distribution("scipy-openblas32").read_text("licenses/LICENSE.txt")
    with open(LICENSE, encoding="utf-8") as file:
        return text is not None and file.read() == text


def main(out: str) -> None:
    if not same_license():
        sys.exit(f"own_blas: {LICENSE} is not the license of the installed scipy-openblas32")
    with open(os.path.join(scipy_openblas32.get_lib_dir(), NAME.decode()), "rb") as file:
        library = renamed(file.read(), os.path.basename(out).encode())
    if not os.path.exists(out) or pathlib.Path(out).read_bytes() != library:
        with open(out, "wb") as file:
            file.write(library)
    print(scipy_openblas32.get_include_dir())


main(*sys.argv[1:])
