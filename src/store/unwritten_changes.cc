#include "store/unwritten_changes.h"

#include <algorithm>

#include "layout/change.h"

namespace holdfast::inline v1 {

bool is_unwritable(Code code) {
  return code == Code::permission_denied || code == Code::read_only || code == Code::disk_full ||
         code == Code::io_error || code == Code::storage_unavailable || code == Code::atomic_write_failed;
}

std::shared_ptr<const UnwrittenFiles> UnwrittenChanges::files() const {
  const ScopedLock guard(mutex_);
  return files_;
}

Result<void> UnwrittenChanges::keep(const Changes& changes, const DirectoryFeed& seen) {
  const ScopedLock guard(mutex_);
  UnwrittenFiles all = files_ ? *files_ : UnwrittenFiles();
  for (const Change& change : changes.list()) {
    const bool document =
        change.kind == ChangeKind::put || change.kind == ChangeKind::create || change.kind == ChangeKind::remove;
    if (!document) return fail(Code::unsupported, "this cannot be kept in memory", change.place.path);
    UnwrittenFile kept;
    if (change.kind != ChangeKind::remove) kept.bytes = change.bytes;
    kept.source = change.source;
    const auto base = seen.revisions().find(change.place);
    kept.base = base == seen.revisions().end() ? Revision(kAbsent) : base->second;
    if (const auto before = all.find(change.place); before != all.end()) kept.base = before->second.base;
    all[change.place] = std::move(kept);
  }
  files_ = all.empty() ? nullptr : std::make_shared<const UnwrittenFiles>(std::move(all));
  return {};
}

Result<Changes> UnwrittenChanges::include_unwritten(Changes changes, DirectoryFeed& seen) const {
  const auto kept = files();
  if (!kept) return changes;
  for (const auto& [place, file] : *kept) {
    HOLDFAST_TRY(seen.document(place, std::uint64_t{64} << 20));
    const bool again = std::ranges::any_of(changes.list(), [&](const Change& change) { return change.place == place; });
    if (again) continue;
    if (!file.bytes) {
      changes.remove(place);
    } else if (file.source) {
      changes.put_source(place, *file.bytes);
    } else {
      changes.put(place, *file.bytes);
    }
  }
  return changes;
}

void UnwrittenChanges::clear(const std::shared_ptr<const UnwrittenFiles>& written) {
  const ScopedLock guard(mutex_);
  if (files_ == written) files_ = nullptr;
}

Result<std::vector<std::string>> UnwrittenChanges::give_way(const Context& context, const OpenedRoots& roots) {
  const ScopedLock guard(mutex_);
  std::vector<std::string> given_up;
  if (!files_) return given_up;
  UnwrittenFiles rest;
  DirectoryFeed disk(context, roots.directories());
  for (const auto& [place, file] : *files_) {
    HOLDFAST_TRY(disk.document(place, std::uint64_t{64} << 20));
    const auto now = disk.revisions().find(place);
    if (now != disk.revisions().end() && now->second == file.base) {
      rest.emplace(place, file);
      continue;
    }
    HOLDFAST_LET(root, roots.root(place.root));
    if (file.bytes) HOLDFAST_TRY(root->quarantine(context, place.path, 0, *file.bytes, "conflict"));
    given_up.push_back(place.path);
  }
  files_ = rest.empty() ? nullptr : std::make_shared<const UnwrittenFiles>(std::move(rest));
  return given_up;
}

}  // namespace holdfast::inline v1
