# Short tests that cover every part: `ctest -L quick`, for other compilers and CPUs.
foreach(name
        alternate predictions cg checksum class_mass cores csr eig file graph kernel
        kernel_errors
        kernel_fit kernel_linear kernel_map kernel_same label_propagation landmarks
        links message model_file multiply named null_arguments number params pool
        predict products quality classifier_file classifier_fit classifier_golden classifiers
        reconstruct row_steps
        regression rng run neighbor_source shrink sparse_rows suggest tangent task_pool tiles
        trace_ratio io_data io_kinds io_libsvm io_matrix io_npy io_pairs io_sparse io_text io_write
        cfld components lpp npssdr rca self_mix)
    set_tests_properties(test_${name} PROPERTIES LABELS quick)
endforeach()
