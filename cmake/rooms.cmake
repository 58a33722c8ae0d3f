# One static library per room. A room links the rooms it may use and nothing else.
# tests/arrows_test.cc enforces the same arrows for #include and gives the reasons.

# holdfast_room(NAME ROOMS room... LIBRARIES target...)
# NAME is a folder of src. Its last part names the targets.
# Does nothing if the room has no sources.
function(holdfast_room folder)
  get_filename_component(name "${folder}" NAME)
  cmake_parse_arguments(ARG "" "" "ROOMS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.cc")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")
  if(NOT sources)
    return()
  endif()
  add_library(room_${name} STATIC ${sources})
  set_target_properties(room_${name} PROPERTIES OUTPUT_NAME holdfast_${name})
  target_include_directories(room_${name} PUBLIC
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(room_${name} PUBLIC Threads::Threads PRIVATE ${ARG_LIBRARIES})
  set_target_properties(room_${name} PROPERTIES
    HOLDFAST_LIBRARIES "${ARG_LIBRARIES}" HOLDFAST_FOLDER "${PROJECT_SOURCE_DIR}/src/${folder}")
  foreach(room IN LISTS ARG_ROOMS)
    if(TARGET room_${room})
      target_link_libraries(room_${name} PUBLIC room_${room})
    endif()
  endforeach()
  holdfast_precompiled(room_${name})
  holdfast_batched(room_${name} ${sources})
  set(HOLDFAST_ROOMS ${HOLDFAST_ROOMS} ${name} PARENT_SCOPE)
endfunction()

# With clang, the headers that make up half of the cost of a source are precompiled in room_base. GCC 12 gives
# false warnings with precompiled headers, so GCC does without them, which also reveals a missing #include.
function(holdfast_precompiled target)
  if(NOT HOLDFAST_PRECOMPILED OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  if(target STREQUAL "room_base")
    target_precompile_headers(room_base PRIVATE <algorithm> <array> <charconv> <chrono> <functional> <map> <memory>
      <mutex> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <vector> <holdfast/error.h>
      <holdfast/message.h>)
    target_compile_options(room_base PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # ccache compares contents, not times
  else()
    target_precompile_headers(${target} REUSE_FROM room_base)
  endif()
endfunction()

set(HOLDFAST_ROOMS "")
#             room        may use                 third-party libraries
holdfast_room(base                                LIBRARIES xxhash::xxhash OpenSSL::Crypto)
holdfast_room(text  ROOMS base                    LIBRARIES simdjson::simdjson yaml-cpp re2::re2)
holdfast_room(disk  ROOMS text base)
holdfast_room(source ROOMS base                   LIBRARIES SQLite::SQLite3 zstd::zstd)
holdfast_room(model  ROOMS text base)
holdfast_room(layout ROOMS model text base)
holdfast_room(index  ROOMS layout source disk model text base)
holdfast_room(store  ROOMS index layout source disk model text base)
holdfast_room(rules  ROOMS store index layout source disk model text base)
holdfast_room(archive ROOMS store index layout source disk model text base  LIBRARIES zstd::zstd)
holdfast_room(sync ROOMS archive store index layout source disk model text base  LIBRARIES sodium::sodium)
holdfast_room(find   ROOMS store index layout source disk model text base   LIBRARIES re2::re2)
holdfast_room(transfer ROOMS store index layout source disk model text base LIBRARIES md4c::md4c)
holdfast_room(handoff ROOMS store index layout source disk model text base)
holdfast_room(api    ROOMS sync archive rules find transfer handoff store index layout source disk model text base)
holdfast_room(doors/rpc ROOMS api text base)
holdfast_room(doors/mcp ROOMS rpc api text base)
holdfast_room(doors/http ROOMS mcp rpc api text base  LIBRARIES boost::headers)
holdfast_room(demo  ROOMS disk text base          LIBRARIES fmt::fmt)
holdfast_room(doors/cli ROOMS http mcp rpc demo api text base   LIBRARIES fmt::fmt)

# XXH3 is 1.5 times as fast when its loops are unrolled.
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/base/hash.cc" PROPERTIES
  COMPILE_OPTIONS "$<$<CONFIG:RelWithDebInfo>:-O3>")
