// queue.*: what waits to be sent to a remote.
#include "api/dry_run.h"
#include "api/records.h"
#include "api/tables.h"
#include "rules/queue/directory_transport.h"
#include "rules/queue/drain.h"
#include "rules/queue/queue.h"
#include "rules/queue/receive.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(items, list_queue(call.context, *store, {call.text("status"), call.text("entity")}));
  return answer_records(call, "items", items);
}

Result<std::string> status(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(state, queue_state(call.context, *store));
  JsonWriter json = begin_answer();
  json.key("enabled").boolean(state.enabled).key("depth").uint64(state.depth).key("pending").uint64(state.pending);
  json.key("due").uint64(state.due).key("failed").uint64(state.failed).key("next_attempt_at");
  state.next_attempt_at.empty() ? json.null() : json.string(state.next_attempt_at);
  return json.end_object().take();
}

Result<std::string> remote_of(const Call& call) {
  std::string directory = call.text("directory");
  if (directory.empty()) directory = call.stores.settings().sync_directory;
  if (directory.starts_with('/')) return directory;
  if (directory.empty())
    return fail(Code::invalid_argument,
                "no sync directory is set; name one with --directory or the setting sync_directory");
  return fail(Code::invalid_argument, "the directory must be an absolute path, not \"" + directory + "\"");
}

Result<std::string> run(Call& call) {
  HOLDFAST_LET(directory, remote_of(call));
  HOLDFAST_LET(store, call.store());
  DirectoryTransport transport(*call.stores.settings().files, directory);
  const DrainOptions options{.limit = static_cast<std::size_t>(call.integer("limit", 0)),
                             .redact = call.flag("redact", call.stores.settings().sync_redact)};
  HOLDFAST_LET(done, drain_queue(call.context, *store, transport, options));
  JsonWriter json = begin_answer();
  json.key("sent").uint64(done.sent).key("failed").uint64(done.failed).key("given_up").uint64(done.given_up);
  json.key("withheld").uint64(done.withheld).key("gone").uint64(done.gone).key("busy").uint64(done.busy);
  json.key("reason");
  done.reason.empty() ? json.null() : json.string(done.reason);
  HOLDFAST_LET(state, queue_state(call.context, *store));
  json.key("waiting").uint64(state.pending).key("next_attempt_at");
  state.next_attempt_at.empty() ? json.null() : json.string(state.next_attempt_at);
  return json.end_object().take();
}

Result<std::string> init(Call& call) {
  HOLDFAST_LET(directory, remote_of(call));
  HOLDFAST_LET(made, make_sync_directory(call.context, *call.stores.settings().files, directory));
  return begin_answer().key("directory").string(directory).key("created").boolean(made).end_object().take();
}

Result<std::string> receive(Call& call) {
  HOLDFAST_LET(directory, remote_of(call));
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(got, receive_directory(call.context, *call.stores.settings().files, directory, *store,
                                      {.origin = call.text("origin")}));
  JsonWriter json = begin_answer();
  json.key("parcels").uint64(got.parcels).key("changes").uint64(got.changes);
  write_findings(json, "findings", got.findings);
  return json.end_object().take();
}

Result<std::string> retry(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(count, retry_queue(call.context, *store, call.text("id")));
  return begin_answer().key("retried").uint64(count).end_object().take();
}

Result<std::string> remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(remove_from_queue(call.context, *store, call.text("id")));
  return answer_deleted(call.text("id"));
}

Result<std::string> would_remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(items, list_queue(call.context, *store));
  for (const std::string& item : items.records) {
    const JsonView json(item);
    if (!json.find("id").is_string(call.text("id"))) continue;
    const auto word = [&](std::string_view key) { return json.find(key).as_string().value_or(""); };
    return "remove " + word("op") + " of " + word("entity") + " " + word("entity_id") + " (" + word("status") +
           ") from the queue of " + store->name() + "; it will not be sent";
  }
  return fail(Code::not_found, "there is no item " + call.text("id") + " in the queue", store->name());
}

}  // namespace

Result<std::string> would_init_queue(Call& call) {
  HOLDFAST_LET(directory, remote_of(call));
  const auto there = call.stores.settings().files->open_directory(directory, false);
  if (!there && there.error().code != Code::not_found) return fail(there.error());
  if (!there || !(*there)->exists(kSyncFormatFile)) return "prepare " + directory + " for queue run";
  HOLDFAST_TRY(check_sync_directory(**there));
  return "do nothing: " + directory + " is a sync directory already";
}

std::span<const Operation> queue_operations() {
  static const Parameter directory{.name = "directory",
                                   .help = "directory shared by the machines (default: the setting sync_directory)",
                                   .path = true};
  static const std::vector<Operation> all{
      {.method = "queue.list",
       .help = "list changes waiting to be sent, oldest first",
       .parameters = {{.name = "status", .help = "only items with this status", .words = {"pending", "failed"}},
                      {.name = "entity", .help = "only items of this kind", .words = {"thread", "session", "message"}},
                      limit_parameter(),
                      skip_parameter()},
       .result = "items:queue_item[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .example = "queue list --status failed"},
      {.method = "queue.status",
       .help = "show whether the queue is on, how long it is and when it is sent next",
       .result = "enabled:boolean depth:integer pending:integer due:integer failed:integer next_attempt_at:string?",
       .handler = status,
       .example = "queue status"},
      {.method = "queue.init",
       .help = "prepare a directory for queue run, which sends only to prepared directories",
       .use = Use::nothing,
       .parameters = {directory, dry_run_parameter()},
       .result = "directory:string created:boolean",
       .errors = {Code::permission_denied, Code::disk_full, Code::newer_schema, Code::network_file_system},
       .handler = init,
       .example = "queue init --directory /mnt/share/holdfast"},
      {.method = "queue.run",
       .help = "send what is due, once",
       .use = Use::write,
       .parameters = {directory,
                      {.name = "limit", .help = "send at most N items", .type = ParamType::integer, .least = 1},
                      {.name = "redact", .help = "mask secrets in what is sent", .type = ParamType::boolean}},
       .result =
           "sent:integer failed:integer given_up:integer withheld:integer gone:integer busy:integer reason:string? "
           "waiting:integer next_attempt_at:string?",
       .handler = run,
       .example = "queue run --directory /mnt/share/holdfast"},
      {.method = "queue.receive",
       .help = "receive what other stores sent to a directory",
       .use = Use::create,
       .parameters = {directory, {.name = "origin", .help = "only what this store sent"}},
       .result = "parcels:integer changes:integer findings:finding[]",
       .handler = receive,
       .example = "queue receive --directory /mnt/share/holdfast"},
      {.method = "queue.retry",
       .help = "try failed items again",
       .use = Use::write,
       .parameters = {{.name = "id", .help = "only this item (default: all failed items)", .positional = true}},
       .result = "retried:integer",
       .handler = retry,
       .example = "queue retry"},
      {.method = "queue.remove",
       .help = "remove an item from the queue without sending it",
       .use = Use::write,
       .parameters = {record_id_parameter("id of the item")},
       .result = "id:string deleted:boolean",
       .handler = remove,
       .preview = would_remove,
       .example = "queue remove sq_3kq0b1m9x2c7d --yes"},
  };
  return all;
}

}  // namespace holdfast::inline v1
