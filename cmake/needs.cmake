# What the library is linked with. All that is missing is said at once, with its Debian package.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(PenumbraBLAS QUIET)
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
    pkg_check_modules(PENUMBRA_CJSON QUIET IMPORTED_TARGET libcjson)
endif()

set(missing "")
if(NOT PKG_CONFIG_FOUND)
    string(APPEND missing "\n    pkg-config (Debian: pkg-config)")
elseif(NOT PENUMBRA_CJSON_FOUND)
    string(APPEND missing "\n    cJSON, libcjson for pkg-config (Debian: libcjson-dev)")
endif()
if(NOT PenumbraBLAS_FOUND)
    string(APPEND missing "\n    OpenBLAS and cblas.h (Debian: libopenblas-openmp-dev); "
        "PENUMBRA_BLAS names another BLAS")
endif()
if(missing)
    message(FATAL_ERROR "penumbra needs what was not found here:${missing}\n"
        "On Debian `make deps` installs it.")
endif()

set(PENUMBRA_NEEDS
    ${PenumbraBLAS_LIBRARIES} PkgConfig::PENUMBRA_CJSON Threads::Threads ${CMAKE_DL_LIBS} m)
