// Formats a session for a terminal: prompts and answers whole, thinking and tools
// folded to a line each, edits as diffs, damage where it is. Everything from the
// transcript is cleaned: nothing in it can move the cursor, color or reorder anything.
// Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace holdfast::inline v1 {

struct TextStyle {
  bool colour = false;
  std::size_t width = 80;
  bool tools = false;                      // whole inputs and outputs
  bool thinking = false;                   // whole thoughts
  bool system = false;                     // also context, notices and commands
  bool head = true;                        // begin with facts about the session
  bool totals_last = false;                // but put those known only after reading it last
  std::string cost = {};                   // of the session, as text
  std::string title = {};                  // given by a person; if empty, the session's own
  std::string marks = {};                  // given by that person: a star, tags
  bool live = false;                       // more may follow: a call without a result may still get one
  std::optional<std::int64_t> under = {};  // the message whose title is already printed above
  std::optional<std::int64_t> at = {};     // only this message, whatever it is, and its neighbors
  // How far local time is ahead of UTC at a given time; if empty, times are printed in UTC.
  std::function<std::chrono::seconds(std::chrono::system_clock::time_point)> utc_offset = {};
};

// Whether a message with this number is on the branch.
bool has_message(const Transcript& transcript, std::int64_t number);

std::string transcript_text(const Transcript& transcript, const TextStyle& style);

}  // namespace holdfast::inline v1
