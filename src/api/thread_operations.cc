// thread.*: conversations that continue across sessions.
#include "api/privacy.h"
#include "api/seed_answers.h"
#include "api/tables.h"
#include "api/typed_records.h"
#include "base/error_words.h"
#include "rules/threads/thread_resume.h"
#include "rules/threads/threads.h"
#include "rules/threads/tool_runs.h"
#include "store/engine.h"
#include "store/observed.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

// A thread as lists show it: the seed's ThreadSummary and its state.
std::string summary_of(const Thread& thread) {
  JsonWriter json;
  json.begin_object().key("id").string(thread.id).key("title").string(thread.title);
  json.key("updated_at").string(thread.updated_at).key("project_path").string(thread.project);
  json.key("harness").string(thread.harness).key("model").string(thread.model).key("pinned").boolean(thread.pinned());
  const JsonView snapshot = thread.state_snapshot.view();
  const std::string state = snapshot_state(snapshot);
  json.key("state");
  state.empty() ? json.null() : json.string(state);
  json.key("pending_tool_calls").uint64(snapshot_pending(snapshot));
  return json.end_object().take();
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(threads, list_threads(call.context, *store));
  const auto row = [&](std::size_t i) { return summary_of(threads.records[i]); };
  return answer_page(call, "threads", threads.records.size(), row, threads.findings);
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(thread, get_thread(call.context, *store, call.text("id")));
  return answer_record("thread", json_of(thread), *store);
}

// What thread.create was given, but does not change in a thread that exists.
std::vector<std::string> not_changed(const Call& call) {
  std::string names;
  for (const std::string_view name : {"title", "harness", "model", "privacy", "metadata"})
    if (call.has(name)) names.append(names.empty() ? "" : ", ").append(name);
  if (names.empty()) return {};
  return {"the project already has this thread, which is unchanged; ignored: " + names};
}

Result<std::string> create(Call& call) {
  HOLDFAST_LET(privacy, checked_privacy(call.params.find("privacy"), {}));
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(made, create_thread(call.context, *store,
                                   {.id = call.text("id"),
                                    .title = call.text("title"),
                                    .project = call.project(),
                                    .harness = call.text("harness"),
                                    .model = call.text("model"),
                                    .privacy = {std::move(privacy)},
                                    .metadata = {call.json("metadata")}}));
  JsonWriter json = begin_answer();
  json.key("thread").raw(json_of(made.thread)).key("created").boolean(made.created);
  if (const auto ignored = not_changed(call); !made.created && !ignored.empty()) json.key("warnings").strings(ignored);
  return json.end_object().take();
}

// Moves `pinned`, which lists show beside the title, to the metadata, where a record has it.
Result<std::string> with_pin_in_place(std::string thread) {
  const JsonView pinned = JsonView(thread).find("pinned");
  if (!pinned.as_bool()) return thread;
  const std::string value(pinned.raw());
  const bool object = JsonView(thread).find("metadata").kind() == JsonKind::object;
  HOLDFAST_LET(moved, object ? json_set(thread, {"metadata", "pinned"}, value)
                             : json_set(thread, {"metadata"}, "{\"pinned\":" + value + "}"));
  return json_remove(moved, {"pinned"});
}

Result<std::string> save(Call& call) {
  HOLDFAST_LET(store, call.store());
  const JsonView given = call.params.find("thread");
  const auto before = get_thread(call.context, *store, given.find("id").as_string().value_or(""));
  HOLDFAST_LET(checked, with_checked_privacy(given, before ? before->privacy.view() : JsonView()));
  HOLDFAST_LET(placed, with_pin_in_place(std::move(checked)));
  HOLDFAST_LET(thread, save_thread(call.context, *store, JsonView(placed)));
  return answer_record("thread", json_of(thread), *store);
}

// The sessions of the thread. Fails with busy while another process owns one; this door, or its owner, may delete its
// own sessions.
Result<std::vector<std::string>> sessions_to_delete(Call& call, Store& store, const std::string& id) {
  HOLDFAST_LET(sessions, sessions_of_thread(call.context, store, id));
  for (const std::string& session : sessions) HOLDFAST_TRY(call.stores.check_free(store, session));
  return sessions;
}

Result<std::string> remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  const std::string id = call.text("id");
  HOLDFAST_LET(sessions, sessions_to_delete(call, *store, id));
  HOLDFAST_LET(gone, delete_thread(call.context, *store, id, call.stores.claim()));
  for (const std::string& session : sessions) (void)call.stores.release(call.context, *store, session);
  JsonWriter json = begin_answer();
  json.key("id").string(id).key("deleted").boolean(true);
  return json.key("sessions").uint64(gone.sessions).key("messages").uint64(gone.messages).end_object().take();
}

Result<std::string> would_remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(sessions_to_delete(call, *store, call.text("id")));
  HOLDFAST_LET(gone, preview_thread_deletion(call.context, *store, call.text("id")));
  return "delete thread " + call.text("id") + " of " + store->name() + " with " + counted(gone.sessions, "session") +
         " and " + counted(gone.messages, "message") + " for good";
}

// Resumes the thread; this door, or its owner, may continue its own session.
Result<ResumedThread> go_on(Call& call, Store& store, const std::string& id, const SessionDraft& draft) {
  HOLDFAST_LET(thread, get_thread(call.context, store, id));
  const std::string& last = thread.last_session;
  const bool ours = !last.empty() && (call.flag("takeover") || call.stores.holds(store, last));
  auto resumed = resume_thread(call.context, store, id, draft, ours ? last : std::string());
  if (resumed || resumed.error().code != Code::busy || last.empty()) return resumed;
  const auto owned = call.stores.own(call.context, store, last);
  return owned && *owned ? resume_thread(call.context, store, id, draft, last) : resumed;
}

