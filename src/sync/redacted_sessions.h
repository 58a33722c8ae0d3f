// The sessions that go to a remote as `redacted`, in an archive of their own: made anew when their originals or their
// shares have changed, under names that say nothing. What is published with that policy comes out of it and out of
// nothing else. Crash-safety: as ArchiveWriter; it can be made again. Thread-safety: one thread; the SyncHome is
// locked.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// What a session and the ids in it are called there.
struct RedactedNames {
  std::string session;
  // Of ids of that agent's: the same each time, in whatever session they stand, and to be guessed by nobody.
  std::function<std::string(std::string_view)> alias;
};

// What a session may say, as a log of the layout holdfast.
using RedactSession = std::function<Result<std::string>(const CaptureKey& key, const CapturedSession& session,
                                                        const RedactedNames& names)>;

// What the identity of a shared project is called there: the same each time, and to be guessed by nobody.
std::string identity_alias(const SigningKey& device, const RemoteSettings& settings, const std::string& identity);

// As what a session goes there.
CaptureKey redacted_key(const SigningKey& device, const RemoteSettings& settings, const CaptureKey& session);

// Whether a copy with that row was made by the rules of now: one of before may tell more than those let go.
bool is_redacted_as_now(std::string_view row);

// nullptr: none are shared so. A session that cannot be told is a finding and is not among them.
Result<std::unique_ptr<Archive>> redacted_sessions(const Context& context, const SyncHome& home,
                                                   const RemoteSettings& settings, const CaptureState& local,
                                                   const RedactSession& redact, std::vector<Finding>& findings);

}  // namespace holdfast::inline v1
