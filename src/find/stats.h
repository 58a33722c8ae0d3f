// What was said and spent, by day, model, project, ...: every API response of a
// store counts once, however many records, forks and copies repeat it.
// Thread-safety: pure functions and plain values; one thread a Statistics.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "find/prices.h"
#include "find/shares.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

enum class StatsBy { day, week, month, session, model, project, agent };
std::optional<StatsBy> stats_by(std::string_view name);

struct StatsFigures {
  std::int64_t sessions = 0;  // that have something in this row
  std::int64_t prompts = 0;
  std::int64_t answers = 0;
  std::int64_t tool_calls = 0;
  std::int64_t tool_results = 0;
  Usage usage = {};
  double cost_usd = 0;       // as far as agents recorded it
  double estimated_usd = 0;  // by the table of prices, of responses without a recorded cost
};

// What is counted of one store, before it is put into rows.
struct CountedSession {
  std::string id = {}, layout = {}, project = {}, created_at = {}, updated_at = {};
  std::string title = {};     // or the first prompt
  std::string original = {};  // LAYOUT/ID of the session that it is an imported copy of; empty: of none
  bool inner = false;         // part of another session
  Share share = {};
};
// LAYOUT/ID out of {"imported_from":{"layout":…,"id":…}}; empty: it is no copy.
std::string original_of(JsonView metadata);
struct StoreCounts {
  std::vector<CountedSession> sessions = {};
  std::vector<Finding> findings = {};
};
// What is counted of the sessions: what was said in [since, until).
struct StatsPeriod {
  std::string since = {}, until = {};  // ISO-8601 in UTC with milliseconds; empty: open

  // `time`: of a slot (model/rollup.h), counted for this period.
  bool holds(std::string_view time) const;
  bool is_all() const { return since.empty() && until.empty(); }
  // Its ends that lie within a quarter of an hour, rising.
  std::vector<std::string> cuts() const;
};

// All sessions of a store that pass the filter, sub-agents' transcripts too. From any thread. Roll-ups know quarters of
// an hour: sessions that said something in one that the period cuts are read again.
Result<StoreCounts> count_store(const Context& context, Store& store, SessionFilter filter,
                                const StatsPeriod& period = {});

// The day ("2026-11-15") of a time in UTC ("2026-11-15T08:45…") where the person is.
using DayOf = std::function<std::string(std::string_view time)>;

class Statistics {
 public:
  // Without `day_of` days are in UTC.
  explicit Statistics(StatsBy by, PriceTable prices = {}, StatsPeriod period = {}, DayOf day_of = {})
      : by_(by), prices_(std::move(prices)), period_(std::move(period)), day_of_(std::move(day_of)) {}

  // Those of all stores: a copy that was imported adds only what was said after its original ended.
  void add(const std::vector<StoreCounts>& stores);
  void add(StoreCounts store) { add(std::vector{std::move(store)}); }

  struct Row {
    std::string key = {};                // "": not known
    std::string title = {}, agent = {};  // of a session
    StatsFigures figures = {};
  };
  // What has no key is under "".
  const std::map<std::string, StatsFigures, std::less<>>& rows() const { return rows_; }
  // As people want them: by key, what has none at the end; sessions by what they cost, and then by what models wrote.
  std::vector<Row> ordered() const;
  const StatsFigures& total() const { return total_; }
  const std::vector<Finding>& findings() const { return findings_; }
  // Models that were used, whose price nobody says, and that recorded no cost themselves.
  const std::set<std::string>& unpriced() const { return unpriced_; }

 private:
  void add(const CountedSession& session, std::string_view after);
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
