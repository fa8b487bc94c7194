# The tree itself: layers, exported names, installation.
add_test(NAME house_layers COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/house/layers.sh ${CMAKE_SOURCE_DIR})
if(NOT PENUMBRA_SANITIZE)
    add_test(NAME house_symbols COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/house/symbols.sh ${CMAKE_SOURCE_DIR} $<TARGET_FILE:penumbra_shared> $<TARGET_FILE:penumbra_static>)
    add_test(NAME house_install COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/house/install.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
endif()
