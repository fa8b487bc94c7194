# make install: libraries, headers, command, pkg-config file and CMake package.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/penumbra)

install(TARGETS penumbra_shared EXPORT penumbraTargets)
install(TARGETS penumbra_static EXPORT penumbraStaticTargets)
install(TARGETS penumbra_cli)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# There are two files of targets, since only penumbra::static needs threads and zlib.
install(EXPORT penumbraTargets NAMESPACE penumbra:: DESTINATION ${package})
install(EXPORT penumbraStaticTargets NAMESPACE penumbra:: DESTINATION ${package})
configure_package_config_file(cmake/penumbraConfig.cmake.in penumbraConfig.cmake
    INSTALL_DESTINATION ${package})
write_basic_package_version_file(penumbraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${CMAKE_BINARY_DIR}/penumbraConfig.cmake ${CMAKE_BINARY_DIR}/penumbraConfigVersion.cmake
    DESTINATION ${package})

# The pkg-config file finds folders relative to itself, so an installed tree can be moved.
file(RELATIVE_PATH PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" PC_PREFIX "${PC_PREFIX}")
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "\${prefix}"
    OUTPUT_VARIABLE PC_LIBDIR)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "\${prefix}"
    OUTPUT_VARIABLE PC_INCLUDEDIR)
set(PC_PRIVATE "")
foreach(library ${PenumbraBLAS_LIBRARIES} ${ZLIB_LIBRARIES})
    if(library MATCHES "^[^-/]+$") # a plain name, as CMake accepts it
        string(PREPEND library "-l")
    endif()
    string(APPEND PC_PRIVATE "${library} ")
    get_filename_component(folder "${library}" DIRECTORY)
    if(folder AND NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
        # statically linked programs use the BLAS found here
        string(APPEND PC_PRIVATE "-Wl,-rpath,${folder} ")
    endif()
endforeach()
foreach(library ${CMAKE_DL_LIBS})
    string(APPEND PC_PRIVATE "-l${library} ")
endforeach()
string(APPEND PC_PRIVATE "${CMAKE_THREAD_LIBS_INIT} -lm")
configure_file(cmake/penumbra.pc.in penumbra.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/penumbra.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
