# Redirects allocations of the library to the test, which makes them fail.
foreach(name malloc calloc realloc aligned_alloc free)
    target_link_options(test_allocation PRIVATE -Wl,--wrap=${name})
endforeach()