Result<std::string> resume(Call& call) {
  HOLDFAST_LET(store, call.store());
  SessionDraft draft;
  draft.agent = call.has("harness") ? call.text("harness") : json_text(call.params.find("config"), "harness");
  if (call.has("config")) draft.metadata = R"({"config":)" + call.json("config") + "}";
  const std::string id = call.text("id");
  HOLDFAST_LET(engine, engine_of(*store));
  const SpanWatch watch(call.context, engine->observer());
  auto resumed = go_on(call, *store, id, draft);
  if (!resumed) return fail(std::move(resumed).error());
  const auto owned = [&]() -> Result<bool> {
    const bool takeover = call.flag("takeover");
    if (!call.stores.settings().keep) return call.stores.own(call.context, *store, resumed->session, takeover);
    WriterOptions options;
    options.lease = takeover ? LeaseRequest::take_over : LeaseRequest::take;
    options.owner_note = call.text("owner");
    HOLDFAST_TRY(call.stores.writer(call.context, store, resumed->session, options));
    return true;
  }();
  // A new session stays, with or without an owner.
  if (!owned && !resumed->new_session) return fail(owned.error());
  // A door that stays open records this when it takes the lease.
  if (!call.stores.settings().keep && !resumed->new_session) watch.end("session.resume", resumed->session, nullptr);
  JsonWriter json = begin_answer();
  json.key("thread").raw(json_of(resumed->thread)).key("session").string(resumed->session);
  json.key("new_session").boolean(resumed->new_session);
  json.key("owner").string(owned && *owned ? "this" : "none");
  if (!owned) json.key("warnings").strings({"the session has no owner: " + error_words(owned.error())});
  write_findings(json, "findings", repair_findings(*store));
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> thread_operations() {
  const Parameter id{.name = "id", .help = "the id of a thread", .required = true, .positional = true};
  const Parameter harness{.name = "harness", .help = "the agent program that runs it"};
  static const std::vector<Operation> all{
      {.method = "thread.list",
       .help = "list threads: pinned ones first, then the newest",
       .parameters = {limit_parameter(), skip_parameter()},
       .result = "threads:thread_row[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .aliases = {{"list_threads", {}, as_maestro, kWholeList}},
       .example = "thread list"},
      {.method = "thread.get",
       .help = "show a thread",
       .parameters = {id},
       .result = "thread:thread findings:finding[]",
       .errors = {Code::serialization_failed},
       .handler = get,
       .aliases = {{"load_thread", {{"thread_id", "id"}}, as_maestro}},
       .example = "thread get thr_123"},
      {.method = "thread.create",
       .help = "get the thread of a project; creates one if there is none",
       .use = Use::create,
       .parameters =
           {{.name = "project", .help = "directory that it works on", .path = true},
            {.name = "title", .help = "a title for people"},
            harness,
            {.name = "model", .help = "the model that answers"},
            {.name = "id", .help = "id of the thread (default: a new one)"},
            {.name = "privacy",
             .help = "{\"localOnly\", \"redactInputs\", \"redactOutputs\"}: each true or false, and no other member",
             .type = ParamType::object},
            {.name = "metadata",
             .help = "{\"tags\", \"pinned\", ...}",
             .type = ParamType::object,
             .shape = "given_metadata"}},
       .result = "thread:thread created:boolean",
       .errors = {Code::already_exists},
       .handler = create,
       .example = "thread create --project . --title \"Add logging\""},
      {.method = "thread.save",
       .help = "create or change a thread; fields that are not given are kept",
       .use = Use::create,
       .parameters = {{.name = "thread",
                       .help = "{\"id\", \"title\", ...}; camelCase names are accepted too",
                       .type = ParamType::object,
                       .required = true,
                       .positional = true,
                       .shape = "given_thread"}},
       .result = "thread:thread findings:finding[]",
       .errors = {Code::already_exists},
       .handler = save,
       .aliases = {{"save_thread", {}, as_maestro}},
       .example = "thread save '{\"id\":\"thr_123\",\"title\":\"Logging\"}'"},
      {.method = "thread.delete",
       .help = "delete a thread with its sessions and messages",
       .use = Use::write,
       .parameters = {id},
       .result = "id:string deleted:boolean sessions:integer messages:integer",
       .handler = remove,
       .preview = would_remove,
       .aliases = {{"delete_thread", {{"thread_id", "id"}}}},
       .example = "thread delete thr_123 --yes"},
      {.method = "thread.resume",
       .help = "continue a thread: its last session if that has not ended, else a new one",
       .use = Use::write,
       .parameters = {id,
                      harness,
                      {.name = "config",
                       .help = "configuration of the agent; its hash is recorded",
                       .type = ParamType::object},
                      {.name = "takeover", .help = "take it over even from a living owner", .type = ParamType::boolean},
                      {.name = "owner", .help = "a note about the owner, shown to others"}},
       .result =
           "thread:thread session:string new_session:boolean owner:none|this findings:finding[] warnings?:string[]",
       .handler = resume,
       .aliases = {{"resume_thread", {{"thread_id", "id"}, {"agent_config", "config"}}, as_maestro}},
       .example = "thread resume thr_123"},
  };
  return all;
}

}  // namespace holdfast::inline v1
