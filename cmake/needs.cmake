# Finds the libraries to link. An error names missing ones with their Debian packages.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(PenumbraBLAS QUIET)
find_package(ZLIB 1.2.9 QUIET)
set(missing "")
if(NOT PenumbraBLAS_FOUND)
    string(APPEND missing "    ${PenumbraBLAS_LACKS} (Debian: ${PenumbraBLAS_PACKAGES}); "
        "BLA_VENDOR or PENUMBRA_BLAS names another BLAS\n")
endif()
if(NOT ZLIB_FOUND)
    string(APPEND missing "    zlib 1.2.9 or later (Debian: zlib1g-dev)\n")
endif()
if(missing)
    message(FATAL_ERROR "penumbra requires these packages, which were not found:\n${missing}"
        "On Debian `make deps` installs OpenBLAS and zlib.")
endif()

set(PENUMBRA_NEEDS ${PenumbraBLAS_LIBRARIES} ZLIB::ZLIB Threads::Threads ${CMAKE_DL_LIBS} m)
