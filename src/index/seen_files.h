// What a walk over directories has seen of their files, so that nobody asks the
// kernel again. Found by hashes of paths: a wrong answer would take two paths of
// one hash *and* a file with the inode, size and times of another.
// Thread-safety: `ask` from any thread once nothing is noted any more.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "index/fingerprint.h"
#include "layout/place.h"

namespace holdfast::inline v1 {

class SeenFiles {
 public:
  // A directory was listed, with these names; stats as Directory::list_and_stat has them.
  void note(const Place& directory, std::span<const DirectoryEntry> names, std::span<const FileStat> stats);

  enum class Answer { unknown, same, other };
  // Whether the file was as `print` says; unknown: nobody looked.
  Answer ask(std::string_view root, std::string_view path, const Fingerprint& print) const;

 private:
  std::unordered_set<std::uint64_t> directories_;
  std::unordered_map<std::uint64_t, Fingerprint> names_;  // of inode 0: there, but not looked at
};

}  // namespace holdfast::inline v1
