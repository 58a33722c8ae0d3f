// session.list: over one store, or over all of this machine.
#include <algorithm>
#include <tuple>

#include "api/call.h"
#include "api/session_filter.h"
#include "api/tables.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> list(Call& call) {
  const Page page = page_of(call);
  HOLDFAST_LET(filter, filter_of(call));
  filter.inner = call.flag("all");
  filter.limit = page.limit + page.skip;
  HOLDFAST_LET(stores, stores_of(call));
  SessionList all;
  HOLDFAST_LET(unread, for_each_store(call, stores, [&](Store& store) -> Result<void> {
                 HOLDFAST_LET(some, store.list(call.context, filter));
                 all.total += some.total;
                 std::ranges::move(some.sessions, std::back_inserter(all.sessions));
                 std::ranges::move(some.findings, std::back_inserter(all.findings));
                 return {};
               }));
  std::ranges::move(unread, std::back_inserter(all.findings));
  std::ranges::sort(all.sessions, [](const Session& a, const Session& b) {
    if (a.updated_at != b.updated_at) return a.updated_at > b.updated_at;
    return std::tie(a.id, a.store) < std::tie(b.id, b.store);
  });
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

std::vector<Parameter> parameters() {
  std::vector<Parameter> all = filter_parameters();
  all.push_back({.name = "all",
                 .help = "with the transcripts of sub-agents that are part of a session",
                 .type = ParamType::boolean});
  all.push_back(limit_parameter());
  all.push_back(skip_parameter());
  return all;
}

}  // namespace

Operation list_sessions_operation() {
  return {.method = "session.list",
          .help = "list sessions, newest first",
          .parameters = parameters(),
          .result = "sessions:session[] total:integer next:integer? findings:finding[]",
          .handler = list,
          .aliases = {"list_sessions"},
          .example = "ls --status active --limit 10",
          .command = "ls"};
}

}  // namespace holdfast::inline v1
