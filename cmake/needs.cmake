# What the library is linked with. What is missing is said with its Debian package.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(PenumbraBLAS QUIET)
if(NOT PenumbraBLAS_FOUND)
    message(FATAL_ERROR "penumbra needs what was not found here:\n"
        "    OpenBLAS and cblas.h (Debian: libopenblas-openmp-dev); PENUMBRA_BLAS names another "
        "BLAS\n"
        "On Debian `make deps` installs it.")
endif()

include(cmake/parts.cmake)
set(PENUMBRA_NEEDS ${PenumbraBLAS_LIBRARIES} ${PENUMBRA_PART_LIBRARIES} Threads::Threads
    ${CMAKE_DL_LIBS} m)
