#include "doors/mcp/session_tools.h"

#include <algorithm>

#include "api/dispatch.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kExcerpts = 3;  // per session
constexpr std::int64_t kHitsLookedAt = 400;

void add_filters(JsonWriter& params, const ToolCall& call) {
  for (const std::string_view name : {"agent", "project", "since", "until"})
    if (const std::string value = call.text(name); !value.empty()) params.key(name).string(value);
}

void add_cursor(JsonWriter& params, const ToolCall& call) {
  if (const std::string cursor = call.text("cursor"); !cursor.empty()) params.key("cursor").string(cursor);
}

// What a model needs to choose a session, in few tokens.
void write_row(JsonWriter& json, JsonView session) {
  json.begin_object();
  for (const std::string_view key : {"id", "layout", "project", "title", "first_prompt", "status", "updated_at"}) {
    const JsonView value = session.find(key);
    if (!value || value.is_null()) continue;
    json.key(key == "layout" ? "agent" : key);
    key == "title" || key == "first_prompt" ? json.string(shortened(value.as_string().value_or(""), 200))
                                            : json.raw(value.raw());
  }
  json.key("citation")
      .string(citation(session.find("layout").as_string().value_or(""), session.find("id").as_string().value_or("")));
}

Result<std::string> hits_for(const ToolCall& call, std::int64_t limit) {
  JsonWriter params;
  const std::string query = call.text("query");
  const bool regex = call.arguments.find("regex").as_bool().value_or(false);
  params.begin_object().key("words").strings(regex ? std::vector{query} : split_query(query)).key("limit").int64(limit);
  if (regex) params.key("regex").boolean(true);
  if (const std::string in = call.text("in"); !in.empty()) params.key("in").string(in);
  add_filters(params, call);
  add_cursor(params, call);
  return ask(call, "session.search", params);
}

void write_hit(JsonWriter& json, JsonView hit) {
  json.begin_object().key("ordinal").raw(hit.find("ordinal").raw()).key("role").raw(hit.find("role").raw());
  json.key("text").string(shortened(hit.find("snippet").as_string().value_or(""), 600)).key("citation");
  json.string(citation(hit.find("layout").as_string().value_or(""), hit.find("session").as_string().value_or(""),
                       hit.find("ordinal").as_int64().value_or(0)));
}

struct FoundHere {
  std::string layout, id;
  std::size_t hits = 0;
  std::vector<JsonView> excerpts;
};

std::vector<FoundHere> by_session(const ToolCall& call, JsonView answer) {
  std::vector<FoundHere> found;
  for (const JsonItem& item : answer.find("hits").elements()) {
    const std::string id = item.value.find("session").as_string().value_or("");
    const std::string layout = item.value.find("layout").as_string().value_or("");
    if (call.is_own(item.value.find("layout"), item.value.find("session"))) continue;
    auto at = std::ranges::find_if(found, [&](const FoundHere& one) { return one.id == id && one.layout == layout; });
    if (at == found.end()) at = found.insert(found.end(), {layout, id, 0, {}});
    ++at->hits;
    if (at->excerpts.size() < kExcerpts) at->excerpts.push_back(item.value);
  }
  return found;
}

Result<std::string> described(const ToolCall& call, std::string_view id) {
  JsonWriter params;
  params.begin_object().key("id").string(id);
  return ask(call, "session.get", params);
}

// A description only counts the damage; a page of messages comes with what it is.
void warn_of_damage(const ToolCall& call, JsonView session) {
  const std::int64_t places = session.find("damage").as_int64().value_or(0);
  if (places <= 0) return;
  JsonWriter params;
  params.begin_object().key("session").string(session.find("layout").as_string().value_or("") + "/" +
                                              session.find("id").as_string().value_or(""));
  params.key("limit").int64(1);
  const auto page = ask(call, "message.list", params);
  if (call.warnings.empty()) call.warnings.add("the session is damaged; places: " + std::to_string(places));
}

}  // namespace

Result<std::string> ask(const ToolCall& call, std::string_view method, JsonWriter& params) {
  HOLDFAST_LET(answer, dispatch(call.context, call.stores, method, params.end_object().text(), {}, Secrets::masked));
  call.warnings.collect(JsonView(answer),
                        [&](std::string_view file) { return call.own.has_file(file) || call.excluded.has_file(file); });
  return answer;
}

