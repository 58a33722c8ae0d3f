// session.*: create, change, end and remove sessions.
#include <algorithm>
#include <array>

#include "api/call.h"
#include "api/dry_run.h"
#include "api/find_session.h"
#include "api/notes.h"
#include "api/seed_answers.h"
#include "api/session_filter.h"
#include "api/session_summary.h"
#include "api/tables.h"
#include "base/ascii.h"
#include "base/error_words.h"
#include "layout/writable_layout.h"
#include "model/model_json.h"
#include "rules/upkeep/summary.h"
#include "rules/workflow/session_start.h"
#include "store/engine.h"
#include "store/session_owner.h"
#include "store/session_trash.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

const Parameter kId{
    .name = "id", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true, .positional = true};

Result<std::string> answer_session(const Session& session, const std::vector<std::string>& warnings = {}) {
  JsonWriter json = begin_answer();
  json.key("id").string(session.id).key("session");
  write_session(json, session);
  if (!warnings.empty()) json.key("warnings").strings(warnings);
  return json.end_object().take();
}

// Whether the name of a member looks like that of a secret; layouts that keep no secrets omit such members.
bool is_like_a_secret(std::string_view key) {
  const std::string name = in_lower_case(key);
  return std::ranges::any_of(std::array<std::string_view, 9>{"key", "token", "secret", "passw", "auth", "cookie",
                                                             "credential", "env", "bearer"},
                             [&](std::string_view part) { return name.contains(part); });
}

void tell_left_out(JsonView given, JsonView stored, const std::string& path, std::vector<std::string>& warnings) {
  for (const JsonItem& member : given.fields()) {
    const std::string key = member.key(), name = std::string(path).append(".").append(key);
    const JsonView kept = stored.find(key);
    if (kept && member.value.kind() == JsonKind::object)
      tell_left_out(member.value, kept, name, warnings);
    else if (!kept && is_like_a_secret(key))
      warnings.push_back(name + " is not stored: its name looks like that of a secret");
  }
}

// The change was made even if the session cannot be read back, because somebody has removed it in the meantime. Then
// answers with what is known without it.
Result<std::string> answer_stored(const Call& call, Store& store, const Session& known,
                                  std::vector<std::string> warnings = {}) {
  auto session = store.get(call.context, known.id);
  const std::string given = call.json("metadata");
  if (session && !given.empty()) tell_left_out(JsonView(given), JsonView(session->metadata), "metadata", warnings);
  return answer_session(session ? *session : known, warnings);
}

Session drafted(const Store& store, std::string id, const SessionDraft& draft) {
  Session session;
  session.id = std::move(id);
  session.store = store.name();
  session.layout = store.layout_name();
  session.project = draft.project;
  session.title = draft.title;
  return session;
}

SessionDraft draft_of(const Call& call) {
  SessionDraft draft;
  draft.project = call.project();
  draft.title = call.text("title");
  draft.first_prompt = call.text("first_prompt");
  draft.model = call.text("model");
  draft.provider = call.text("provider");
  draft.agent = call.text("agent");
  draft.git_branch = call.text("git_branch");
  draft.metadata = call.json("metadata");
  return draft;
}

// If workflows complete the sessions of a store (L06), nothing else may.
Result<void> check_outcome(const FoundSession& found, Status wanted) {
  const bool complete = found.session.status == Status::complete;
  if (!keeps_only_workflows(*found.store) || (wanted == Status::complete) == complete) return {};
  return fail(Code::invalid_argument, "the workflow decides whether session " + found.session.id +
                                          " is complete: call workflow.advance or workflow.pause");
}

bool holds_status(const Store& store) {
  const Layout* const layout = find_layout(store.layout_name());
  return layout == nullptr || layout->traits().holds_status;
}

bool has_ended(Status status) {
  return status == Status::complete || status == Status::failed || status == Status::stopped;
}

