// record.*: any document beside the sessions, by its kind; the rules of a kind
// (one active mission, who may end a run) are in its own noun.
#include "api/records.h"
#include "api/redacted_config.h"
#include "api/tables.h"
#include "layout/layout.h"
#include "layout/record_shape.h"

namespace holdfast::inline v1 {
namespace {

// Kinds with their own rules or files, and what to call instead of put and delete; empty if these may be used.
struct Noun {
  std::string_view kind, put, remove;
};
constexpr Noun kNouns[] = {{"run", "run.start or run.finish", ""},
                           {"mission", "mission.set", "mission.clear"},
                           {"legacy_mission", "mission.set", "mission.clear"},
                           {"project", "project.add", "project.remove"},
                           {"permission", "permission.allow", "permission.revoke"},
                           {"agent_override", "agent.set", ""},
                           {"plan", "plan.put", ""},
                           {"thread", "thread.save", "thread.delete"},
                           {"session", "session.update", "session.delete"},
                           {"session_state", "workflow.advance or session.update", "session.delete"},
                           {"session_metrics", "metrics.record", "session.delete"},
                           {"message", "message.append", "session.delete"},
                           {"index", "store.reindex", "store.reindex"},
                           {"queue_item", "queue.retry", "queue.remove"},
                           {"initiative", "initiative.update", "initiative.archive"},
                           {"archived_initiative", "initiative.archive", ""},
                           {"workflow_status", "initiative.update", "initiative.archive"},
                           {"workflow_state", "workflow.phase", ""},
                           {"interview", "interview.record", "interview.clear"},
                           {"config", "store.configure", ""},
                           {"log", "log.append", ""},
                           {"assessment_cache", "cache.assess", ""},
                           {"section_cache", "cache.section", ""}};

Result<void> check_kind(const Call& call, std::string_view Noun::* method) {
  const std::string kind = call.text("kind");
  for (const Noun& noun : kNouns) {
    if (noun.kind == kind && !(noun.*method).empty())
      return fail(Code::invalid_argument,
                  "records of kind " + kind + " have their own rules: call " + std::string(noun.*method));
  }
  return {};
}

RecordKey key_of(const Call& call) { return {call.text("kind"), call.project(), call.text("id")}; }

// Refuses secret kinds: keys of providers have their own noun, which never shows them.
Result<std::shared_ptr<Store>> open_store(const Call& call) {
  HOLDFAST_LET(store, call.store_of(call.text("kind")));
  const Layout* const layout = find_layout(store->layout_name());
  const RecordShape* const shape = layout == nullptr ? nullptr : layout->shape(call.text("kind"));
  if (shape != nullptr && shape->secret)
    return fail(Code::invalid_argument,
                "records of kind " + call.text("kind") + " hold secrets: use their own operations");
  return store;
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, open_store(call));
  HOLDFAST_LET(record, store->get_record(call.context, key_of(call)));
  return answer_record("record", call.text("kind") == "config" ? without_secrets(record) : record, *store);
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, open_store(call));
  HOLDFAST_LET(all, store->list_records(call.context, key_of(call)));
  if (call.text("kind") == "config")
    for (std::string& record : all.records) record = without_secrets(record);
  return answer_records(call, "records", all);
}

Result<void> edit(const Call& call, Store& store, RecordEdit::Kind kind) {
  const RecordEdit one{kind, key_of(call), call.json("record")};
  return store.edit_records(call.context, [&](const Store::Look&) { return std::vector{one}; });
}

Result<std::string> put(Call& call) {
  HOLDFAST_TRY(check_kind(call, &Noun::put));
  HOLDFAST_LET(store, open_store(call));
  if (call.text("kind") == "config" && holds_placeholder(JsonView(call.json("record"))))
    return fail(Code::invalid_argument, "[redacted: …] is a placeholder for a secret, not a secret");
  HOLDFAST_TRY(edit(call, *store, call.flag("new") ? RecordEdit::Kind::create : RecordEdit::Kind::put));
  return get(call);
}

// A run of a living process is not deleted under it.
Result<void> check_run_idle(const Call& call, Store& store) {
  if (call.text("kind") != "run") return {};
  auto free = call.stores.check_run_free(store, call.text("id"));
  if (!free && free.error().code == Code::busy) return free;
  return {};  // whatever else is wrong with the id, deleting tells
}

Result<std::string> remove(Call& call) {
  HOLDFAST_TRY(check_kind(call, &Noun::remove));
  HOLDFAST_LET(store, open_store(call));
  HOLDFAST_TRY(check_run_idle(call, *store));
  HOLDFAST_TRY(edit(call, *store, RecordEdit::Kind::remove));
  // The run is gone, even if its lease cannot be released.
  if (call.text("kind") == "run") (void)call.stores.release_run(call.context, *store, call.text("id"));
  return answer_deleted(call.text("id"));
}

Result<std::string> would_remove(Call& call) {
  HOLDFAST_TRY(check_kind(call, &Noun::remove));
  HOLDFAST_LET(store, open_store(call));
  HOLDFAST_TRY(store->get_record(call.context, key_of(call)));
  HOLDFAST_TRY(check_run_idle(call, *store));
  return "delete the " + call.text("kind") + " " + call.text("id") + " of " + store->name();
}

const Parameter kKind{
    .name = "kind", .help = "run, mission, project, agent, plan, memory, ...", .required = true, .positional = true};
const Parameter kId{
    .name = "id", .help = "id of the document; omit it if there is only one of its kind", .positional = true};
const Parameter kProject{.name = "project", .help = "directory of the project that it belongs to", .path = true};

}  // namespace

std::span<const Operation> record_operations() {
  static const std::vector<Operation> all{
      {.method = "record.get",
       .help = "show a document stored with the sessions",
       .parameters = {kKind, kId, kProject},
       .result = "record:record findings:finding[]",
       .handler = get,
       .example = "record get run run-1 --project ."},
      {.method = "record.list",
       .help = "list the documents of a kind, by id",
       .parameters = {kKind, kProject, limit_parameter(), skip_parameter()},
       .result = "records:record[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .example = "record list mission --project ."},
      {.method = "record.put",
       .help = "create a document or change fields of it; null removes a field, all others stay",
       .use = Use::write,
       .parameters = {kKind,
                      kId,
                      kProject,
                      {.name = "record", .help = "fields to set", .type = ParamType::object, .required = true},
                      {.name = "new", .help = "fail if it already exists", .type = ParamType::boolean}},
       .result = "record:record findings:finding[]",
       .errors = {Code::already_exists},
       .handler = put,
       .example = "record put memory notes --record '{\"body\":\"...\"}'"},
      {.method = "record.delete",
       .help = "delete a document",
       .use = Use::write,
       .parameters = {kKind, kId, kProject},
       .result = "id:string deleted:boolean",
       .handler = remove,
       .preview = would_remove,
       .example = "record delete run run-1 --yes"},
  };
  return all;
}

}  // namespace holdfast::inline v1
