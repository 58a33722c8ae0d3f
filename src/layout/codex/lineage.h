// How the files of a thread hang together: a rewind continues a thread in a new
// file from a position in an earlier one, a fork begins at a position in another
// thread's file. Nothing is copied, so history is read where it lies.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "layout/codex/rollout_reader.h"
#include "layout/codex/thread_files.h"

namespace holdfast::inline v1::codex {

// The header of a file: its base and the ordinal of its first record.
struct Head {
  std::optional<HistoryBase> base;
  std::int64_t first_ordinal = -1;
};
Result<Head> read_head(Feed& feed, const std::string& path);

// For each file of one thread, where the thread left it; nullopt: not at all.
std::vector<std::optional<Position>> where_left(const std::vector<Head>& heads, std::string_view thread);

// Says the messages before `base`, oldest first. What is missing or goes in a
// circle is complained of at `child` and left out. False: no more wanted.
Result<bool> read_history(Feed& feed, const HistoryBase& base, const ThreadFile& child, bool raw, Events& events);

}  // namespace holdfast::inline v1::codex
