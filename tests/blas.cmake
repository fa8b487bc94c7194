# Tests with other builds of the BLAS by LD_PRELOAD, which sanitizers do not allow.
# PENUMBRA_OTHER_BLAS: a folder filled by tools/other-blas; every build in the folder is tested.
set(PENUMBRA_OTHER_BLAS "" CACHE PATH "folder with other BLAS libraries; empty: no such tests")
set_tests_properties(test_blas_turn PROPERTIES
    ENVIRONMENT "$<$<BOOL:${PenumbraBLAS_IS_OPENMP}>:TEST_BLAS=openmp, side by side>")
target_include_directories(test_blas_check SYSTEM PRIVATE ${PenumbraBLAS_INCLUDE_DIR})
if(PENUMBRA_SANITIZE)
    return()
endif()

# The library's BLAS file again, for a BLAS that nothing else uses.
add_executable(test_blas_private unit/test_blas_turn.c ${CMAKE_SOURCE_DIR}/src/linalg/blas_turn.c)
target_compile_definitions(test_blas_private PRIVATE PENUMBRA_BLAS_PRIVATE)
target_link_libraries(test_blas_private PRIVATE penumbra_test_support)

function(add_blas_test name program library facts)
    add_test(NAME blas_${name} COMMAND ${program})
    set_tests_properties(blas_${name} PROPERTIES
        ENVIRONMENT "LD_PRELOAD=${library};TEST_BLAS=${facts};PENUMBRA_TEST_EFFORT=0.1")
endfunction()

file(GLOB ON_THREADS ${PENUMBRA_OTHER_BLAS}/openblas-pthread/libopenblas.so.0)
file(GLOB SERIAL ${PENUMBRA_OTHER_BLAS}/openblas-serial/libopenblas.so.0)
if(PENUMBRA_OTHER_BLAS AND ON_THREADS)
    add_blas_test(on_threads test_blas_turn ${ON_THREADS} "pthreads, in turn")
    add_blas_test(private test_blas_private ${ON_THREADS} "pthreads, side by side")
    add_blas_test(on_threads_bits test_threads ${ON_THREADS} "pthreads, in turn")
    add_blas_test(on_threads_fork test_pool ${ON_THREADS} "pthreads, in turn")
endif()
if(PENUMBRA_OTHER_BLAS AND SERIAL)
    add_blas_test(serial test_blas_turn ${SERIAL} "none, in turn")
    add_blas_test(serial_bits test_threads ${SERIAL} "none, in turn")
    add_blas_test(serial_fork test_pool ${SERIAL} "none, in turn")
endif()

# Builds with netlib's and with BLIS
add_test(NAME house_blas COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/house/blas.sh ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER} ${PENUMBRA_OTHER_BLAS}/)
set_tests_properties(house_blas PROPERTIES SKIP_RETURN_CODE 77)

# The command replaces kernels of a BLAS that does not know the CPU, or is wrong: other_core.
add_library(other_core MODULE house/other_core.c)
target_link_libraries(other_core PRIVATE ${CMAKE_DL_LIBS})
add_test(NAME house_kernels COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/house/kernels.sh
    $<TARGET_FILE:penumbra_cli> $<TARGET_FILE:other_core>)
