#include "api/rehearse.h"

namespace holdfast::inline v1 {

Result<std::shared_ptr<Store>> store_to_rehearse(const Call& call, const std::string& id) {
  HOLDFAST_LET(meant, call.stores.meant(call.text("store"), {}, Use::create));
  const auto store = call.stores.open(call.context, meant.front(), Use::read);
  if (!store && store.error().code != Code::not_found) return fail(store.error());
  if (store && !id.empty() && (*store)->get(call.context, id))
    return fail(Code::already_exists, "session " + id + " already exists", (*store)->name());
  return Store::in_memory(call.context, meant.front().layout);
}

}  // namespace holdfast::inline v1
