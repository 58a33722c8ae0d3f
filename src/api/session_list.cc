// session.list: over one store, or over all of this machine.
#include <algorithm>
#include <tuple>

#include "api/call.h"
#include "api/tables.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

// A store that cannot be opened or listed is a finding; it never hides the others.
void add_unreadable(SessionList& all, const StoreOptions& options, const Error& error) {
  all.findings.push_back({.file = store_name(options),
                          .kind = std::string(code_name(error.code)),
                          .consequence = "this store is not listed: " + error.message});
}

Result<SessionList> list_all(const Call& call, const SessionFilter& filter, const std::vector<StoreOptions>& stores) {
  SessionList all;
  for (const StoreOptions& options : stores) {
    auto store = call.stores.open(call.context, options, Use::read);
    auto some = store ? (*store)->list(call.context, filter) : fail(store.error());
    HOLDFAST_TRY(call.context.check());
    if (!some) {
      if (stores.size() == 1) return fail(std::move(some).error());
      add_unreadable(all, options, some.error());
      continue;
    }
    all.total += some->total;
    std::ranges::move(some->sessions, std::back_inserter(all.sessions));
    std::ranges::move(some->findings, std::back_inserter(all.findings));
  }
  std::ranges::sort(all.sessions, [](const Session& a, const Session& b) {
    if (a.updated_at != b.updated_at) return a.updated_at > b.updated_at;
    return std::tie(a.id, a.store) < std::tie(b.id, b.store);
  });
  return all;
}

Result<std::string> list(Call& call) {
  const Page page = page_of(call);
  SessionFilter filter;
  filter.project = call.text("project");
  filter.since = call.text("since");
  filter.until = call.text("until");
  if (call.has("status")) filter.status = status_of(call.text("status"));
  filter.subagents = call.flag("subagents", true);
  filter.limit = page.limit + page.skip;
  auto stores = call.stores.meant(call.text("store"), call.text("layout"), Use::read);
  if (!stores && stores.error().code == Code::not_found) stores.emplace();  // no store, so no session
  if (!stores) return fail(std::move(stores).error());
  HOLDFAST_LET(all, list_all(call, filter, *stores));
  const std::size_t from = std::min(page.skip, all.sessions.size());
  const std::size_t count = std::min(page.limit, all.sessions.size() - from);
  JsonWriter json = begin_answer();
  json.key("sessions").begin_array();
  for (std::size_t i = from; i < from + count; ++i) write_session(json, all.sessions[i]);
  json.end_array();
  write_page(json, page, count, all.total);
  write_findings(json, "findings", all.findings);
  return json.end_object().take();
}

}  // namespace

Operation list_sessions_operation() {
  return {.method = "session.list",
          .help = "list sessions, newest first",
          .parameters = {{.name = "project", .help = "only those of this directory", .path = true},
                         {.name = "since", .help = "changed at or after this time (ISO-8601)"},
                         {.name = "until", .help = "changed before this time"},
                         {.name = "status",
                          .help = "only those that stand like this",
                          .words = {"running", "interrupted", "active", "complete", "failed", "stopped", "unknown"}},
                         {.name = "layout", .help = "only stores of this layout"},
                         {.name = "subagents",
                          .help = "with those of sub-agents; default true",
                          .type = ParamType::boolean},
                         limit_parameter(),
                         skip_parameter()},
          .result = "sessions:session[] total:integer next:integer? findings:finding[]",
          .handler = list,
          .aliases = {"list_sessions"},
          .example = "session list --status active --limit 10"};
}

}  // namespace holdfast::inline v1
