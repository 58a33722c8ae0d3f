# cmake -DWEB=… -DMADE=… -P assets.cmake: writes MADE/assets.cc, the files of the page as bytes.
set(source "// Made by cmake/assets.cmake.\n#include \"doors/http/assets.h\"\n\nnamespace holdfast::inline v1 {\nnamespace {\n\n")
set(table "")
function(add_asset file path type)
  file(READ "${file}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," numbers "${hex}")
  string(REGEX REPLACE "[^a-z]" "_" name "${path}")
  set(source "${source}constexpr unsigned char k${name}[] = {${numbers}0};\n" PARENT_SCOPE)
  set(table "${table}      {\"${path}\", \"${type}\", {reinterpret_cast<const char*>(k${name}), ${bytes}}},\n" PARENT_SCOPE)
endfunction()
add_asset("${WEB}/index.html" "/" "text/html; charset=utf-8")
add_asset("${MADE}/app.js" "/app.js" "text/javascript; charset=utf-8")
add_asset("${WEB}/app.css" "/app.css" "text/css; charset=utf-8")
add_asset("${WEB}/favicon.svg" "/favicon.svg" "image/svg+xml")
file(WRITE "${MADE}/assets.cc" "${source}
}  // namespace

std::span<const Asset> assets() {
  static const Asset all[] = {
${table}  };
  return all;
}

}  // namespace holdfast::inline v1
")
