// What is known about the sessions of one store, and its files in the cache directory. An
// entry is trusted while none of its files has changed (decision 34). All of it is derived:
// without the files, or if any byte of them is wrong, the missing entries are made again.
// Thread-safety: `fresh`, `known` and `put` may be called by several threads at a time;
// everything else by one thread, exclusively.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "index/by_hash.h"
#include "index/counts_file.h"
#include "index/found_refs.h"
#include "index/frame_file.h"
#include "index/session_entry.h"

namespace holdfast::inline v1 {

class SessionIndex {
 public:
  // Reads the file, if there is one; `cache` as in FrameFile.
  SessionIndex(FileSystem& file_system, const std::string& cache, const std::string& store);

  // For a session whose files are all unchanged. Heads are views of what
  // holders() keeps.
  std::optional<SessionHead> fresh(const SessionKey& key, const RootDirectories& roots,
                                   const SeenFiles& seen = {}) const;
  // The last known entry, complete; nullopt if its counts are lost.
  std::optional<SessionEntry> known(const SessionKey& key) const;
  // The session's counts; views of `buffer`, whose memory is reused.
  std::optional<SessionCounts> counts(const SessionKey& key, const SessionHead& head, std::string& buffer) const;

  // New entries are found after settle().
  SessionHead put(const SessionKey& key, const SessionEntry& entry);
  void settle();
  // Drops sessions that are not in `there`.
  void keep_only(std::span<const FoundRef> there);
  std::size_t size() const { return entries_.size(); }
  // Writes new entries.
  void save();

  using Holders = std::vector<std::shared_ptr<const std::string>>;
  Holders holders() const;

 private:
  struct Known {
    std::uint64_t check = 0;  // SessionKey
    std::string_view packed = {};
    CountsSpot counts = {};
    std::shared_ptr<const std::string> own = {};  // nullptr if `packed` is in the loaded file
  };
  using Entries = ByHash<Known>;

  const Known* find(const SessionKey& key) const;
  void write_counts(Entries& sessions);
  void compact_counts();
  std::string frame_of(const Known& known) const;

  FrameFile file_;
  CountsFile counts_;
  bool keeps_;  // there is a cache
  Entries entries_;
  std::vector<std::uint64_t> unsaved_;
  std::uint64_t live_ = 0, written_ = 0;  // bytes of entries, and of the file

  mutable Mutex mutex_;                        // guards what follows
  Entries added_ HOLDFAST_GUARDED_BY(mutex_);  // not settled yet
  std::unordered_map<std::uint64_t, std::string> pieces_
      HOLDFAST_GUARDED_BY(mutex_);                         // counts that are not in their file
  std::uint64_t waiting_ HOLDFAST_GUARDED_BY(mutex_) = 0;  // bytes of those that may still get there
};

}  // namespace holdfast::inline v1
