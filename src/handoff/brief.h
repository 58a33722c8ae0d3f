// Summarizes a session in a page or two of Markdown, for an agent or a person who has
// never seen it: what it was about, what was asked last, which files were touched, what
// is left to do, and at which call it stopped. Thread-safety: one thread per object.
#pragma once

#include <holdfast/session.h>

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>

#include "handoff/conversation.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1 {

// Takes the turns of a conversation in order.
class Brief {
 public:
  // `names` are the session's own names for its tools; other calls are recognized by the names that any agent uses.
  explicit Brief(std::span<const ToolName> names) : names_(names) {}
  void take(const Turn& turn);
  // At most about 16 KiB.
  std::string text(const Session& session, const CarriedHead& head) const;

 private:
  const std::span<const ToolName> names_;
  std::uint64_t prompts_ = 0;
  std::string goal_, summary_, answer_;
  std::deque<std::string> last_;                       // prompts after the goal
  using Files = std::map<std::string, std::uint64_t>;  // when each file was last touched
  enum class Outcome { done, failed, unknown };
  void take_call(const Block& call, Outcome outcome);
  Files changed_, read_;
  std::set<std::string> unsure_;  // changed files whose last write has no result
  std::string stopped_at_;        // the last call, if it has no result
  std::uint64_t touched_ = 0;
  std::string todos_;  // JSON of the last list
};

}  // namespace holdfast::inline v1
