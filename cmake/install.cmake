# make install: libraries, header, command, pkg-config file, CMake package.
include(CMakePackageConfigHelpers)

install(TARGETS penumbra_shared EXPORT penumbraTargets)
install(TARGETS penumbra_cli)
install(FILES $<TARGET_FILE:penumbra_static> DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/penumbra.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT penumbraTargets NAMESPACE penumbra:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/penumbra)

list(JOIN PenumbraBLAS_LIBRARIES " " PC_BLAS)
list(TRANSFORM CMAKE_DL_LIBS PREPEND "-l" OUTPUT_VARIABLE PC_DL)
string(JOIN " " PC_PRIVATE ${PC_BLAS} ${CMAKE_THREAD_LIBS_INIT} ${PC_DL} "-lm")
configure_file(cmake/penumbra.pc.in penumbra.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/penumbra.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

configure_package_config_file(cmake/penumbraConfig.cmake.in penumbraConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/penumbra)
write_basic_package_version_file(penumbraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/penumbraConfig.cmake ${CMAKE_BINARY_DIR}/penumbraConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/penumbra)
