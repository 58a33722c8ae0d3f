#include "api/claim_session.h"

#include <utility>

#include "store/session_owner.h"

namespace holdfast::inline v1 {

TakenLease::TakenLease(const Call& call, std::shared_ptr<Store> store, std::string id)
    : call_(call), store_(std::move(store)), id_(std::move(id)), kept_(call.stores.owns(call.context, *store_, id_)) {}

TakenLease::~TakenLease() {
  if (!kept_) (void)call_.stores.release(call_.context, *store_, id_);
}

Result<void> SessionClaim::take(const std::string& id) {
  const bool takeover = call_.flag("takeover");
  const StoreSettings& settings = call_.stores.settings();
  if (!settings.keep && !settings.owner) {
    if (takeover) return {};
    unowned_ = id;
    return check_not_owned(*store_, id, {});
  }
  taken_.emplace(call_, store_, id);
  if (!settings.keep) {
    HOLDFAST_TRY(call_.stores.own(call_.context, *store_, id, takeover));
    return {};
  }
  WriterOptions options;
  options.lease = takeover ? LeaseRequest::take_over : LeaseRequest::take;
  options.owner_note = call_.text("owner");
  HOLDFAST_TRY(call_.stores.writer(call_.context, store_, id, options));
  return {};
}

void SessionClaim::keep() {
  if (taken_) taken_->keep();
  if (!unowned_.empty()) (void)forget_dead_owner(call_.context, *store_, unowned_);  // else it is shown as interrupted
}

}  // namespace holdfast::inline v1
