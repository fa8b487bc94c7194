"""The library for the programs with peers: cffi reads the headers of this tree."""

import os
import sys

from cffi import FFI

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "python"))
from binding import declarations  # noqa: E402; found by the line above

DTYPES = {"float64": 0, "float32": 1, "uint8": 2}

ffi = FFI()
ffi.cdef(declarations(os.path.join(HERE, "..", "include")))
library = ffi.dlopen(os.environ["PENUMBRA_LIBRARY"])


def call(function, *arguments):
    """Call a function whose last parameter is a pen_error; raise its message as RuntimeError."""
    error = ffi.new("pen_error *")
    if function(*arguments, error):
        raise RuntimeError(ffi.string(error.message).decode())


def array(x):
    """Return rows for the library, valid while x lives."""
    return {"values": ffi.cast("void *", x.ctypes.data), "dtype": DTYPES[x.dtype.name], "rows": x.shape[0], "cols": x.shape[1], "stride": x.shape[1]}