OwnSession OwnSession::named(const Context& context, Stores& stores, std::string_view name) {
  JsonWriter params;
  params.begin_object().key("id").string(session_named(name)).end_object();
  const auto found = dispatch(context, stores, "session.get", params.take());
  if (!found) return {.begins = session_named(name), .unknown = found.error().message};
  const JsonView known = JsonView(*found).find("session");
  return {.layout = known.find("layout").as_string().value_or(""), .id = known.find("id").as_string().value_or("")};
}

std::string OwnSession::warning() const {
  return unknown.empty() ? unknown : unknown + "; every session that begins with " + begins + " is left out";
}

bool OwnSession::is(std::string_view of, std::string_view session) const {
  // A copy of the session in another folder (ID@KEY) repeats it.
  if (!id.empty())
    return (session == id || session.starts_with(id + "@") || id.starts_with(std::string(session) + "@")) &&
           (of.empty() || of == layout);
  if (begins.empty()) return false;
  if (session.starts_with(begins)) return true;
  const std::size_t slash = begins.find('/');
  if (slash == std::string::npos || (!of.empty() && of != std::string_view(begins).substr(0, slash))) return false;
  return session.starts_with(std::string_view(begins).substr(slash + 1));
}

bool OwnSession::has_file(std::string_view file) const {
  std::string_view name = id.empty() ? std::string_view(begins) : std::string_view(id);
  name.remove_prefix(name.find('/') == std::string_view::npos ? 0 : name.find('/') + 1);
  const std::size_t at = name.empty() ? std::string_view::npos : file.rfind(name);
  if (at == std::string_view::npos) return false;
  const std::string_view after = file.substr(at + name.size());
  const bool begun = at == 0 || file[at - 1] == '/' || file[at - 1] == '-';
  return begun && (id.empty() || after.empty() || after.front() == '/' || after.front() == '.');
}

bool ToolCall::is_own(JsonView layout, JsonView id) const {
  const std::string of = layout.as_string().value_or(""), session = id.as_string().value_or("");
  return own.is(of, session) || excluded.is(of, session);
}

Result<void> check_not_own(const ToolCall& call, JsonView layout, JsonView id) {
  if (!call.is_own(layout, id)) return {};
  return fail(Code::not_found, "this is the caller's own session, which is not shown");
}

std::vector<std::string> split_query(std::string_view query) {
  std::vector<std::string> words;
  bool quoted = false, begun = false;
  for (const char c : query) {
    const bool ends = c == '"' || (c == ' ' && !quoted);
    if (c == '"') quoted = !quoted;
    if (ends) {
      begun = false;
      continue;
    }
    if (!begun) words.emplace_back();
    begun = true;
    words.back() += c;
  }
  std::erase_if(words, [](const std::string& word) { return word.find_first_not_of(' ') == std::string::npos; });
  return words;
}

