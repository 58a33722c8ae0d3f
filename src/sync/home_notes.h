// Documents of a SyncHome that rarely exist: what was removed here, and what is damaged at a remote.
// Replaced durably as a whole. docs/formats/sync.md. Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "archive/capture.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// Sessions of other devices that were removed here and are never read again, as forgotten_name() of each.
Result<std::set<std::string>> forgotten_sessions(const Context& context, const SyncHome& home);
Result<void> save_forgotten_sessions(const Context& context, const SyncHome& home, const std::set<std::string>& names);
// The name does not reveal the session.
std::string forgotten_name(std::string_view device, const CaptureKey& session);

// By epoch and drop_name(): sessions in earlier epochs of this home at the remote with that id, in which a text was
// found that is forgotten. They are withdrawn from those epochs, even if their sessions are shared in the current one.
using TextThere = std::set<std::pair<std::uint64_t, std::string>>;
Result<TextThere> text_there(const Context& context, const SyncHome& home, const std::string& id);
// Removes the document if `all` is empty.
Result<void> save_text_there(const Context& context, const SyncHome& home, const std::string& id, const TextThere& all);

// Data that this device published and that is damaged or missing at the remote.
struct OwnDamage {
  std::uint64_t epoch = 0;
  bool broken = false;                  // a header is damaged or missing, so nobody can read what follows it
  std::set<std::uint64_t> bodies = {};  // damaged, or missing and needed
  std::set<std::string> chunks = {};    // names in the archive

  bool empty() const { return !broken && bodies.empty() && chunks.empty(); }
};
// The damage that was found and not repaired yet.
Result<OwnDamage> own_damage(const Context& context, const SyncHome& home, const std::string& remote);
// Removes the document if `damage` is empty.
Result<void> save_own_damage(const Context& context, const SyncHome& home, const std::string& remote,
                             const OwnDamage& damage);

// Everything withdrawn in the current epoch, by drop_name(). If the body of a drop op is damaged, the op is
// published again.
Result<std::set<std::string>> withdrawn_names(const Context& context, const SyncHome& home, const std::string& remote);
Result<void> save_withdrawn_names(const Context& context, const SyncHome& home, const std::string& remote,
                                  const std::set<std::string>& names);

// What this home has published in earlier epochs, and what it told in the current one is forgotten there.
struct EarlierEpochs {
  std::set<std::string> published = {};                       // by drop_name()
  std::set<std::pair<std::uint64_t, std::string>> told = {};  // epoch and drop_name()
};
Result<EarlierEpochs> earlier_epochs(const Context& context, const SyncHome& home, const std::string& remote);
Result<void> save_earlier_epochs(const Context& context, const SyncHome& home, const std::string& remote,
                                 const EarlierEpochs& all);

// What is remembered of a remote that was removed here, by its id.
struct RemovedRemote {
  std::vector<Erasures> epochs = {};        // every epoch that this home wrote there, with what is still to be erased
  std::vector<ProjectShare> withheld = {};  // parts of shared projects that were not to be sent
  std::map<std::string, KnownDevice> revoked = {};  // by id
  std::set<std::string> published = {};             // all sessions that were published there, by drop_name()
  CurrentKey key = {};

  bool empty() const {
    return epochs.empty() && withheld.empty() && revoked.empty() && published.empty() && key.lock.empty();
  }
};
Result<RemovedRemote> removed_remote(const Context& context, const SyncHome& home, const std::string& id);
// Removes the document if `removed` is empty.
Result<void> save_removed_remote(const Context& context, const SyncHome& home, const std::string& id,
                                 const RemovedRemote& removed);

// What is withdrawn, and stays readable in earlier epochs of this device, in which nothing can be erased; as the last
// push found it.
Result<std::vector<Finding>> left_readable(const Context& context, const SyncHome& home, const std::string& remote);
Result<void> save_left_readable(const Context& context, const SyncHome& home, const std::string& remote,
                                const std::vector<Finding>& findings);

// By device of a remote: the devices that it last said it has revoked.
using Revocations = std::map<std::string, std::set<std::string>>;
Result<Revocations> revocations(const Context& context, const SyncHome& home, const std::string& remote);
Result<void> save_revocations(const Context& context, const SyncHome& home, const std::string& remote,
                              const Revocations& all);

// Damage that this device found in streams of others, each reported once. The next push tells their devices.
struct Complaints {
  std::set<std::pair<StreamId, std::string>> open = {}, told = {};  // with the number of a segment, or a chunk
};
Result<Complaints> complaints(const Context& context, const SyncHome& home, const std::string& remote);
Result<void> save_complaints(const Context& context, const SyncHome& home, const std::string& remote,
                             const Complaints& all);
Result<void> complain(const Context& context, const SyncHome& home, const std::string& remote, const StreamId& stream,
                      const std::string& about);

// Whether others have complained about what this device published, and when it was last checked.
struct OwnCheckState {
  bool asked = false;
  std::string at = {};  // empty: never

  // Limits how often others can make this device read everything.
  bool is_due(const Context& context) const;
};
Result<OwnCheckState> own_check_state(const Context& context, const SyncHome& home, const std::string& remote);
Result<void> save_own_check_state(const Context& context, const SyncHome& home, const std::string& remote,
                                  const OwnCheckState& state);

}  // namespace holdfast::inline v1
