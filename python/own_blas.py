"""own_blas.py OUT [PACKAGE]: copy the OpenBLAS of scipy-openblas32 and print the folder of its
headers.

The dynamic linker loads one file per library name in a process. The copy has a different name, so
other packages do not share its number of threads. PACKAGE is the unpacked folder scipy_openblas32
for another platform, by default the installed one.
"""

import glob
import hashlib
import importlib.util
import os
import pathlib
import struct
import sys

NAMES = {".so": b"\0libscipy_openblas.so\0", ".dylib": b"@rpath/libscipy_openblas.dylib\0"}
LICENSE = pathlib.Path(__file__).with_name("LICENSE.openblas")


def renamed(library: bytes, old: bytes, name: str) -> bytes:
    """Return the library under another name, which must not be longer than the original."""
    new = old[: old.index(b"lib")] + name.encode() + b"\0"
    if library.count(old) != 1:
        sys.exit(f"own_blas: {old!r} must occur once in scipy-openblas32")
    if len(new) > len(old):
        sys.exit(f"own_blas: {name} is longer than the name in {old!r}")
    return library.replace(old, new.ljust(len(old), b"\0"))


def blank(library: bytes) -> bytes:
    """Return an ELF library with zeros in the sections that are for debuggers only, which then take
    no room in a wheel."""
    out = bytearray(library)
    start = struct.unpack_from("<Q", library, 0x28)[0]
    size, count, names = struct.unpack_from("<3H", library, 0x3A)
    for i in range(count):
        _, kind, flags, _, offset, length = struct.unpack_from("<2I4Q", library, start + i * size)
        is_loaded, nothing = flags & 2, 8
        if not is_loaded and kind != nothing and i != names:
            out[offset : offset + length] = bytes(length)
    return bytes(out)


def signed(library: bytes, original: bytes) -> bytes:
    """Return a Mach-O library with new hashes of the changed pages in its ad hoc signature, if it
    has one. Apple's code signing: an embedded signature (big-endian) has code directories, with a
    SHA-256 of each page."""
    code_signature, blob, directory, sha256 = 0x1D, 0xFADE0CC0, 0xFADE0C02, 2
    at, signature = 32, 0
    for _ in range(struct.unpack_from("<I", library, 16)[0]):
        command, size, offset = struct.unpack_from("<3I", library, at)
        signature = offset if command == code_signature else signature
        at += size
    if not signature:
        return library
    magic, _, count, _, offset = struct.unpack_from(">5I", library, signature)
    at = signature + offset
    found, _, _, _, hashes, _, _, pages, _ = struct.unpack_from(">9I", library, at)
    size, kind, _, page = struct.unpack_from(">4B", library, at + 36)
    if (magic, count, found, kind, size) != (blob, 1, directory, sha256, 32):
        sys.exit("own_blas: the signature of scipy-openblas32 is not one ad hoc code directory")
    out = bytearray(library)
    for i in range(pages):
        here = slice(i << page, min((i + 1) << page, signature))
        place = at + hashes + i * size
        if library[place : place + size] != hashlib.sha256(original[here]).digest():
            sys.exit(f"own_blas: the signature of scipy-openblas32 is wrong at page {i}")
        out[place : place + size] = hashlib.sha256(library[here]).digest()
    return bytes(out)


def main(out: str, package: str = "") -> None:
    if not package:  # not imported, because that would load the library
        found = importlib.util.find_spec("scipy_openblas32")
        if not found:
            sys.exit("own_blas: scipy-openblas32 is not installed")
        package = os.path.dirname(found.origin)
    info = os.path.join(glob.escape(package), "..", "scipy_openblas32-*.dist-info")
    pattern = os.path.join(info, "licenses", "LICENSE.txt")
    if [pathlib.Path(path).read_bytes() for path in glob.glob(pattern)] != [LICENSE.read_bytes()]:
        sys.exit(f"own_blas: {LICENSE} is not the license of scipy-openblas32 in {package}")
    suffix = pathlib.Path(out).suffix
    path = pathlib.Path(package, "lib", "libscipy_openblas" + suffix)
    original = path.read_bytes()
    library = renamed(original, NAMES[suffix], os.path.basename(out))
    library = signed(library, original) if suffix == ".dylib" else blank(library)
    if not os.path.exists(out) or pathlib.Path(out).read_bytes() != library:
        pathlib.Path(out).write_bytes(library)
    print(os.path.join(package, "include"))


main(*sys.argv[1:])
