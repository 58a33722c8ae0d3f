// What was said and spent, by day, model, project, ...: every API response of a
// store counts once, however many records, forks and copies repeat it.
// Thread-safety: pure functions and plain values; one thread a Statistics.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "find/prices.h"
#include "find/shares.h"

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
  std::string id = {}, layout = {}, project = {}, created_at = {};
  bool inner = false;  // part of another session
  Share share = {};
};
struct StoreCounts {
  std::vector<CountedSession> sessions = {};
  std::vector<StoreFinding> findings = {};
};
// All sessions of a store that pass the filter, sub-agents' transcripts too. From any thread.
Result<StoreCounts> count_store(const Context& context, Store& store, SessionFilter filter);

class Statistics {
 public:
  explicit Statistics(StatsBy by, PriceTable prices = {}) : by_(by), prices_(std::move(prices)) {}

  void add(const StoreCounts& store);

  // Rows by key; days in UTC. What has no key is under "".
  const std::map<std::string, StatsFigures, std::less<>>& rows() const { return rows_; }
  const StatsFigures& total() const { return total_; }
  const std::vector<StoreFinding>& findings() const { return findings_; }

 private:
  StatsBy by_;
  PriceTable prices_;
  std::map<std::string, StatsFigures, std::less<>> rows_;
  StatsFigures total_;
  std::vector<StoreFinding> findings_;
};

}  // namespace holdfast::inline v1
