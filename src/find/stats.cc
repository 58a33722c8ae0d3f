#include "find/stats.h"

#include <charconv>
#include <chrono>
#include <set>

#include "model/id_set.h"
#include "store/engine.h"

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

using Kind = RollupItem::Kind;

// Counts the roll-ups of one session after the other into rows.
class Counter {
 public:
  Counter(StatsBy by, const PriceTable& prices, Rows& rows, StatsFigures& total)
      : by_(by), prices_(prices), rows_(rows), total_(total) {}

  void add(const Session& session, const Rollup& rollup) {
    const bool by_person = !session.parent || session.parent->kind != ParentKind::subagent;
    std::vector<StatsFigures*> slots(rollup.slots.size());
    std::set<StatsFigures*> touched;
    for (const RollupItem& item : rollup.items) {
      StatsFigures*& row = slots[item.slot];
      const auto need_row = [&] {
        if (row == nullptr) row = &rows_[key_of(session, rollup.slots[item.slot])];
        touched.insert(row);
        return row;
      };
      switch (item.kind) {
        case Kind::prompt:
          if (by_person && !item.side && is_new(prompts_, item.moment)) count(*need_row(), &StatsFigures::prompts);
          break;
        case Kind::response: add_response(item, rollup.slots[item.slot].model, need_row); break;
        case Kind::call:
          if (is_new(calls_, item.name)) count(*need_row(), &StatsFigures::tool_calls);
          break;
        case Kind::result:
          if (is_new(results_, item.name)) count(*need_row(), &StatsFigures::tool_results);
          break;
      }
    }
    if (session.inner) return;
    // One that adds nothing of its own is still somebody's, but used no model.
    if (touched.empty() && by_ != StatsBy::model) touched.insert(&rows_[key_of(session, {})]);
    for (StatsFigures* row : touched) ++row->sessions;
    ++total_.sessions;
  }

 private:
  // What is said of one response so far; the largest figures stand, in the row of the first.
  struct Response {
    StatsFigures* row = nullptr;
    Usage usage;
    bool counted = false, priced = false;
  };

  static bool is_new(IdSet& seen, std::uint64_t name) { return name == 0 || seen.add_hash(name).added; }

  std::string key_of(const Session& session, const RollupSlot& slot) const {
    std::string day = slot.day.empty() ? session.created_at.substr(0, 10) : slot.day;
    switch (by_) {
      case StatsBy::day: return day;
      case StatsBy::week: return week_of(day);
      case StatsBy::month: return day.substr(0, 7);
      case StatsBy::session: return session.id;
      case StatsBy::model: return slot.model;
      case StatsBy::project: return session.project;
      case StatsBy::agent: return session.layout;
    }
    return {};
  }
  void count(StatsFigures& row, std::int64_t StatsFigures::* figure) {
    ++(row.*figure);
    ++(total_.*figure);
  }

  template <typename NeedRow>
  void add_response(const RollupItem& item, const std::string& model, const NeedRow& need_row) {
    Response once;
    Response* response = &once;
    if (item.name != 0) {
      const auto place = response_ids_.add_hash(item.name);
      if (place.added) responses_.emplace_back();
      response = &responses_[place.number];
    }
    if (response->row == nullptr) response->row = need_row();
    if (item.answer && !response->counted) {
      response->counted = true;
      count(*response->row, &StatsFigures::answers);
    }
    const Usage more = add_usage(*response, item.usage);
    if (!item.priced && !response->priced) {
      if (const TokenPrice* const price = price_of(prices_, model)) {
        response->row->estimated_usd += price->of(more);
        total_.estimated_usd += price->of(more);
      }
    }
    if (!item.priced || response->priced) return;
    response->priced = true;
    response->row->cost_usd += item.cost;
    total_.cost_usd += item.cost;
  }

  // What it has more than was counted.
  Usage add_usage(Response& response, const Usage& seen) {
    Usage added;
    for (const auto field :
         {&Usage::input, &Usage::output, &Usage::cache_read, &Usage::cache_write, &Usage::reasoning}) {
      const std::int64_t more = seen.*field - response.usage.*field;
      if (more <= 0) continue;
      response.usage.*field = seen.*field;
      response.row->usage.*field += more;
      total_.usage.*field += more;
      added.*field = more;
    }
    return added;
  }

  StatsBy by_;
  const PriceTable& prices_;
  Rows& rows_;
  StatsFigures& total_;
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
  HOLDFAST_LET(engine, engine_of(store));
  Counter counter(by_, prices_, rows_, total_);
  HOLDFAST_LET(findings, engine->each_rollup(context, filter, [&](const Session& session, const Rollup& rollup) {
    counter.add(session, rollup);
  }));
  for (StoreFinding& finding : findings) findings_.push_back(std::move(finding));
  return {};
}

}  // namespace holdfast::inline v1
