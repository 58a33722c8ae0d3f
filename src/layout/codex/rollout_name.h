// The names of Codex's session files:
//   rollout-2026-11-15T01-08-54-THREAD.jsonl            a thread
//   rollout-2026-11-15T01-34-00-THREAD_SEGMENT.jsonl    the same thread, continued after a rewind
// Compressed files have ".zst" appended.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1::codex {

struct RolloutName {
  std::string stamp;    // local time of creation; sorts
  std::string thread;   // the session's id
  std::string segment;  // empty for the thread's first file
  bool compressed = false;
};

std::optional<RolloutName> parse_rollout_name(std::string_view file_name);

}  // namespace holdfast::inline v1::codex
