// Reads what this device published, as another one would, and tells what is no longer there as it was.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <string>
#include <vector>

#include "archive/archive.h"
#include "sync/home_notes.h"

namespace holdfast::inline v1 {

// The keys of names that chunks of this device may have there in that epoch, with that policy; the newest first. One
// for each key of the remote: whom it was not given cannot ask for known content either.
std::vector<std::string> own_names_keys(const SigningKey& device, const RemoteSettings& settings, std::uint64_t epoch,
                                        std::string_view policy);

struct CheckedOwn {
  std::uint64_t segments = 0, chunks = 0;  // that were looked at
  OwnDamage damage = {};
  std::vector<Finding> findings = {};  // one for each
};

// Everything in the epoch that is written now is read. `heads` are those of the remote. Damage is noted for the next
// push, which repairs it; what was noted before is noted anew.
Result<CheckedOwn> check_own(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                             Remote& remote, const std::vector<RemoteStream>& heads);

}  // namespace holdfast::inline v1
