// A store on a simulated disk, two callers that do random things with it through
// the table of operations, one at a time, and a ledger of what they were told.
// Thread-safety: ledger() from any thread; everything else from one.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "crash/disk/sim_file_system.h"
#include "store_door.h"
#include "store_ledger.h"
#include "store_traits.h"

namespace holdfast::lab {

inline constexpr const char* kStoreTop = "/store";

// A disk on which a store of that layout can be created.
std::unique_ptr<SimFileSystem> disk_for(const StoreTraits& traits, std::uint64_t seed);

class StoreWorld {
 public:
  // `callers`: one or two.
  StoreWorld(std::string_view part, const StoreTraits& traits, std::uint64_t seed, bool keep, std::size_t callers = 2);

  SimFileSystem& disk() { return *disk_; }
  Door& door() { return *doors_[0]; }
  Ledger ledger() const;

  struct Done {
    std::string deed;
    Result<void> result;
  };
  // Runs one random operation that is possible now. An error of the library is a result here.
  Done act();
  // Appends a message to a new session, and writes one record of each kind: what must always work.
  Done run_basic_operation(int which);
  static constexpr int kBasicOperations = 3;

  // Restarts one of the callers in a new process.
  void reopen(std::size_t which);
  // Ends both callers cleanly; nothing can be done afterwards.
  void end_all() { doors_ = {}; }
  // While the medium accepts nothing, not even a mark, a process that ends could not tell
  // the next one what it knows: the window that docs/durability.md names.
  void stay_in_process() { stays_ = true; }
  // Answers of calls during which the process dies are ignored.
  void set_dead(std::function<bool()> dead) { dead_ = std::move(dead); }

 private:
  // What a call adds to the ledger if it is acknowledged.
  struct Note {
    std::vector<std::pair<std::string, std::string>> things;            // shelf, thing
    std::vector<std::pair<std::string, std::string>> values;            // slot, value
    std::vector<std::pair<std::string, std::string>> transient_values;  // slot, value: visible only in between
  };
  using Answer = Result<std::string>;
  using Act = Result<void> (StoreWorld::*)();

  struct Deed {
    const char* name;
    unsigned weight;
    Act act;
    bool (StoreWorld::*possible)() const;
  };
  static const std::vector<Deed>& deeds();

  Answer change(std::string_view method, const std::string& params, const Note& note);
  void own_session(const std::string& id);
  // A session that the ledger knew only by its title got an id.
  void name_session(const std::string& made, const std::string& its);
  Result<void> append_to(const std::string& id, char size, bool power);
  std::string new_name(const char* letters, char size = 0);
  std::string new_session_id();
  std::string some_session();
  std::string some_session_of_caller();  // whose lease nobody else holds
  std::vector<std::string> sessions(std::string_view where) const;
  bool any_live() const { return !sessions("live").empty(); }
  bool talks() const { return traits_.talks && any_live(); }
  bool may_create() const;
  bool can_be_large() const { return traits_.large > 0 && talks(); }
  bool can_spill() const { return traits_.spills && talks(); }
  bool can_retitle() const { return traits_.titles && talks(); }
  bool can_fork() const { return traits_.forks && may_create() && any_live(); }
  bool can_trash() const { return traits_.trash && talks(); }
  bool can_restore() const { return traits_.trash && !sessions("trashed").empty(); }
  bool can_end() const { return traits_.ends && talks(); }
  bool can_import() const { return traits_.imports && may_create(); }
  bool can_run() const { return traits_.runs; }
  bool has_run() const { return !runs_.empty(); }
  bool can_set_mission() const { return traits_.missions; }
  bool can_thread() const { return traits_.threads; }
  bool has_thread() const { return !thread_.empty(); }
  bool can_plan() const { return traits_.plans; }
  bool can_remember() const { return traits_.memory; }
  bool keeps_entries() const { return traits_.entries; }
  bool can_start_module() const { return traits_.modules && sessions("live").size() < 3; }
  bool has_module() const { return traits_.modules && any_live(); }
  bool has_initiative() const { return initiative_; }
  bool may_end_process() const { return !stays_; }

  // the operations: store_operations.cc
  Result<void> create();
  Result<void> append();
  Result<void> append_process();
  Result<void> append_large();
  Result<void> append_spilled();
  Result<void> retitle();
  Result<void> fork();
  Result<void> trash();
  Result<void> restore();
  Result<void> erase();
  Result<void> end();
  Result<void> resume();
  Result<void> import();
  Result<void> start_run();
  Result<void> finish_run();
  Result<void> set_mission();
  Result<void> make_thread();
  Result<void> save_thread();
  Result<void> put_plan();
  Result<void> put_memory();
  Result<void> transact_entries();
  Result<void> add_entry();
  Result<void> request(const EntryTransaction& transaction);
  Result<void> start_module();
  Result<void> add_task();
  Result<void> count_iteration();
  Result<void> make_initiative();
  Result<void> update_initiative();
  Result<void> learn();
  Result<void> next_process();

  const std::string_view part_;
  const StoreTraits& traits_;
  const bool keep_;
  const std::size_t callers_;
  bool stays_ = false;
  Random random_;
  std::unique_ptr<SimFileSystem> disk_;
  std::array<std::unique_ptr<LibraryDoor>, 2> doors_;
  std::size_t caller_ = 0;                      // the current caller
  std::map<std::string, std::size_t> holders_;  // of leases, by session
  std::function<bool()> dead_;
  mutable std::mutex mutex_;  // guards the ledger
  Ledger ledger_;
  std::uint64_t next_ = 1;
  std::set<std::string> ended_;
  struct OpenRun {
    std::string detail, id;
    std::size_t caller;  // that started it
  };
  std::vector<OpenRun> runs_;
  std::string thread_;  // of Maestro's sessions
  bool initiative_ = false;
};

}  // namespace holdfast::lab
