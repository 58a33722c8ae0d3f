// A storm on one store: processes that serve JSON-RPC, and a parent that gives
// them random work, kills them at random moments and keeps the ledger.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "disk/steps.h"
#include "entry_crowd.h"
#include "lab.h"
#include "rpc_process.h"
#include "store_ledger.h"
#include "store_traits.h"

namespace holdfast::lab {

struct RpcStormPlan {
  const StoreTraits* traits = nullptr;
  std::string program;    // this program
  std::string binary;     // `holdfast`, for half of the processes; empty: none
  std::string directory;  // must be empty
  std::uint64_t seed = 1;
  std::uint64_t kills = 0;
  Step omitted = Step::count;
  std::string where;  // how to replay it
};

class RpcStorm {
 public:
  explicit RpcStorm(const RpcStormPlan& plan);
  Outcome run();
  double longest() const { return longest_; }
  std::uint64_t answers() const { return answers_; }

 private:
  struct ServerProcess {
    std::unique_ptr<RpcProcess> process;
    std::uint64_t serial = 0;
    bool deaf = false;  // nobody reads its output until the end
    std::uint64_t sent = 0;
    std::vector<std::string> slots;  // being changed by it, and other names that it has alone
    std::vector<std::string> moved;  // sessions being moved by it
  };
  struct Known {                           // state of a session
    int moving = 0;                        // trash, restore, delete or end in flight
    std::uint64_t disturbed = 0;           // when the last of them began or ended
    bool unsure = false;                   // one of them was never answered
    std::multiset<std::uint64_t> holders;  // serials that may have its lease, once per request
    std::uint64_t released = 0;            // when the last of them died or was refused
  };
  struct Note {
    std::vector<std::pair<std::string, std::string>> things;
    std::vector<std::pair<std::string, std::string>> values;
    std::vector<std::pair<std::string, std::string>> transient_values;
    std::string session;  // the session whose disturbance excuses a refusal
    bool moves = false;
    bool takes = false;    // takes the lease
    std::string alone;     // a name that only one request in flight may have
    bool by_rule = false;  // may be refused by a rule, which `then` checks
    std::function<void(const RpcProcess::Answer&)> then;
  };

  bool prepare();
  void start(std::size_t i, bool deaf);
  bool is_binary(std::size_t i) const { return !plan_.binary.empty() && i % 2 == 1; }
  void turn();
  void wait();
  void give_work(std::size_t i);
  void send(std::size_t i, std::string_view method, const std::string& params, Note note);
  void settle(std::uint64_t serial, std::string_view method, const Note& note, std::uint64_t sent_at,
              const RpcProcess::Answer& answer);
  void reap_process(std::size_t i);
  void end_all();
  void judge();
  void judge_crowd();
  void broken(std::uint64_t Outcome::* count, const std::string& how) {
    outcome_.fail(count, plan_.where + ": " + how);
  }

  // the operations: rpc_operations.cc
  bool do_something(std::size_t i);
  void append(std::size_t i, const std::string& id);
  void append_spilled(std::size_t i, const std::string& id);
  void create(std::size_t i);
  void fork(std::size_t i, const std::string& id);
  void move(std::size_t i, const std::string& id, std::string_view method, const std::string& to);
  void put_value(std::size_t i, const std::string& slot, const std::string& value, std::string_view method,
                 const std::string& params);
  void transact(std::size_t i);
  std::string some_session(std::string_view where);
  std::string new_name(const char* letters, char size = 0);
  double patience() const;

  const RpcStormPlan& plan_;
  const StoreTraits& traits_;
  Random random_;
  Outcome outcome_;
  Ledger ledger_;
  EntryCrowd crowd_;
  std::map<std::string, Known> sessions_;
  std::vector<std::pair<std::string, std::string>> forks_;  // shelf, shelf of the original
  std::set<std::string> changing_;                          // slots, and other names in use
  std::vector<ServerProcess> served_;
  std::uint64_t now_ = 1, next_ = 1, serials_ = 1, kills_ = 0, answers_ = 0;
  double longest_ = 0;
  RpcProcess::Clock::time_point next_kill_ = RpcProcess::Clock::now();
  std::string thread_;
  bool over_ = false;
};

}  // namespace holdfast::lab
