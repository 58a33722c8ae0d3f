// Documents of a SyncHome that are rarely there: what was removed here, and what is damaged at a remote.
// Replaced durably as a whole. docs/formats/sync.md. Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "archive/capture.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// Sessions of other devices that were removed here and are never read again; forgotten_name() of each.
Result<std::set<std::string>> forgotten_sessions(const Context& context, const SyncHome& home);
Result<void> save_forgotten_sessions(const Context& context, const SyncHome& home, const std::set<std::string>& names);
// Nobody can tell which one it was.
std::string forgotten_name(std::string_view device, const CaptureKey& session);

// What this device published and what is there no longer as it was.
struct OwnDamage {
  std::uint64_t epoch = 0;
  bool broken = false;                  // a header is damaged or missing: nobody can read what follows it
  std::set<std::uint64_t> bodies = {};  // damaged, or missing and needed
  std::set<std::string> chunks = {};    // names in the archive

  bool empty() const { return !broken && bodies.empty() && chunks.empty(); }
};
// Found, and not repaired yet.
Result<OwnDamage> own_damage(const Context& context, const SyncHome& home, const std::string& remote);
// Nothing removes the note.
Result<void> save_own_damage(const Context& context, const SyncHome& home, const std::string& remote,
                             const OwnDamage& damage);

// Everything that was withdrawn in the epoch that is written now, by drop_name(): if a body that says so is damaged, it
// is said again.
Result<std::set<std::string>> withdrawn_names(const Context& context, const SyncHome& home, const std::string& remote);
Result<void> save_withdrawn_names(const Context& context, const SyncHome& home, const std::string& remote,
                                  const std::set<std::string>& names);

// Of a remote that was removed here, by its id: every epoch that this home wrote there, and what was still to be erased
// in it. Gone once it is empty.
Result<std::vector<Erasures>> removed_epochs(const Context& context, const SyncHome& home, const std::string& id);
Result<void> save_removed_epochs(const Context& context, const SyncHome& home, const std::string& id,
                                 const std::vector<Erasures>& epochs);

// Whom each device of a remote says that it has revoked, as it said last.
using Revocations = std::map<std::string, std::set<std::string>>;
Result<Revocations> revocations(const Context& context, const SyncHome& home, const std::string& remote);
Result<void> save_revocations(const Context& context, const SyncHome& home, const std::string& remote,
                              const Revocations& all);

// What this device finds damaged in streams of others, once each: their writers are told with the next push.
struct Complaints {
  std::set<std::pair<StreamId, std::string>> open = {}, told = {};  // with the number of a segment, or a chunk
};
Result<Complaints> complaints(const Context& context, const SyncHome& home, const std::string& remote);
Result<void> save_complaints(const Context& context, const SyncHome& home, const std::string& remote,
                             const Complaints& all);
Result<void> complain(const Context& context, const SyncHome& home, const std::string& remote, const StreamId& stream,
                      const std::string& about);

// Whether others have complained about what this device published, and when it was checked last.
struct OwnCheckState {
  bool asked = false;
  std::string at = {};  // empty: never

  // Nobody can make this device read everything again and again.
  bool is_due(const Context& context) const;
};
Result<OwnCheckState> own_check_state(const Context& context, const SyncHome& home, const std::string& remote);
Result<void> save_own_check_state(const Context& context, const SyncHome& home, const std::string& remote,
                                  const OwnCheckState& state);

}  // namespace holdfast::inline v1
