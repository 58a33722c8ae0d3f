// session.show: a session with its messages, for programs or for people.
#include "api/call.h"
#include "api/find_session.h"
#include "api/session_text.h"
#include "api/tables.h"
#include "model/model_json.h"
#include "text/yaml_write.h"

namespace holdfast::inline v1 {
namespace {

std::string document(const Transcript& transcript) {
  JsonWriter json = begin_answer();
  json.key("session");
  write_session(json, transcript.session);
  json.key("messages").begin_array();
  std::int64_t ordinal = 0;
  for (const Message& message : transcript.messages) write_message(json, message, ordinal++);
  json.end_array();
  write_findings(json, "damage", transcript.findings);
  return json.end_object().take();
}

Result<std::string> show(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  TranscriptQuery query;
  query.branch = call.text("branch");
  HOLDFAST_LET(transcript, found.store->read(call.context, found.session.id, query));
  const std::string format = call.text("format");
  std::string all = document(transcript);
  if (format != "md" && format != "yaml") return all;
  std::string text;
  if (format == "md") {
    text = session_markdown(transcript);
  } else {
    HOLDFAST_LET(yaml, json_to_yaml(JsonView(all)));
    text = std::move(yaml);
  }
  JsonWriter json = begin_answer();
  json.key("format").string(format).key("text").string(text);
  return json.end_object().take();
}

}  // namespace

Operation show_session_operation() {
  return {
      .method = "session.show",
      .help = "show a session with its messages",
      .parameters =
          {{.name = "id", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true, .positional = true},
           {.name = "format", .help = "json (default), or md or yaml as one text", .words = {"md", "json", "yaml"}},
           {.name = "branch", .help = "the leaf of a branch, or all; default: the active one"}},
      .result = "session?:session messages?:message[] damage?:finding[] format?:md|yaml text?:string",
      .handler = show,
      .example = "session show @last --format md"};
}

}  // namespace holdfast::inline v1
