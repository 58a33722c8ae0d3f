// The stores and writers that a door has open, behind the operations.
// Thread-safety: any thread. Lifetime: outlives every call; close() or the
// destructor ends the writers and lets their leases go.
#pragma once

#include <holdfast/lease.h>
#include <holdfast/store.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/archived_stores.h"
#include "api/machines.h"
#include "api/operation.h"
#include "api/store_settings.h"
#include "base/mutex.h"

namespace holdfast::inline v1 {

class Stores {
 public:
  using Listener = std::function<void(const std::string& store, const StoreEvent& event)>;

  explicit Stores(StoreSettings settings);
  ~Stores();
  Stores(const Stores&) = delete;
  Stores& operator=(const Stores&) = delete;

  const StoreSettings& settings() const { return settings_; }
  // What a call looks at that names no store.
  std::vector<StoreOptions> defaults() const;

  // Those that a call means: the named one; else those of `layout`; else for
  // writing the home, there or not, and for reading every default. Never empty.
  Result<std::vector<StoreOptions>> meant(std::string_view name, std::string_view layout, Use use) const;
  Result<std::shared_ptr<Store>> open(const Context& context, const StoreOptions& options, Use use);
  // Stores of sessions that only the archive still has, of that layout if one is named; they are only read.
  std::vector<StoreOptions> archived(const Context& context, std::string_view layout = {});

  // Sessions of other machines; they are only read.
  Machines& machines() { return machines_; }

  // The writer of a session. One that is kept is shared by all calls; `done` says
  // that a call needs it no longer and closes it unless this door keeps it.
  Result<std::shared_ptr<SessionWriter>> writer(const Context& context, const std::shared_ptr<Store>& store,
                                                const std::string& id, const WriterOptions& options = {});
  Result<void> done(const Context& context, const std::string& store, const std::shared_ptr<SessionWriter>& writer);
  // Ends a kept writer and its lease: the session ends, goes away or is taken by another.
  Result<void> release(const Context& context, const std::string& store, const std::string& id);

  // What the open stores have mended, moved aside or shown from a backup since this was asked last: each is told once.
  std::vector<Finding> news();

  // Whether this door holds the session's lease.
  bool holds(const std::string& store, const std::string& id);

  // The session is the settings' owner's from now on, if there is one; busy when
  // another living process has it. `takeover`: from that one too.
  Result<bool> own(const Context& context, Store& store, const std::string& id, bool takeover = false) const;

  // busy while another living process has the session's lease: its messages, its fields and its end are that one's.
  // `id` is whole.
  Result<void> check_free(Store& store, const std::string& id);

  // A new session is this door's, if it lives on and has room for one more lease, or the settings' owner's.
  Result<bool> own_new(const Context& context, const std::shared_ptr<Store>& store, const std::string& id,
                       const std::string& note);

  // The same for a run: until it ends, until the door or the owner does. False: nobody owns it.
  Result<bool> own_run(const Context& context, Store& store, const std::string& project, const std::string& id);
  Result<void> release_run(const Context& context, Store& store, const std::string& id);

  // The lease of a thing for whoever the note names, held as long as the Lease lives:
  // what CallOwner::hold keeps beyond its process. busy while another living process has it.
  Result<Lease> lease(const Context& context, const CallOwner::Thing& thing, const std::string& note);

  // Events go to `listener` once a call has asked for them; a door without one has none.
  void set_listener(Listener listener);
  Result<void> subscribe(const Context& context);

  // Ends everything that is open; the first error, after trying all. storage_unavailable:
  // a store kept changes in memory that it could not write (decision 15), and these are lost.
  Result<void> close(const Context& context);

 private:
  struct Opened {
    std::shared_ptr<Store> store;
    bool write = false;
    std::size_t told = 0;  // of its findings
  };
  // Those who open the same thing do so one after the other; nobody else waits for them.
  class Turns {
   public:
    using Turn = std::shared_ptr<Mutex>;
    Turn of(const std::string& what);

   private:
    Mutex mutex_;
    std::map<std::string, std::weak_ptr<Mutex>> turns_ HOLDFAST_GUARDED_BY(mutex_);
  };
  struct Kept {
    std::shared_ptr<SessionWriter> writer;
    bool leased = false;
    std::uint64_t used = 0;
  };
  using Key = std::pair<std::string, std::string>;  // store, session

  std::shared_ptr<Store> opened(const std::string& name, bool write);
  // Its name says where its first root is; the settings may know the others. One store, however it was named: two
  // of it in one process would each remember only their own failed syncs.
  StoreOptions with_its_roots(const StoreOptions& given) const;
  StoreOptions completed(const StoreOptions& options, Use use) const;
  std::shared_ptr<SessionWriter> kept_writer(Store& store, const std::string& id, bool leased,
                                             std::vector<std::shared_ptr<SessionWriter>>& gone);
  std::shared_ptr<SessionWriter> keep_writer(const std::string& store, std::shared_ptr<SessionWriter> writer,
                                             bool leased, std::vector<std::shared_ptr<SessionWriter>>& gone);
  void forget_oldest(std::vector<std::shared_ptr<SessionWriter>>& gone) HOLDFAST_REQUIRES(mutex_);
  static void attach(const std::shared_ptr<Listener>& listener, Store& store);

  Result<FileSystem*> files_for(const Context& context, const StoreOptions& options, bool write);

  const StoreSettings settings_;
  ArchivedStores archived_;  // stores that are open stand on it
  Machines machines_;        // and on it
  Turns turns_;
  Mutex mutex_;  // of what follows; nothing is opened, closed or waited for under it
  std::map<std::string, Opened, std::less<>> opened_ HOLDFAST_GUARDED_BY(mutex_);
  std::map<Key, Kept> kept_ HOLDFAST_GUARDED_BY(mutex_);
  std::map<Key, Lease> runs_ HOLDFAST_GUARDED_BY(mutex_);  // store, run
  std::uint64_t clock_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<Listener> listener_ HOLDFAST_GUARDED_BY(mutex_);
  bool subscribed_ HOLDFAST_GUARDED_BY(mutex_) = false;
};

}  // namespace holdfast::inline v1
