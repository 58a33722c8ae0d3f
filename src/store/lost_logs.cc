#include "store/lost_logs.h"

#include <algorithm>
#include <charconv>

#include "base/safe_name.h"
#include "store/engine.h"
#include "store/trash_folder.h"

namespace holdfast::inline v1 {
namespace {

// The path that encode_name turned into `name`; empty if the name does not contain enough of it.
std::string path_of(std::string_view name) {
  std::string path;
  const std::string_view text = name.substr(0, name.rfind('~'));
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned char byte = 0;
    const bool coded = text[at] == '%' && at + 2 < text.size();
    const char* const digits = text.data() + at + 1;
    if (coded && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      path += static_cast<char>(byte);
      at += 2;
    } else {
      path += text[at];
    }
  }
  return encode_name(path) == name && check_relative_path(path) ? path : std::string();
}

bool is_in_trash(const std::vector<TrashFolder>& trash, const Place& log) {
  return std::ranges::any_of(trash, [&](const TrashFolder& folder) {
    return folder.root == log.root && std::ranges::any_of(folder.files, [&](const TrashedFile& file) {
             return log.path == file.path || log.path.starts_with(file.path + "/");
           });
  });
}

}  // namespace

Result<std::vector<Place>> lost_logs(FileStore& engine) {
  std::vector<Place> lost;
  if (!engine.layout().traits().owns_logs) return lost;
  HOLDFAST_LET(trash, list_trash_folders(engine));
  for (const auto& [name, root] : engine.roots().all()) {
    const auto entries = root->directory().list(root->side("sums"));
    if (!entries && entries.error().code == Code::not_found) continue;
    if (!entries) return fail(entries.error());
    for (const DirectoryEntry& entry : *entries) {
      Place log{name, path_of(entry.name)};
      if (!log.path.contains("/sessions/") || is_in_trash(trash, log)) continue;
      const auto sums = root->directory().stat(root->side("sums", entry.name));
      const auto there = root->directory().stat(log.path);
      if (sums && sums->size > 0 && !there && there.error().code == Code::not_found) lost.push_back(std::move(log));
    }
  }
  return lost;
}

}  // namespace holdfast::inline v1
