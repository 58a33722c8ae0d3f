// Documents of a SyncHome that are rarely there: what was removed here.
// Replaced durably as a whole. docs/formats/sync.md. Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <set>
#include <string>

#include "archive/capture.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// Sessions of other devices that were removed here and are never read again; forgotten_name() of each.
Result<std::set<std::string>> forgotten_sessions(const Context& context, const SyncHome& home);
Result<void> save_forgotten_sessions(const Context& context, const SyncHome& home, const std::set<std::string>& names);
// Nobody can tell which one it was.
std::string forgotten_name(std::string_view device, const CaptureKey& session);

}  // namespace holdfast::inline v1
