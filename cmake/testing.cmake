# Tests: a GoogleTest program per room, system_test for what crosses rooms, a
# consumer outside the tree, and the parts of the crash laboratory.
if(NOT GTest_FOUND OR NOT rapidcheck_FOUND)
  message(STATUS "GoogleTest or rapidcheck is not installed: no tests (./dev test installs them)")
  return()
endif()
enable_testing()
include(GoogleTest)
set(HOLDFAST_TEST_TIMEOUT 120 CACHE STRING "seconds that one GoogleTest test may take")

# The only object that contains the path of this checkout. It also has the precompiled headers of the tests.
add_library(test_paths OBJECT tests/paths.cc)
set(for_ccache "-fpch-preprocess")  # lets ccache compare contents of precompiled headers, not times
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(for_ccache "SHELL:-Xclang -fno-pch-timestamp")
endif()
target_link_libraries(test_paths PRIVATE GTest::gtest_main)
set_target_properties(test_paths PROPERTIES POSITION_INDEPENDENT_CODE OFF)
target_compile_options(test_paths PRIVATE -fPIE $<$<BOOL:${HOLDFAST_DEVELOPER}>:-O0>)  # same flags as the tests
if(HOLDFAST_PRECOMPILED)
  target_precompile_headers(test_paths PRIVATE <gtest/gtest.h> <algorithm> <filesystem> <fstream> <functional> <map>
    <set> <string> <thread> <vector>)
  target_compile_options(test_paths PRIVATE "${for_ccache}")
endif()
target_include_directories(test_paths PRIVATE "${PROJECT_SOURCE_DIR}")
# Set on the file, not on the target, because the precompiled headers must suit every test.
set_source_files_properties(tests/paths.cc PROPERTIES COMPILE_DEFINITIONS
  "HOLDFAST_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\";HOLDFAST_BINARY=\"$<$<TARGET_EXISTS:holdfast_cli>:$<TARGET_FILE:holdfast_cli>>\";HOLDFAST_LIBRARY=\"$<TARGET_FILE:holdfast>\"")

# holdfast_test(NAME sources...)
function(holdfast_test name)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE test_paths GTest::gtest_main rapidcheck)
  if(NOT name STREQUAL "arrows_test")
    target_sources(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/lock_complaints.cc")
  endif()
  if(HOLDFAST_DEVELOPER)
    target_compile_options(${name} PRIVATE -O0)  # halves compile time; the code under test is still optimized
  endif()
  if(HOLDFAST_PRECOMPILED)
    target_compile_options(${name} PRIVATE "${for_ccache}")
    target_precompile_headers(${name} REUSE_FROM test_paths)
  endif()
  # PRE_TEST: list the test names when the tests run, not at every link.
  gtest_discover_tests(${name} TEST_PREFIX "${name}." NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${HOLDFAST_TEST_TIMEOUT})
endfunction()

foreach(room IN LISTS HOLDFAST_ROOMS)
  get_target_property(folder room_${room} HOLDFAST_FOLDER)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*_test.cc")
  if(sources)
    holdfast_test(${room}_test ${sources})
    get_target_property(libraries room_${room} HOLDFAST_LIBRARIES)
    if(NOT libraries)
      set(libraries "")
    endif()
    target_link_libraries(${room}_test PRIVATE room_${room} ${libraries})
    if(NOT room MATCHES "^(base|text|source|model|layout)$")
      target_link_libraries(${room}_test PRIVATE simulated_disk)
    endif()
    # Opens stores with all features, so that tests see what users see.
    if(room MATCHES "^(store|find|transfer|archive|sync|handoff)$")
      target_link_libraries(${room}_test PRIVATE room_rules)
    endif()
  endif()
endforeach()
if(TARGET cli_test)
  add_dependencies(cli_test holdfast_cli)
endif()

# Checks the rules between source files. Links no room, so that it also runs when a room does not compile.
if(EXISTS "${PROJECT_SOURCE_DIR}/tests/arrows_test.cc")
  holdfast_test(arrows_test tests/arrows_test.cc)
endif()

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*_test.cc" "${PROJECT_SOURCE_DIR}/tests/cli/*_test.cc")
list(FILTER sources EXCLUDE REGEX "/arrows_test\\.cc$")
if(sources)
  holdfast_test(system_test ${sources})
  target_link_libraries(system_test PRIVATE simulated_disk ${room_targets})
  add_dependencies(system_test holdfast)
  if(TARGET holdfast_cli)
    add_dependencies(system_test holdfast_cli)
  endif()
endif()

# A made-up agent: a folder, and one more entry in the table of layouts.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/tenth_agent/*.cc"
  "${PROJECT_SOURCE_DIR}/tests/tenth_agent/*/*.cc")
if(sources AND TARGET room_api)
  set(table "${PROJECT_SOURCE_DIR}/src/layout/layouts.cc")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
  file(READ "${table}" product)
  string(REPLACE "(LAYOUT) " "(LAYOUT) LAYOUT(chatter) " with_one_more "${product}")
  if(with_one_more STREQUAL product)
    message(FATAL_ERROR "the test of a tenth agent does not find the table in ${table}")
  endif()
  file(CONFIGURE OUTPUT tenth_agent/layouts.cc CONTENT "${with_one_more}" @ONLY)
  holdfast_test(tenth_agent_test ${sources} "${CMAKE_CURRENT_BINARY_DIR}/tenth_agent/layouts.cc")
  target_link_libraries(tenth_agent_test PRIVATE simulated_disk room_api)
endif()

# Tests the PostgreSQL remote against one real server. Skipped if PostgreSQL is not installed.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/postgres/*.cc"
  "${PROJECT_SOURCE_DIR}/src/sync/remote_conformance_test.cc")
