// The directories of a store as one walk has seen them, so that nobody asks the
// kernel again. Found by hashes of paths: a wrong answer would take two directories
// of one hash *and* a file with the name, inode, size and times of another.
// Thread-safety: `ask` from any thread while nothing is listed; the rest one thread.
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
  std::vector<DirectoryEntry> names = {};  // as Directory::list_and_stat has them, in order
  std::vector<FileStat> stats = {};

  std::uint64_t digest() const;  // of names and their kinds
};

class SeenFiles {
 public:
  SeenFiles() = default;  // that has no directories and never will
  explicit SeenFiles(const RootDirectories& roots) : roots_(&roots) {}

  // What was seen of the directory, or else is seen now.
  Result<const Listing*> list(const Place& directory);
  // Those that were listed, in order.
  const std::vector<Place>& listed() const { return listed_; }

  // Sees several at once, on all cores.
  void look_ahead(std::span<const Place> directories);
  // Nothing unless it was seen.
  const Listing* seen(std::string_view root, std::string_view directory) const;

  enum class Answer { unknown, same, other };
  // Whether the file was as `print` says; unknown: nobody looked.
  Answer ask(std::string_view root, std::string_view path, const Fingerprint& print) const;

 private:
  Result<Listing> look(const Place& directory) const;

  const RootDirectories* roots_ = nullptr;
  std::vector<Place> listed_;
  std::unordered_map<std::uint64_t, Listing> listings_;  // nodes: they stay where they are
};

}  // namespace holdfast::inline v1
