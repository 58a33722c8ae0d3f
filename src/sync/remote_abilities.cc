#include "sync/remote_abilities.h"

namespace holdfast::inline v1 {

Result<void> sweep(const Context& context, Remote& remote, std::string_view device) {
  auto* const sweeping = dynamic_cast<SweepsRemote*>(&remote);
  return sweeping == nullptr ? Result<void>() : sweeping->sweep(context, device);
}

}  // namespace holdfast::inline v1
