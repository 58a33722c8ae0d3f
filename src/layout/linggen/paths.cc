#include "layout/linggen/paths.h"

#include <algorithm>

#include "base/hash.h"
#include "text/json_value.h"

namespace holdfast::inline v1::linggen {

std::string encode_path(std::string_view path) {
  std::string key(path);
  std::ranges::replace(key, '/', '-');
  return key;
}

Result<std::string> path_of_key(Feed& feed, std::string_view key) {
  HOLDFAST_LET(bytes, feed.document(at_home(project_document(key))));
  if (!bytes) return std::string();
  return JsonView(*bytes).find("path").as_string().value_or("");
}

Result<std::string> key_of_path(Feed& feed, std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos)
    return fail(Code::invalid_argument, "not the path of a project", std::string(path));
  std::string key = encode_path(path);
  HOLDFAST_LET(owner, path_of_key(feed, key));
  if (owner != path) {
    // Also if the other project is gone by now: this one does not move.
    std::string own = key + "-" + sha256_hex(path).substr(0, 8);
    HOLDFAST_LET(own_owner, path_of_key(feed, own));
    if (!owner.empty() || own_owner == path) key = std::move(own);
  }
  if (key.size() > 255 || key == "." || key == "..")
    return fail(Code::unsafe_path, "this path does not make a valid folder name in a Linggen home", std::string(path));
  return key;
}

std::string session_folder(std::string_view key, std::string_view id) {
  std::string folder;
  if (!key.empty()) folder.append(kProjects).append("/").append(key).append("/");
  return folder.append(kSessions).append("/").append(id);
}

}  // namespace holdfast::inline v1::linggen
