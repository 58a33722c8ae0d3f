#include "doors/mcp/tools.h"

#include <algorithm>

#include "api/document.h"
#include "doors/mcp/output_schema.h"
#include "doors/mcp/session_tools.h"
#include "text/json_edit.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

Parameter query() {
  return {.name = "query", .help = "words that must all be in one message; phrases in double quotes", .required = true};
}
Parameter session() { return {.name = "session", .help = "an id, a prefix of one, or a citation", .required = true}; }
Parameter limit(std::string_view help) {
  return {.name = "limit", .help = help, .type = ParamType::integer, .least = 1};
}
Parameter cursor() { return {.name = "cursor", .help = "next_cursor of the previous answer"}; }
Parameter most_tokens() {
  return {.name = "max_tokens",
          .help = "maximum size of the answer, estimated at four characters per token; default 4000",
          .type = ParamType::integer,
          .least = 200};
}

std::vector<Parameter> with_filters(std::vector<Parameter> own) {
  own.push_back({.name = "agent", .help = "only sessions of this agent; a prefix of its name is enough"});
  own.push_back({.name = "project", .help = "only sessions of this directory"});
  own.push_back({.name = "since", .help = "changed at or after this time: a day, ISO-8601, or an age like 7d"});
  own.push_back({.name = "until", .help = "changed at or before this time"});
  return own;
}

std::vector<Parameter> with_exclusion(std::vector<Parameter> own) {
  own.push_back({.name = "exclude_session", .help = "id of your own session, to leave it out"});
  return own;
}

std::string input_schema(const McpTool& tool) {
  JsonWriter json;
  write_params_schema(json, tool.shape);
  std::string schema = json.take();
  if (!tool.rows) return schema;
  auto bounded = json_set(schema, {"properties", "limit", "maximum"}, std::to_string(kMostRows));
  return bounded ? *std::move(bounded) : schema;
}

Operation shape(std::string_view name, std::string_view help, std::vector<Parameter> parameters,
                std::string_view result) {
  Operation operation;
  operation.method = name;
  operation.help = help;
  operation.use = Use::nothing;  // takes only its own parameters: a tool has no `store` and no `dry_run`
  operation.parameters = std::move(parameters);
  operation.result = result;
  return operation;
}

// A tool that changes a note about a session, in Holdfast's own files.
Operation note(std::string_view name, std::string_view help, std::vector<Parameter> parameters) {
  parameters.insert(parameters.begin(), session());
  return shape(name, help, std::move(parameters), "notice:string session:noted_session changed:boolean");
}

}  // namespace

