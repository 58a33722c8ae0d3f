// session.search and session.stats: over one store, or all of this machine.
#include <algorithm>
#include <utility>

#include "api/call.h"
#include "api/mask.h"
#include "api/notes.h"
#include "api/remote_query.h"
#include "api/session_filter.h"
#include "api/session_search.h"
#include "api/tables.h"
#include "base/time.h"
#include "find/counted_json.h"
#include "find/finding_places.h"
#include "find/session_cost.h"
#include "find/stats.h"
#include "find/stats_csv.h"
#include "model/model_json.h"
#include "model/time_formats.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

void write_figures(JsonWriter& json, const StatsFigures& figures) {
  json.key("sessions").int64(figures.sessions).key("messages").int64(figures.prompts + figures.answers);
  json.key("prompts").int64(figures.prompts).key("answers").int64(figures.answers);
  json.key("tool_calls").int64(figures.tool_calls).key("tool_results").int64(figures.tool_results).key("usage");
  write_usage(json, figures.usage);
  const double cost = figures.cost_usd + figures.estimated_usd;
  cost > 0 ? json.key("cost").number(rounded_usd(cost)) : json.key("cost").null();
  if (figures.cost_usd > 0) json.key("cost_usd").number(rounded_usd(figures.cost_usd));
  if (figures.estimated_usd > 0) json.key("estimated_usd").number(rounded_usd(figures.estimated_usd));
  json.end_object();
}

DayOf local_days(const std::function<std::chrono::seconds(std::chrono::system_clock::time_point)>& offset) {
  if (!offset) return {};
  return [offset](std::string_view time) {
    const auto at = parse_any_time(std::string(time) + (time.size() == 16 ? ":00Z" : ""));
    return at ? iso8601(*at + offset(*at)).substr(0, 10) : std::string(time.substr(0, 10));
  };
}

std::string without_price(const std::set<std::string>& models) {
  std::string names;
  bool nameless = false;
  for (const std::string& model : models) {
    nameless = nameless || model.empty();
    if (!model.empty()) names += (names.empty() ? "" : ", ") + model;
  }
  if (!names.empty()) names = "no price known for " + names;
  if (nameless) names += names.empty() ? "no price for answers without a model" : ", nor for answers without a model";
  return names.empty() ? names : names + "; set one under [prices] in config.toml";
}

// `until` is inclusive, as in ls; the end of a period is exclusive.
std::string end_of(std::string_view until) {
  const auto last = parse_any_time(until);
  return last ? iso8601(*last + std::chrono::milliseconds(1)) : std::string();
}

// What was counted, and what is missing.
struct Counted {
  std::vector<StoreCounts> stores = {};
  std::vector<Finding> findings = {};
  std::optional<RemoteQuery> there = {};
};

// Machines may have copies, branches and forks of each other's sessions.
Result<Counted> count_machines(const Call& call, const SessionFilter& filter, const StatsPeriod& period) {
  std::vector<SelectedSessions> selected;
  HOLDFAST_LET(stores, stores_of(call));
  HOLDFAST_LET(findings, for_each_store(
                             call, stores,
                             [&](Store& store) {
                               auto sessions = select_sessions(call.context, store, filter);
                               if (sessions && stores.size() > 1) place_findings(store, sessions->rows.findings);
                               return sessions;
                             },
                             [&](SelectedSessions sessions) { selected.push_back(std::move(sessions)); }));
  for (SelectedSessions& one : selected)
    one.elsewhere = call.stores.machines().origin_of(one.store->name(), {}).has_value();
  HOLDFAST_TRY(add_absent_finding(call, findings));
  HOLDFAST_LET(counts, count_together(call.context, std::move(selected), period));
  return Counted{std::move(counts), std::move(findings)};
}

Result<Counted> count_here(const Call& call, const SessionFilter& filter, const StatsPeriod& period) {
  if (call.has("machine")) return count_machines(call, filter, period);
  Counted counted;
  HOLDFAST_LET(stores, stores_of(call));
  HOLDFAST_LET(findings, for_each_store(
                             call, stores,
                             [&](Store& store) {
                               auto counts = count_store(call.context, store, filter, period);
                               if (counts && stores.size() > 1) place_findings(store, counts->findings);
                               return counts;
                             },
                             [&](StoreCounts counts) { counted.stores.push_back(std::move(counts)); }));
  counted.findings = std::move(findings);
  return counted;
}

// Counts at a server, which has whole quarters of an hour; sets `period` to what is counted.
Result<Counted> count_there(const Call& call, StatsPeriod& period) {
  HOLDFAST_LET(query, ask_remote(call, {"store"}));
  query.filter.inner = true;
  query.filter.until.clear();
  if (!period.since.empty()) period.since = quarter_of(period.since) + ":00.000Z";
  Counted counted;
  StoreCounts& all = counted.stores.emplace_back();
  HOLDFAST_TRY(query.projection.each_counted(
      call.context, query.filter, [&](const std::string& listed, bool inner, const std::string& figures) {
        if (check_json(listed).ok() && check_json(figures).ok())
          all.sessions.push_back(counted_from_json(JsonView(listed), inner, JsonView(figures)));
        else
          all.findings.push_back({query.name, 0, 0, std::string(code_name(Code::corrupt)),
                                  "a session is left out: its row is not what Holdfast writes", 0});
      }));
  counted.there.emplace(std::move(query));
  return counted;
}

