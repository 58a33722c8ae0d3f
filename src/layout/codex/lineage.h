// How the files of a thread are connected: a rewind continues a thread in a new file
// from a position in an earlier one, and a fork begins at a position in another
// thread's file. Nothing is copied, so history is read from the original file.
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

// For each file of one thread, the position where the thread left it; nullopt if it did not.
std::vector<std::optional<Position>> where_left(const std::vector<Head>& heads, std::string_view thread);

// Reports the messages before `base`, oldest first. A missing or circular history is a
// finding at `child` and left out. Returns false if the caller wants no more.
Result<bool> read_history(Feed& feed, const HistoryBase& base, const ThreadFile& child, bool raw, Events& events);

}  // namespace holdfast::inline v1::codex
