// What is known of the sessions of one store, and its file in the cache directory.
// An entry is trusted while none of its files has changed (decision 34). All of it
// is derived: without the file, or with any byte of it wrong, what is missing is
// made anew. Thread-safety: one thread at a time; `fresh` and `known` may be
// called by several while nothing else is.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/frame_file.h"
#include "index/session_entry.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

class SessionIndex {
 public:
  // Reads the file, if there is one; `cache` as FrameFile.
  SessionIndex(FileSystem& file_system, const std::string& cache, const std::string& store);

  // The entry of a session whose files are all as they were.
  std::optional<SessionEntry> fresh(const SessionRef& ref, const RootDirectories& roots, EntryWish wish) const;
  // Whatever was known last, with everything.
  std::optional<SessionEntry> known(const SessionRef& ref) const;

  void put(const SessionRef& ref, const SessionEntry& entry);
  // Forgets what is not among the sessions that are there now.
  void keep_only(const std::vector<SessionRef>& refs);
  // Writes what is new.
  void save();

  // What names a session here. What a layout knows of it from elsewhere (the hint)
  // is part of what the entry was made from.
  static std::string key_of(const SessionRef& ref);

 private:
  std::optional<SessionEntry> unpack(const SessionRef& ref, const RootDirectories* roots, EntryWish wish) const;

  FrameFile file_;
  std::unordered_map<std::uint64_t, std::string_view> payloads_;
  std::unordered_map<std::uint64_t, std::string> added_;  // holds payloads that are not in the file's bytes
  std::vector<std::uint64_t> unsaved_;
  std::uint64_t live_ = 0, written_ = 0;  // bytes: of payloads, and in the file
};

}  // namespace holdfast::inline v1
