// Which sessions a call refers to: the common parameters of list, search and stats.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "api/call.h"
#include "base/run_in_order.h"

namespace holdfast::inline v1 {

// agent, project, since, until, status, archived, layout, subagents.
std::vector<Parameter> filter_parameters();

// Returns the time that a parameter names, in UTC with milliseconds; empty if it is not given. A day without a time
// means the end of that day, or its beginning for `since`.
Result<std::string> moment_of(const Call& call, std::string_view name);

// Fails with invalid_argument if a time is invalid. `since` and `until` are ISO-8601,
// a day (2026-11-15), or an age (90m, 36h, 7d, 2w).
Result<SessionFilter> filter_of(const Call& call);

// The layout that `layout` or `agent` names; empty if neither is given.
Result<std::string> requested_layout(const Call& call);

// `machine`; also for operations that find one session by its id.
Parameter machines_parameter();  // of a list
Parameter machine_parameter();   // of one session
// The stores of the call's machine, only those of `layout` if it is not empty.
Result<std::vector<StoreOptions>> stores_of_machine(const Call& call, std::string_view layout);
// The same, and then those with copies that lists leave out because another copy represents the session.
struct MachineStores {
  std::vector<StoreOptions> all;
  std::size_t listed = 0;  // the first of them
};
Result<MachineStores> all_stores_of_machine(const Call& call, std::string_view layout);

// The stores that the call refers to; it is not an error if there are none.
Result<std::vector<StoreOptions>> stores_of(const Call& call);

using OpenedStores = std::vector<Result<std::shared_ptr<Store>>>;
OpenedStores open_to_read(const Call& call, const std::vector<StoreOptions>& stores);
Finding left_out(const StoreOptions& store, const Error& error);
// Why the archive, which the call reads together with its stores, cannot be read.
std::optional<Error> archive_error(const Call& call);
// Adds a finding for sessions of the requested machines whose bytes are not here: they are not searched or counted.
Result<void> add_absent_finding(const Call& call, std::vector<Finding>& findings);
// Whether the error only says that an agent's directory, which the call did not name, has no store in it.
bool is_absent_default_store(const Call& call, const Error& error);

// Reports how many stores of a call are done.
void report_progress(const Call& call, std::size_t done, std::size_t of);

// Calls work(store) for each store, opened for reading, on several threads, and
// take(its result) on this thread, in the order of the stores. A store that cannot be
// opened or fails becomes a finding and does not hide the others; if it is the only
// one, its error is returned. The same goes for the archive. Ignores an agent's directory without a store unless the
// call named it.
template <typename Work, typename Take>
Result<std::vector<Finding>> for_each_store(const Call& call, const std::vector<StoreOptions>& stores, const Work& work,
                                            const Take& take) {
  using Answer = decltype(work(std::declval<Store&>()));
  const OpenedStores opened = open_to_read(call, stores);
  std::vector<Finding> findings;
  std::optional<Error> only;
  std::size_t taken = 0;
  run_in_order(
      stores.size(), threads_for(stores.size()),
      [&](std::size_t n) { return opened[n] ? work(**opened[n]) : Answer(fail(opened[n].error())); },
      [&](Answer answer) {
        const StoreOptions& store = stores[taken++];
        report_progress(call, taken, stores.size());
        if (answer) {
          take(std::move(*answer));
        } else if (is_absent_default_store(call, answer.error())) {
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
  if (auto error = archive_error(call)) {
    if (stores.empty()) return fail(std::move(*error));
    findings.push_back({.file = error->path,
                        .kind = std::string(code_name(error->code)),
                        .consequence = error->message + "; what only the archive has is left out"});
  }
  return findings;
}

}  // namespace holdfast::inline v1
