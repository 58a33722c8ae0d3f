// Sessions of other machines, as stores to read: what sync brought, in archives of their own.
// Lifetime: as the Stores that own it. Thread-safety: any thread.
#pragma once

#include <holdfast/context.h>
#include <holdfast/store.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/captured_files.h"
#include "base/mutex.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

class Stores;

// Where sync keeps what it remembers: beside the archive. storage_unavailable: the door knows no place.
Result<std::string> sync_path(const Stores& stores);

// A session of another machine whose bytes are not here.
struct AbsentSession {
  std::string machine, remote;
  CaptureKey key;
  std::string row;  // a JSON object: title, first_prompt, project, created_at, updated_at
};

struct MachineView {
  std::vector<StoreOptions> stores;  // with the sessions whose bytes are here
  std::vector<AbsentSession> not_here;
};

// A captured session of another machine, and where it came from.
struct ForeignSession {
  std::string machine, identity;
};

class Machines {
 public:
  // Those of a machine by its name or the beginning of its id, or of all; not_found when there is none of that name.
  Result<MachineView> look(const Context& context, const Stores& stores, std::string_view machine);
  // Brings the bytes of that session here, if it is one of the machine's and its remote can be reached.
  Result<void> fetch_session(const Context& context, const Stores& stores, std::string_view machine,
                             std::string_view id);
  // Where such a store is to be opened; nullptr: it is none of these, or nobody has looked.
  FileSystem* files_of(std::string_view root);
  // Of a session in such a store, LAYOUT:ROOT; nullopt: it is none of these.
  std::optional<ForeignSession> origin_of(std::string_view store, std::string_view id);

 private:
  struct Stream {
    std::string machine, remote;
    StreamId id;
    std::string path;
    std::unique_ptr<CapturedFiles> files;
  };
  Result<std::vector<Stream*>> renew(const Context& context, const Stores& stores, std::string_view machine)
      HOLDFAST_REQUIRES(mutex_);

  Mutex mutex_{LockRank::opening};
  std::map<std::string, Stream> streams_ HOLDFAST_GUARDED_BY(mutex_);  // by path
};

}  // namespace holdfast::inline v1
