"""The C library of the package: its functions (`lib`) and types (`ffi`)."""

import ctypes
import os

from penumbra._cdef import UNLABELLED as UNLABELLED, ffi as ffi

_NAME = "libpenumbra_py." + ("dylib" if os.uname().sysname == "Darwin" else "so")
_FILE = os.path.join(os.path.dirname(__file__), "_bin", _NAME)
_core = None
if os.uname().machine == "aarch64" and "OPENBLAS_CORETYPE" not in os.environ:  # on macOS: arm64
    if ctypes.CDLL(None).getauxval(ctypes.c_ulong(26)) >> 23 & 1:  # AT_HWCAP2: SME
        # for which OpenBLAS selects a core that computes wrongly
        _core = os.environ["OPENBLAS_CORETYPE"] = "NEOVERSEN1"
try:
    lib = ffi.dlopen(_FILE, ffi.RTLD_NOW | ffi.RTLD_NODELETE)  # it frees objects even at exit
except OSError as error:
    raise ImportError(f"the library of penumbra cannot be loaded: {error}") from error
finally:
    if _core:  # for libraries that are loaded later
        del os.environ["OPENBLAS_CORETYPE"]
