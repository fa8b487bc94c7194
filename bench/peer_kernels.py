"""Select the kernels of the peers. Import this before NumPy, SciPy, scikit-learn or FAISS, because their libraries read the variables when they are loaded.

For an unknown CPU, OpenBLAS uses the kernels of its oldest one, a sixth of the speed on a CPU of 2023. So this module selects kernels for AVX-512 if the CPU has it, otherwise for AVX2. If
PENUMBRA_ISA names a set without AVX-512, the peers do not use it either. OPENBLAS_CORETYPE, FAISS_SIMD_LEVEL and FAISS_OPT_LEVEL keep values that are already set.
"""

import os


def cpu_features():
    try:
        with open("/proc/cpuinfo") as file:
            return set(next((line.split()[2:] for line in file if line.startswith("flags")), []))
    except OSError:
        return set()


def choose():
    features = cpu_features()
    if "avx2" not in features:
        return
    wide = "avx512dq" in features and os.environ.get("PENUMBRA_ISA", "") not in ("portable", "avx2", "avx-vnni")
    os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX" if wide else "Haswell")
    if not wide:
        os.environ.setdefault("FAISS_SIMD_LEVEL", "AVX2")  # releases of one library for all instruction sets
        os.environ.setdefault("FAISS_OPT_LEVEL", "AVX2")  # those before, of a library for each


choose()
