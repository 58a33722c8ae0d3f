// Interviews: how confident a skill was in its understanding of a request. Entries expire after 24
// hours; reading drops nothing (decision 9), the next entry does. Supports both shapes of
// interview-state.json; new files are a list of sessions. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "rules/initiative/layer_draft.h"

namespace holdfast::inline v1 {

struct InterviewEntry {
  std::string project;
  std::string skill;
  // By dimension: problem_understanding, context_completeness, technical_clarity,
  // scope_definition, risk_awareness; integers from 0 to 100.
  std::map<std::string, std::int64_t> confidence;
  std::map<std::string, double> weights;  // empty: all equal
  std::int64_t questions_asked = 0;
  bool bypassed = false;
  bool skipped = false;
  std::string skip_reason;
  std::string learning;  // for MEMORY.md under Interview Patterns; empty: none
};

struct RecordedInterview {
  std::string entry;  // as written
  LayerOutcome outcome;
};
// Appends an entry with its composite (the weighted sum). In a file of the other shape,
// sets the confidence, and refuses a rise of more than 30 in one dimension: no single
// answer can cause that.
Result<RecordedInterview> record_interview(const Context& context, Store& store, const InterviewEntry& entry);

// {"skill", "sessions": unexpired ones of the skill, "expired": number of expired ones,
//  "skips", "max_questions": 1 after three skips, else null,
//  "baseline": min(80, 0.85 * the last composite) or null, "state": a file of the other shape or null}
// These two are about the next interview of one skill: null if the sessions are of several.
Result<std::string> read_interviews(const Context& context, Store& store, std::string_view project,
                                    std::string_view skill);

// Removes the state after a successful interview. Returns false if there was none.
Result<bool> clear_interviews(const Context& context, Store& store, std::string_view project);

}  // namespace holdfast::inline v1
