#include "index/seen_files.h"

#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "base/parallel.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWorthThreads = 16;  // directories

std::uint64_t hash_of(std::string_view root, std::string_view path) { return xxh3_64(path, xxh3_64(root)); }

}  // namespace

std::uint64_t Listing::digest() const {
  std::string text(there ? "+" : "-");
  for (const DirectoryEntry& entry : names) {
    text += entry.name;
    text += '/';  // occurs in no name
    text += static_cast<char>(entry.kind);
  }
  return xxh3_64(text);
}

// A file in place of a directory has no names either.
Result<Listing> SeenFiles::look(const Place& directory) const {
  Listing listing;
  const auto root = roots_->find(directory.root);
  if (root == roots_->end() || root->second == nullptr) return listing;
  auto names = root->second->list_and_stat(directory.path, listing.stats);
  if (names) {
    listing.names = std::move(*names);
    listing.there = true;
    return listing;
  }
  if (names.error().code == Code::not_found || names.error().code == Code::unsafe_path) return listing;
  return fail(std::move(names).error());
}

const Listing* SeenFiles::seen(std::string_view root, std::string_view directory) const {
  const auto found = listings_.find(hash_of(root, directory));
  return found == listings_.end() ? nullptr : &found->second;
}

Result<const Listing*> SeenFiles::list(const Place& directory) {
  const std::uint64_t hash = hash_of(directory.root, directory.path);
  auto known = listings_.find(hash);
  if (known == listings_.end()) {
    HOLDFAST_LET(listing, look(directory));
    known = listings_.emplace(hash, std::move(listing)).first;
  }
  if (!known->second.listed) listed_.push_back(directory);
  known->second.listed = true;
  return &known->second;
}

void SeenFiles::look_ahead(std::span<const Place> directories) {
  std::vector<std::optional<Listing>> found(directories.size());
  in_parallel(directories.size(), kWorthThreads, [&](std::size_t i) {
    if (auto listing = look(directories[i])) found[i] = std::move(*listing);
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) listings_.emplace(hash_of(directories[i].root, directories[i].path), std::move(*found[i]));
  }
}

SeenFiles::Answer SeenFiles::ask(std::string_view root, std::string_view path, const Fingerprint& print) const {
  const std::size_t slash = path.rfind('/');
  const bool top = slash == std::string_view::npos;
  const Listing* const listing = seen(root, top ? std::string_view() : path.substr(0, slash));
  if (listing == nullptr) return Answer::unknown;
  const std::string_view name = top ? path : path.substr(slash + 1);
  const auto found = std::ranges::lower_bound(listing->names, name, {}, &DirectoryEntry::name);
  // A name that a listed directory does not contain is missing.
  if (found == listing->names.end() || found->name != name)
    return print == Fingerprint::missing() ? Answer::same : Answer::unknown;
  const FileStat& stat = listing->stats[static_cast<std::size_t>(found - listing->names.begin())];
  if (stat.kind != FileKind::file) return Answer::unknown;
  return Fingerprint::of(stat) == print ? Answer::same : Answer::other;
}

}  // namespace holdfast::inline v1
