# FindPenumbraBLAS - one library with BLAS, CBLAS and LAPACK.
#
# penumbra does its own threading: it calls the BLAS from several threads at once, and each call
# stays on its thread. OpenBLAS built on OpenMP has a setting for that per thread. Debian keeps this
# build in a folder of its own, next to a build on plain threads (whose setting is global) and one
# without threads (which is not safe to call from several). So that folder is searched first, and
# its path is kept in the library, whatever other programs choose. With any other build, calls take
# turns (src/linalg/blas_turn.h), unless it is on plain threads and PENUMBRA_BLAS_PRIVATE says that
# nothing else in the process uses it. PENUMBRA_BLAS names other libraries (several separated by
# ';'), PENUMBRA_BLAS_INCLUDE the folder of their cblas.h.
set(PENUMBRA_BLAS "" CACHE STRING
    "BLAS, CBLAS and LAPACK libraries; empty: OpenBLAS, its OpenMP build first")
set(PENUMBRA_BLAS_INCLUDE "" CACHE PATH "folder of cblas.h")
set(PENUMBRA_BLAS_PREFIX "" CACHE STRING "what the names of an OpenBLAS begin with, as scipy_")

if(PENUMBRA_BLAS)
    set(PenumbraBLAS_LIBRARIES ${PENUMBRA_BLAS})
    set(PenumbraBLAS_INCLUDE_DIR ${PENUMBRA_BLAS_INCLUDE})
else()
    find_library(PenumbraBLAS_LIBRARY NAMES openblas
        PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp NO_DEFAULT_PATH)
    find_path(PenumbraBLAS_INCLUDE_DIR NAMES cblas.h
        PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp NO_DEFAULT_PATH)
    set(PenumbraBLAS_IS_OPENMP ON)
    if(NOT PenumbraBLAS_LIBRARY)
        set(PenumbraBLAS_IS_OPENMP OFF)
        message(STATUS "OpenBLAS built on OpenMP was not found (Debian: libopenblas-openmp-dev): "
            "calls of another build take turns")
    endif()
    find_library(PenumbraBLAS_LIBRARY NAMES openblas)
    find_path(PenumbraBLAS_INCLUDE_DIR NAMES cblas.h PATH_SUFFIXES openblas)
    set(PenumbraBLAS_LIBRARIES ${PenumbraBLAS_LIBRARY})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PenumbraBLAS
    REQUIRED_VARS PenumbraBLAS_LIBRARIES PenumbraBLAS_INCLUDE_DIR)
