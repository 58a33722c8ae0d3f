// How much of a conversation is carried: whole turns, the newest. By default all
// of it, or what follows the last summary where its agent compacted it.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <string>

#include "handoff/conversation.h"

namespace holdfast::inline v1 {

struct CutOptions {
  std::size_t last = 0;   // only so many prompts, with all that was answered; 0: all
  std::string from = {};  // the id or the ordinal of a message: from the prompt that it belongs to
  std::uint64_t fit = 0;  // at most so many tokens, as estimated; 0: any
};

// not_found when there is no message `from`; too_large when not even the last turn fits.
Result<void> cut(Conversation& conversation, const CutOptions& options);

// An estimate: a token for every four ASCII bytes and for every other letter, four for each block, 1,500 for an image.
std::uint64_t tokens_in(const Turn& turn);
std::uint64_t tokens_in(const Conversation& conversation);

}  // namespace holdfast::inline v1
