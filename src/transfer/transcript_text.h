// A session to read in a terminal: prompts and answers whole, thinking and tools
// folded to a line each, edits as differences, damage where it is.
// Everything from the transcript is cleaned: nothing in it can move a cursor,
// colour or reorder anything. Thread-safety: pure function.
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
  bool tools = false;                      // inputs and outputs whole
  bool thinking = false;                   // thoughts whole
  bool system = false;                     // context, notices and commands too
  bool head = true;                        // what the session is, first
  bool totals_last = false;                // but what is only known when it was read, last
  std::string cost = {};                   // of the session, in words
  std::string title = {};                  // that a person gave it; empty: its own
  std::string marks = {};                  // of that person: a star, tags
  bool live = false;                       // more is to come: a call without a result may still get one
  std::optional<std::int64_t> under = {};  // the message whose title stands above already
  std::optional<std::int64_t> at = {};     // this message, whatever it is, and its neighbours only
  // How far local time is ahead of UTC at a time; empty: times are told in UTC.
  std::function<std::chrono::seconds(std::chrono::system_clock::time_point)> utc_offset = {};
};

// Whether a message of that number is on the branch.
bool has_message(const Transcript& transcript, std::int64_t number);

std::string transcript_text(const Transcript& transcript, const TextStyle& style);

}  // namespace holdfast::inline v1
