// tool.*: the tool runs of a session.
#include "api/call.h"
#include "api/find_session.h"
#include "api/tables.h"
#include "rules/threads/tool_runs.h"

namespace holdfast::inline v1 {
namespace {

void write_run(JsonWriter& json, const ToolRun& run) {
  json.begin_object().key("run_id").string(run.id).key("tool").string(run.tool);
  json.key("status").string(run.status).end_object();
}

std::string answer(const std::string& session, const ToolRun& run) {
  JsonWriter json = begin_answer();
  write_run(json.key("session").string(session).key("run"), run);
  return json.end_object().take();
}

Result<std::string> start(Call& call) {
  HOLDFAST_LET(named, name_session(call, call.text("session")));
  HOLDFAST_TRY(call.stores.check_free(*named.store, named.id));
  const ToolRun request{call.text("run_id"), call.text("tool"), call.text("status")};
  HOLDFAST_LET(run, add_tool_run(call.context, *named.store, named.id, request));
  return answer(named.id, run);
}

Result<std::string> finish(Call& call) {
  HOLDFAST_LET(named, name_session(call, call.text("session")));
  HOLDFAST_TRY(call.stores.check_free(*named.store, named.id));
  HOLDFAST_LET(run, finish_tool_run(call.context, *named.store, named.id, call.text("run_id"), call.text("status")));
  return answer(named.id, run);
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("session")));
  HOLDFAST_LET(runs, list_tool_runs(call.context, *found.store, found.session.id));
  const Page page = page_of(call);
  const std::size_t from = std::min(page.skip, runs.size());
  const std::size_t count = std::min(page.limit, runs.size() - from);
  JsonWriter json = begin_answer();
  json.key("session").string(found.session.id).key("runs").begin_array();
  for (std::size_t i = from; i < from + count; ++i) write_run(json, runs[i]);
  json.end_array();
  write_page(json, page, count, runs.size());
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> tool_operations() {
  const Parameter session{
      .name = "session", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true, .positional = true};
  const std::vector<std::string_view> ends = {"Succeeded", "Failed", "Canceled"};
  static const std::vector<Operation> all{
      {.method = "tool.start",
       .help = "record that a tool is running or, with a status, that it has run",
       .use = Use::write,
       .parameters = {session,
                      {.name = "tool", .help = "the name of the tool", .required = true, .positional = true},
                      {.name = "run_id", .help = "its id (default: a new one)"},
                      {.name = "status", .help = "final status, if the run has already ended", .words = ends}},
       .result = "session:string run:tool_run",
       .errors = {Code::already_exists},
       .handler = start,
       .aliases = {{"add_tool_run", {{"session_id", "session"}, {"tool_name", "tool"}}}},
       .example = "tool start k7f3 edit_file"},
      {.method = "tool.finish",
       .help = "record how a tool run ended; can be done only once",
       .use = Use::write,
       .parameters = {session,
                      {.name = "run_id", .help = "id of the run", .required = true, .positional = true},
                      {.name = "status", .help = "final status", .required = true, .positional = true, .words = ends}},
       .result = "session:string run:tool_run",
       .errors = {Code::already_exists},
       .handler = finish,
       .aliases = {{"finish_tool_run", {{"session_id", "session"}}}},
       .example = "tool finish k7f3 tool_1 Succeeded"},
      {.method = "tool.list",
       .help = "list the tool runs of a session: finished runs in the order they ended, then the others",
       .parameters = {session, limit_parameter(), skip_parameter()},
       .result = "session:string runs:tool_run[] total:integer next:integer?",
       .handler = list,
       .example = "tool list @last"},
  };
  return all;
}

}  // namespace holdfast::inline v1
