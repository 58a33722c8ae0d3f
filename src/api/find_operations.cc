// session.search and session.stats: over one store, or all of this machine.
#include <algorithm>

#include "api/call.h"
#include "api/session_filter.h"
#include "api/tables.h"
#include "find/search.h"
#include "find/stats.h"
#include "find/stats_csv.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

std::vector<std::string> words_of(const Call& call) {
  std::vector<std::string> words;
  for (const JsonItem& word : call.params.find("words").elements())
    words.push_back(word.value.as_string().value_or(""));
  return words;
}

SearchIn places_of(std::string_view name) {
  if (name.empty() || name == "all") return {};
  return {.prompts = name == "prompts",
          .answers = name == "answers",
          .thinking = name == "thinking",
          .tools = name == "tools",
          .rest = false};
}

void write_hit(JsonWriter& json, const SearchHit& hit) {
  json.begin_object().key("session").string(hit.session).key("layout").string(hit.layout);
  json.key("store").string(hit.store).key("project");
  hit.project.empty() ? json.null() : json.string(hit.project);
  json.key("ordinal").int64(hit.ordinal).key("role").string(role_name(hit.role)).key("timestamp");
  hit.timestamp.empty() ? json.null() : json.string(hit.timestamp);
  json.key("snippet").string(hit.snippet).key("spans").begin_array();
  for (const TextSpan& span : hit.spans) json.begin_array().uint64(span.from).uint64(span.to).end_array();
  json.end_array().end_object();
}

void write_total(JsonWriter& json, std::string_view name, std::uint64_t count, bool known) {
  json.key(name);
  known ? json.uint64(count) : json.null();
}

Result<std::string> find_words(Call& call) {
  SearchQuery query;
  query.words = words_of(call);
  query.regex = call.flag("regex");
  query.match_case = call.flag("case");
  query.in = places_of(call.text("in"));
  query.count_only = call.flag("count");
  const auto limit = static_cast<std::size_t>(call.integer("limit", 100));
  HOLDFAST_LET(filter, filter_of(call));
  query.filter = std::move(filter);
  HOLDFAST_LET(matcher, Matcher::make(query.words, query.regex, query.match_case));
  HOLDFAST_LET(stores, stores_of(call));
  query.limit = limit;
  Search search(call.context, query, matcher);
  HOLDFAST_LET(findings, for_each_store(call, stores, [&](Store& store) { return search.add(store); }));
  std::vector<SearchHit> hits;
  HOLDFAST_LET(all, search.run([&](const SearchHit& hit) { hits.push_back(hit); }));
  std::ranges::move(all.findings, std::back_inserter(findings));
  std::string text;
  for (const std::string& word : query.words) text += (text.empty() ? "" : " ") + word;
  JsonWriter json = begin_answer();
  json.key("query").string(text).key("hits").begin_array();
  for (const SearchHit& hit : hits) write_hit(json, hit);
  json.end_array();
  write_total(json, "sessions", all.sessions, !all.truncated);
  write_total(json, "total", all.hits, !all.truncated);
  json.key("truncated").boolean(all.truncated);
  write_findings(json, "findings", findings);
  return json.end_object().take();
}

void write_figures(JsonWriter& json, const StatsFigures& figures) {
  json.key("sessions").int64(figures.sessions).key("messages").int64(figures.prompts + figures.answers);
  json.key("prompts").int64(figures.prompts).key("answers").int64(figures.answers);
  json.key("tool_calls").int64(figures.tool_calls).key("tool_results").int64(figures.tool_results).key("usage");
  write_usage(json, figures.usage);
  if (figures.cost_usd > 0) json.key("cost_usd").number(figures.cost_usd);
  if (figures.estimated_usd > 0) json.key("estimated_usd").number(figures.estimated_usd);
  json.end_object();
}

Result<std::string> stats(Call& call) {
  const std::string by = call.has("by") ? call.text("by") : "day";
  Statistics statistics(stats_by(by).value_or(StatsBy::day), call.stores.settings().prices);
  HOLDFAST_LET(filter, filter_of(call));
  HOLDFAST_LET(stores, stores_of(call));
  HOLDFAST_LET(findings,
               for_each_store(call, stores, [&](Store& store) { return statistics.add(call.context, store, filter); }));
  JsonWriter json = begin_answer();
  json.key("by").string(by).key("rows").begin_array();
  for (const auto& [key, figures] : statistics.rows()) {
    json.begin_object().key("key").string(key);
    write_figures(json, figures);
  }
  json.end_array().key("total").begin_object();
  write_figures(json, statistics.total());
  std::ranges::copy(statistics.findings(), std::back_inserter(findings));
  write_findings(json, "findings", findings);
  if (call.flag("csv")) json.key("format").string("csv").key("text").string(stats_csv(by, statistics));
  return json.end_object().take();
}

std::vector<Parameter> with_filters(std::vector<Parameter> own) {
  std::ranges::copy(filter_parameters(), std::back_inserter(own));
  return own;
}

}  // namespace

std::span<const Operation> find_operations() {
  static const std::vector<Operation> all{
      {.method = "session.search",
       .help = "look for words in what was said, newest first; several words are all in one message",
       .parameters = with_filters(
           {{.name = "words",
             .help = "words, or phrases in quotes",
             .type = ParamType::array,
             .required = true,
             .positional = true,
             .rest = true},
            {.name = "regex", .help = "words are regular expressions (RE2)", .type = ParamType::boolean},
            {.name = "case", .help = "upper and lower case differ", .type = ParamType::boolean},
            {.name = "in",
             .help = "where to look; default all",
             .words = {"prompts", "answers", "thinking", "tools", "all"}},
            {.name = "limit", .help = "at most so many hits; default 100", .type = ParamType::integer, .least = 1},
            {.name = "count", .help = "only count, exactly", .type = ParamType::boolean}}),
       .result = "query:string hits:hit[] sessions:integer? total:integer? truncated:boolean findings:finding[]",
       .handler = find_words,
       .example = "search \"race condition\" --in answers --since 30d",
       .command = "search"},
      {.method = "session.stats",
       .help = "what was said and spent, each answer of a model counted once; days are in UTC",
       .parameters = with_filters({{.name = "by",
                                    .help = "one row for each; default day",
                                    .words = {"day", "week", "month", "session", "model", "project", "agent"}},
                                   {.name = "csv",
                                    .help = "as comma-separated values; costs are in US dollars, as recorded and as "
                                            "[prices] in config.toml gives them",
                                    .type = ParamType::boolean}}),
       .result = "by:string rows:stats_row[] total:stats_row findings:finding[] format?:string text?:string",
       .handler = stats,
       .example = "stats --by model --since 30d",
       .command = "stats"},
  };
  return all;
}

}  // namespace holdfast::inline v1
