# Language, warnings, sanitizers: the same for every target.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)  # include/holdfast/export.h marks what the library offers
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

# Optimisation, debug information and hardening are whoever builds' own; only the presets choose them.
add_compile_options(-Wall -Wextra -Wconversion -Wshadow)
if(HOLDFAST_DEVELOPER)
  add_compile_options(-Werror)
endif()
# A designated initializer names what differs from the defaults; the rest is meant to be missing.
add_compile_options(-Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # What a mutex guards is said beside it (src/base/thread_annotations.h), and held to.
  add_compile_options(-Wthread-safety)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 reports an overlap that cannot be in "literal" + std::string (GCC bug 105651).
  add_compile_options(-Wno-restrict)
endif()

configure_file("${PROJECT_SOURCE_DIR}/cmake/version.h.in" "${PROJECT_BINARY_DIR}/generated/base/version.h" @ONLY)
include_directories("${PROJECT_BINARY_DIR}/generated")
if(HOLDFAST_LAB)
  add_compile_definitions(HOLDFAST_LAB)
endif()
if(HOLDFAST_SANITIZE)
  add_compile_options(-fsanitize=${HOLDFAST_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HOLDFAST_SANITIZE})
endif()

find_program(HOLDFAST_CCACHE ccache)
if(HOLDFAST_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${HOLDFAST_CCACHE}")
endif()
