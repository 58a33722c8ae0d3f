#include "find/stats.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <span>

#include "base/hash.h"
#include "base/sort_stably.h"
#include "base/was_stopped.h"
#include "find/list_prices.h"
#include "find/shares.h"
#include "index/row_view.h"
#include "model/tally.h"
#include "model/time_formats.h"
#include "store/engine.h"
#include "store/session_rows.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// Returns the Monday of the week of a day.
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

const std::string& time_of(const CountedSession& session, const RollupSlot& slot) {
  if (!slot.quarter.empty()) return slot.quarter;
  return session.created_at.empty() ? session.updated_at : session.created_at;
}

bool is_none(const Usage& usage) { return usage == Usage(); }

void add_share(StatsFigures& figures, const ShareSlot& share, const TokenPrice& price) {
  figures.prompts += share.prompts;
  figures.answers += share.answers;
  figures.tool_calls += share.tool_calls;
  figures.tool_results += share.tool_results;
  figures.usage += share.usage;
  figures.cost_usd += share.cost;
  figures.estimated_usd += price.of(share.unpriced);
}

// A fork repeats what its parent said; counting each item once needs the parent first.
bool original_first(const SessionRow& a, const SessionRow& b) {
  const auto is_copy = [](const SessionRow& session) { return session.has_parent && !session.is_subagent(); };
  const RowHead &left = a.head.row, &right = b.head.row;
  if (is_copy(a) != is_copy(b)) return !is_copy(a);
  return left.created_at != right.created_at ? left.created_at < right.created_at : left.id < right.id;
}

// Hashes everything that the shares of these sessions depend on.
std::uint64_t stamp_of(const SessionRows& rows) {
  Packer out;
  for (const std::size_t at : rows.order) {
    const SessionRow& session = rows.all[at];
    out.fixed(session.found.key.hash);
    out.fixed(session.head.generation);
    out.number(session.head.position);
    out.number(session.is_subagent() ? 1 : 0);
  }
  return xxh3_64(out.take());
}

bool is_cut(std::string_view quarter, const std::vector<std::string>& cuts) {
  return !quarter.empty() && std::ranges::any_of(cuts, [&](const auto& cut) { return quarter_of(cut) == quarter; });
}

// Returns the roll-up of a session with its quarters split at `cuts`.
Result<Rollup> cut_rollup(const Context& context, FileStore& engine, const SessionRow& session, Rollup rollup,
                          const std::vector<std::string>& cuts) {
  if (!std::ranges::any_of(rollup.slots, [&](const RollupSlot& slot) { return is_cut(slot.quarter, cuts); }))
    return rollup;
  DirectoryFeed feed = engine.looking(context, Check::objects);
  Tally tally(cuts);
  // If a session cannot be read to its end, the readable part counts, as in its row.
  const auto read = engine.layout().read(feed, session.found.ref(), {.whole = false}, tally);
  if (!read && (was_stopped(read.error()) || tally.rollup().items.empty())) return fail(read.error());
  return tally.rollup();
}

// Counts the sessions in order; adds a finding for each that can no longer be read.
Result<void> count_shares(const Context& context, FileStore& engine, SessionRows& rows,
                          const std::vector<std::string>& cuts, ShareCounter& counter) {
  std::string buffer;
  for (const std::size_t at : rows.order) {
    HOLDFAST_TRY(context.check());
    const SessionRow& session = rows.all[at];
    auto rollup = engine.rollup_of(context, rows, session, buffer);
    if (rollup) rollup = cut_rollup(context, engine, session, std::move(*rollup), cuts);
    counter.add(rollup ? *rollup : Rollup(), !session.is_subagent());
    if (rollup) continue;
    HOLDFAST_TRY(context.check());
    const Error& error = rollup.error();
    rows.findings.push_back(
        {std::string(session.found.path), 0, 0, std::string(code_name(error.code)), error.message, 0});
  }
  engine.save_index(rows);  // with recomputed counts
  return {};
}

Result<std::vector<Share>> count_shares(const Context& context, FileStore& engine, SessionRows& rows,
                                        const std::vector<std::string>& cuts) {
  ShareCounter counter;
  HOLDFAST_TRY(count_shares(context, engine, rows, cuts, counter));
  return counter.take();
}

