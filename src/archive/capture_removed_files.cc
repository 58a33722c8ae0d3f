#include "archive/capture_removed_files.h"

#include "archive/capture_file.h"
#include "base/time.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// nullptr if the file still exists, was not held, or has nothing new.
Result<File*> removed_file(const FileStore& store, const StoreWatch& watch, const Place& place,
                           const FileVersion& last) {
  const auto root = store.roots().directories().find(place.root);
  if (root == store.roots().directories().end() || root->second == nullptr) return nullptr;
  File* const file = watch.held(root->second->path() + "/" + place.path);
  if (file == nullptr) return nullptr;
  const auto named = root->second->stat(place.path);
  if (named || named.error().code != Code::not_found) return nullptr;
  HOLDFAST_LET(now, file->stat());
  const bool same = now.inode == last.inode && now.size == last.agents_size() && now.mtime_ns == last.mtime_ns;
  return same ? nullptr : file;
}

}  // namespace

Result<void> capture_removed_files(const Context& context, const FileStore& store, const StoreWatch& watch,
                                   ArchiveWriter& writer, const ArchiveRules& rules, CaptureReport& report) {
  std::vector<Capture> found;
  for (const auto& [key, session] : writer.state().sessions) {
    if (key.layout != store.layout_name() || key.store != store_root(store.name()) || writer.forgotten().contains(key))
      continue;
    Capture capture;
    for (const auto& [place, last] : session.last) {
      HOLDFAST_LET(file, removed_file(store, watch, place, *last));
      if (file == nullptr) continue;
      if (is_excluded(rules, key.layout, JsonView(session.row).find("project").as_string().value_or(""))) break;
      const auto shown = session.head.find(place);
      HOLDFAST_LET(version, capture_open_file(context, writer, *file, place.path, last.get(),
                                              shown == session.head.end() ? nullptr : shown->second.get()));
      if (!version) continue;
      report.bytes += version->size;
      ++report.files;
      FileChange change{place, std::make_shared<FileVersion>(std::move(*version))};
      while (change.keep < std::min(change.version->blocks.size(), last->blocks.size()) &&
             change.version->blocks[change.keep] == last->blocks[change.keep])
        ++change.keep;
      capture.files.push_back(std::move(change));
    }
    if (capture.files.empty()) continue;
    capture.session = key;
    capture.inner = session.inner;
    capture.row = session.row;
    capture.at = iso8601(context.clock->now());
    found.push_back(std::move(capture));
  }
  report.captured += found.size();
  for (Capture& capture : found) HOLDFAST_TRY(writer.add(context, std::move(capture)));
  return {};
}

}  // namespace holdfast::inline v1
