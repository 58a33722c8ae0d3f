#include "find/stats.h"

#include <charconv>
#include <chrono>
#include <set>

#include "model/id_set.h"
#include "model/when.h"

namespace holdfast::inline v1 {
namespace {

using Rows = std::map<std::string, StatsFigures, std::less<>>;

// The Monday of the week of a day.
std::string week_of(std::string_view day) {
  int year = 0;
  unsigned month = 0, number = 0;
  const char* const at = day.data();
  if (day.size() < 10 || std::from_chars(at, at + 4, year).ptr != at + 4 ||
      std::from_chars(at + 5, at + 7, month).ptr != at + 7 || std::from_chars(at + 8, at + 10, number).ptr != at + 10)
    return {};
  const std::chrono::sys_days date = std::chrono::year(year) / static_cast<int>(month) / static_cast<int>(number);
  const std::chrono::year_month_day monday(date - (std::chrono::weekday(date) - std::chrono::Monday));
  const auto two = [](unsigned value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  return std::to_string(static_cast<int>(monday.year())) + "-" + two(static_cast<unsigned>(monday.month())) + "-" +
         two(static_cast<unsigned>(monday.day()));
}

// Counts the messages of one session after the other into rows.
class Counter final : public Events {
 public:
  Counter(StatsBy by, Rows& rows, StatsFigures& total) : by_(by), rows_(rows), total_(total) {}

  void begin(const Session& session) {
    session_ = &session;
    day_ = session.created_at.substr(0, 10);
    model_.clear();
    touched_.clear();
    by_person_ = !session.parent || session.parent->kind != ParentKind::subagent;
  }
  void end() {
    if (session_->inner) return;
    for (StatsFigures* row : touched_) ++row->sessions;
    ++total_.sessions;
  }
  void facts(const SessionFacts& facts) override {
    if (!facts.model.empty()) model_ = facts.model;
  }
  bool message(Message message) override {
    if (!message.timestamp.empty()) {
      if (std::string when = iso_when(message.timestamp); when.size() >= 10) day_ = when.substr(0, 10);
    }
    if (!message.model.empty() && !message.failed) model_ = message.model;
    count_prompt(message);
    if (message.role == Role::assistant && !message.failed) count_answer(message);
    for (const Block& block : message.blocks) {
      if (block.kind == BlockKind::tool_call && calls_.add(block.id).added)
        count([](StatsFigures& row) { ++row.tool_calls; });
      if (block.kind == BlockKind::tool_result && results_.add(block.id).added)
        count([](StatsFigures& row) { ++row.tool_results; });
    }
    return true;
  }

 private:
  // What is said of one response so far; the largest figures stand.
  struct Response {
    StatsFigures* row = nullptr;
    Usage usage;
    bool counted = false, priced = false;
  };

  std::string key() const {
    switch (by_) {
      case StatsBy::day: return day_;
      case StatsBy::week: return week_of(day_);
      case StatsBy::month: return day_.substr(0, 7);
      case StatsBy::session: return session_->id;
      case StatsBy::model: return model_;
      case StatsBy::project: return session_->project;
      case StatsBy::agent: return session_->layout;
    }
    return {};
  }
  StatsFigures& row() {
    StatsFigures& found = rows_[key()];
    touched_.insert(&found);
    return found;
  }
  template <typename Change>
  void count(const Change& change) {
    change(row());
    change(total_);
  }

  void count_prompt(const Message& message) {
    if (message.role != Role::user || message.origin != Origin::typed || message.side || !by_person_) return;
    // Copies may give a prompt a new id; its moment and text stay.
    const std::string& when = message.timestamp;
    const std::string name = when.empty() ? message.id : when + "\n" + message.text();
    if (name.empty() || prompts_.add(name).added) count([](StatsFigures& row) { ++row.prompts; });
  }

  void count_answer(const Message& message) {
    const std::string& name = message.response.empty() ? message.id : message.response;
    Response once;
    Response* response = &once;
    if (!name.empty()) {
      const auto place = response_ids_.add(name);
      if (place.added) responses_.emplace_back();
      response = &responses_[place.number];
    }
    if (response->row == nullptr) response->row = &row();
    const auto both = [&](const auto& change) {
      change(*response->row);
      change(total_);
    };
    if (message.origin == Origin::model && !response->counted) {
      response->counted = true;
      both([](StatsFigures& row) { ++row.answers; });
    }
    if (message.usage) add_usage(*response, *message.usage, both);
    if (!message.cost.empty() && !response->priced) {
      response->priced = true;
      double cost = 0;
      std::from_chars(message.cost.data(), message.cost.data() + message.cost.size(), cost);
      both([cost](StatsFigures& row) { row.cost_usd += cost; });
    }
  }

  template <typename Both>
  static void add_usage(Response& response, const Usage& seen, const Both& both) {
    for (const auto field :
         {&Usage::input, &Usage::output, &Usage::cache_read, &Usage::cache_write, &Usage::reasoning}) {
      const std::int64_t more = seen.*field - response.usage.*field;
      if (more <= 0) continue;
      response.usage.*field = seen.*field;
      both([field, more](StatsFigures& row) { row.usage.*field += more; });
    }
  }

  StatsBy by_;
  Rows& rows_;
  StatsFigures& total_;
  const Session* session_ = nullptr;
  bool by_person_ = true;
  std::string day_, model_;
  std::set<StatsFigures*> touched_;
  IdSet prompts_, calls_, results_, response_ids_;
  std::vector<Response> responses_;
};

}  // namespace

std::optional<StatsBy> stats_by(std::string_view name) {
  constexpr std::pair<std::string_view, StatsBy> kNames[] = {{"day", StatsBy::day},     {"week", StatsBy::week},
                                                             {"month", StatsBy::month}, {"session", StatsBy::session},
                                                             {"model", StatsBy::model}, {"project", StatsBy::project},
                                                             {"agent", StatsBy::agent}};
  for (const auto& [word, by] : kNames) {
    if (word == name) return by;
  }
  return std::nullopt;
}

Result<void> Statistics::add(const Context& context, Store& store, SessionFilter filter) {
  filter.inner = true;
  filter.limit = 0;
  Counter counter(by_, rows_, total_);
  const auto begin = [&](const Session& session) -> Events* {
    counter.begin(session);
    return &counter;
  };
  const auto end = [&](const Session&) {
    counter.end();
    return true;
  };
  HOLDFAST_LET(report, walk_store(context, store, {.filter = std::move(filter), .origins = true}, begin, end));
  for (StoreFinding& finding : report.findings) findings_.push_back(std::move(finding));
  return {};
}

}  // namespace holdfast::inline v1
