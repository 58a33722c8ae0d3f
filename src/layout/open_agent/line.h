// Reads and writes the lines of a log. Format: docs/formats/open-agent.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/draft.h>
#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "layout/layout.h"
#include "text/json_value.h"

namespace holdfast::inline v1::open_agent {

enum class LineKind { header, leaf, message };

struct ReadLine {
  LineKind kind = LineKind::message;
  Message message;
  std::string leaf;             // of a leaf
  bool says_parent = false;     // parentUuid is present, even if null
  bool branches = false;        // parentUuid was chosen, and is not just the last message seen
  std::string_view session_id;  // raw token; empty if there is none
};

// Parses the line in one walk. Never fails: an unknown line becomes an `other` block
// with the whole line.
ReadLine read_line(std::string_view line);

struct LineStamp {
  std::string_view session_id;
  bool knows_parent = true;  // if false, parentUuid is left out, and the line follows the one before it
  bool branches = false;     // the parent is deliberately not the previous message
};

// The lines of a message: one, or one for each tool result. The caller sets id and time
// of the first line; `next_id` returns the ids of the others.
std::vector<std::string> message_lines(const Message& message, const LineStamp& stamp,
                                       const std::function<std::string()>& next_id, std::string& last_id);

// Checks that the lines hold everything in the message; fails with unsupported, naming what they do not.
Result<void> check_lines(const Message& message, std::span<const std::string> lines);

std::string leaf_line(std::string_view uuid, std::string_view session_id, std::string_view leaf,
                      std::string_view timestamp);

// The SDK's prefix of the summary of a compacted conversation.
inline constexpr std::string_view kSummaryPrefix = "Summary of previous conversation:\n";

}  // namespace holdfast::inline v1::open_agent
