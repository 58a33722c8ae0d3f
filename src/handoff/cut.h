// How much of a conversation is carried: whole turns, the newest. By default all
// of it, or what follows the last summary where its agent compacted it.
// Thread-safety: pure functions; one thread an object.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "handoff/conversation.h"

namespace holdfast::inline v1 {

struct CutOptions {
  std::size_t last = 0;   // only so many prompts, with all that was answered; 0: all
  std::string from = {};  // the id or the ordinal of a message: from the prompt that it belongs to
  std::uint64_t fit = 0;  // at most so many tokens, as estimated; 0: any
};

// What is known of a turn without what it says.
struct TurnFacts {
  std::string time = {};
  std::int64_t ordinal = 0;
  std::uint64_t tokens = 0;   // with CutOptions::fit only
  std::uint32_t answers = 0;  // results that came, of its calls
  Role role = Role::user;
  bool summary = false;
};

// What a first walk over a session finds out.
struct Survey {
  std::vector<TurnFacts> turns = {};
  std::optional<std::size_t> from = {};     // the turn of the message CutOptions::from, by its id
  std::string model = {};                   // that answered last
  std::uint64_t messages = 0;               // ordinals are below this
  bool has_main = false, has_side = false;  // messages of the session itself, and of sub-agents
};

class Surveyor final : public TurnTaker {
 public:
  Surveyor(Survey& survey, const CutOptions& options) : survey_(survey), options_(options) {}
  bool is_whole(std::size_t /*number*/, const Turn& /*turn*/) override { return true; }
  void take(std::size_t number, Turn turn) override;
  void take_late(std::size_t number, const Block& block) override;

 private:
  Survey& survey_;
  const CutOptions& options_;
};

// The first turn that is carried; what stays behind is noted. not_found when there is no message `from`; too_large
// when not even the last turn fits.
Result<std::size_t> cut(const Survey& survey, const CutOptions& options, HandoffReport& report);

// An estimate: a token for every four ASCII bytes and for every other letter, four for each block, 1,500 for an image.
std::uint64_t tokens_in(const Turn& turn);

}  // namespace holdfast::inline v1
