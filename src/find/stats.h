// Messages, tokens and costs by day, model, project, ...: every API response of a store, or of an agent on all
// machines, counts once, however many records, forks and copies repeat it. Thread-safety: pure functions and plain
// values; one thread per Statistics.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "find/prices.h"
#include "find/shares.h"
#include "store/session_rows.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

enum class StatsBy { day, week, month, session, model, project, agent };
std::optional<StatsBy> stats_by(std::string_view name);

struct StatsFigures {
  std::int64_t sessions = 0;  // with anything in this row
  std::int64_t prompts = 0;
  std::int64_t answers = 0;
  std::int64_t tool_calls = 0;
  std::int64_t tool_results = 0;
  Usage usage = {};
  double cost_usd = 0;       // as recorded by agents
  double estimated_usd = 0;  // from the price table, for responses without a recorded cost
};

// One session as counted in one store, before it is assigned to rows.
struct CountedSession {
  std::string id = {}, layout = {}, project = {}, created_at = {}, updated_at = {};
  std::string title = {};     // or the first prompt, if untitled
  std::string original = {};  // LAYOUT/ID of the session that this is an imported copy of; empty if not a copy
  std::string source = {};    // LAYOUT/ID of the session that was handed off to this one; empty if none
  bool inner = false;         // part of another session
  Share share = {};
};
// Returns LAYOUT/ID from {"imported_from":{"layout":…,"id":…}}; empty if this is not a copy.
std::string original_of(JsonView metadata);
struct StoreCounts {
  std::vector<CountedSession> sessions = {};
  std::vector<Finding> findings = {};
  bool elsewhere = false;  // of another machine: a session with the name of another one is a branch of it
};
// Limits the count to messages in [since, until).
struct StatsPeriod {
  std::string since = {}, until = {};  // ISO-8601 in UTC with milliseconds; empty: open

  // `time` is that of a slot (model/rollup.h), counted for this period.
  bool holds(std::string_view time) const;
  bool is_all() const { return since.empty() && until.empty(); }
  // Returns the ends of the period that fall inside a quarter of an hour, ascending.
  std::vector<std::string> cuts() const;
};

// Counts all sessions of a store that pass the filter, including transcripts of sub-agents. May be called from any
// thread. Roll-ups have a resolution of a quarter of an hour: sessions active in a quarter that the period cuts are
// read again.
Result<StoreCounts> count_store(const Context& context, Store& store, SessionFilter filter,
                                const StatsPeriod& period = {});

// The sessions of a store to be counted with those of others.
struct SelectedSessions {
  std::shared_ptr<Store> store;
  SessionRows rows;
  bool elsewhere = false;
};
// May be called from any thread.
Result<SelectedSessions> select_sessions(const Context& context, Store& store, const SessionFilter& filter);
// The same counts for stores of several machines, in their order: what one of them has counted, no later store of the
// same layout counts again.
Result<std::vector<StoreCounts>> count_together(const Context& context, std::vector<SelectedSessions> stores,
                                                const StatsPeriod& period);

// Returns the local day ("2026-11-15") of a time in UTC ("2026-11-15T08:45…").
using DayOf = std::function<std::string(std::string_view time)>;

class Statistics {
 public:
  // Without `day_of`, days are in UTC.
  explicit Statistics(StatsBy by, PriceTable prices = {}, StatsPeriod period = {}, DayOf day_of = {})
      : by_(by), prices_(std::move(prices)), period_(std::move(period)), day_of_(std::move(day_of)) {}

  // Adds the sessions of all stores: an imported copy adds only what was said after its original ended, and a session
  // that was handed off adds only what its source has not said.
  void add(const std::vector<StoreCounts>& stores);
  void add(StoreCounts store) { add(std::vector{std::move(store)}); }

  struct Row {
    std::string key = {};                // "": unknown
    std::string title = {}, agent = {};  // of a session
    StatsFigures figures = {};
  };
  // Sessions without a key are under "".
  const std::map<std::string, StatsFigures, std::less<>>& rows() const { return rows_; }
  // Sorted for display: by key, "" last; sessions by cost, then by output tokens.
  std::vector<Row> ordered() const;
  const StatsFigures& total() const { return total_; }
  const std::vector<Finding>& findings() const { return findings_; }
  // Models that were used but have neither a price for all their tokens nor a recorded cost, as unpriced_name names
  // them.
  const std::set<std::string>& unpriced() const { return unpriced_; }

 private:
  // Messages by quarter of an hour; usage is not set.
  using Said = std::map<std::string, ShareSlot, std::less<>>;
  using Rows = std::set<const StatsFigures*>;
  // `counted`: where another branch of the session counted as a session; nullptr if it has no other.
  void add(const CountedSession& session, std::string_view after, Said carried, Rows* counted);
  std::string key_of(const CountedSession& session, const RollupSlot& slot) const;

  StatsBy by_;
  PriceTable prices_;
  StatsPeriod period_;
  DayOf day_of_;
  std::map<std::string, StatsFigures, std::less<>> rows_;
  struct SessionName {
    std::string title, agent;
  };
  std::map<std::string, SessionName, std::less<>> names_;  // of sessions, by key
  StatsFigures total_;
  std::set<std::string> unpriced_;
  std::vector<Finding> findings_;
};

}  // namespace holdfast::inline v1
