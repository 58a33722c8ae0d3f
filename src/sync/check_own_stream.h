// Reads what this device published, as another device would, and reports what is damaged or missing.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <string>
#include <vector>

#include "archive/archive.h"
#include "sync/home_notes.h"

namespace holdfast::inline v1 {

// The keys that this device may have used to name its chunks in that epoch with that policy; the current one first.
// There is one for each key of the remote, so a device without that key cannot look for known content either.
std::vector<std::string> own_names_keys(const SigningKey& device, const RemoteSettings& settings, std::uint64_t epoch,
                                        std::string_view policy);

struct OwnCheckResult {
  std::uint64_t segments = 0, chunks = 0;  // checked
  OwnDamage damage = {};
  std::vector<Finding> findings = {};  // one for each damage
};

// Reads everything in the current epoch. `heads` are those of the remote. Saves the damage for the next push,
// which repairs it; replaces what was saved before.
Result<OwnCheckResult> check_own_stream(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                        Remote& remote, const std::vector<RemoteStream>& heads);

}  // namespace holdfast::inline v1