std::span<const McpTool> mcp_tools() {
  static const std::vector<McpTool> all{
      {shape("search_sessions",
             "Find earlier sessions of any coding agent on this machine by message text, newest first. Each comes with "
             "excerpts and citations; use get_messages to read on from there.",
             with_exclusion(with_filters({query(), limit("show at most N sessions; default 10, maximum 200")})),
             "notice:string sessions:found_session[] truncated:boolean"),
       "Search sessions", search_sessions, false, true},
      {shape("list_sessions", "List sessions of coding agents on this machine, newest first.",
             with_exclusion(with_filters({limit("show at most N; default 20, maximum 200"), cursor()})),
             "notice:string sessions:listed_session[] total:count next_cursor:string?"),
       "List sessions", list_recent_sessions, false, true},
      {shape("get_session", "Describe one session: agent, project, title, times, status, counts, models and tokens.",
             {session()}, "notice:string session:described_session"),
       "Describe a session", get_one_session},
      {shape("get_messages",
             "Read messages of a session in order, a bounded page at a time. Tool calls and their output are "
             "shortened unless whole is true. Records without text have ordinals and count as messages, but are not "
             "shown.",
             {session(),
              {.name = "from",
               .help = "start with this message, given by ordinal; not together with cursor",
               .type = ParamType::integer,
               .least = 0},
              limit("show at most N messages; default 20"),
              cursor(),
              most_tokens(),
              {.name = "whole", .help = "show tool input and output in full", .type = ParamType::boolean}},
             "notice:string session:string messages:quoted_message[] total:count next_cursor:string? "
             "truncated:boolean"),
       "Read messages", get_messages},
      {shape("search_content", "Search the messages of all sessions, hit by hit, with a citation for each message.",
             with_exclusion(with_filters(
                 {query(),
                  {.name = "regex", .help = "treat the query as one RE2 expression", .type = ParamType::boolean},
                  {.name = "in",
                   .help = "where to look; default all",
                   .words = {"prompts", "answers", "thinking", "tools", "all"}},
                  limit("show at most N hits; default 20, maximum 200"),
                  cursor()})),
             "notice:string hits:content_hit[] truncated:boolean next_cursor:string?"),
       "Search content", search_content, false, true},
      {shape("get_usage", "Show usage: prompts, answers, tokens and cost, by day, model, project, agent or session.",
             with_filters({{.name = "by",
                            .help = "group rows by this; default day",
                            .words = {"day", "week", "month", "session", "model", "project", "agent"}},
                           limit("show at most N rows; default 50"),
                           most_tokens()}),
             "notice:string by:day|week|month|session|model|project|agent rows:stats_row[] total:stats_row "
             "truncated:boolean"),
       "Usage", get_usage},
      {shape("get_handoff",
             "Write a brief for whoever continues a session: the goal, the last request, files touched, what is left "
             "to do.",
             {session(),
              {.name = "last",
               .help = "only the last N prompts, with their answers",
               .type = ParamType::integer,
               .least = 1},
              most_tokens()},
             "notice:string citation:string brief:string truncated:boolean"),
       "Hand-off brief", get_handoff},
      {note("star_session", "Mark a session with a star, or remove the star. The files of its agent do not change.",
            {{.name = "remove", .help = "remove the star", .type = ParamType::boolean}}),
       "Star a session", star_session, true},
      {note("tag_session", "Tag a session, or remove tags. The files of its agent do not change.",
            {{.name = "tags",
              .help = "words, without commas",
              .type = ParamType::array,
              .required = true,
              .shape = "string"},
             {.name = "remove", .help = "remove these tags", .type = ParamType::boolean}}),
       "Tag a session", tag_session, true},
      {note("rename_session", "Give a session a title in Holdfast. The files of its agent do not change.",
            {{.name = "title", .help = "one line; \"\" restores the session's own title", .required = true}}),
       "Rename a session", rename_session, true},
  };
  return all;
}

const McpTool* find_tool(std::string_view name, bool write) {
  const auto found = std::ranges::find(mcp_tools(), name, [](const McpTool& tool) { return tool.shape.method; });
  return found == mcp_tools().end() || (found->writes && !write) ? nullptr : &*found;
}

Result<void> check_rows(const McpTool& tool, JsonView arguments) {
  if (!tool.rows || arguments.find("limit").as_int64().value_or(0) <= kMostRows) return {};
  return fail(Code::invalid_argument,
              std::string(tool.shape.method) + ": limit must be at most " + std::to_string(kMostRows));
}

std::string tools_json(bool write) {
  JsonWriter json;
  json.begin_array();
  for (const McpTool& tool : mcp_tools()) {
    if (tool.writes && !write) continue;
    json.begin_object().key("name").string(tool.shape.method).key("title").string(tool.title);
    json.key("description").string(tool.shape.help).key("inputSchema");
    json.raw(input_schema(tool));
    json.key("outputSchema").raw(output_schema(std::string(tool.shape.result) + " warnings?:string[]"));
    json.key("annotations").begin_object().key("title").string(tool.title).key("readOnlyHint").boolean(!tool.writes);
    json.key("destructiveHint").boolean(false).key("idempotentHint").boolean(true);
    json.key("openWorldHint").boolean(false).end_object().end_object();
  }
  return json.end_array().take();
}

}  // namespace holdfast::inline v1
