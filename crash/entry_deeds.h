// Transactions on streams of entries: random ones, the calls that request them, and
// what a store shows of them.
#pragma once

#include <holdfast/error.h>

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entry_model.h"
#include "lab.h"
#include "store_door.h"
#include "store_traits.h"

namespace holdfast::lab {

// The names of the sessions that random transactions use.
inline constexpr std::string_view kEntrySessions[] = {"entries-a", "entries-b"};

// A transaction that may fit the state of the session, or repeat or contradict an earlier one. `number` is unused so
// far, and so is every name that ends in it.
EntryTransaction some_transaction(const EntryModel& model, const std::string& session, std::uint64_t number,
                                  Random& random);

struct EntryCall {
  std::string method, params;
};
EntryCall call_of(const EntryTransaction& transaction, const StoreTraits& traits);
EntryAnswer entry_answer(const EntryTransaction& transaction, const std::string& result);
EntryAnswer entry_answer(const EntryTransaction& transaction, const Result<std::string>& answer);

// All streams of these sessions. `altered` gets what nobody wrote, and what differs from call to call.
Result<std::map<std::string, SeenStreams>> look_at_entries(Door& door, const StoreTraits& traits,
                                                           std::span<const std::string_view> sessions,
                                                           std::vector<std::string>& altered);

}  // namespace holdfast::lab
