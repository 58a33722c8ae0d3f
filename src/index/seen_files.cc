#include "index/seen_files.h"

#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

std::uint64_t hash_of(std::string_view root, std::string_view path) { return xxh3_64(path, xxh3_64(root)); }

}  // namespace

void SeenFiles::note(const Place& directory, std::span<const DirectoryEntry> names, std::span<const FileStat> stats) {
  const std::uint64_t seed = xxh3_64(directory.root);
  directories_.insert(xxh3_64(directory.path, seed));
  std::string path = directory.path.empty() ? std::string() : directory.path + "/";
  const std::size_t begin = path.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    path.resize(begin);
    path += names[i].name;
    names_[xxh3_64(path, seed)] = stats[i].kind == FileKind::file ? Fingerprint::of(stats[i]) : Fingerprint();
  }
}

SeenFiles::Answer SeenFiles::ask(std::string_view root, std::string_view path, const Fingerprint& print) const {
  if (const auto seen = names_.find(hash_of(root, path)); seen != names_.end()) {
    if (seen->second.inode == 0) return Answer::unknown;
    return seen->second == print ? Answer::same : Answer::other;
  }
  // A name that a listed directory does not have is missing.
  if (print != Fingerprint::missing()) return Answer::unknown;
  const std::size_t slash = path.rfind('/');
  const std::string_view parent = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
  return directories_.contains(hash_of(root, parent)) ? Answer::same : Answer::unknown;
}

}  // namespace holdfast::inline v1