// A second outcome replaces the first, with a warning.
std::vector<std::string> second_end_warnings(const Session& session, Status wanted) {
  if (!has_ended(session.status) || session.status == wanted) return {};
  return {"session " + session.id + " had ended before, with the status " + std::string(status_name(session.status))};
}

// A title is one line of a list.
Result<void> check_title(const Call& call) {
  using namespace std::string_view_literals;
  if (call.text("title").find_first_of("\r\n\0"sv) == std::string::npos) return {};
  return fail(Code::invalid_argument, std::string(call.operation.method) + ": a title must be one line");
}

Result<SessionDraft> new_draft(const Call& call, Store& store) {
  HOLDFAST_TRY(check_title(call));
  if (const std::string project = call.project(); !project.empty() && !project.starts_with('/'))
    return fail(Code::invalid_argument, "session.create: the path of a project must be absolute", project);
  SessionDraft draft = draft_of(call);
  draft.id = call.text("id");
  if (call.has("id") && draft.id.empty())
    return fail(Code::invalid_argument, "session.create: id must not be empty; leave it out to get a new one");
  draft.thread = call.text("thread");
  if (draft.project.empty() && keeps_only_workflows(store)) {
    HOLDFAST_LET(files, engine_of(store));
    draft.project = files->roots().first()->path();  // as session.start does
  }
  if (call.has("config")) {
    HOLDFAST_LET(metadata, json_set(draft.metadata.empty() ? "{}" : draft.metadata, {"config"}, call.json("config")));
    draft.metadata = std::move(metadata);
    HOLDFAST_LET(engine, engine_of(store));
    if (draft.agent.empty() && engine->layout().threads() != nullptr)
      draft.agent = json_text(call.params.find("config"), "harness");
  }
  if (call.has("parent") && call.text("parent").empty())
    return fail(Code::invalid_argument, "session.create: parent must be the id of a session, but is empty");
  if (call.has("parent")) {
    HOLDFAST_LET(parent, session_reference(call, store, call.text("parent")));
    draft.parent = Parent{std::move(parent), parent_kind_of(call.text("parent_kind")).value_or(ParentKind::subagent)};
  }
  return draft;
}

Result<std::string> create(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(draft, new_draft(call, *store));
  HOLDFAST_LET(id, store->create(call.context, draft));
  std::vector<std::string> warnings;
  if (call.flag("lease", true)) {
    if (auto owned = call.stores.own_new(call.context, store, id, call.text("owner")); !owned)
      warnings.push_back("the session has no owner: " + error_words(owned.error()));
  }
  return answer_stored(call, *store, drafted(*store, id, draft), warnings);
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  JsonWriter json = begin_answer();
  json.key("id").string(found.session.id).key("session");
  write_noted(json, found.session, *Notes::read(call.context, call.stores.settings()));
  return json.end_object().take();
}

SessionPatch patch_of(const Call& call) {
  SessionPatch patch;
  patch.title = call.maybe_text("title");
  patch.summary = call.maybe_text("summary");
  patch.model = call.maybe_text("model");
  patch.leaf = call.maybe_text("leaf");
  if (call.has("status")) patch.status = status_of(call.text("status"));
  if (call.has("metadata")) patch.metadata = call.json("metadata");
  return patch;
}

Result<std::string> update(Call& call) {
  HOLDFAST_TRY(check_title(call));
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  HOLDFAST_TRY(call.stores.check_free(*found.store, found.session.id));
  const SessionPatch patch = patch_of(call);
  std::vector<std::string> warnings;
  if (patch.status) {
    HOLDFAST_TRY(check_outcome(found, *patch.status));
    warnings = second_end_warnings(found.session, *patch.status);
  }
  HOLDFAST_TRY(found.store->update(call.context, found.session.id, patch));
  if (patch.title) found.session.title = *patch.title;
  if (patch.summary) found.session.summary = *patch.summary;
  if (patch.status) found.session.status = *patch.status;
  return answer_stored(call, *found.store, found.session, warnings);
}

