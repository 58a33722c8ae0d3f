// Sessions of other machines as read-only stores: what sync brought, in separate archives.
// Lifetime: that of the Stores that own it. Thread-safety: any thread.
#pragma once

#include <holdfast/context.h>
#include <holdfast/store.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/captured_files.h"
#include "base/mutex.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

class BlocksOf;
class Copies;
class Stores;

// The directory of sync's state, beside the archive. Fails with storage_unavailable if the door has no place for it.
Result<std::string> sync_path(const Stores& stores);
// Opens it. Creates it if `create`, otherwise fails with not_found if no remote was ever added.
Result<std::unique_ptr<SyncHome>> open_sync_home(const Context& context, const Stores& stores, bool create);

// A session of another machine whose bytes are not here.
struct AbsentSession {
  std::string machine, remote;
  CaptureKey key;
  std::string row;  // a JSON object: title, first_prompt, project, created_at, updated_at
};

struct MachineView {
  std::vector<StoreOptions> stores;  // with the sessions whose bytes are here
  std::vector<StoreOptions> kept;    // with copies in a form that another copy represents: not listed, but can be shown
  std::vector<AbsentSession> not_here;
};

// A captured session of another machine, and where it came from.
struct ForeignSession {
  std::string machine, identity;
};

class Machines {
 public:
  // Returns the sessions of one machine, by its name or the beginning of its id, or of all. Fails with not_found if
  // there is no such machine. If two homes write as one machine (one is a copy of the other) and have continued the
  // same session, each in an epoch of its own, NAME@EPOCH means one of them.
  Result<MachineView> look(const Context& context, const Stores& stores, std::string_view machine);
  // The homes that write as that machine and have a session whose id begins with `id`, of that layout (any if empty),
  // each as look() takes it: the machine, or NAME@EPOCH if it does not mean one of them.
  std::set<std::string> homes_with(const Context& context, const Stores& stores, const std::string& machine,
                                   std::string_view layout, std::string_view id);
  // Fetches the bytes of that session if it belongs to the machine and its remote can be reached.
  Result<void> fetch_session(const Context& context, const Stores& stores, std::string_view machine,
                             std::string_view id);
  // The file system in which to open such a store; nullptr for other stores, or before the first look().
  FileSystem* files_of(std::string_view root);
  // The origin of a session in such a store (LAYOUT:ROOT), or of the store if `id` is empty; nullopt for other stores.
  // Its machine is NAME@EPOCH if that is needed to name the session, or one of the store.
  std::optional<ForeignSession> origin_of(std::string_view store, std::string_view id);

 private:
  struct Stream {
    std::string machine, remote;
    StreamId id;
    std::string path;
    std::unique_ptr<CapturedFiles> files;
    std::map<std::string, std::string> forms;             // as in its StreamCursor
    std::set<std::pair<std::string, std::string>> twins;  // root and id of sessions that another epoch has, too
    std::set<CaptureKey> replaced;                        // as replaced_sessions()

    // Whether the copy in a later epoch takes its place.
    bool is_replaced(const CapturedPair& one) const {
      return replaced.contains(one.first) && !files->holds(one.second);
    }
  };
  // `blocks` must outlive `copies`.
  static void add_copies(const Context& context, FileSystem& files, const std::vector<Stream*>& streams,
                         std::vector<std::unique_ptr<BlocksOf>>& blocks, Copies& copies);
  Result<std::vector<Stream*>> renew(const Context& context, const Stores& stores, std::string_view machine)
      HOLDFAST_REQUIRES(mutex_);

  Mutex mutex_{LockRank::opening};
  std::map<std::string, Stream> streams_ HOLDFAST_GUARDED_BY(mutex_);  // by path
};

}  // namespace holdfast::inline v1
