# The viewer: bundles the modules of web/src into one script and embeds all files of the page into the server, so that
# the binary needs no other files.
set(web "${PROJECT_SOURCE_DIR}/web")
set(made "${PROJECT_BINARY_DIR}/web")
file(GLOB_RECURSE modules CONFIGURE_DEPENDS "${web}/src/*.ts")
add_custom_command(OUTPUT "${made}/app.js"
  COMMAND "${ESBUILD}" "${web}/src/main.ts" --bundle --minify --format=iife --target=es2022 --charset=utf8
          --legal-comments=none --log-level=warning "--outfile=${made}/app.js"
  DEPENDS ${modules} VERBATIM)
add_custom_command(OUTPUT "${made}/assets.cc"
  COMMAND "${CMAKE_COMMAND}" "-DWEB=${web}" "-DMADE=${made}" -P "${PROJECT_SOURCE_DIR}/cmake/assets.cmake"
  DEPENDS "${made}/app.js" "${web}/index.html" "${web}/app.css" "${web}/favicon.svg" cmake/assets.cmake VERBATIM)
target_sources(room_http PRIVATE "${made}/assets.cc")
