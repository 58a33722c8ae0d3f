#include "store/trash_folder.h"

#include <algorithm>

#include "base/safe_name.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "store/carry_out.h"
#include "store/engine.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kManifest = "manifest.json";

}  // namespace

std::string manifest_path(const TrashFolder& found) { return found.session.folder + "/" + std::string(kManifest); }

std::string manifest_of(const TrashFolder& found) {
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1).key("id").string(found.session.id);
  json.key("title").string(found.session.title).key("removed_at").string(found.session.removed_at);
  json.key("bytes").uint64(found.session.bytes).key("root").string(found.root).key("files").begin_array();
  for (const TrashedFile& file : found.files)
    json.begin_object().key("path").string(file.path).key("name").string(file.name).end_object();
  return json.end_array().end_object().take() + "\n";
}

std::optional<TrashFolder> read_manifest(Root& root, const std::string& name, const std::string& folder) {
  const auto bytes = read_whole(root.directory(), folder + "/" + std::string(kManifest));
  if (!bytes || !check_json(*bytes).ok()) return std::nullopt;
  const JsonView json(*bytes);
  TrashFolder found;
  const auto text = [&](std::string_view key) { return json.find(key).as_string().value_or(""); };
  found.session = {text("id"), text("title"), text("removed_at"),
                   static_cast<std::uint64_t>(json.find("bytes").as_int64().value_or(0)), folder};
  found.root = name;
  for (const JsonItem& item : json.find("files").elements()) {
    TrashedFile file{item.value.find("path").as_string().value_or(""),
                     item.value.find("name").as_string().value_or("")};
    // We wrote this, but it is a file: no path in it may lead elsewhere.
    if (!check_relative_path(file.path) || !check_relative_path(file.name) || file.name.find('/') != std::string::npos)
      return std::nullopt;
    found.files.push_back(std::move(file));
  }
  return found.session.id.empty() ? std::nullopt : std::optional(std::move(found));
}

Result<std::vector<TrashFolder>> list_trash_folders(FileStore& engine) {
  std::vector<TrashFolder> all;
  for (const auto& [name, root] : engine.roots().all()) {
    const auto entries = root->directory().list(root->side("removed"));
    if (!entries && entries.error().code != Code::not_found) return fail(entries.error());
    if (!entries) continue;
    for (const DirectoryEntry& entry : *entries) {
      if (auto found = read_manifest(*root, name, root->side("removed", entry.name))) all.push_back(std::move(*found));
    }
  }
  std::ranges::sort(all, [](const TrashFolder& a, const TrashFolder& b) {
    return a.session.removed_at != b.session.removed_at ? a.session.removed_at > b.session.removed_at
                                                        : a.session.id < b.session.id;
  });
  return all;
}

Result<void> forget(Root& root, const TrashFolder& found) {
  auto gone = root.directory().remove(manifest_path(found));
  if (!gone && gone.error().code != Code::not_found) return gone;
  if (does(Step::trash_forget_sync)) HOLDFAST_TRY(root.directory().sync_directory(found.session.folder));
  return delete_tree(root.directory(), found.session.folder);
}

Result<void> forget_folder(Root& root, const std::string& folder) {
  if (!root.directory().exists(folder) || root.directory().exists(folder + "/" + std::string(kManifest))) return {};
  HOLDFAST_TRY(delete_tree(root.directory(), folder));
  return root.sync_name(folder);
}

}  // namespace holdfast::inline v1
