// session.list: the sessions of one store, or of all stores of this machine.
#include "api/call.h"
#include "api/listed_sessions.h"
#include "api/session_filter.h"
#include "api/tables.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> list(Call& call) {
  HOLDFAST_LET(sessions, ListedSessions::look(call));
  return sessions.answer();
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> all = filter_parameters();
  all.push_back({.name = "all",
                 .help = "also list transcripts of sub-agents that are part of a session",
                 .type = ParamType::boolean});
  all.push_back(
      {.name = "long", .help = "show tokens and cost of each session", .type = ParamType::boolean, .letter = 'l'});
  all.push_back({.name = "starred", .help = "only starred sessions", .type = ParamType::boolean});
  all.push_back(
      {.name = "tree", .help = "show sub-agents and forks below their parent session", .type = ParamType::boolean});
  all.push_back({.name = "tag", .help = "only sessions with this tag"});
  all.push_back(limit_parameter());
  all.push_back(skip_parameter());
  return all;
}

}  // namespace

Operation list_sessions_operation() {
  return {.method = "session.list",
          .help = "list sessions, newest first",
          .parameters = parameters(),
          .result = "sessions:session[] total:integer next:integer? remote?:object findings:finding[]",
          .errors = {Code::sync_transport_failed, Code::newer_schema},
          .handler = list,
          .aliases = {"list_sessions"},
          .example = "ls --agent claude --since 7d -n 10",
          .command = "ls",
          .own_cursor = true};
}

}  // namespace holdfast::inline v1