Result<std::string> end(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  HOLDFAST_TRY(call.stores.check_free(*found.store, found.session.id));
  SessionEnd request{.summary = call.maybe_text("summary")};
  // "completed", the seed's word, is complete.
  if (call.has("status")) request.status = status_of(call.text("status")).value_or(Status::complete);
  const Status wanted = request.status.value_or(Status::complete);
  HOLDFAST_TRY(check_outcome(found, wanted));
  std::vector<std::string> warnings = second_end_warnings(found.session, wanted);
  if (!request.summary) {
    HOLDFAST_LET(made, make_summary(call, *found.store, found.session.id, warnings));
    request.summary = std::move(made);
  }
  // The lease goes last: the owner of a session that cannot be ended keeps it.
  HOLDFAST_TRY(call.stores.flush(call.context, found.store->name(), found.session.id));
  HOLDFAST_LET(more, end_session(call.context, *found.store, found.session.id, request));
  warnings.insert(warnings.end(), more.begin(), more.end());
  auto released = call.stores.release(call.context, *found.store, found.session.id);
  // Without a status, the lease of an owner that died is all that says that the session was interrupted.
  if (released && !holds_status(*found.store))
    released = forget_dead_owner(call.context, *found.store, found.session.id);
  if (!released) warnings.push_back("the session still has an owner: " + released.error().text());
  if (holds_status(*found.store)) found.session.status = wanted;
  return answer_stored(call, *found.store, found.session, warnings);
}

Result<std::string> remove(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  // What was only accepted need not be written any more.
  (void)call.stores.flush(call.context, found.store->name(), found.session.id);
  HOLDFAST_TRY(delete_session(call.context, *found.store, found.session.id, call.stores.claim()));
  (void)call.stores.release(call.context, *found.store, found.session.id);  // the session is gone in any case
  JsonWriter json = begin_answer();
  return json.key("id").string(found.session.id).key("deleted").boolean(true).end_object().take();
}

Result<std::string> would_remove(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  return "delete session " + found.session.id + " of " + found.session.store + " (" +
         counted(found.session.counts.records, "record") + ", " + counted(found.session.bytes, "byte") + ") for good";
}

Result<std::string> fork(Call& call) {
  HOLDFAST_TRY(check_title(call));
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  SessionDraft draft = draft_of(call);
  draft.parent = Parent{found.session.id, ParentKind::fork, call.text("message")};
  HOLDFAST_LET(id, found.store->fork(call.context, found.session.id, draft));
  return answer_stored(call, *found.store, drafted(*found.store, id, draft));
}

const Parameter kMetadata{.name = "metadata", .help = "other values to store, an object", .type = ParamType::object};
const Parameter kTitle{.name = "title", .help = "a title for people"};
const Parameter kModel{.name = "model", .help = "the model that answers"};

std::string named(const FoundSession& found) { return "session " + found.session.id + " of " + found.store->name(); }

}  // namespace

Result<std::string> would_update(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id"), Naming::sure_prefix));
  std::string fields;
  for (const std::string_view name : {"title", "summary", "model", "leaf", "status", "metadata"})
    if (call.has(name)) fields += (fields.empty() ? "" : ", ") + std::string(name);
  return fields.empty() ? "change nothing of " + named(found) : "change " + fields + " of " + named(found);
}

Result<std::string> would_end(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id"), Naming::sure_prefix));
  if (!call.has("status") && !holds_status(*found.store)) return "release the lease of " + named(found);
  const Status status = status_of(call.text("status")).value_or(Status::complete);
  return "end " + named(found) + " with the status " + std::string(status_name(status));
}

Result<std::string> would_fork(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id"), Naming::sure_prefix));
  const std::string message = call.text("message");
  return "create a session that continues " + named(found) + (message.empty() ? "" : " from message " + message);
}

