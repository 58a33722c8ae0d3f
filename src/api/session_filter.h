// Which sessions a call means: the parameters that list, search and stats share.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "api/call.h"
#include "base/in_order.h"

namespace holdfast::inline v1 {

// agent, project, since, until, status, archived, layout, subagents.
std::vector<Parameter> filter_parameters();

// The time that a parameter names, in UTC with milliseconds; empty: it is not given. Without a time of day it is the
// end of that day, of `since` the beginning.
Result<std::string> moment_of(const Call& call, std::string_view name);

// invalid_argument for a time that is none. `since` and `until` are ISO-8601, a
// day (2026-11-15), or an age (90m, 36h, 7d, 2w).
Result<SessionFilter> filter_of(const Call& call);

// The layout that `layout` or `agent` name; empty: neither is given.
Result<std::string> layout_meant(const Call& call);

// `machine`, which those that find one session by its id take too.
Parameter machine_parameter();
// The stores of that machine, of that layout if one is named.
Result<std::vector<StoreOptions>> stores_of_machine(const Call& call, std::string_view layout);

// The stores that are meant; none at all is an empty list, not an error.
Result<std::vector<StoreOptions>> stores_of(const Call& call);

using OpenedStores = std::vector<Result<std::shared_ptr<Store>>>;
OpenedStores open_to_read(const Call& call, const std::vector<StoreOptions>& stores);
Finding left_out(const StoreOptions& store, const Error& error);
// Sessions of the machines that are meant and that are not here: what is searched or counted lacks them.
Result<void> add_not_here(const Call& call, std::vector<Finding>& findings);
// Whether that is a directory of an agent that nobody named and that has no store in it.
bool is_not_there(const Call& call, const Error& error);

// How many stores of a call are done, for whoever waits for it.
void tell_progress(const Call& call, std::size_t done, std::size_t of);

// Calls work(store) with each store, opened for reading, on several threads, and
// take(what it answered) on this one, in the order of the stores. One that cannot
// be opened or fails is a finding and never hides the others, unless it is the
// only one. An agent's directory without a store in it is nothing, where nobody named it.
template <typename Work, typename Take>
Result<std::vector<Finding>> for_each_store(const Call& call, const std::vector<StoreOptions>& stores, const Work& work,
                                            const Take& take) {
  using Answer = decltype(work(std::declval<Store&>()));
  const OpenedStores opened = open_to_read(call, stores);
  std::vector<Finding> findings;
  std::optional<Error> only;
  std::size_t taken = 0;
  in_order(
      stores.size(), threads_for(stores.size()),
      [&](std::size_t n) { return opened[n] ? work(**opened[n]) : Answer(fail(opened[n].error())); },
      [&](Answer answer) {
        const StoreOptions& store = stores[taken++];
        tell_progress(call, taken, stores.size());
        if (answer) {
          take(std::move(*answer));
        } else if (is_not_there(call, answer.error())) {
          return true;
        } else if (stores.size() == 1) {
          only = std::move(answer).error();
        } else {
          findings.push_back(left_out(store, answer.error()));
        }
        return true;
      });
  HOLDFAST_TRY(call.context.check());
  if (only) return fail(std::move(*only));
  return findings;
}

}  // namespace holdfast::inline v1
