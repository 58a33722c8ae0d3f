// What another device has read of this device's sessions, as far as it has said so.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <map>
#include <set>
#include <string>

#include "archive/archive.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// Each session with its row as it was published.
Result<std::map<CaptureKey, std::string>> sessions_read_by(const Context& context, const SyncHome& home,
                                                           const RemoteSettings& settings, const std::string& device);

// The other machines that have read this stream of this device up to that segment, or further.
Result<std::set<std::string>> machines_past(const Context& context, const SyncHome& home,
                                            const RemoteSettings& settings, const StreamId& own, std::uint64_t seq);

}  // namespace holdfast::inline v1
