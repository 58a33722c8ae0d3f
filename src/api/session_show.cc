// session.show: a session with its messages, or with the state of its work, for
// programs or for people.
#include "api/branch_warnings.h"
#include "api/call.h"
#include "api/find_session.h"
#include "api/large_session.h"
#include "api/mask.h"
#include "api/notes.h"
#include "api/other_branches.h"
#include "api/remedies.h"
#include "api/session_filter.h"
#include "api/session_text.h"
#include "api/settings_of.h"
#include "api/tables.h"
#include "api/workflow_text.h"
#include "find/session_cost.h"
#include "layout/layout.h"
#include "layout/lopen/paths.h"
#include "layout/session_mark.h"
#include "model/deduplicate_usage.h"
#include "model/model_json.h"
#include "rules/workflow/session_start.h"
#include "rules/workflow/workflow.h"
#include "store/engine.h"
#include "store/redactor.h"
#include "text/clean.h"
#include "text/yaml_write.h"
#include "transfer/html_export.h"

namespace holdfast::inline v1 {
namespace {

// The error messages of Lopen's own command for an id that cannot be shown.
Failure not_shown(Error error, const std::string& id) {
  if (error.code == Code::not_found)
    error.message =
        lopen::parse_session_name(id) ? "Session not found: " + id : "Invalid session ID format: '" + id + "'.";
  return fail(std::move(error));
}

// Without an id: in a named store of workflows the session that it marks as current, else the newest.
Result<FoundSession> session_meant(const Call& call) {
  if (!call.has("store")) return find_session(call, call.has("id") ? call.text("id") : "@last");
  HOLDFAST_LET(store, call.store());
  if (!keeps_only_workflows(*store)) return find_session(call, call.has("id") ? call.text("id") : "@last");
  std::string id = call.text("id");
  if (id.empty()) {
    HOLDFAST_LET(files, engine_of(*store));
    DirectoryFeed feed(call.context, files->roots().directories());
    HOLDFAST_LET(latest, marked_session(files->layout(), feed));
    if (!latest) return fail(Code::not_found, "No active session found.", store->name());
    id = latest->id;
  }
  auto found = find_session(call, id);
  if (!found) return not_shown(std::move(found).error(), id);
  return found;
}

// Empty if the cost is unknown; then it is not shown.
SessionCost cost_of(const Call& call, const FoundSession& found) {
  const auto files = engine_of(*found.store);
  if (!files) return {};
  DirectoryFeed feed = (*files)->looking(call.context);
  const auto ref = (*files)->resolve(call.context, feed, found.session.id);
  if (!ref) return {};
  auto cost = cost_of(call.context, **files, *ref, call.stores.settings().prices);
  return cost ? std::move(*cost) : SessionCost();
}

void write_cost(JsonWriter& json, const SessionCost& cost) {
  if (cost.total() <= 0 && cost.unpriced.empty()) return;
  json.key("cost").begin_object().key("usd");
  cost.total() > 0 ? json.number(rounded_usd(cost.total())) : json.null();
  json.key("estimated").boolean(cost.estimated > 0).key("unpriced").strings(cost.unpriced).end_object();
}

void write_priced(JsonWriter& json, const Message& message, const PriceTable& prices) {
  write_message(json, message, message.ordinal, MediaData::blob, estimated_cost(message, prices));
}

std::string document(const Transcript& transcript, const WorkflowView* workflow, const SessionCost& cost,
                     const Notes& notes, const PriceTable& prices, const std::vector<OtherBranch>& branches,
                     bool with_messages = true) {
  JsonWriter json = begin_answer();
  json.key("session");
  write_noted(json, transcript.session, notes);
  if (with_messages) {
    json.key("messages").begin_array();
    for (const Message& message : transcript.messages) write_priced(json, message, prices);
    json.end_array();
  }
  if (workflow != nullptr)
    json.key("workflow").raw(workflow_json(*workflow)).key("metrics").raw(metrics_json(*workflow));
  write_cost(json, cost);
  write_other_branches(json, branches);
  write_findings(json, "damage", transcript.findings);
  write_remedies(json, {transcript.session.layout, transcript.session.id}, transcript.findings);
  return json.end_object().take();
}

// The format in which people see the state of work, from the settings; an unreadable
// configuration must not hide a session.
std::string format_of_work(const Call& call, Store& store) {
  const auto settings = settings_of(call, store);
  return settings ? settings->text("format") : std::string("md");
}

Result<std::string> workflow_as(const WorkflowView& view, std::string_view format) {
  const WorkflowFacts facts{view.id, JsonView(view.state), JsonView(view.metrics)};
  if (format == "yaml") return workflow_yaml(facts);
  return format == "md" ? workflow_markdown(facts) : workflow_document(facts);
}

// Also masks what is not in the transcript: tags and titles from notes.
std::string hidden(const Call& call, std::string answer) {
  return call.flag("redact") ? masked(std::move(answer)) : std::move(answer);
}

struct Shown {
  const Transcript& transcript;
  const WorkflowView* work;  // nullptr if it is only a conversation
  const SessionCost& cost;
  const Notes& notes;
};

// The stored records, one per line.
std::string raw_lines(const Transcript& transcript) {
  std::string text;
  for (const Message& message : transcript.messages) {
    if (!message.raw.empty()) (text += clean_for_terminal(message.raw)) += '\n';
  }
  return text;
}

Result<std::string> text_of(const Call& call, const Shown& shown, std::string_view format) {
  const Transcript& transcript = shown.transcript;
  const bool talks = !transcript.messages.empty();
  if (format == "html") return session_html(transcript);
  if (format == "yaml" && (shown.work == nullptr || talks))
    return json_to_yaml(JsonView(
        hidden(call, document(transcript, shown.work, shown.cost, shown.notes, call.stores.settings().prices, {}))));
  if (format == "text" && call.flag("raw")) return raw_lines(transcript);
  std::string text;
  if (shown.work != nullptr) {
    HOLDFAST_LET(work, workflow_as(*shown.work, format == "text" ? "md" : format));
    text = format == "text" ? clean_for_terminal(work) : std::move(work);
    if (!talks) return text;
    text += "\n";
  }
  const SessionNote* const note = shown.notes.of(transcript.session.layout, transcript.session.id);
  TextStyle style = text_style_of(call);
  style.cost = shown.cost.text();
  if (note != nullptr) style.marks = note->words();
  if (call.flag("redact")) redact_in_place(style.marks);
  return text + (format == "text" ? transcript_text(transcript, style) : session_markdown(transcript, style.marks));
}

// The error for a number that is not on the branch; reads the other branches.
Failure no_message(const Call& call, const FoundSession& found, std::int64_t number) {
  const std::string& id = found.session.id;
  HOLDFAST_LET(all, found.store->read(call.context, id, {.branch = "all"}));
  const std::size_t count = all.messages.size();
  const std::string name = "message " + std::to_string(number);
  if (has_message(all, number))
    return fail(Code::not_found, name + " of " + id + " is on another branch; branch all shows it",
                found.store->name());
  std::string there = std::to_string(count) + " messages, 0 to " + std::to_string(count - 1);
  if (count < 2) there = count == 0 ? "none" : "one message, 0";
  return fail(Code::not_found, "there is no " + name + ": " + id + " has " + there, found.store->name());
}

void tell_messages(const ItemSink& take, const Transcript& transcript, const PriceTable& prices) {
  for (const Message& message : transcript.messages) {
    JsonWriter item;
    item.begin_object().key("message");
    write_priced(item, message, prices);
    if (!take(item.end_object().text())) return;
  }
}

Result<std::string> show(Call& call) {
  if (call.items != nullptr) {
    HOLDFAST_LET(told, stream_large_session(call));
    if (told) return std::move(*told);
  }
  HOLDFAST_LET(found, session_meant(call));
  TranscriptQuery query;
  query.branch = call.text("branch");
  query.raw = call.flag("raw");
  HOLDFAST_LET(transcript, found.store->read(call.context, found.session.id, query));
  deduplicate_usage(transcript.messages);
  if (const auto number = call.integer("at", -1); number >= 0 && !has_message(transcript, number))
    return no_message(call, found, number);
  auto view = get_workflow(call.context, *found.store, found.session.id);
  const bool works = view && !view->module.empty();
  const bool talks = !transcript.messages.empty();
  std::string format = call.text("format");
  if (format == "text" && works && !talks) format = format_of_work(call, *found.store);
  const WorkflowView* const work = works ? &*view : nullptr;
  const SessionCost cost = cost_of(call, found);
  const auto notes = Notes::read(call.context, call.stores.settings());
  apply_note(notes->of(transcript.session.layout, transcript.session.id), transcript.session);
  const SessionName name{transcript.session.layout, transcript.session.id};
  const auto branches = other_branches(call, found.store->name(), name, transcript.session.updated_at);
  if (call.flag("redact")) {
    mask(transcript);
    if (view) view->state = masked(std::move(view->state)), view->metrics = masked(std::move(view->metrics));
  }
  // Programs get everything. A conversation has only this JSON; the state of work also has Lopen's format.
  if (format.empty() || (format == "json" && (!works || talks))) {
    const PriceTable& prices = call.stores.settings().prices;
    if (call.items != nullptr) tell_messages(*call.items, transcript, prices);
    return hidden(call, document(transcript, work, cost, *notes, prices, branches, call.items == nullptr));
  }
  HOLDFAST_LET(text, text_of(call, {transcript, work, cost, *notes}, format));
  JsonWriter json = begin_answer();
  json.key("format").string(format);
  if (call.items != nullptr)
    (*call.items)(JsonWriter().begin_object().key("text").string(text).end_object().text());
  else
    json.key("text").string(text);
  if (query.branch != "all" && !call.has("at")) {
    const auto off = off_branch(call.context, *found.store, transcript);
    const auto words =
        hidden_branch_warnings(call, {transcript.session.layout, transcript.session.id}, off.value_or(OffBranch()));
    if (!words.empty()) json.key("warnings").strings(words);
  }
  write_other_branches(json, branches);
  write_findings(json, "damage", transcript.findings);
  write_remedies(json, {transcript.session.layout, transcript.session.id}, transcript.findings);
  return json.end_object().take();
}

}  // namespace

TextStyle text_style_of(const Call& call) {
  TextStyle style;
  style.utc_offset = call.stores.settings().utc_offset;
  style.colour = call.flag("colour");
  style.width = static_cast<std::size_t>(call.integer("width", 80));
  style.tools = call.flag("tools");
  style.thinking = call.flag("thinking");
  style.system = call.flag("context");
  if (call.has("at")) style.at = call.integer("at", 0);
  return style;
}

Operation show_session_operation() {
  return {
      .method = "session.show",
      .help = "print a session; for a workflow, its state",
      .parameters =
          {{.name = "id",
            .help = "an id, a prefix of one, @last, or LAYOUT/ID (default: the latest)",
            .positional = true},
           machine_parameter(),
           {.name = "format",
            .help = "text: for a terminal (default on the command line); md, html, json or yaml: one document",
            .words = {"md", "json", "yaml", "text", "html"}},
           {.name = "tools", .help = "show tool input and output in full (text)", .type = ParamType::boolean},
           {.name = "thinking", .help = "show thinking in full (text)", .type = ParamType::boolean},
           {.name = "context",
            .help = "include injected context, commands and notices (text)",
            .type = ParamType::boolean},
           {.name = "at",
            .help = "show only message N and its neighbours (text)",
            .type = ParamType::integer,
            .least = 0},
           {.name = "width", .help = "wrap text at N columns (default 80)", .type = ParamType::integer, .least = 20},
           {.name = "colour", .help = "use colours (text)", .type = ParamType::boolean},
           {.name = "raw",
            .help = "show the stored records (text), or add them to each message (json, yaml)",
            .type = ParamType::boolean},
           {.name = "branch", .help = "last message of the branch to show, or all (default: the active branch)"},
           redact_parameter(),
           settings_parameter()},
      .result =
          "session?:session messages?:message[] workflow?:workflow metrics?:metrics cost?:object damage?:finding[] "
          "remedies?:string[] format?:md|json|yaml|text|html text?:string other_branches?:branch[]",
      .handler = show,
      .example = "show @last --tools",
      .command = "show",
      .streamed = "message?:message text?:string"};
}

}  // namespace holdfast::inline v1