// Returns the shares in whole quarters, from the cache if possible.
Result<std::vector<Share>> known_shares(const Context& context, FileStore& engine, SessionRows& rows) {
  if (engine.unwritten()) return count_shares(context, engine, rows, {});
  ShareCache known(engine.file_system(), engine.options().cache, engine.name());
  const std::uint64_t stamp = stamp_of(rows);
  if (auto shares = known.get(stamp); shares && shares->size() == rows.order.size()) return std::move(*shares);
  const std::size_t findings = rows.findings.size();
  HOLDFAST_LET(shares, count_shares(context, engine, rows, {}));
  if (rows.findings.size() == findings) known.put(stamp, shares);
  return shares;
}

Result<std::vector<Share>> shares_of(const Context& context, FileStore& engine, SessionRows& rows,
                                     const std::vector<std::string>& cuts) {
  const std::size_t findings = rows.findings.size();
  HOLDFAST_LET(shares, known_shares(context, engine, rows));
  const bool cut = std::ranges::any_of(shares, [&](const Share& share) {
    return std::ranges::any_of(share, [&](const ShareSlot& slot) { return is_cut(slot.slot.quarter, cuts); });
  });
  if (!cut) return shares;
  rows.findings.resize(findings);
  return count_shares(context, engine, rows, cuts);
}

// Originals before their copies.
Result<SessionRows> rows_to_count(const Context& context, FileStore& engine, SessionFilter filter) {
  filter.inner = true;
  filter.limit = 0;
  HOLDFAST_LET(rows, engine.rows(context, filter));
  std::ranges::sort(rows.order, [&](std::size_t a, std::size_t b) { return original_first(rows.all[a], rows.all[b]); });
  return rows;
}

// `shares` has one for each session, in order.
StoreCounts counts_of(const FileStore& engine, SessionRows& rows, std::span<Share> shares) {
  StoreCounts counts{.findings = std::move(rows.findings)};
  counts.sessions.resize(rows.order.size());
  SessionView view;
  for (std::size_t i = 0; i < rows.order.size(); ++i) {
    const SessionRow& session = rows.all[rows.order[i]];
    const RowHead& row = session.head.row;
    view_row(session.head.packed, view);
    counts.sessions[i] = {.id = std::string(row.id),
                          .layout = std::string(engine.layout_name()),
                          .project = std::string(row.project),
                          .created_at = std::string(row.created_at),
                          .updated_at = std::string(row.updated_at),
                          .title = std::string(view.title.empty() ? view.first_prompt : view.title),
                          .original = original_of(JsonView(view.metadata)),
                          .inner = session.found.inner,
                          .share = std::move(shares[i])};
  }
  return counts;
}

}  // namespace

std::string original_of(JsonView metadata) {
  const JsonView from = metadata.find("imported_from");
  const auto layout = from.find("layout").as_string(), id = from.find("id").as_string();
  return layout && id ? *layout + "/" + *id : std::string();
}

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

Result<StoreCounts> count_store(const Context& context, Store& store, SessionFilter filter, const StatsPeriod& period) {
  HOLDFAST_LET(engine, engine_of(store));
  HOLDFAST_LET(rows, rows_to_count(context, *engine, std::move(filter)));
  HOLDFAST_LET(shares, shares_of(context, *engine, rows, period.cuts()));
  return counts_of(*engine, rows, shares);
}

Result<SelectedSessions> select_sessions(const Context& context, Store& store, const SessionFilter& filter) {
  HOLDFAST_LET(engine, engine_of(store));
  HOLDFAST_LET(rows, rows_to_count(context, *engine, filter));
  return SelectedSessions{engine->shared_from_this(), std::move(rows)};
}

