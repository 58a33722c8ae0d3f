# The toolchain of the presets amd64 and arm64: g++-12 for another Debian architecture (HOLDFAST_CROSS), against the
# tree that cmake/sysroot.sh made. Programs name that tree's loader and libraries, so qemu starts them without options.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HOLDFAST_CROSS)
set(CMAKE_SYSTEM_NAME Linux)
if(HOLDFAST_CROSS STREQUAL "amd64")
  set(CMAKE_SYSTEM_PROCESSOR x86_64)
  set(loader lib64/ld-linux-x86-64.so.2)
elseif(HOLDFAST_CROSS STREQUAL "arm64")
  set(CMAKE_SYSTEM_PROCESSOR aarch64)
  set(loader lib/ld-linux-aarch64.so.1)
else()
  message(FATAL_ERROR "HOLDFAST_CROSS is amd64 or arm64, not '${HOLDFAST_CROSS}'")
endif()
set(CMAKE_LIBRARY_ARCHITECTURE "${CMAKE_SYSTEM_PROCESSOR}-linux-gnu")
set(CMAKE_CXX_COMPILER "${CMAKE_LIBRARY_ARCHITECTURE}-g++-12")

get_filename_component(cross "${CMAKE_CURRENT_LIST_DIR}/../build/cross/${HOLDFAST_CROSS}" ABSOLUTE)
set(CMAKE_SYSROOT "${cross}/root")
set(CMAKE_CROSSCOMPILING_EMULATOR "${cross}/qemu")
# An RPATH, not a RUNPATH, so that it also applies to the dependencies of libraries.
set(search "-Wl,--disable-new-dtags -Wl,-rpath,${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${search}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${search} -Wl,--dynamic-linker=${CMAKE_SYSROOT}/${loader}")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
