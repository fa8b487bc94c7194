# make install: libraries, headers, command, manual pages, completions, pkg-config file and CMake
# package.
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
write_basic_package_version_file(penumbraConfigVersion.cmake COMPATIBILITY SameMajorVersion)
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

if(SKBUILD)
    return()
endif()

# The scripts that complete command lines ask the command when they run.
file(READ cmake/completion/words.awk PENUMBRA_WORDS)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cmake/completion/words.awk)
set(completion ${CMAKE_BINARY_DIR}/completion)
foreach(file bash-completion/completions/penumbra.bash zsh/site-functions/_penumbra
        fish/vendor_completions.d/penumbra.fish)
    get_filename_component(name ${file} NAME)
    configure_file(cmake/completion/${name}.in ${completion}/${file} @ONLY)
endforeach()
install(DIRECTORY ${completion}/ DESTINATION ${CMAKE_INSTALL_DATADIR})

# Manual pages are made from the help of the command and the comments of the headers.
find_program(PENUMBRA_AWK awk)
if(CMAKE_CROSSCOMPILING OR NOT PENUMBRA_AWK)
    message(STATUS "no manual pages: the command cannot run here, or there is no awk")
else()
    file(GLOB headers CONFIGURE_DEPENDS include/penumbra/*.h)
    set(MAN ${CMAKE_BINARY_DIR}/man)
    file(MAKE_DIRECTORY ${MAN}/man1 ${MAN}/man3 ${MAN}/man7)
    string(TIMESTAMP date "%B %d, %Y" UTC) # SOURCE_DATE_EPOCH sets another one
    string(REPLACE " 0" " " date "${date}")
    add_custom_command(OUTPUT ${MAN}/man3/libpenumbra.3
        COMMAND ${PENUMBRA_AWK} -v program=$<TARGET_FILE:penumbra_cli> -v out=${MAN}
            -v "date=${date}" -f ${CMAKE_SOURCE_DIR}/cmake/man.awk ${headers}
        DEPENDS penumbra_cli cmake/man.awk ${headers} VERBATIM)
    add_custom_target(penumbra_man ALL DEPENDS ${MAN}/man3/libpenumbra.3)
    install(DIRECTORY ${MAN}/ DESTINATION ${CMAKE_INSTALL_MANDIR})
endif()
