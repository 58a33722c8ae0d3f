// What some remotes do beside remote.h; those that cannot need not.
// Thread-safety: as the Remote's.
#pragma once

#include "sync/remote.h"

namespace holdfast::inline v1 {

class SweepsRemote {
 public:
  virtual ~SweepsRemote() = default;
  // Removes what interrupted calls of this device left there and nobody will read.
  virtual Result<void> sweep(const Context& context, std::string_view device) = 0;
};

// Of any remote.
Result<void> sweep(const Context& context, Remote& remote, std::string_view device);

}  // namespace holdfast::inline v1
