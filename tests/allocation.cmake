# Every allocation of the library goes through the test, which lets one of them fail.
foreach(name malloc calloc realloc aligned_alloc free)
    target_link_options(test_allocation PRIVATE -Wl,--wrap=${name})
endforeach()
