#include "store/log_checksums.h"

#include <functional>

#include "disk/side_car.h"

namespace holdfast::inline v1 {
namespace {

Result<void> each_log(Root& root, const std::string& path,
                      const std::function<Result<void>(const std::string&)>& take) {
  const auto now = root.directory().stat(path);
  if (!now) return {};
  if (now->kind == FileKind::file) return take(path);
  if (now->kind != FileKind::directory) return {};
  HOLDFAST_LET(entries, root.directory().list(path));
  for (const DirectoryEntry& entry : entries) HOLDFAST_TRY(each_log(root, path + "/" + entry.name, take));
  return {};
}

std::string kept_in(const std::string& folder) { return folder + "/sums"; }

}  // namespace

Result<void> drop_checksums(Root& root, const std::string& path) {
  return each_log(root, path, [&](const std::string& log) { return drop_side_car(root, log); });
}

void move_checksums(Root& root, const std::string& path, const std::string& folder) {
  (void)each_log(root, path, [&](const std::string& log) -> Result<void> {
    const std::string sums = side_car_path(root, log);
    if (!root.directory().exists(sums)) return {};
    const std::string to = kept_in(folder) + sums.substr(sums.rfind('/'));
    auto kept = root.ensure_directory(kept_in(folder));
    if (kept) kept = root.directory().rename(sums, to);
    return kept ? root.sync_name(sums) : drop_side_car(root, log);
  });
}

void restore_checksums(Root& root, const std::string& folder) {
  const auto entries = root.directory().list(kept_in(folder));
  if (!entries) return;
  for (const DirectoryEntry& entry : *entries) {
    const std::string from = kept_in(folder) + "/" + entry.name;
    const std::string to = root.side("sums", entry.name);
    if (root.ensure_directory(root.side("sums")) && root.directory().rename(from, to)) (void)root.sync_name(to);
  }
}

}  // namespace holdfast::inline v1