std::span<const Operation> session_operations() {
  static const std::vector<Operation> all{
      {.method = "session.create",
       .help = "create a session",
       .use = Use::create,
       .parameters = {{.name = "id", .help = "id of the session (default: a new one)"},
                      {.name = "thread", .help = "thread of the session, in layouts that have threads"},
                      {.name = "project", .help = "directory that the session works in", .path = true},
                      kTitle,
                      {.name = "first_prompt", .help = "for layouts that derive the title from it"},
                      kModel,
                      {.name = "provider", .help = "provider of the model"},
                      {.name = "agent", .help = "agent that runs the session"},
                      {.name = "git_branch", .help = "git branch that is checked out"},
                      {.name = "parent", .help = "id of the parent session"},
                      {.name = "parent_kind",
                       .help = "relation to its parent (default subagent)",
                       .words = {"fork", "resume", "subagent"}},
                      {.name = "config",
                       .help = "configuration of the agent; layouts with threads record its hash",
                       .type = ParamType::object},
                      kMetadata,
                      {.name = "lease",
                       .help = "hold its lease as long as the caller lives: the session counts as running, and others "
                               "get busy (default); --no-lease does not",
                       .type = ParamType::boolean},
                      {.name = "owner", .help = "a note about the owner, shown to others"}},
       .result = "id:string session:session warnings?:string[]",
       .errors = {Code::already_exists},
       .handler = create,
       .aliases =
           {{"create_session",
             {{"thread_id", "thread"}, {"harness", "agent"}, {"workspace_root", "project"}, {"agent_config", "config"}},
             as_maestro}},
       .example = "session create --title \"Fix the parser\" --project ."},
      {.method = "session.get",
       .help = "show a session's details",
       .parameters = {kId, machine_parameter()},
       .result = "id:string session:session",
       .handler = get,
       .aliases = {{"load_session", {{"session_id", "id"}}, as_maestro}},
       .example = "session get @last"},
      list_sessions_operation(),
      {.method = "session.update",
       .help = "change title, summary, model, status, leaf or metadata",
       .use = Use::write,
       .parameters = {kId,
                      kTitle,
                      {.name = "summary", .help = "summary of the session"},
                      kModel,
                      {.name = "status", .help = "new status", .words = {"active", "complete", "failed", "stopped"}},
                      {.name = "leaf", .help = "id of the last message of the active branch"},
                      {.name = "metadata", .help = "keys to set; null removes one", .type = ParamType::object}},
       .result = "id:string session:session warnings?:string[]",
       .handler = update,
       .aliases = {{"save_session", {{"session_id", "id"}}, as_maestro}},
       .example = "session update k7f3 --title \"Parser fixed\""},
      resume_session_operation(),
      {.method = "session.end",
       .help = "end a session and release its lease",
       .use = Use::write,
       .parameters = {kId,
                      {.name = "status",
                       .help = "final status (default complete)",
                       .words = {"complete", "completed", "failed", "stopped"}},
                      {.name = "summary",
                       .help = "summary (default: the output of your summary_command, else an extract)"}},
       .result = "id:string session:session warnings?:string[]",
       .handler = end,
       .aliases = {{"mark_session_ended", {{"session_id", "id"}}, as_maestro}},
       .example = "session end k7f3 --status failed"},
      {.method = "session.delete",
       .help = "delete a session with everything in it",
       .use = Use::write,
       .parameters = {kId},
       .result = "id:string deleted:boolean",
       .handler = remove,
       .preview = would_remove,
       .aliases = {{"delete_session", {{"session_id", "id"}}}},
       .example = "session delete k7f3 --yes"},
      {.method = "session.fork",
       .help = "create a session that continues from a message of another",
       .use = Use::write,
       .parameters = {kId,
                      {.name = "message", .help = "id of the last message to copy (default: all)", .positional = true},
                      kTitle,
                      kModel,
                      kMetadata},
       .result = "id:string session:session",
       .handler = fork,
       .example = "session fork k7f3 --title \"Another way\""},
      show_session_operation(),
      follow_session_operation(),
      rescue_session_operation(),
      handoff_session_operation(),
      mend_session_operation(),
      start_session_operation(),
      resumable_sessions_operation(),
      prune_sessions_operation(),
  };
  return all;
}

}  // namespace holdfast::inline v1
