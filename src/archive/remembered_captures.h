// What the log of an archive was folded into, in the cache directory, so that only what was appended since is folded.
// Derived: used only while the log begins with exactly the bytes that were folded, and made again otherwise. Nothing
// here is ever an error. Format: docs/formats/archive.md. Lifetime: the FileSystem must outlive the object.
// Thread-safety: one thread.
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "archive/archive.h"
#include "base/hash.h"
#include "index/frame_file.h"

namespace holdfast::inline v1 {

class RememberedCaptures {
 public:
  // `cache` as in FrameFile; `archive` is the archive's path.
  RememberedCaptures(FileSystem& file_system, const std::string& cache, const std::string& archive);

  // The state up to log_end. nullopt if nothing is remembered, the log or the packs are different now, or `packs` do
  // not have what they had. If `containing` is not empty and nothing was appended since, only sessions whose names or
  // rows contain it, and those of their projects, are there.
  std::optional<CaptureState> recall(File& log, const Packs& packs, std::string_view containing);
  // Whether not all sessions are there. Then nothing can be folded into the state.
  bool is_part() const { return is_part_; }
  // After recall(): what it returned is not used, and the next note() replaces it.
  void drop();
  // Remembers a state that follows the recalled one; `changed` are the sessions with a capture since. `log` is the file
  // that was recalled from and folded, whatever has its name now.
  void note(File& log, const CaptureState& state, const std::set<CaptureKey>& changed);

 private:
  // Hashes the log from where the hash ends to `end`; false if it ends before that.
  bool hash_log(File& log, std::uint64_t end);

  FrameFile file_;
  Xxh3Stream hash_;
  std::uint64_t hashed_ = 0;    // of the log
  std::uint64_t recalled_ = 0;  // the log up to there is remembered
  std::uint64_t first_ = 0;     // bytes of the first frame
  bool is_part_ = false;
};

}  // namespace holdfast::inline v1
