#include "api/session_search.h"

#include <algorithm>

#include "api/find_session.h"
#include "api/session_filter.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

std::vector<std::string> words_of(const Call& call) {
  std::vector<std::string> words;
  for (const JsonItem& word : call.params.find("words").elements())
    words.push_back(word.value.as_string().value_or(""));
  return words;
}

SearchScope places_of(std::string_view name) {
  if (name.empty() || name == "all") return {};
  return {.prompts = name == "prompts",
          .answers = name == "answers",
          .thinking = name == "thinking",
          .tools = name == "tools",
          .rest = false};
}

void write_hit(JsonWriter& json, const SearchHit& hit, std::string_view machine) {
  json.begin_object().key("session").string(hit.session).key("layout").string(hit.layout);
  json.key("store").string(hit.store).key("project");
  hit.project.empty() ? json.null() : json.string(hit.project);
  json.key("ordinal").int64(hit.ordinal).key("role").string(role_name(hit.role)).key("timestamp");
  hit.timestamp.empty() ? json.null() : json.string(hit.timestamp);
  json.key("snippet").string(hit.snippet).key("spans").begin_array();
  for (const TextSpan& span : hit.spans) json.begin_array().uint64(span.from).uint64(span.to).end_array();
  json.end_array();
  if (!machine.empty()) json.key("machine").string(machine);
  json.end_object();
}

void write_total(JsonWriter& json, std::string_view name, std::uint64_t count, bool known) {
  json.key(name);
  known ? json.uint64(count) : json.null();
}

}  // namespace

SearchQuery query_of(const Call& call) {
  SearchQuery query;
  query.words = words_of(call);
  query.regex = call.flag("regex");
  query.match_case = call.flag("case");
  query.in = places_of(call.text("in"));
  query.count_only = call.flag("count");
  query.redact = call.flag("redact");
  return query;
}

bool HitCollector::take(const SearchHit& hit, std::string_view machine) {
  if (told_++ < page_.skip) return true;
  if (call_.items == nullptr) {
    write_hit(hits_, hit, machine);
    return true;
  }
  JsonWriter item;
  item.begin_object().key("hit");
  write_hit(item, hit, machine);
  return (*call_.items)(item.end_object().text());
}

JsonWriter HitCollector::answer(const SearchQuery& query, const SearchCounts& counts) {
  std::string text;
  for (const std::string& word : query.words) text += (text.empty() ? "" : " ") + word;
  JsonWriter json = begin_answer();
  json.key("query").string(text).key("hits").raw(hits_.end_array().text());
  write_total(json, "sessions", counts.sessions, !counts.truncated);
  write_total(json, "total", counts.hits, !counts.truncated);
  json.key("truncated").boolean(counts.truncated);
  const bool more = counts.truncated && told_ > page_.skip;
  json.key("next");
  more ? json.uint64(told_) : json.null();
  json.key("next_cursor");
  more ? json.string(counted_cursor(told_)) : json.null();
  return json;
}

Result<std::string> search_sessions(Call& call) {
  HOLDFAST_TRY(check_cursor(call));
  if (call.has("remote")) return search_at_remote(call);
  SearchQuery query = query_of(call);
  HOLDFAST_LET(filter, filter_of(call));
  query.filter = std::move(filter);
  HOLDFAST_LET(matcher, Matcher::make(query.words, query.regex, query.match_case));
  HOLDFAST_LET(stores, stores_of(call));
  if (call.has("session")) {
    HOLDFAST_LET(located, locate_session(call, call.text("session")));
    query.session = located.ref.name();
    // With all machines, in all branches of it.
    const auto has_branch = [&](const StoreOptions& store) {
      return call.text("machine") == "all" && store.layout == located.files->layout_name() &&
             call.stores.machines().origin_of(store_name(store), {});
    };
    std::erase_if(stores, [&](const StoreOptions& store) {
      return store_name(store) != located.files->name() && !has_branch(store);
    });
  }
  query.whole_paths = stores.size() > 1;
  HitCollector told(call);
  query.limit = told.wanted();
  Search search(call.context, query, matcher);
  HOLDFAST_LET(findings, for_each_store(
                             call, stores, [&](Store& store) { return search.prepare(store); },
                             [&](Search::Prepared store) { search.add(std::move(store)); }));
  HOLDFAST_TRY(add_absent_finding(call, findings));
  HOLDFAST_LET(all, search.run([&](const SearchHit& hit) {
    const auto origin = call.has("machine") ? call.stores.machines().origin_of(hit.store, hit.session) : std::nullopt;
    return told.take(hit, origin ? origin->machine : std::string_view());
  }));
  std::ranges::move(all.findings, std::back_inserter(findings));
  JsonWriter json = told.answer(query, all);
  write_findings(json, "findings", findings);
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
