// Messages that mark a point in a conversation instead of being part of it:
// stored as a system notice with one `other` block, whose "type" says what it is.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <optional>
#include <string>

namespace holdfast::inline v1 {

// The progress of a tool (O12).
struct Progress {
  std::string tool_call;  // id
  std::string text;
  std::optional<double> fraction;  // 0 to 1

  bool operator==(const Progress&) const = default;
};

Message progress_message(const Progress& progress);
// Also understands Claude Code's own records; nullopt for other messages.
std::optional<Progress> progress_of(const Message& message);

// Marks that the history before it was summarized; that history stays where it
// is, and what follows the mark is the active conversation (O16).
Message compact_boundary(std::string trigger, std::int64_t pre_tokens);
bool is_compact_boundary(const Message& message);

}  // namespace holdfast::inline v1
