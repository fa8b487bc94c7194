# Layers, exported names, installation, messages about missing packages.
set(house ${CMAKE_CURRENT_SOURCE_DIR}/house)
add_test(NAME house_layers COMMAND sh ${house}/layers.sh ${CMAKE_SOURCE_DIR})
add_test(NAME house_page COMMAND sh ${house}/page.sh ${CMAKE_SOURCE_DIR})
if(NOT PENUMBRA_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME house_symbols COMMAND sh ${house}/symbols.sh
        ${CMAKE_SOURCE_DIR} $<TARGET_FILE:penumbra_shared> $<TARGET_FILE:penumbra_static>)
    add_test(NAME house_abi COMMAND sh ${house}/abi.sh
        ${CMAKE_SOURCE_DIR} ${CMAKE_C_COMPILER} ${PROJECT_VERSION_MAJOR})
    add_test(NAME house_calls COMMAND sh ${house}/calls.sh ${CMAKE_SOURCE_DIR}
        ${CMAKE_BINARY_DIR} ${CMAKE_NM})
    add_test(NAME house_install COMMAND sh ${house}/install.sh
        ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
    add_test(NAME house_contributing COMMAND sh ${house}/contributing.sh ${CMAKE_SOURCE_DIR})
    set_tests_properties(house_abi house_contributing PROPERTIES SKIP_RETURN_CODE 77)
    add_test(NAME house_deps COMMAND sh ${house}/deps.sh ${CMAKE_SOURCE_DIR} ${CMAKE_C_COMPILER})
endif()
# The texts of -h, and names of earlier versions.
add_test(NAME house_help COMMAND sh ${house}/help.sh $<TARGET_FILE:penumbra_cli>)
add_test(NAME house_old_names COMMAND sh ${house}/old_names.sh
    ${CMAKE_SOURCE_DIR} $<TARGET_FILE:penumbra_cli>)
add_test(NAME house_surface COMMAND sh ${house}/surface.sh
    ${CMAKE_SOURCE_DIR} $<TARGET_FILE:penumbra_cli>)
add_test(NAME house_words COMMAND sh ${house}/words.sh
    ${CMAKE_SOURCE_DIR} $<TARGET_FILE:penumbra_cli>)
set_tests_properties(house_words PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME house_man COMMAND sh ${house}/man.sh
    $<TARGET_FILE:penumbra_cli> ${CMAKE_BINARY_DIR})
set_tests_properties(house_man PROPERTIES SKIP_RETURN_CODE 77)
# Advice in messages is followed; a hint without a row in a table fails (hints/README.md).
find_program(PYTHON3 python3)
if(PYTHON3 AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME house_completion COMMAND ${PYTHON3} ${house}/completion.py
        $<TARGET_FILE:penumbra_cli> ${CMAKE_BINARY_DIR})
    set_tests_properties(house_completion PROPERTIES SKIP_RETURN_CODE 77)
    # Files of earlier versions. A version adds a folder.
    add_test(NAME house_models COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/models.py
        $<TARGET_FILE:penumbra_cli>)
    set(hints ${CMAKE_CURRENT_SOURCE_DIR}/hints)
    file(GLOB HINTS CONFIGURE_DEPENDS ${hints}/*.hints)
    list(FILTER HINTS EXCLUDE REGEX "/(convert|python).hints$") # with the package
    if(PENUMBRA_SANITIZE) # no LD_PRELOAD
        list(FILTER HINTS EXCLUDE REGEX "/blas.hints$")
    endif()
    add_test(NAME house_hints COMMAND ${PYTHON3} ${hints}/hints.py check)
    add_test(NAME house_hints_followed COMMAND
        ${PYTHON3} ${hints}/hints.py run $<TARGET_FILE:penumbra_cli> ${HINTS})
endif()
