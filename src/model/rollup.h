// What a session adds to statistics: every prompt, API response, tool call and result
// once, with its quarter hour and model. Enough to count a session without its files, and
// to skip what another session has already counted (forks and copies repeat messages).
// Plain values.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/packing.h"

namespace holdfast::inline v1 {

// A quarter hour (UTC, "2026-11-15T08:45"; empty: that of the session's creation), which belongs
// to one day in every time zone, and a model. The second part of a quarter hour that was split
// (model/tally.h) is named by the time of the split, "2026-11-15T08:47:30.000Z".
struct RollupSlot {
  std::string quarter = {};
  std::string model = {};

  bool operator==(const RollupSlot&) const = default;
};

// The lowest bit of the hash of an id: it is that of one thing everywhere, so copies are recognized by it alone, even
// with other times.
inline constexpr std::uint64_t kUniqueId = 1;

struct RollupItem {
  enum class Kind : std::uint8_t { prompt, response, call, result };

  Kind kind = Kind::prompt;
  bool side = false;       // from a sub-agent, inside its parent's file
  bool answer = false;     // a response that counts as an answer
  bool priced = false;     // its agent recorded a cost
  std::uint32_t slot = 0;  // in Rollup::slots: where it was first seen
  std::uint64_t name = 0;  // hash of the id, with kUniqueId; 0 if it has none, so it always counts
  // For a prompt, the hash of its time and text; for a response, the hash of its first message's id. Copies keep
  // them; 0 as above.
  std::uint64_t moment = 0;
  // For a response, a call or a result with a name: the hash of when it was said and by which model. An id that is not
  // unique may be a number that every session of an agent begins with; copies keep this too.
  std::uint64_t said = 0;
  Usage usage = {};  // for a response, the largest figures seen
  double cost = 0;   // in US dollars

  bool operator==(const RollupItem&) const = default;
};

struct Rollup {
  std::vector<RollupSlot> slots = {};
  std::vector<RollupItem> items = {};  // in order of first appearance

  bool operator==(const Rollup&) const = default;
};

void pack_rollup(Packer& out, const Rollup& rollup);
// The Unpacker fails if a slot is out of range.
Rollup unpack_rollup(Unpacker& in);

}  // namespace holdfast::inline v1
