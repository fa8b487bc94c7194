# The two libraries. Both show the names in tools/symbols.txt and no others.
file(STRINGS ${CMAKE_SOURCE_DIR}/tools/symbols.txt PENUMBRA_SYMBOLS)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/symbols.txt)
list(JOIN PENUMBRA_SYMBOLS ";\n        " _names)
file(CONFIGURE OUTPUT penumbra.map CONTENT "{\n    global:\n        @_names@;\n    local:\n        *;\n};\n" @ONLY)

add_library(penumbra_shared SHARED $<TARGET_OBJECTS:penumbra_objects>)
set_target_properties(penumbra_shared PROPERTIES OUTPUT_NAME penumbra VERSION ${PROJECT_VERSION} SOVERSION ${PENUMBRA_SOVERSION}
    LINKER_LANGUAGE C EXPORT_NAME penumbra LINK_DEPENDS ${CMAKE_BINARY_DIR}/penumbra.map INSTALL_RPATH_USE_LINK_PATH ON)
target_link_options(penumbra_shared PRIVATE -Wl,--version-script=${CMAKE_BINARY_DIR}/penumbra.map -Wl,--no-undefined)
target_link_libraries(penumbra_shared PRIVATE ${PENUMBRA_NEEDS})
target_include_directories(penumbra_shared PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>)
if(PENUMBRA_SANITIZE)
    target_link_options(penumbra_shared PRIVATE -fsanitize=${PENUMBRA_SANITIZE})
endif()

# The static library is one object in which every other name was made local, so that it cannot clash with a program's own names.
add_custom_command(OUTPUT penumbra_one.o
    COMMAND ${CMAKE_LINKER} -r -o penumbra_all.o $<TARGET_OBJECTS:penumbra_objects>
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${CMAKE_SOURCE_DIR}/tools/symbols.txt penumbra_all.o penumbra_one.o
    DEPENDS penumbra_objects $<TARGET_OBJECTS:penumbra_objects> ${CMAKE_SOURCE_DIR}/tools/symbols.txt
    COMMAND_EXPAND_LISTS VERBATIM)
add_library(penumbra_static STATIC penumbra_one.o)
set_source_files_properties(penumbra_one.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
set_target_properties(penumbra_static PROPERTIES OUTPUT_NAME penumbra LINKER_LANGUAGE C EXPORT_NAME penumbra_static)
target_link_libraries(penumbra_static PUBLIC ${PENUMBRA_NEEDS})
target_include_directories(penumbra_static PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>)

# What unit tests link: every name visible.
add_library(penumbra_internal STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:penumbra_objects>)
set_target_properties(penumbra_internal PROPERTIES LINKER_LANGUAGE C)
target_link_libraries(penumbra_internal PUBLIC penumbra_options ${PENUMBRA_NEEDS})
