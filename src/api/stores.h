// The stores and writers that a door has open, for the operations.
// Thread-safety: any thread. Lifetime: must outlive every call; close() or the
// destructor closes the writers and releases their leases.
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
#include "store/owner_claim.h"

namespace holdfast::inline v1 {

class Stores {
 public:
  using Listener = std::function<void(const std::string& store, const StoreEvent& event)>;

  explicit Stores(StoreSettings settings);
  ~Stores();
  Stores(const Stores&) = delete;
  Stores& operator=(const Stores&) = delete;

  const StoreSettings& settings() const { return settings_; }
  // The stores that a call reads if it names none.
  std::vector<StoreOptions> defaults() const;

  // The stores that a call refers to: the named one; else those of `layout`; else, for
  // writing, the home, which need not exist, and for reading every default. Never empty.
  Result<std::vector<StoreOptions>> meant(std::string_view name, std::string_view layout, Use use) const;
  Result<std::shared_ptr<Store>> open(const Context& context, const StoreOptions& options, Use use);
  // Read-only stores of sessions that only the archive still has; only those of `layout` if it is not empty. `wanted`
  // as in ArchivedStores::look.
  std::vector<StoreOptions> archived(const Context& context, std::string_view layout = {},
                                     std::string_view wanted = {});
  // Why archived() could not read the archive.
  std::optional<Error> archive_error() const { return archived_.error(); }

  // Sessions of other machines, read-only.
  Machines& machines() { return machines_; }

  // Sessions that a prefix means only if it means no other, such as the caller's own. Must be set before calls run.
  using Overlooked = std::function<bool(std::string_view layout, std::string_view id)>;
  void set_overlooked(Overlooked overlooked) { overlooked_ = std::move(overlooked); }
  bool overlooks(std::string_view layout, std::string_view id) const { return overlooked_ && overlooked_(layout, id); }

  // Returns the writer of a session. If this door keeps writers, all calls share it. A
  // call must call `done` when it no longer needs it, which closes it unless it is kept.
  Result<std::shared_ptr<SessionWriter>> writer(const Context& context, const std::shared_ptr<Store>& store,
                                                const std::string& id, const WriterOptions& options = {});
  Result<void> done(const Context& context, const std::string& store, const std::shared_ptr<SessionWriter>& writer);
  // Writes what a kept writer has accepted and not yet written; its lease stays.
  Result<void> flush(const Context& context, const std::string& store, const std::string& id);
  // For removing, moving or emptying a session: this door, or its owner, may do that to its own sessions.
  OwnerClaim claim() const;
  // Closes a kept writer and releases its lease: the session has ended or was removed, or another owner takes it. Call
  // it last: an owner that is refused something keeps its session.
  Result<void> release(const Context& context, Store& store, const std::string& id);

  // Opens a kept writer again, because the log of its session has another place now. Its lease stays.
  void reopen(const Context& context, const std::shared_ptr<Store>& store, const std::string& id);

  // What the open stores have repaired, moved aside or loaded from a backup, and the warnings of operations, since the
  // last call of this.
  std::vector<Finding> news();
  // Adds a warning to news(), once.
  void warn(Finding finding);

  // Whether this door holds the session's lease, and nobody took the session over.
  bool holds(Store& store, const std::string& id);
  // Whether this door holds it, or its owner has the session. `id` must be whole.
  bool owns(const Context& context, Store& store, const std::string& id);

  // Makes the owner in the settings, if any, the owner of the session. Fails with busy if
  // another living process owns it, unless `takeover`. Returns false if there is no owner.
  Result<bool> own(const Context& context, Store& store, const std::string& id, bool takeover = false) const;

  // Fails with busy while another living process holds the session's lease: only that one may append to it, change or
  // end it. `id` is a whole id.
  Result<void> check_free(Store& store, const std::string& id);

  // Makes this door, if it stays open, or else the owner in the settings the owner of a new session. Fails with busy if
  // the door already holds too many leases.
  Result<bool> own_new(const Context& context, const std::shared_ptr<Store>& store, const std::string& id,
                       const std::string& note);

  // The same for a run, until the run, the door or the owner ends. Returns false if nobody owns it.
  Result<bool> own_run(const Context& context, Store& store, const std::string& project, const std::string& id);
  Result<void> release_run(const Context& context, Store& store, const std::string& id);
  // Fails with busy while another living process owns the run. `id` is a whole id.
  Result<void> check_run_free(Store& store, const std::string& id);

  // Takes the lease of `thing` for the owner that `note` names, until the Lease is destroyed.
  // For CallOwner::hold. Fails with busy while another living process has it.
  Result<Lease> lease(const Context& context, const CallOwner::Thing& thing, const std::string& note);

  // Events go to `listener` after subscribe(), which fails with unsupported if there is no listener.
  void set_listener(Listener listener);
  Result<void> subscribe(const Context& context);

  // Closes everything, and returns the first error after trying all. storage_unavailable means that
  // a store kept changes in memory that it could not write (decision 15); they are lost.
  Result<void> close(const Context& context);

 private:
  struct Opened {
    std::shared_ptr<Store> store;
    bool write = false;
    std::size_t told = 0;  // number of its findings that news() has returned
  };
  // Makes threads that open the same thing take turns, without blocking others.
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
    std::string note = {};  // of the lease
    std::uint64_t used = 0;
  };
  using Key = std::pair<std::string, std::string>;  // store, session

  std::shared_ptr<Store> opened(const std::string& name, bool write);
  // Adds the further roots that the settings know; a store's name has only the first. Makes sure that a store is opened
  // only once, however it was named: two objects in a process would each remember only their own failed syncs.
  StoreOptions add_known_roots(const StoreOptions& given) const;
  StoreOptions completed(const StoreOptions& options, Use use) const;
  std::shared_ptr<SessionWriter> kept_writer(Store& store, const std::string& id, bool leased,
                                             std::vector<std::shared_ptr<SessionWriter>>& gone);
  std::shared_ptr<SessionWriter> keep_writer(const std::string& store, std::shared_ptr<SessionWriter> writer,
                                             const WriterOptions& options,
                                             std::vector<std::shared_ptr<SessionWriter>>& gone);
  void forget_oldest(std::vector<std::shared_ptr<SessionWriter>>& gone) HOLDFAST_REQUIRES(mutex_);
  static void attach(const std::shared_ptr<Listener>& listener, Store& store);

  Result<FileSystem*> files_for(const Context& context, const StoreOptions& options, bool write);

  const StoreSettings settings_;
  Overlooked overlooked_;
  ArchivedStores archived_;  // open stores use its files
  Machines machines_;        // the same
  Turns turns_;
  Mutex mutex_;  // guards what follows; nothing is opened, closed or waited for while it is held
  std::map<std::string, Opened, std::less<>> opened_ HOLDFAST_GUARDED_BY(mutex_);
  std::map<Key, Kept> kept_ HOLDFAST_GUARDED_BY(mutex_);
  std::map<Key, Lease> runs_ HOLDFAST_GUARDED_BY(mutex_);  // store, run
  std::uint64_t clock_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<Listener> listener_ HOLDFAST_GUARDED_BY(mutex_);
  bool subscribed_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::vector<Finding> warnings_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