if(sources AND TARGET room_sync)
  add_executable(postgres_test ${sources})
  target_include_directories(postgres_test PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(postgres_test PRIVATE test_paths GTest::gtest room_sync)
  target_compile_options(postgres_test PRIVATE $<$<BOOL:${HOLDFAST_DEVELOPER}>:-O0>)
  if(TARGET holdfast_cli)
    add_dependencies(postgres_test holdfast_cli)
  endif()
  if(NOT HOLDFAST_SANITIZE)
    add_test(NAME postgres COMMAND postgres_test)
    set_tests_properties(postgres PROPERTIES TIMEOUT 600 RUN_SERIAL ON SKIP_RETURN_CODE 77)
  endif()
endif()

# Tests the data that the benchmarks use.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*_test.cc")
if(sources)
  holdfast_test(bench_test ${sources})
  target_link_libraries(bench_test PRIVATE synthetic ${room_targets})
endif()

# Tests the readers on stores of other agents: HOLDFAST_CORPUS, or else those of tests/fixtures/corpus.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/corpus/*.cc")
if(sources AND TARGET holdfast_cli)
  holdfast_test(corpus_test ${sources})
  target_link_libraries(corpus_test PRIVATE simulated_disk room_transfer room_rules room_index SQLite::SQLite3)
  add_dependencies(corpus_test holdfast_cli)
  # The figures of tests/fixtures/corpus are compared everywhere, also where HOLDFAST_CORPUS is set.
  add_test(NAME own_corpus COMMAND corpus_test --gtest_filter=Clients/CorpusTest.*)
  add_test(NAME own_corpus_shown COMMAND corpus_test --gtest_filter=Agents/ShownCounts.*)
  set_tests_properties(own_corpus own_corpus_shown PROPERTIES
    TIMEOUT ${HOLDFAST_TEST_TIMEOUT} ENVIRONMENT "HOLDFAST_CORPUS=")
endif()

# A program that uses only an installed Holdfast. Not run with sanitizers, because a
# sanitized library needs a sanitized consumer, which would test nothing more.
if(NOT HOLDFAST_SANITIZE)
  add_test(NAME consumer COMMAND bash "${PROJECT_SOURCE_DIR}/tests/consumer/run.sh"
    "${PROJECT_BINARY_DIR}" "${CMAKE_CXX_COMPILER}")
  set_tests_properties(consumer PROPERTIES TIMEOUT 300)
endif()

# Runs the commands in the guides.
file(GLOB guides CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/guides/*.md")
if(TARGET holdfast_cli)
  foreach(guide IN LISTS guides)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${guide}")
    file(STRINGS "${guide}" blocks REGEX "^```sh$")
    if(blocks)
      get_filename_component(name "${guide}" NAME_WE)
      add_test(NAME guide_${name} COMMAND bash "${PROJECT_SOURCE_DIR}/tests/guides/run.sh"
        "$<TARGET_FILE:holdfast_cli>" "${guide}")
      set_tests_properties(guide_${name} PROPERTIES TIMEOUT ${HOLDFAST_TEST_TIMEOUT})
    endif()
  endforeach()
endif()

# The laboratory: its unit tests, and its parts at the size for this build. Parts
# use several cores, mounts and loop devices, so each runs alone. Exit code 77 is
# a named skip.
if(TARGET holdfast_lab)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/crash/*_test.cc"
    "${PROJECT_SOURCE_DIR}/crash/disk/*_test.cc")
  if(sources)
    holdfast_test(crash_test ${sources})
    target_link_libraries(crash_test PRIVATE lab_parts)
  endif()
  foreach(wrong IN ITEMS "t1 --histories 2" "sync t1 --histories 2" "--histories 2" "sync --histories many"
      "sync --histories 0" "sync --histories 2x" "sync --histories")
    string(MAKE_C_IDENTIFIER "${wrong}" name)
    add_test(NAME lab_refuses_${name} COMMAND sh -c "\"$0\" ${wrong}; test $? = 2" $<TARGET_FILE:holdfast_lab>)
    set_tests_properties(lab_refuses_${name} PROPERTIES TIMEOUT 60 LABELS lab)
  endforeach()
  include("${PROJECT_SOURCE_DIR}/crash/parts.cmake" OPTIONAL)
  if(HOLDFAST_LAB)
    set(parts ${HOLDFAST_LAB_CHECK_PARTS})
    set(size --check)
    set(timeout 3600)
  elseif(HOLDFAST_SANITIZE)
    set(parts ${HOLDFAST_LAB_SANITIZE_PARTS})
    set(size --small)
    set(timeout 1800)
  else()
    set(parts ${HOLDFAST_LAB_TEST_PARTS})
    set(size --ci)
    set(timeout 900)
  endif()
  foreach(part IN LISTS parts)
    add_test(NAME lab_${part} COMMAND holdfast_lab ${part} ${size})
    set_tests_properties(lab_${part} PROPERTIES
      TIMEOUT ${timeout} LABELS lab RUN_SERIAL ON SKIP_RETURN_CODE 77)
  endforeach()
endif()

# Tests the Python package on the library of this build. A sanitizer would have to be loaded before Python.
find_program(PYTHON3 NAMES python3)
if(PYTHON3 AND NOT HOLDFAST_SANITIZE)
  add_test(NAME python_package COMMAND "${PYTHON3}" -B -m unittest discover -s "${PROJECT_SOURCE_DIR}/bindings/python/tests")
  set_tests_properties(python_package PROPERTIES TIMEOUT ${HOLDFAST_TEST_TIMEOUT} ENVIRONMENT
    "HOLDFAST_LIBRARY=$<TARGET_FILE:holdfast>;HOLDFAST_BINARY=$<TARGET_FILE:holdfast_cli>;PYTHONPATH=${PROJECT_SOURCE_DIR}/bindings/python")
endif()

# Tests the modules of the viewer that need no browser.
find_program(NODE NAMES node)
find_program(ESBUILD NAMES esbuild)
if(NODE AND ESBUILD)
  add_test(NAME viewer_modules COMMAND bash "${PROJECT_SOURCE_DIR}/web/test/run.sh" "${ESBUILD}" "${NODE}"
    "${PROJECT_BINARY_DIR}/viewer_modules")
  set_tests_properties(viewer_modules PROPERTIES TIMEOUT ${HOLDFAST_TEST_TIMEOUT})
endif()

# Tests the Node package if Node's headers are installed. ./dev bindings tests the adapters, which need npm packages.
find_program(NODE NAMES node nodejs)
find_path(NODE_API node_api.h PATHS /usr/include/node)
if(NODE AND NODE_API AND NOT HOLDFAST_SANITIZE)
  add_test(NAME node_package COMMAND "${PROJECT_SOURCE_DIR}/bindings/node/tests/package.sh"
    "$<TARGET_FILE_DIR:holdfast>" "${PROJECT_BINARY_DIR}/node_package")
  set_tests_properties(node_package PROPERTIES TIMEOUT ${HOLDFAST_TEST_TIMEOUT})
endif()