Result<std::string> search_sessions(const ToolCall& call) {
  HOLDFAST_LET(answer, hits_for(call, kHitsLookedAt));
  const JsonView view(answer);
  const std::vector<FoundHere> found = by_session(call, view);
  const auto most = static_cast<std::size_t>(call.integer("limit", 10));
  JsonWriter json;
  json.begin_object().key("notice").string(kQuotedHistory).key("sessions").begin_array();
  for (std::size_t n = 0; n < std::min(most, found.size()); ++n) {
    const FoundHere& one = found[n];
    const auto session = described(call, one.layout + "/" + one.id);
    if (!session) continue;  // removed in the meantime
    write_row(json, JsonView(*session).find("session"));
    json.key("hits").uint64(one.hits).key("excerpts").begin_array();
    for (const JsonView hit : one.excerpts) {
      write_hit(json, hit);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("truncated");
  return json.boolean(found.size() > most || view.find("truncated").as_bool().value_or(false)).end_object().take();
}

Result<std::string> list_recent_sessions(const ToolCall& call) {
  std::string cursor = call.text("cursor");
  for (;;) {
    JsonWriter params;
    params.begin_object().key("limit").int64(call.integer("limit", 20));
    add_filters(params, call);
    if (!cursor.empty()) params.key("cursor").string(cursor);
    HOLDFAST_LET(answer, ask(call, "session.list", params));
    const JsonView view(answer);
    bool any = false;
    JsonWriter json;
    json.begin_object().key("notice").string(kQuotedHistory).key("sessions").begin_array();
    for (const JsonItem& session : view.find("sessions").elements()) {
      if (call.is_own(session.value.find("layout"), session.value.find("id"))) continue;
      write_row(json, session.value);
      json.end_object();
      any = true;
    }
    // A page that has only what is left out would look like the end of the list.
    cursor = view.find("next_cursor").as_string().value_or("");
    if (!any && !cursor.empty()) continue;
    json.end_array().key("total").raw(view.find("total").raw());
    return json.key("next_cursor").raw(view.find("next_cursor").raw()).end_object().take();
  }
}

Result<std::string> get_one_session(const ToolCall& call) {
  HOLDFAST_LET(answer, described(call, session_named(call.text("session"))));
  const JsonView session = JsonView(answer).find("session");
  HOLDFAST_TRY(check_not_own(call, session.find("layout"), session.find("id")));
  warn_of_damage(call, session);
  JsonWriter json;
  json.begin_object().key("notice").string(kQuotedHistory).key("session");
  write_row(json, session);
  for (const std::string_view key : {"created_at", "counts", "models", "usage", "git_branch", "parent", "subagents"})
    if (const JsonView value = session.find(key); value && !value.is_null()) json.key(key).raw(value.raw());
  return json.end_object().end_object().take();
}

Result<std::string> search_content(const ToolCall& call) {
  HOLDFAST_LET(answer, hits_for(call, call.integer("limit", 20)));
  const JsonView view(answer);
  JsonWriter json;
  json.begin_object().key("notice").string(kQuotedHistory).key("hits").begin_array();
  for (const JsonItem& hit : view.find("hits").elements()) {
    if (call.is_own(hit.value.find("layout"), hit.value.find("session"))) continue;
    write_hit(json, hit.value);
    json.key("session").raw(hit.value.find("session").raw()).key("agent").raw(hit.value.find("layout").raw());
    json.key("project").raw(hit.value.find("project").raw());
    json.key("timestamp").raw(hit.value.find("timestamp").raw()).end_object();
  }
  json.end_array().key("truncated").raw(view.find("truncated").raw());
  return json.key("next_cursor").raw(view.find("next_cursor").raw()).end_object().take();
}

Result<std::string> get_usage(const ToolCall& call) {
  JsonWriter params;
  params.begin_object();
  if (const std::string by = call.text("by"); !by.empty()) params.key("by").string(by);
  add_filters(params, call);
  HOLDFAST_LET(answer, ask(call, "session.stats", params));
  const JsonView view(answer);
  const std::int64_t most = call.integer("limit", 50);
  const auto budget = static_cast<std::size_t>(call.integer("max_tokens", 4000)) * 4;
  const std::size_t end = 40 + view.find("total").raw().size() + call.warnings.size();  // what follows the rows
  std::int64_t written = 0;
  bool cut = false;
  JsonWriter json;
  json.begin_object()
      .key("notice")
      .string(kQuotedHistory)
      .key("by")
      .raw(view.find("by").raw())
      .key("rows")
      .begin_array();
  const bool by_session = call.text("by") == "session";
  for (const JsonItem& row : view.find("rows").elements()) {
    if (by_session && call.is_own(row.value.find("agent"), row.value.find("key"))) continue;
    const std::size_t used = json.text().size() + row.value.raw().size() + end;
    // Warnings leave no room for a row in the smallest answers.
    cut = cut || written >= most || ((written > 0 || !call.warnings.empty()) && used > budget);
    if (cut) break;
    json.raw(row.value.raw());
    ++written;
  }
  json.end_array().key("total").raw(view.find("total").raw());
  return json.key("truncated").boolean(cut).end_object().take();
}

Result<std::string> get_handoff(const ToolCall& call) {
  HOLDFAST_LET(known, described(call, session_named(call.text("session"))));
  const JsonView session = JsonView(known).find("session");
  HOLDFAST_TRY(check_not_own(call, session.find("layout"), session.find("id")));
  const std::string layout = session.find("layout").as_string().value_or("");
  const std::string id = session.find("id").as_string().value_or("");
  JsonWriter params;
  params.begin_object().key("id").string(layout + "/" + id).key("brief").boolean(true).key("redact").boolean(true);
  if (const std::int64_t last = call.integer("last", 0); last > 0) params.key("last").int64(last);
  HOLDFAST_LET(answer, ask(call, "session.handoff", params));
  const std::string text = JsonView(answer).find("text").as_string().value_or("");
  const auto most = static_cast<std::size_t>(call.integer("max_tokens", 4000)) * 4;
  JsonWriter json;
  json.begin_object().key("notice").string(kQuotedHistory).key("citation").string(citation(layout, id));
  constexpr std::size_t kEnd = 40;  // brief, truncated
  const std::size_t used = json.text().size() + kEnd + call.warnings.size();
  const std::string brief = QuotedText(text).fitted(most > used ? most - used : 0);
  json.key("brief").string(brief).key("truncated").boolean(brief.size() != text.size());
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
