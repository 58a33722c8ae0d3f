// session.show: a session with its messages, or with where its work stands, for
// programs or for people.
#include "api/call.h"
#include "api/find_session.h"
#include "api/session_text.h"
#include "api/settings_of.h"
#include "api/tables.h"
#include "api/workflow_text.h"
#include "layout/layout.h"
#include "layout/lopen/paths.h"
#include "model/model_json.h"
#include "store/engine.h"
#include "store/workflow.h"
#include "text/yaml_write.h"

namespace holdfast::inline v1 {
namespace {

// Sessions of this store are workflows, and nothing else.
bool holds_workflows(const Store& store) {
  const Layout* const layout = find_layout(store.layout());
  return layout != nullptr && layout->workflow() != nullptr && !layout->owns_logs();
}

// The words of Lopen's own command for an id that cannot be shown.
Failure not_shown(Error error, const std::string& id) {
  if (error.code == Code::not_found)
    error.message =
        lopen::parse_session_name(id) ? "Session not found: " + id : "Invalid session ID format: '" + id + "'.";
  return fail(std::move(error));
}

// Without an id: the one that the named store marks as worked on last, else the newest.
Result<FoundSession> session_meant(const Call& call) {
  if (!call.has("store")) return find_session(call, call.has("id") ? call.text("id") : "@last");
  HOLDFAST_LET(store, call.store());
  if (!holds_workflows(*store)) return find_session(call, call.has("id") ? call.text("id") : "@last");
  std::string id = call.text("id");
  if (id.empty()) {
    HOLDFAST_LET(files, engine_of(*store));
    DirectoryFeed feed(call.context, files->roots().directories());
    HOLDFAST_LET(latest, files->its_layout().current(feed));
    if (!latest) return fail(Code::not_found, "No active session found.", store->name());
    id = latest->id;
  }
  auto found = find_session(call, id);
  if (!found) return not_shown(std::move(found).error(), id);
  return found;
}

std::string document(const Transcript& transcript, const WorkflowView* workflow) {
  JsonWriter json = begin_answer();
  json.key("session");
  write_session(json, transcript.session);
  json.key("messages").begin_array();
  std::int64_t ordinal = 0;
  for (const Message& message : transcript.messages) write_message(json, message, ordinal++);
  json.end_array();
  if (workflow != nullptr)
    json.key("workflow").raw(workflow_json(*workflow)).key("metrics").raw(metrics_json(*workflow));
  write_findings(json, "damage", transcript.findings);
  return json.end_object().take();
}

// What people see, as the settings have it; a configuration that cannot be read must not hide a session.
std::string format_of(const Call& call, Store& store) {
  const std::string wanted = call.text("format");
  if (wanted != "text") return wanted;
  const auto settings = settings_of(call, store);
  return settings ? settings->text("format") : std::string("md");
}

Result<std::string> workflow_as(const WorkflowView& view, std::string_view format) {
  const WorkflowFacts facts{view.id, JsonView(view.state), JsonView(view.metrics)};
  if (format == "yaml") return workflow_yaml(facts);
  return format == "md" ? workflow_markdown(facts) : workflow_document(facts);
}

Result<std::string> show(Call& call) {
  HOLDFAST_LET(found, session_meant(call));
  TranscriptQuery query;
  query.branch = call.text("branch");
  HOLDFAST_LET(transcript, found.store->read(call.context, found.session.id, query));
  const auto view = get_workflow(call.context, *found.store, found.session.id);
  const bool works = view && !view->module.empty();
  const std::string format = format_of(call, *found.store);
  std::string all = document(transcript, works ? &*view : nullptr);
  // Programs get it all. A conversation has no other JSON; where work stands has Lopen's.
  if (format.empty() || (format == "json" && (!works || !transcript.messages.empty()))) return all;
  std::string text;
  if (works) {
    HOLDFAST_LET(spelled, workflow_as(*view, format));
    text = std::move(spelled);
    if (format == "md" && !transcript.messages.empty()) text += "\n" + session_markdown(transcript);
  }
  if (text.empty() || (works && format == "yaml" && !transcript.messages.empty())) {
    if (format == "md") {
      text = session_markdown(transcript);
    } else {
      HOLDFAST_LET(yaml, json_to_yaml(JsonView(all)));
      text = std::move(yaml);
    }
  }
  JsonWriter json = begin_answer();
  json.key("format").string(format).key("text").string(text);
  return json.end_object().take();
}

}  // namespace

Operation show_session_operation() {
  return {.method = "session.show",
          .help = "show a session with its messages, or with where its work stands",
          .parameters = {{.name = "id",
                          .help = "an id, a prefix of one, @last, or LAYOUT/ID; default: the latest",
                          .positional = true},
                         {.name = "format",
                          .help = "md, json or yaml as one text; text: what the settings say, else md; default: json",
                          .words = {"md", "json", "yaml", "text"}},
                         {.name = "branch", .help = "the leaf of a branch, or all; default: the active one"},
                         settings_parameter()},
          .result =
              "session?:session messages?:message[] workflow?:workflow metrics?:metrics damage?:finding[] "
              "format?:md|json|yaml text?:string",
          .handler = show,
          .example = "session show @last --format md"};
}

}  // namespace holdfast::inline v1
