#include "api/claim_session.h"

#include "store/session_owner.h"

namespace holdfast::inline v1 {

std::function<Result<void>(const std::string& id)> claim_for(const Call& call, std::shared_ptr<Store> store) {
  return [&call, store = std::move(store)](const std::string& id) -> Result<void> {
    const bool takeover = call.flag("takeover");
    if (call.stores.settings().keep) {
      WriterOptions options;
      options.lease = takeover ? LeaseRequest::take_over : LeaseRequest::take;
      options.owner_note = call.text("owner");
      HOLDFAST_TRY(call.stores.writer(call.context, store, id, options));
      return {};
    }
    HOLDFAST_LET(owned, call.stores.own(call.context, *store, id, takeover));
    if (owned || takeover) return {};
    return forget_dead_owner(call.context, *store, id);
  };
}

}  // namespace holdfast::inline v1
