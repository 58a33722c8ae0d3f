// How queued items reach another machine. A transport may be asked to send the same
// parcel again (after a crash before the result was recorded): the receiver must accept
// it once.
// Thread-safety: one thread per transport.
#pragma once

#include <holdfast/context.h>

#include "rules/queue/parcel.h"

namespace holdfast::inline v1 {

enum class Delivery {
  delivered,  // durable on the other side
  retryable,  // failed for now
};

struct DeliveryResult {
  Delivery delivery = Delivery::delivered;
  std::string reason = {};  // why it failed, for people; never a secret
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual DeliveryResult send(const Context& context, const Parcel& parcel) = 0;
};

}  // namespace holdfast::inline v1
