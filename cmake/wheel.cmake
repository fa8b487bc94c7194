# Builds of the Python package install their own copy of OpenBLAS from the package scipy-openblas32.
# PENUMBRA_BLAS or BLA_VENDOR names another BLAS instead, which is not copied; PENUMBRA_WHEEL_BLAS
# and PENUMBRA_BLAS_INCLUDE a copy for another platform and its headers.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
if(PENUMBRA_BLAS OR BLA_VENDOR)
    return()
endif()
if(NOT PENUMBRA_WHEEL_BLAS)
    set(PENUMBRA_WHEEL_BLAS ${CMAKE_BINARY_DIR}/libopenblas_pen${CMAKE_SHARED_LIBRARY_SUFFIX})
    execute_process(
        COMMAND ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/python/own_blas.py ${PENUMBRA_WHEEL_BLAS}
        OUTPUT_VARIABLE PENUMBRA_BLAS_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY)
endif()
set(PENUMBRA_BLAS ${PENUMBRA_WHEEL_BLAS})
set(PENUMBRA_BLAS_PREFIX scipy_)
set(PENUMBRA_BLAS_PRIVATE ON)
