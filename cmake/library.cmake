# Both libraries are built from one set of objects. Declarations in include/ make names public; the
# shared library hides all other names. Internal names also begin with pen_, so that names in the
# static library do not clash with those of a program.
file(READ include/penumbra/model.h header)
if(NOT header MATCHES "VERSION +\"${PROJECT_VERSION}\"\n.*MAJOR ${PROJECT_VERSION_MAJOR}\n.*MINOR \
${PROJECT_VERSION_MINOR}\n.*PATCH ${PROJECT_VERSION_PATCH}\n")
    message(FATAL_ERROR "include/penumbra/model.h: PEN_VERSION is not ${PROJECT_VERSION}")
endif()
add_library(penumbra_objects OBJECT ${PENUMBRA_SOURCES})
set_target_properties(penumbra_objects PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden)
target_include_directories(penumbra_objects SYSTEM PRIVATE ${PenumbraBLAS_INCLUDE_DIR})
target_link_libraries(penumbra_objects PRIVATE penumbra_options ZLIB::ZLIB Threads::Threads)
if(PENUMBRA_BLAS_PREFIX)
    target_compile_definitions(penumbra_objects PRIVATE
        PENUMBRA_BLAS_PREFIX=${PENUMBRA_BLAS_PREFIX} ${PenumbraBLAS_DEFINITIONS})
endif()
if(PENUMBRA_BLAS_PRIVATE)
    target_compile_definitions(penumbra_objects PRIVATE PENUMBRA_BLAS_PRIVATE)
endif()

add_library(penumbra_shared SHARED $<TARGET_OBJECTS:penumbra_objects>)
set_target_properties(penumbra_shared PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}
    EXPORT_NAME penumbra)
if(PENUMBRA_SANITIZE) # with clang, the program provides the names of a sanitizer
    target_link_options(penumbra_shared PRIVATE -fsanitize=${PENUMBRA_SANITIZE})
elseif(NOT APPLE) # on Apple this is the default, and the option has another name
    target_link_options(penumbra_shared PRIVATE LINKER:--no-undefined)
endif()

add_library(penumbra_static STATIC $<TARGET_OBJECTS:penumbra_objects>)
set_target_properties(penumbra_static PROPERTIES EXPORT_NAME static)

foreach(library penumbra_shared penumbra_static)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME penumbra LINKER_LANGUAGE C)
    target_link_libraries(${library} PRIVATE ${PENUMBRA_NEEDS})
    target_include_directories(${library} PUBLIC
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
        $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>)
endforeach()
add_library(penumbra::penumbra ALIAS penumbra_shared)
add_library(penumbra::static ALIAS penumbra_static)
