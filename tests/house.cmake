# The tree itself: layers, exported names, installation, messages about what a build lacks.
set(house ${CMAKE_CURRENT_SOURCE_DIR}/house)
add_test(NAME house_layers COMMAND sh ${house}/layers.sh ${CMAKE_SOURCE_DIR})
if(NOT PENUMBRA_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME house_symbols COMMAND sh ${house}/symbols.sh
        ${CMAKE_SOURCE_DIR} $<TARGET_FILE:penumbra_shared> $<TARGET_FILE:penumbra_static>)
    add_test(NAME house_install COMMAND sh ${house}/install.sh
        ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
    add_test(NAME house_deps COMMAND sh ${house}/deps.sh ${CMAKE_SOURCE_DIR} ${CMAKE_C_COMPILER})
endif()
