# Toolchain for 64-bit Arm: the cross compiler of Debian, and libraries in the folder
# PENUMBRA_SYSROOT, which tools/arm64-sysroot fills. Programs run under qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PENUMBRA_SYSROOT)

set(CMAKE_FIND_ROOT_PATH ${PENUMBRA_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(libraries ${PENUMBRA_SYSROOT}/usr/lib/aarch64-linux-gnu)
set(libraries_of_system ${PENUMBRA_SYSROOT}/lib/aarch64-linux-gnu)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${PENUMBRA_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/pkgconfig)

add_link_options(-Wl,-rpath-link,${libraries}:${libraries_of_system})
set(CMAKE_CROSSCOMPILING_EMULATOR
    qemu-aarch64 -L /usr/aarch64-linux-gnu
    -E LD_LIBRARY_PATH=${libraries}/openblas-openmp:${libraries}:${libraries_of_system})
