// The sessions that are shared as `redacted`, in an archive of their own. They are made again when their
// originals or shares change, under names that reveal nothing. Whatever is published with that policy comes
// from this archive and nowhere else. Crash-safety: as ArchiveWriter; it can be made again.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "sync/shared_sessions.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// The name of a session at the remote, and of the ids in it.
struct RedactedNames {
  std::string session;
  // The alias of an id of that agent: always the same, in every session, and impossible to guess.
  std::function<std::string(std::string_view)> alias;
};

// Returns what may be shared of a session, as a log of the layout holdfast.
using RedactSession = std::function<Result<std::string>(const CaptureKey& key, const CapturedSession& session,
                                                        const RedactedNames& names)>;

// The alias of a shared project's identity: always the same, and impossible to guess.
std::string identity_alias(const SigningKey& device, const RemoteSettings& settings, const std::string& identity);

// The key under which a session is shared.
CaptureKey redacted_key(const SigningKey& device, const RemoteSettings& settings, const CaptureKey& session);

// The other copy of a session that is no longer shared in one form; its drop_name(), or empty.
struct OtherCopy {
  std::string fuller = {}, redacted = {};
};
// By the drop_name() of what is no longer shared: redacted copies of sessions that are now shared in full, and those of
// `gone` that are now shared as redacted.
std::map<std::string, OtherCopy> other_copies(const SigningKey& device, const RemoteSettings& settings,
                                              const std::set<CaptureKey>& gone, const SharedSessions& shared);

// Whether a copy with that row was made by the current rules. An older copy may reveal more than they allow.
bool has_current_redaction(std::string_view row);

// Where the archive of these sessions is.
std::string redacted_path(const SyncHome& home, const RemoteSettings& settings);

// nullptr if no project is shared that way. A session that cannot be read is a finding and is left out.
Result<std::unique_ptr<Archive>> redacted_sessions(const Context& context, const SyncHome& home,
                                                   const RemoteSettings& settings, const CaptureState& local,
                                                   const RedactSession& redact, std::vector<Finding>& findings);

}  // namespace holdfast::inline v1
