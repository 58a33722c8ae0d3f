// How much of a conversation is carried: whole turns, counted from the end. By default
// everything or, if its agent compacted it, what follows the last summary.
// Thread-safety: pure functions; one thread per object.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "handoff/conversation.h"

namespace holdfast::inline v1 {

struct CutOptions {
  std::size_t last = 0;   // only this many of the last prompts, with their answers; 0 for all
  std::string from = {};  // the id or ordinal of a message: from the prompt that it belongs to
  std::uint64_t fit = 0;  // at most this many tokens, as estimated; 0 for any number
  bool least = false;     // only the last turn, the least that can be carried
};

// The facts about a turn, without its content.
struct TurnFacts {
  std::string time = {};
  std::int64_t ordinal = 0;
  std::uint64_t tokens = 0;   // only if CutOptions::fit is set
  std::uint32_t answers = 0;  // results of its calls that arrived
  bool summary = false;
  bool asks = false;  // it has a prompt
};

// The result of the first walk over a session.
struct Survey {
  std::vector<TurnFacts> turns = {};
  std::optional<std::size_t> from = {};     // the turn of the message with the id CutOptions::from
  std::string model = {};                   // of the last answer
  std::uint64_t messages = 0;               // ordinals are below this
  bool has_main = false, has_side = false;  // messages of the session itself, and of sub-agents
};

class Surveyor final : public TurnSink {
 public:
  Surveyor(Survey& survey, const CutOptions& options) : survey_(survey), options_(options) {}
  bool is_whole(std::size_t /*number*/, const Turn& /*turn*/) override { return true; }
  void take(std::size_t number, Turn turn) override;
  void take_late(std::size_t number, const Block& block) override;

 private:
  Survey& survey_;
  const CutOptions& options_;
};

// Returns the first turn to carry, and reports what is left behind. Fails with not_found if there is no message
// `from`, and with too_large if not even the last turn fits.
Result<std::size_t> cut(const Survey& survey, const CutOptions& options, HandoffReport& report);

// An estimate: one token per four ASCII bytes and per other character, four per block, 1,500 per image or other
// attachment that is not a text.
std::uint64_t tokens_in(const Turn& turn);

}  // namespace holdfast::inline v1
