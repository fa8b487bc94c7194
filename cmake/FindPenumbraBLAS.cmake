# FindPenumbraBLAS - BLAS, CBLAS and LAPACK.
#
# penumbra manages threads itself: it calls the BLAS from several threads, and each call must stay
# on its thread. OpenBLAS built on OpenMP has a setting per thread for this. Debian keeps this build
# in a separate folder; its other builds use plain threads (whose setting is global) or no threads
# (which several threads cannot call safely). So this module searches that folder first and stores
# its path in the library, whatever other programs choose. With another build, calls take turns
# (src/linalg/blas_turn.h), unless it uses plain threads and PENUMBRA_BLAS_PRIVATE promises that
# nothing else in the process uses it.
#
# BLA_VENDOR selects another BLAS by a name of CMake's FindBLAS: Generic (netlib; on Debian what
# its alternatives select, even after the build), FLAME (BLIS), ATLAS, Intel10_64_dyn (MKL) and
# others. CMAKE_PREFIX_PATH or MKLROOT is its folder. PENUMBRA_BLAS names files instead (separated
# by ';'), PENUMBRA_BLAS_INCLUDE the folder of their cblas.h. PenumbraBLAS_LACKS is what was not
# found, PenumbraBLAS_PACKAGES the Debian packages that have it.
set(PENUMBRA_BLAS "" CACHE STRING
    "BLAS, CBLAS and LAPACK libraries; empty: OpenBLAS, its OpenMP build first")
set(PENUMBRA_BLAS_INCLUDE "" CACHE PATH "folder of cblas.h")
set(PENUMBRA_BLAS_PREFIX "" CACHE STRING "prefix of the names of an OpenBLAS, such as scipy_")
set(BLA_VENDOR "" CACHE STRING "a BLAS by its name in FindBLAS; empty: see PENUMBRA_BLAS")

set(PenumbraBLAS_LACKS "OpenBLAS and cblas.h")
set(PenumbraBLAS_PACKAGES libopenblas-openmp-dev)
set(separate "") # libraries that may have LAPACK and CBLAS
if(PENUMBRA_BLAS)
    set(PenumbraBLAS_LIBRARIES ${PENUMBRA_BLAS})
    set(PenumbraBLAS_INCLUDE_DIR ${PENUMBRA_BLAS_INCLUDE})
elseif(BLA_VENDOR)
    set(PenumbraBLAS_LACKS "the BLAS ${BLA_VENDOR} and cblas.h")
    set(of_Generic "libblas-dev liblapack-dev")
    set(of_FLAME "libblis-openmp-dev liblapack-dev")
    set(of_ATLAS libatlas-base-dev)
    set(of_Intel10_64_dyn libmkl-dev)
    set(of_OpenBLAS libopenblas-dev)
    set(PenumbraBLAS_PACKAGES ${of_${BLA_VENDOR}})
    if(NOT PenumbraBLAS_PACKAGES)
        set(PenumbraBLAS_PACKAGES none)
    endif()
    set(separate lapack cblas)
    set(BLA_SIZEOF_INTEGER 4)
    find_package(BLAS QUIET)
    set(PenumbraBLAS_LIBRARIES ${BLAS_LIBRARIES})
    find_path(PenumbraBLAS_INCLUDE_DIR NAMES cblas.h mkl_cblas.h
        HINTS ENV MKLROOT PATH_SUFFIXES include mkl)
    if(PenumbraBLAS_INCLUDE_DIR AND NOT EXISTS ${PenumbraBLAS_INCLUDE_DIR}/cblas.h)
        file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/mkl/cblas.h CONTENT "#include <mkl_cblas.h>\n")
        set(PenumbraBLAS_INCLUDE_DIR ${PenumbraBLAS_INCLUDE_DIR} ${CMAKE_BINARY_DIR}/mkl)
    endif()
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

# blas_works.c names the functions. It is linked and, unless cross-compiling, run.
file(READ ${CMAKE_CURRENT_LIST_DIR}/blas_works.c text)
string(REGEX MATCHALL "cblas_[ds][a-z0-9]+|d[a-z]+_" functions "${text}")
list(REMOVE_DUPLICATES functions)
set(PenumbraBLAS_DEFINITIONS "")
if(PENUMBRA_BLAS_PREFIX)
    list(TRANSFORM functions REPLACE "(.+)" "\\1=${PENUMBRA_BLAS_PREFIX}\\1"
        OUTPUT_VARIABLE PenumbraBLAS_DEFINITIONS)
endif()
function(penumbra_try_blas)
    list(TRANSFORM PenumbraBLAS_DEFINITIONS PREPEND -D OUTPUT_VARIABLE definitions)
    set(program SOURCES ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/blas_works.c NO_CACHE
        CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${PenumbraBLAS_INCLUDE_DIR}"
        COMPILE_DEFINITIONS ${definitions} LINK_LIBRARIES ${PenumbraBLAS_LIBRARIES} m)
    set(status 0)
    if(CMAKE_CROSSCOMPILING)
        try_compile(links ${program} OUTPUT_VARIABLE output)
    else()
        try_run(status links ${program} COMPILE_OUTPUT_VARIABLE output)
    endif()
    set(lacks "")
    foreach(function ${functions})
        if(NOT links AND output MATCHES "[^=a-z]${PENUMBRA_BLAS_PREFIX}${function}[^=a-z]")
            string(APPEND lacks "${function} ")
        endif()
    endforeach()
    if(status EQUAL 64 OR output MATCHES "_Generic")
        set(lacks "an int of 32 bits ")
    elseif(NOT links AND NOT lacks)
        message("${output}")
        set(lacks "what blas_works.c needs (see above) ")
    endif()
    set(PenumbraBLAS_LACKS "${lacks}" PARENT_SCOPE)
endfunction()
if(PenumbraBLAS_LIBRARIES AND PenumbraBLAS_INCLUDE_DIR)
    penumbra_try_blas()
    foreach(library ${separate})
        if(PenumbraBLAS_LACKS)
            find_library(PenumbraBLAS_${library} NAMES ${library})
            list(PREPEND PenumbraBLAS_LIBRARIES ${PenumbraBLAS_${library}})
            list(FILTER PenumbraBLAS_LIBRARIES EXCLUDE REGEX NOTFOUND)
            penumbra_try_blas()
        endif()
    endforeach()
    if(PenumbraBLAS_LACKS)
        string(APPEND PenumbraBLAS_LACKS "in ${PenumbraBLAS_LIBRARIES}")
        set(PenumbraBLAS_LIBRARIES "")
    endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PenumbraBLAS
    REQUIRED_VARS PenumbraBLAS_LIBRARIES PenumbraBLAS_INCLUDE_DIR)