Result<std::vector<StoreCounts>> count_together(const Context& context, std::vector<SelectedSessions> stores,
                                                const StatsPeriod& period) {
  struct Together {
    ShareCounter counter = {};
    std::vector<Share> shares = {};
    std::size_t used = 0;
  };
  std::map<std::string, Together, std::less<>> layouts;  // those that other machines have
  for (const SelectedSessions& one : stores)
    if (one.elsewhere) layouts.try_emplace(std::string(one.store->layout_name()));
  const auto together = [&](const Store& store) {
    const auto found = layouts.find(store.layout_name());
    return found == layouts.end() ? nullptr : &found->second;
  };
  for (SelectedSessions& one : stores) {
    HOLDFAST_LET(engine, engine_of(*one.store));
    if (Together* const its = together(*one.store))
      HOLDFAST_TRY(count_shares(context, *engine, one.rows, period.cuts(), its->counter));
  }
  // Only now: a later copy may know more about a response.
  for (auto& [layout, its] : layouts) its.shares = its.counter.take();
  std::vector<StoreCounts> counts;
  for (SelectedSessions& one : stores) {
    HOLDFAST_LET(engine, engine_of(*one.store));
    if (Together* const its = together(*one.store)) {
      const std::size_t size = one.rows.order.size();
      counts.push_back(counts_of(*engine, one.rows, std::span(its->shares).subspan(its->used, size)));
      its->used += size;
    } else {
      HOLDFAST_LET(shares, shares_of(context, *engine, one.rows, period.cuts()));
      counts.push_back(counts_of(*engine, one.rows, shares));
    }
    counts.back().elsewhere = one.elsewhere;
  }
  return counts;
}

bool StatsPeriod::holds(std::string_view time) const {
  // The time of a quarter ends with the minutes; complete it for the comparison.
  const std::string begin = std::string(time) + (time.size() == 16 ? ":00.000Z" : "");
  return (since.empty() || begin >= since) && (until.empty() || begin < until);
}

std::vector<std::string> StatsPeriod::cuts() const {
  std::vector<std::string> cuts;
  for (const std::string& end : {since, until}) {
    if (!end.empty() && end != quarter_of(end) + ":00.000Z") cuts.push_back(end);
  }
  std::ranges::sort(cuts);
  return cuts;
}

std::string Statistics::key_of(const CountedSession& session, const RollupSlot& slot) const {
  const auto day = [&] {
    const std::string& time = time_of(session, slot);
    return day_of_ && !time.empty() ? day_of_(time) : time.substr(0, 10);
  };
  switch (by_) {
    case StatsBy::day: return day();
    case StatsBy::week: return week_of(day());
    case StatsBy::month: return day().substr(0, 7);
    case StatsBy::session: return session.id;
    case StatsBy::model: break;
    case StatsBy::project: return session.project;
    case StatsBy::agent: return session.layout;
  }
  if (!slot.model.empty()) return slot.model;
  // Prompts before the first answer count for the model that answered.
  for (const ShareSlot& share : session.share) {
    if (!share.slot.model.empty()) return share.slot.model;
  }
  return {};
}

namespace {

constexpr std::int64_t ShareSlot::* kMessages[] = {&ShareSlot::prompts, &ShareSlot::answers, &ShareSlot::tool_calls,
                                                   &ShareSlot::tool_results};

void add_messages(ShareSlot& to, const ShareSlot& from) {
  for (const auto count : kMessages) to.*count += from.*count;
}

// Takes messages away from both as long as there are any.
void take_away(ShareSlot& counted, ShareSlot& share) {
  for (const auto count : kMessages) {
    const std::int64_t both = std::min(counted.*count, share.*count);
    counted.*count -= both;
    share.*count -= both;
  }
}

bool adds_nothing(const ShareSlot& share) {
  return std::ranges::all_of(kMessages, [&](const auto count) { return share.*count == 0; }) && is_none(share.usage) &&
         share.cost == 0;
}

}  // namespace

