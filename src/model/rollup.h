// What a session adds to statistics: every prompt, API response, tool call and
// result once, with the quarter of an hour and the model it belongs to. Enough to count a
// session without its files, and to leave out what another session has counted
// already (forks and copies repeat ids). Plain values.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/packing.h"

namespace holdfast::inline v1 {

// A quarter of an hour (UTC, "2026-11-15T08:45"; empty: that of the session's creation), which is
// part of one day in every time zone, and a model. The rest of a quarter that was cut
// (model/tally.h) is named by the moment of the cut, "2026-11-15T08:47:30.000Z".
struct RollupSlot {
  std::string quarter = {};
  std::string model = {};

  bool operator==(const RollupSlot&) const = default;
};

struct RollupItem {
  enum class Kind : std::uint8_t { prompt, response, call, result };

  Kind kind = Kind::prompt;
  bool side = false;       // of a sub-agent, inside its parent's file
  bool answer = false;     // a response that counts as one
  bool priced = false;     // its agent recorded a cost
  std::uint32_t slot = 0;  // in Rollup::slots: where it was seen first
  std::uint64_t name = 0;  // hash of the id; 0: nothing names it, so it counts every time
  // Of a prompt: hash of its time and text; of a response: hash of its first message's id. Copies keep them; 0 as
  // above.
  std::uint64_t moment = 0;
  Usage usage = {};  // of a response: the largest figures seen
  double cost = 0;   // in US dollars

  bool operator==(const RollupItem&) const = default;
};

struct Rollup {
  std::vector<RollupSlot> slots = {};
  std::vector<RollupItem> items = {};  // in the order in which they were seen first

  bool operator==(const Rollup&) const = default;
};

void pack_rollup(Packer& out, const Rollup& rollup);
// Slots out of range make the Unpacker fail.
Rollup unpack_rollup(Unpacker& in);

}  // namespace holdfast::inline v1
