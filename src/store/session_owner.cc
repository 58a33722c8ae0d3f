#include "store/session_owner.h"

#include <algorithm>

#include "store/engine.h"
#include "store/in_use.h"

namespace holdfast::inline v1 {
namespace {

struct LeasePlace {
  std::shared_ptr<Root> root;
  std::string name;
  std::string id;  // of the session, whole
};

Result<LeasePlace> place_of(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_LET(engine, engine_of(store));
  DirectoryFeed feed(context, engine->roots().directories());
  HOLDFAST_LET(ref, engine->resolve(context, feed, id));
  HOLDFAST_LET(root, engine->roots().root(ref.place.root));
  return LeasePlace{std::move(root), lease_name(ref.id), ref.id};
}

bool belongs_to(const LeaseState& state, std::string_view note) {
  return state.alive && state.owner && state.owner->note == note;
}

Result<LeaseState> look_for_owner(const Context& context, Root& root, std::string_view name) {
  const Context patient = context.within(std::chrono::seconds(1));
  while (true) {
    HOLDFAST_LET(state, look_at_lease(root, name));
    if (!state.alive || (state.owner && names_living_owner(*state.owner)) || !patient.check()) return state;
    patient.clock->sleep(std::chrono::milliseconds(1));
  }
}

}  // namespace

Result<void> check_not_owned(Store& store, std::string_view id, std::string_view note) {
  HOLDFAST_LET(engine, engine_of(store));
  for (const auto& [name, root] : engine->roots().all()) {
    if (!root->directory().exists(root->side("leases"))) continue;
    HOLDFAST_LET(state, look_for_owner({}, *root, lease_name(id)));
    if (state.alive && (note.empty() || !belongs_to(state, note))) return fail(in_use("the session", id, state.owner));
  }
  return {};
}

Result<bool> is_owned_by(const Context& context, Store& store, std::string_view id, std::string_view note) {
  HOLDFAST_LET(place, place_of(context, store, id));
  HOLDFAST_LET(state, look_for_owner(context, *place.root, place.name));
  if (!state.alive || belongs_to(state, note)) return state.alive;
  return fail(in_use("the session", place.id, state.owner));
}

Result<Lease> own_session(const Context& context, Store& store, std::string_view id, std::string_view note) {
  HOLDFAST_LET(place, place_of(context, store, id));
  return acquire_lease(context, place.root, place.name, std::string(note), "the session", place.id);
}

bool lease_lost(Store& store, std::string_view id) {
  const auto engine = engine_of(store);
  return engine && !(*engine)->own_leases().check(id);
}

Result<void> forget_dead_owner(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_LET(place, place_of(context, store, id));
  HOLDFAST_LET(state, look_at_lease(*place.root, place.name));
  if (!state.alive && !state.owner) return {};
  HOLDFAST_LET(lease, acquire_lease(context, place.root, place.name, {}, "the session", place.id));
  return lease.release();
}

Result<void> break_session_lease(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_LET(place, place_of(context, store, id));
  HOLDFAST_LET(lease, Lease::take_over(context, place.root, place.name));
  return lease.release();
}

Result<void> release_session_lease(const Context& context, Store& store, std::string_view id, std::string_view note) {
  HOLDFAST_LET(engine, engine_of(store));
  for (const auto& [name, root] : engine->roots().all()) {
    HOLDFAST_LET(state, look_at_lease(*root, lease_name(id)));
    if (!belongs_to(state, note)) continue;
    HOLDFAST_LET(lease, Lease::take_over(context, root, lease_name(id), std::string(note)));
    HOLDFAST_TRY(lease.release());
  }
  return {};
}

Result<std::vector<LeaseHolder>> lease_holders(const Context& context, Store& store) {
  HOLDFAST_LET(engine, engine_of(store));
  std::vector<LeaseHolder> holders;
  for (const auto& [name, root] : engine->roots().all()) {
    const auto files = root->directory().list(root->side("leases"));
    if (!files && files.error().code == Code::not_found) continue;
    if (!files) return fail(files.error());
    for (const auto& file : *files) {
      HOLDFAST_TRY(context.check());
      HOLDFAST_LET(state, look_at_lease(*root, file.name));
      if (state.alive || state.owner)  // otherwise it was released in the meantime
        holders.push_back({.name = file.name, .alive = state.alive, .owner = state.owner.value_or(LeaseOwner{})});
    }
  }
  std::ranges::sort(holders, {}, &LeaseHolder::name);
  return holders;
}

}  // namespace holdfast::inline v1
