# FindPenumbraBLAS - one library with BLAS, CBLAS and LAPACK.
#
# penumbra manages threads itself: it calls the BLAS from several threads, and each call must stay
# on its thread. OpenBLAS built on OpenMP has a setting per thread for this. Debian keeps this build
# in a separate folder; its other builds use plain threads (whose setting is global) or no threads
# (which several threads cannot call safely). So this module searches that folder first and stores
# its path in the library, whatever other programs choose. With another build, calls take turns
# (src/linalg/blas_turn.h), unless it uses plain threads and PENUMBRA_BLAS_PRIVATE promises that
# nothing else in the process uses it. PENUMBRA_BLAS names other libraries (separated by ';'),
# PENUMBRA_BLAS_INCLUDE the folder of their cblas.h.
set(PENUMBRA_BLAS "" CACHE STRING
    "BLAS, CBLAS and LAPACK libraries; empty: OpenBLAS, its OpenMP build first")
set(PENUMBRA_BLAS_INCLUDE "" CACHE PATH "folder of cblas.h")
set(PENUMBRA_BLAS_PREFIX "" CACHE STRING "prefix of the names of an OpenBLAS, such as scipy_")

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
