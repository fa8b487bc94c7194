# FindOpenBLASSerial - a BLAS with CBLAS and LAPACK in one library, single-threaded if there is one.
#
# penumbra does its own threading on single-threaded BLAS calls. Debian keeps three builds of OpenBLAS in folders of their own; the serial one is
# taken first. PENUMBRA_BLAS names another library (any BLAS with CBLAS and LAPACK, several separated by ';'), PENUMBRA_BLAS_INCLUDE its cblas.h.
set(PENUMBRA_BLAS "" CACHE STRING "BLAS, CBLAS and LAPACK libraries; empty: OpenBLAS, the serial build first")
set(PENUMBRA_BLAS_INCLUDE "" CACHE PATH "folder of cblas.h")

if(PENUMBRA_BLAS)
    set(OpenBLASSerial_LIBRARIES ${PENUMBRA_BLAS})
    set(OpenBLASSerial_INCLUDE_DIR ${PENUMBRA_BLAS_INCLUDE})
else()
    find_library(OpenBLASSerial_LIBRARY NAMES openblas
        PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp NO_DEFAULT_PATH)
    find_library(OpenBLASSerial_LIBRARY NAMES openblas)
    get_filename_component(_folder "${OpenBLASSerial_LIBRARY}" DIRECTORY)
    get_filename_component(_variant "${_folder}" NAME)
    find_path(OpenBLASSerial_INCLUDE_DIR NAMES cblas.h
        PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/${_variant} NO_DEFAULT_PATH)
    find_path(OpenBLASSerial_INCLUDE_DIR NAMES cblas.h PATH_SUFFIXES openblas)
    set(OpenBLASSerial_LIBRARIES ${OpenBLASSerial_LIBRARY})
    if(OpenBLASSerial_LIBRARY AND NOT _variant STREQUAL "openblas-serial")
        message(STATUS "OpenBLAS is not the serial build: set OPENBLAS_NUM_THREADS=1 when running, or install libopenblas-serial-dev")
    endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLASSerial REQUIRED_VARS OpenBLASSerial_LIBRARIES OpenBLASSerial_INCLUDE_DIR)
