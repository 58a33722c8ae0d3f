#include "store/in_use.h"

#include "base/held_for.h"
#include "disk/real_process.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// The lease of a run has a JSON object as its note, with that of the owner in it.
std::string note_of_owner(const LeaseOwner& owner) {
  if (!owner.note.starts_with('{')) return owner.note;
  return JsonView(owner.note).find("owner").as_string().value_or("");
}

}  // namespace

std::int64_t owning_process(const LeaseOwner& owner) {
  return process_held_for(note_of_owner(owner)).value_or(owner.pid);
}

bool names_living_owner(const LeaseOwner& owner) {
  const ProcessIdentity self = this_process();
  if (owner.host != self.host || owner.boot_id != self.boot_id) return true;  // another machine or boot: we cannot tell
  return process_start(owner.pid) == owner.start_time;
}

Error in_use(std::string_view what, std::string_view id, const std::optional<LeaseOwner>& owner) {
  std::string message = std::string(what) + " is in use";
  if (owner && names_living_owner(*owner)) {
    message += " by process " + std::to_string(owning_process(*owner));
    if (owner->host != this_process().host) message += " on " + owner->host;
    const std::string note = note_of_owner(*owner);
    if (!note.empty() && !process_held_for(note)) message += ": " + note;
  }
  return {Code::busy, std::move(message), std::string(id)};
}

std::string run_lease(std::string_view id) { return "run-" + std::string(id); }

Result<void> check_run_unowned(Root& root, std::string_view id, std::string_view owner) {
  HOLDFAST_LET(state, look_at_lease(root, run_lease(id)));
  if (!state.alive || (!owner.empty() && state.owner && note_of_owner(*state.owner) == owner)) return {};
  return fail(in_use("the run", id, state.owner));
}

Result<Lease> acquire_lease(const Context& context, const std::shared_ptr<Root>& root, std::string_view name,
                            const std::string& note, std::string_view what, std::string_view id) {
  auto lease = Lease::acquire(context, root, name, note);
  if (lease || lease.error().code != Code::busy) return lease;
  const auto state = look_at_lease(*root, name);
  return fail(in_use(what, id, state ? state->owner : std::nullopt));
}

}  // namespace holdfast::inline v1
