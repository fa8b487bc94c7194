# In a build of the Python package: its own copy of the OpenBLAS in the package scipy-openblas32,
# which is installed with it. PENUMBRA_BLAS names another BLAS instead, which stays where it is.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
if(PENUMBRA_BLAS)
    return()
endif()
set(PENUMBRA_WHEEL_BLAS ${CMAKE_BINARY_DIR}/libopenblas_pen.so)
execute_process(
    COMMAND ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/python/own_blas.py ${PENUMBRA_WHEEL_BLAS}
    OUTPUT_VARIABLE PENUMBRA_BLAS_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
set(PENUMBRA_BLAS ${PENUMBRA_WHEEL_BLAS})
set(PENUMBRA_BLAS_PREFIX scipy_)
set(PENUMBRA_BLAS_PRIVATE ON)