// Skips what was said up to `after`, and the messages of `carried`: another session has counted them.
void Statistics::add(const CountedSession& session, std::string_view after, Said carried, Rows* counted) {
  std::vector<StatsFigures*> touched;
  const auto row_of = [&](const RollupSlot& slot) -> StatsFigures& {
    const std::string key = key_of(session, slot);
    if (by_ == StatsBy::session) names_.try_emplace(key, session.title, session.layout);
    return rows_[key];
  };
  bool repeated = false;
  for (const ShareSlot& slot : session.share) {
    const std::string& time = time_of(session, slot.slot);
    if (!after.empty() && quarter_of(time) <= quarter_of(after)) {
      repeated = true;
      continue;
    }
    if (!period_.holds(time)) continue;
    ShareSlot share = slot;
    if (const auto said = carried.find(quarter_of(time)); said != carried.end()) {
      take_away(said->second, share);
      if (adds_nothing(share)) {
        repeated = true;
        continue;
      }
    }
    StatsFigures& row = row_of(share.slot);
    const TokenPrice price = known_price(prices_, share.slot.model);
    if (auto named = unpriced_name(share.slot.model, price, share.unpriced)) unpriced_.insert(*std::move(named));
    add_share(row, share, price);
    add_share(total_, share, price);
    if (std::ranges::find(touched, &row) == touched.end()) touched.push_back(&row);
  }
  if (session.inner) return;
  // What adds nothing belongs to the time at which it began.
  const bool within = period_.is_all() || (session.share.empty() && period_.holds(time_of(session, {})));
  if (touched.empty() && (repeated || !within)) return;
  if (touched.empty() && counted != nullptr && counted->contains(&total_)) return;
  // A session that adds nothing new still counts for its group, but used no model.
  if (touched.empty() && by_ != StatsBy::model) touched.push_back(&row_of({}));
  touched.push_back(&total_);
  for (StatsFigures* row : touched)
    if (counted == nullptr || counted->insert(row).second) ++row->sessions;
}

void Statistics::add(const std::vector<StoreCounts>& stores) {
  struct Placed {
    const StoreCounts* store;
    const CountedSession* session;
  };
  std::map<std::string, const CountedSession*, std::less<>> originals;
  std::map<std::string, Placed, std::less<>> all;
  std::multimap<std::string, Placed, std::less<>> copies;  // by the name of their source
  std::map<std::string, Rows, std::less<>> branched;       // by the names of sessions that other machines have
  for (const StoreCounts& store : stores) {
    for (const CountedSession& session : store.sessions) {
      const std::string name = session.layout + "/" + session.id;
      if (session.original.empty()) originals.emplace(name, &session);
      if (!session.source.empty()) copies.emplace(session.source, Placed{&store, &session});
      all.emplace(name, Placed{&store, &session});
      if (store.elsewhere) branched.try_emplace(name);
    }
  }
  const auto add_said = [](Said& said, const CountedSession& session, Said except) {
    for (ShareSlot slot : session.share) {
      const std::string quarter(quarter_of(time_of(session, slot.slot)));
      take_away(except[quarter], slot);
      add_messages(said[quarter], slot);
    }
  };
  // What the source of a copy said. The sessions of one store share what they have in common, so the other copies in
  // the store of the source may have a part of it.
  const auto said_before = [&](const CountedSession& copy) {
    Said said;
    const auto source = copy.source.empty() ? all.end() : all.find(copy.source);
    if (source == all.end()) return said;
    add_said(said, *source->second.session, {});
    const Said own = said;
    const auto [first, last] = copies.equal_range(copy.source);
    for (auto at = first; at != last; ++at)
      if (at->second.store == source->second.store && at->second.session != &copy)
        add_said(said, *at->second.session, own);
    return said;
  };
  for (const StoreCounts& store : stores) {
    for (const CountedSession& session : store.sessions) {
      const auto original = session.original.empty() ? originals.end() : originals.find(session.original);
      const auto others = branched.find(session.layout + "/" + session.id);
      add(session, original == originals.end() ? std::string_view() : std::string_view(original->second->updated_at),
          said_before(session), others == branched.end() ? nullptr : &others->second);
    }
    std::ranges::copy(store.findings, std::back_inserter(findings_));
  }
}

std::vector<Statistics::Row> Statistics::ordered() const {
  std::vector<Row> all;
  for (const auto& [key, figures] : rows_) {
    const auto name = names_.find(key);
    const SessionName named = name == names_.end() ? SessionName() : name->second;
    all.push_back({key, named.title, named.agent, figures});
  }
  if (!all.empty() && all.front().key.empty()) std::ranges::rotate(all, all.begin() + 1);
  if (by_ != StatsBy::session) return all;
  sort_stably(all, [](const Row& a, const Row& b) {
    const auto cost = [](const Row& row) { return row.figures.cost_usd + row.figures.estimated_usd; };
    return cost(a) != cost(b) ? cost(a) > cost(b) : a.figures.usage.output > b.figures.usage.output;
  });
  return all;
}

}  // namespace holdfast::inline v1
