// The lines of a log, both ways. Format: docs/formats/open-agent.md.
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
  bool says_parent = false;     // parentUuid is there, be it null
  bool branches = false;        // parentUuid was chosen, not just the last message that was seen
  std::string_view session_id;  // raw token, empty when there is none
};

// One walk over the line. Never fails: what it does not know is shown as an
// `other` block with the whole line.
ReadLine read_line(std::string_view line);

struct LineStamp {
  std::string_view session_id;
  bool knows_parent = true;  // false: parentUuid is left out, the line follows the one before it
  bool branches = false;     // the parent is not the message before it, on purpose
};

// The lines of a message: one, or one for each tool result. Ids and times are
// filled in by the caller for the first; `next_id` gives those of the others.
std::vector<std::string> message_lines(const Message& message, const LineStamp& stamp,
                                       const std::function<std::string()>& next_id, std::string& last_id);

// Whether the lines say everything that the message does; unsupported names what they do not.
Result<void> check_lines(const Message& message, std::span<const std::string> lines);

std::string leaf_line(std::string_view uuid, std::string_view session_id, std::string_view leaf,
                      std::string_view timestamp);

// How the SDK begins the summary of a compacted conversation.
inline constexpr std::string_view kSummaryPrefix = "Summary of previous conversation:\n";

}  // namespace holdfast::inline v1::open_agent
