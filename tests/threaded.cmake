# Tests of concurrent threads: `ctest -L threads`, for ThreadSanitizer. test_same_bits
# fits every method on 1, 2 and 5 threads, so the tests of single methods are not among them.
add_custom_target(threaded_tests)
foreach(name
        blas_turn cores csr graph kernel kernel_map kernel_same label_propagation landmarks
        neighbors
        null_arguments pairs paths pool
        predict prepared_rows products quality classifier_fit classifiers
        reconstruct regression relative
        run same_bits scatter suggest sym
        task_pool threads transform trials)
    set_property(TEST test_${name} APPEND PROPERTY LABELS threads)
    add_dependencies(threaded_tests test_${name})
endforeach()
