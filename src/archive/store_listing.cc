#include "archive/store_listing.h"

#include <algorithm>

#include "index/found_refs_cache.h"

namespace holdfast::inline v1 {
namespace {

std::string below(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : std::string(folder).append("/").append(name);
}

bool is_special(const DirectoryEntry& entry) {
  return entry.kind != FileKind::file && entry.kind != FileKind::directory;
}

}  // namespace

Result<std::vector<SessionRef>> StoreListing::find(const Context& context, std::vector<Finding>& findings) {
  const auto& roots = store_.roots().directories();
  FoundRefsCache known(store_.file_system(), store_.has_unwritten_changes() ? "" : store_.options().cache,
                       store_.name());
  const auto found = known.load(roots, seen_);
  if (!found) return store_.find_all(context, findings, &special_);
  std::vector<SessionRef> refs;
  for (const FoundRef& ref : found->all()) refs.push_back(ref.ref());
  for (const Place& folder : seen_.listed()) {
    for (const DirectoryEntry& entry : seen_.seen(folder.root, folder.path)->names)
      if (is_special(entry)) special_.insert({folder.root, below(folder.path, entry.name)});
  }
  return refs;
}

Result<std::vector<FeedEntry>> StoreListing::list(const Place& directory, std::string_view begin) {
  std::vector<FeedEntry> entries;
  const auto listing = seen_.list(directory);
  if (!listing && listing.error().code == Code::permission_denied && !directory.path.empty()) {
    unlisted_.insert(directory);
    return entries;
  }
  HOLDFAST_TRY(listing);
  const auto& names = (*listing)->names;
  for (auto name = std::ranges::lower_bound(names, begin, {}, &DirectoryEntry::name);
       name != names.end() && name->name.starts_with(begin); ++name) {
    if (is_special(*name))
      special_.insert({directory.root, below(directory.path, name->name)});
    else
      entries.push_back({name->name, name->kind == FileKind::directory});
  }
  return entries;
}

bool StoreListing::lacks(const Place& directory, std::string_view name) {
  const auto listing = seen_.list(directory);
  return listing && !std::ranges::binary_search((*listing)->names, name, {}, &DirectoryEntry::name);
}

std::optional<FileKind> StoreListing::kind_of(const Place& name) {
  const auto [known, is_new] = kinds_.try_emplace(name);
  if (!is_new) return known->second;
  const auto root = store_.roots().directories().find(name.root);
  if (root == store_.roots().directories().end() || root->second == nullptr) return std::nullopt;
  if (const auto stat = root->second->stat(name.path)) known->second = stat->kind;
  return known->second;
}

bool StoreListing::is_link(const Place& name) { return kind_of(name) == FileKind::symlink; }

bool StoreListing::is_no_folder(const Place& folder) {
  return kind_of(folder).value_or(FileKind::directory) != FileKind::directory;
}

bool StoreListing::is_missing(const Place& file) const {
  return seen_.ask(file.root, file.path, Fingerprint::missing()) == SeenFiles::Answer::same;
}

bool StoreListing::is_unchanged(const Place& file, const FileVersion& last) const {
  const Fingerprint print{last.inode, last.agents_size(), last.mtime_ns, last.ctime_ns};
  return seen_.ask(file.root, file.path, print) == SeenFiles::Answer::same;
}

}  // namespace holdfast::inline v1
