// A session as a conversation that any agent could have had: turns of the person
// and of the model, each call with its result. Whatever only its own agent
// understands is left behind, and the report says so.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <string>
#include <vector>

#include "handoff/report.h"
#include "layout/new_sessions.h"

namespace holdfast::inline v1 {

// In place of an output that never came.
inline constexpr std::string_view kNoResult =
    "[There is no output of this tool call: the session ended, or was interrupted, before it came.]";
// In front of an output whose call is not there.
inline constexpr std::string_view kNoCall = "[The output of a tool whose call is not in the session:]\n";
// In place of the person's first words, where a conversation does not begin with them.
inline constexpr std::string_view kNoBeginning = "[The beginning of this session was not carried.]";

struct Turn : CarriedTurn {
  std::int64_t ordinal = 0;           // of its first message
  std::vector<std::string> ids = {};  // of its messages
  bool summary = false;               // of everything before it
  std::string response = {};          // that it is part of
  std::vector<bool> answered = {};    // of each result, whether it came

  std::size_t calls() const { return results.size(); }
};

struct Conversation {
  CarriedHead head = {};
  std::vector<Turn> turns = {};
  HandoffReport report = {};
};

// `project` and times of the head are set from the session.
Conversation conversation_of(const Transcript& transcript);

// Whether the text is a thought in the shape that thought_as_text gives it, and what it says.
std::optional<std::string> thought_in(std::string_view text);
std::string thought_as_text(std::string_view thought);

}  // namespace holdfast::inline v1
