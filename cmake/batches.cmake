# Compiles sources a few at a time. Most of the cost of a source is the headers that all of them include, so this
# halves a build from scratch. Off by default, on in most presets. `./dev clang` compiles each source by itself,
# which reveals a missing #include.
option(HOLDFAST_BATCHED "compile the sources of a room a few at a time" OFF)

# Within a batch, all helpers share one unnamed namespace. These sources have helpers with names that others of their
# room use too, so they are compiled by themselves. So are the *_operations.cc, whose helpers are named by verbs alone.
set(HOLDFAST_ALONE
  api/configuration_keys.cc
  api/session_branches.cc
  api/session_list.cc
  api/session_start.cc
  api/session_tree.cc
  api/referenced_sessions.cc
  disk/side_car.cc
  doors/cli/noun_args.cc
  doors/cli/operation_command.cc
  doors/cli/pick_command.cc
  doors/cli/picker.cc
  doors/cli/render_handoff.cc
  doors/cli/render_remotes.cc
  doors/cli/render_sessions.cc
  doors/cli/render_workflow.cc
  doors/cli/resume_command.cc
  doors/mcp/http_post.cc
  find/candidates.cc
  find/shares.cc
  find/stats_csv.cc
  index/found_refs_cache.cc
  index/session_index.cc
  layout/layouts.cc  # a test replaces it
  rules/initiative/phases.cc
  rules/runs/runs.cc
  rules/workflow/workflow_settings.cc
  store/message_pages.cc
  store/page_indexing.cc
  sync/home_notes.cc
  sync/projection.cc
  sync/segment.cc
  sync/sync_home.cc
  text/markdown_labels.cc
  text/secret_values.cc
  text/yaml_edit.cc
)

# holdfast_batched(TARGET source...): assigns batches by a hash of the name, so that a new source changes one batch.
function(holdfast_batched target)
  if(NOT HOLDFAST_BATCHED)
    return()
  endif()
  list(LENGTH ARGN count)
  set(batches 1)
  while(count GREATER 8)
    math(EXPR batches "${batches} * 2")
    math(EXPR count "(${count} + 1) / 2")
  endwhile()
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}/src" "${source}")
    if(name IN_LIST HOLDFAST_ALONE OR name MATCHES "_operations\\.cc$")
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    else()
      string(MD5 hash "${name}")
      string(SUBSTRING "${hash}" 0 2 hash)
      math(EXPR batch "0x${hash} % ${batches}")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${batch}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # GCC treats the sources of a batch as headers
  endif()
endfunction()
