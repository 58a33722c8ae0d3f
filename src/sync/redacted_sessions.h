// The sessions that go to a remote as `redacted`, in an archive of their own: made anew when their originals or their
// shares have changed, under names that say nothing. What is published with that policy comes out of it and out of
// nothing else. Crash-safety: as ArchiveWriter; it can be made again. Thread-safety: one thread; the SyncHome is
// locked.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// What a session may say, as a log of the layout holdfast whose id is `alias`.
using RedactSession =
    std::function<Result<std::string>(const CaptureKey& key, const CapturedSession& session, const std::string& alias)>;

// What the identity of a shared project is called there: the same each time, and to be guessed by nobody.
std::string identity_alias(const SigningKey& device, const RemoteSettings& settings, const std::string& identity);

// nullptr: none are shared so. A session that cannot be told is a finding and is not among them.
Result<std::unique_ptr<Archive>> redacted_sessions(const Context& context, const SyncHome& home,
                                                   const RemoteSettings& settings, const CaptureState& local,
                                                   const RedactSession& redact, std::vector<Finding>& findings);

}  // namespace holdfast::inline v1
