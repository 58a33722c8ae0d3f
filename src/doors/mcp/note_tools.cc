// The tools that change notes about a session, in Holdfast's own files. The caller's own session is not
// shown, but the caller may name it.
#include "doors/mcp/session_tools.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> note(const ToolCall& call, std::string_view method) {
  JsonWriter params;
  params.begin_object().key("id").string(session_named(call.text("session")));
  for (const std::string_view name : {"tags", "title", "remove"})
    if (const JsonView given = call.arguments.find(name)) params.key(name).raw(given.raw());
  HOLDFAST_LET(answer, ask(call, method, params));
  const JsonView session = JsonView(answer).find("session");
  JsonWriter json;
  json.begin_object().key("notice").string(kQuotedHistory).key("session").begin_object();
  for (const std::string_view key : {"id", "layout", "title", "starred", "tags"})
    if (const JsonView value = session.find(key)) json.key(key == "layout" ? "agent" : key).raw(value.raw());
  json.key("citation")
      .string(citation(session.find("layout").as_string().value_or(""), session.find("id").as_string().value_or("")));
  return json.end_object().key("changed").raw(JsonView(answer).find("changed").raw()).end_object().take();
}

}  // namespace

Result<std::string> star_session(const ToolCall& call) { return note(call, "session.star"); }
Result<std::string> tag_session(const ToolCall& call) { return note(call, "session.tag"); }
Result<std::string> rename_session(const ToolCall& call) { return note(call, "session.rename"); }

}  // namespace holdfast::inline v1
