// The directories of a store as seen by one walk, so the kernel is asked only once. Looked up by
// hashes of paths: a wrong answer would need two directories with one hash *and* a file with the
// name, inode, size and times of another.
// Thread-safety: `ask` from any thread while nothing is listed; everything else from one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/fingerprint.h"
#include "index/root_directories.h"
#include "layout/place.h"

namespace holdfast::inline v1 {

struct Listing {
  bool there = false;
  bool listed = false;                     // somebody asked for it
  std::vector<DirectoryEntry> names = {};  // sorted, as from Directory::list_and_stat
  std::vector<FileStat> stats = {};

  std::uint64_t digest() const;  // hash of the names and their kinds
};

class SeenFiles {
 public:
  SeenFiles() = default;  // never has any directories
  explicit SeenFiles(const RootDirectories& roots) : roots_(&roots) {}

  // Returns the listing of the directory; lists it now if necessary.
  Result<const Listing*> list(const Place& directory);
  // The directories that were listed, in order.
  const std::vector<Place>& listed() const { return listed_; }

  // Lists several at once, on all cores.
  void look_ahead(std::span<const Place> directories);
  // nullptr unless it was listed before.
  const Listing* seen(std::string_view root, std::string_view directory) const;

  enum class Answer { unknown, same, other };
  // Whether the file matched `print`; unknown if the listings cannot tell.
  Answer ask(std::string_view root, std::string_view path, const Fingerprint& print) const;

 private:
  Result<Listing> look(const Place& directory) const;

  const RootDirectories* roots_ = nullptr;
  std::vector<Place> listed_;
  std::unordered_map<std::uint64_t, Listing> listings_;  // node-based, so pointers stay valid
};

}  // namespace holdfast::inline v1
