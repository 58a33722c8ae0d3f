// How what is queued reaches another machine. A transport may be asked to send
// the same parcel again (a crash before the answer was written down): the
// receiver must take it once.
// Thread-safety: one thread a transport.
#pragma once

#include <holdfast/context.h>

#include "rules/queue/parcel.h"

namespace holdfast::inline v1 {

enum class Delivery {
  delivered,  // the other side has it, durably
  retryable,  // not now
};

struct Delivered {
  Delivery delivery = Delivery::delivered;
  std::string reason = {};  // of a failure, for people; never a secret
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual Delivered send(const Context& context, const Parcel& parcel) = 0;
};

}  // namespace holdfast::inline v1