// Adds what the notes know: titles that the person chose, and where a session was handed off from.
void add_notes(const Notes& notes, std::vector<StoreCounts>& stores) {
  for (StoreCounts& store : stores) {
    for (CountedSession& session : store.sessions) {
      const SessionNote* const note = notes.of(session.layout, session.id);
      if (note == nullptr) continue;
      if (!note->title.empty()) session.title = note->title;
      if (!note->source.id.empty()) session.source = note->source.layout + "/" + note->source.id;
    }
  }
}

Result<std::string> stats(Call& call) {
  const std::string by = call.has("by") ? call.text("by") : "day";
  HOLDFAST_LET(filter, filter_of(call));
  // Not filtered by `until`: a session that continues after the period may have messages in it.
  StatsPeriod period{filter.since, end_of(std::exchange(filter.until, {}))};
  const StoreSettings& settings = call.stores.settings();
  HOLDFAST_LET(counted, call.has("remote") ? count_there(call, period) : count_here(call, filter, period));
  Statistics statistics(stats_by(by).value_or(StatsBy::day), settings.prices, period, local_days(settings.utc_offset));
  if (!call.has("remote")) add_notes(*Notes::read(call.context, settings), counted.stores);
  statistics.add(counted.stores);
  JsonWriter json = begin_answer();
  json.key("by").string(by).key("rows").begin_array();
  for (const auto& [key, title, agent, figures] : statistics.ordered()) {
    json.begin_object().key("key").string(key);
    if (!agent.empty()) json.key("title").string(title).key("agent").string(agent);
    write_figures(json, figures);
  }
  json.end_array().key("total").begin_object();
  write_figures(json, statistics.total());
  if (counted.there) write_remote(json, *counted.there);
  std::ranges::copy(statistics.findings(), std::back_inserter(counted.findings));
  write_findings(json, "findings", counted.findings);
  if (const std::string missing = without_price(statistics.unpriced()); !missing.empty())
    json.key("warnings").begin_array().string(missing).end_array();
  if (call.flag("csv")) json.key("format").string("csv").key("text").string(stats_csv(by, statistics));
  return json.end_object().take();
}

std::vector<Parameter> with_filters(std::vector<Parameter> own) {
  std::ranges::copy(filter_parameters(), std::back_inserter(own));
  return own;
}

// With since and until, which select messages here, not sessions.
std::vector<Parameter> with_period(std::vector<Parameter> own) {
  std::vector<Parameter> all = with_filters(std::move(own));
  for (Parameter& one : all) {
    if (one.name == "since") one.help = "only messages at or after this time: a local day, ISO-8601, or an age like 7d";
    if (one.name == "until") one.help = "only messages at or before this time";
  }
  return all;
}

}  // namespace

std::span<const Operation> find_operations() {
  static const std::vector<Operation> all{
      {.method = "session.search",
       .help = "search messages, newest first; all words must be in the same message",
       .parameters = with_filters(
           {{.name = "words",
             .help = "words; one that contains spaces is a phrase",
             .type = ParamType::array,
             .required = true,
             .positional = true,
             .rest = true,
             .shape = "string"},
            {.name = "regex", .help = "treat words as regular expressions (RE2)", .type = ParamType::boolean},
            {.name = "case", .help = "match case", .type = ParamType::boolean},
            {.name = "in",
             .help = "search only this part of messages (default all)",
             .words = {"prompts", "answers", "thinking", "tools", "all"}},
            {.name = "session", .help = "search only this session: an id, a prefix of one, @last, or LAYOUT/ID"},
            {.name = "limit",
             .help = "show at most N hits (default 100)",
             .type = ParamType::integer,
             .least = 1,
             .letter = 'n'},
            skip_parameter(),
            {.name = "count", .help = "print only the exact number of hits", .type = ParamType::boolean},
            redact_parameter()}),
       .result = "query:string hits:hit[] sessions:integer? total:integer? truncated:boolean next:integer? "
                 "remote?:object findings:finding[]",
       .errors = {Code::sync_transport_failed, Code::newer_schema},
       .handler = search_sessions,
       .example = "search \"race condition\" --in answers --since 30d",
       .command = "search",
       .streamed = "hit:hit"},
      {.method = "session.stats",
       .help = "show messages, tokens and cost; each answer counts once, days are in local time",
       .parameters = with_period({{.name = "by",
                                   .help = "group by this (default day)",
                                   .words = {"day", "week", "month", "session", "model", "project", "agent"}},
                                  {.name = "csv",
                                   .help = "print CSV; costs are in US dollars: as recorded by the agent, else from "
                                           "[prices] in config.toml, else list prices",
                                   .type = ParamType::boolean}}),
       .result = "by:string rows:stats_row[] total:stats_row remote?:object findings:finding[] "
                 "warnings?:string[] format?:string text?:string",
       .errors = {Code::sync_transport_failed, Code::newer_schema},
       .handler = stats,
       .example = "stats --by model --since 30d",
       .command = "stats"},
  };
  return all;
}

}  // namespace holdfast::inline v1
