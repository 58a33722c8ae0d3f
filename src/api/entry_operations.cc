// entry.*: JSON objects of other programs, kept verbatim, for programs that bring their own sessions.
#include <algorithm>

#include "api/call.h"
#include "api/dry_run.h"
#include "api/tables.h"
#include "rules/entries/entries.h"

namespace holdfast::inline v1 {
namespace {

EntryKey key_of(const Call& call) { return {call.text("project"), call.text("session"), call.text("stream")}; }

std::vector<std::string> entries_in(const Call& call, std::string_view name) {
  std::vector<std::string> entries;
  for (const JsonItem& entry : call.params.find(name).elements()) entries.emplace_back(entry.value.raw());
  return entries;
}

// Returns nullptr if the store does not exist yet: programs read before their first write, and find no entries.
Result<std::shared_ptr<Store>> store_if_there(const Call& call) {
  auto store = call.store();
  if (!store && store.error().code == Code::not_found) return nullptr;
  return store;
}

Result<EntryStream> loaded(const Call& call) {
  HOLDFAST_LET(store, store_if_there(call));
  if (store) return load_entries(call.context, *store, key_of(call));
  HOLDFAST_TRY(check_entry_key(key_of(call)));
  return EntryStream{};
}

Result<std::vector<std::string>> stream_names(const Call& call) {
  HOLDFAST_LET(store, store_if_there(call));
  if (store) return list_entry_streams(call.context, *store, key_of(call));
  return std::vector<std::string>();
}

EntryWrite write_in(const Call& call) {
  EntryWrite write{.entries = entries_in(call, "entries")};
  if (call.operation.verb() == "replace") write.expected = entries_in(call, "expected");
  write.operation = call.text("operation_id");
  write.summary = call.json("summary");
  write.after = call.maybe_text("after");
  return write;
}

Result<std::string> write(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(written, write_entries(call.context, *store, key_of(call), write_in(call)));
  JsonWriter json = begin_answer();
  json.key("applied").boolean(written.applied).key("appended").uint64(written.appended);
  json.key("duplicates").uint64(written.duplicates).key("total").uint64(written.total);
  json.key("version").string(written.version).key("mtime").int64(written.mtime);
  return json.end_object().take();
}

Result<std::string> load(Call& call) {
  HOLDFAST_LET(stream, loaded(call));
  const std::size_t total = stream.entries.size();
  std::size_t from = std::min(static_cast<std::size_t>(call.integer("from", 0)), total);
  std::size_t count = total - from;
  if (call.has("count")) count = std::min(count, static_cast<std::size_t>(call.integer("count", 0)));
  if (call.has("last")) {
    const std::size_t last = std::min(count, static_cast<std::size_t>(call.integer("last", 0)));
    from += count - last;
    count = last;
  }
  std::size_t bytes = 1024;
  for (std::size_t i = from; i < from + count; ++i) bytes += stream.entries[i].size() + 1;
  JsonWriter json = begin_answer();
  json.expect(bytes).key("exists").boolean(stream.written).key("entries").begin_array();
  for (std::size_t i = from; i < from + count; ++i) json.raw(stream.entries[i]);
  json.end_array().key("total").uint64(total).key("version").string(stream.version);
  json.key("mtime").int64(stream.mtime);
  if (!stream.summary.empty()) json.key("summary").raw(stream.summary);
  write_findings(json, "damage", stream.findings);
  return json.end_object().take();
}

Result<std::string> list_sessions(Call& call, bool summaries) {
  HOLDFAST_LET(store, store_if_there(call));
  EntrySessions found;
  if (store) {
    HOLDFAST_LET(there, list_entry_sessions(call.context, *store, call.text("project"), summaries));
    found = std::move(there);
  }
  if (summaries) std::erase_if(found.sessions, [](const EntrySession& one) { return one.summary.empty(); });
  const Page page = page_of(call);
  const std::size_t from = std::min(page.skip, found.sessions.size());
  const std::size_t count = std::min(page.limit, found.sessions.size() - from);
  JsonWriter json = begin_answer();
  json.key(summaries ? "summaries" : "sessions").begin_array();
  for (std::size_t i = from; i < from + count; ++i) {
    const EntrySession& one = found.sessions[i];
    json.begin_object().key("session").string(one.session).key("mtime").int64(one.mtime);
    if (summaries) json.key("summary").raw(one.summary);
    json.end_object();
  }
  json.end_array();
  write_page(json, page, count, found.sessions.size());
  write_findings(json, "damage", found.findings);
  return json.end_object().take();
}

Result<std::string> list(Call& call) { return list_sessions(call, false); }
Result<std::string> summaries(Call& call) { return list_sessions(call, true); }

Result<std::string> streams(Call& call) {
  HOLDFAST_LET(names, stream_names(call));
  const Page page = page_of(call);
  const std::size_t from = std::min(page.skip, names.size());
  const std::size_t count = std::min(page.limit, names.size() - from);
  JsonWriter json = begin_answer();
  json.key("streams").begin_array();
  for (std::size_t i = from; i < from + count; ++i) json.string(names[i]);
  json.end_array();
  write_page(json, page, count, names.size());
  return json.end_object().take();
}

Result<std::string> remove(Call& call) {
  HOLDFAST_LET(store, store_if_there(call));
  bool deleted = false;
  if (store) {
    HOLDFAST_LET(done, delete_entries(call.context, *store, key_of(call)));
    deleted = done;
  }
  return begin_answer().key("deleted").boolean(deleted).end_object().take();
}

Result<std::string> would_remove(Call& call) {
  const EntryKey key = key_of(call);
  HOLDFAST_LET(stream, loaded(call));
  const std::string entries =
      std::to_string(stream.entries.size()) + (stream.entries.size() == 1 ? " entry" : " entries");
  if (!key.stream.empty()) return "delete stream " + key.stream + " of " + key.session + " (" + entries + ") for good";
  HOLDFAST_LET(names, stream_names(call));
  return "delete session " + key.session + " (" + entries + ") and its " + std::to_string(names.size()) +
         " other streams for good";
}

const Parameter kProject{.name = "project", .help = "any text that names the project; not a path", .required = true};
const Parameter kSession{.name = "session", .help = "any text that names the session", .required = true};
const Parameter kStream{.name = "stream", .help = "any text that names the stream (default: the main stream)"};
const Parameter kOperation{
    .name = "operation_id",
    .help = "apply it at most once: repeating it changes nothing, a different one with this id is refused"};
const Parameter kSummary{
    .name = "summary", .help = "stored with the entries; replaces the previous one", .type = ParamType::any};
const Parameter kAfter{
    .name = "after", .help = "expected version, empty for a new stream: fail with conflict if the stream has another"};
constexpr std::string_view kWritten =
    "applied:boolean appended:integer duplicates:integer total:integer version:string mtime:integer";

}  // namespace

Result<std::string> would_write_entries(Call& call) {
  const EntryWrite write = write_in(call);
  const auto entries = [](std::size_t count) { return std::to_string(count) + (count == 1 ? " entry" : " entries"); };
  const std::string text = write.expected ? "replace the last " + entries(write.expected->size()) + " by " : "add ";
  return text + entries(write.entries.size()) + (write.expected ? " in session " : " to session ") +
         call.text("session") + " of " + call.text("project");
}

std::span<const Operation> entry_operations() {
  static const std::vector<Operation> all{
      {.method = "entry.append",
       .help = "add JSON objects to a stream, verbatim, in one commit; objects whose uuid already exists are skipped",
       .use = Use::create,
       .parameters = {kProject,
                      kSession,
                      kStream,
                      {.name = "entries", .help = "the objects to add", .type = ParamType::array, .required = true},
                      kOperation,
                      kSummary,
                      kAfter},
       .result = kWritten,
       .errors = {Code::invalid_record, Code::already_exists, Code::conflict, Code::too_large},
       .handler = write,
       .example = "entry append --project p --session s --entries '[{\"type\":\"user\",\"uuid\":\"u1\"}]'"},
      {.method = "entry.replace",
       .help = "replace the last objects of a stream, if they are still the last",
       .use = Use::create,
       .parameters =
           {kProject,
            kSession,
            kStream,
            {.name = "expected",
             .help = "the objects at the end of the stream to replace",
             .type = ParamType::array,
             .required = true},
            {.name = "entries", .help = "the objects to write instead", .type = ParamType::array, .required = true},
            kOperation,
            kSummary,
            kAfter},
       .result = kWritten,
       .errors = {Code::invalid_record, Code::already_exists, Code::conflict, Code::too_large},
       .handler = write,
       .example = "entry replace --project p --session s --expected '[{\"n\":2}]' --entries '[]'"},
      {.method = "entry.load",
       .help = "return the objects of a stream, in order",
       .parameters = {kProject,
                      kSession,
                      kStream,
                      {.name = "from", .help = "skip the first N", .type = ParamType::integer, .least = 0},
                      {.name = "count", .help = "return at most N", .type = ParamType::integer, .least = 0},
                      {.name = "last", .help = "of these only the last N", .type = ParamType::integer, .least = 0}},
       .result = "exists:boolean entries:object[] total:integer version:string mtime:integer summary?:any "
                 "damage:finding[]",
       .handler = load,
       .example = "entry load --project p --session s"},
      {.method = "entry.list",
       .help = "list the sessions of a project that have a main stream, newest first",
       .parameters = {kProject, limit_parameter(), skip_parameter()},
       .result = "sessions:entry_session[] total:integer next:integer? damage:finding[]",
       .handler = list,
       .example = "entry list --project p"},
      {.method = "entry.streams",
       .help = "list the streams of a session, except the main one",
       .parameters = {kProject, kSession, limit_parameter(), skip_parameter()},
       .result = "streams:string[] total:integer next:integer?",
       .handler = streams,
       .example = "entry streams --project p --session s"},
      {.method = "entry.summaries",
       .help = "list the summaries of a project's sessions, newest first",
       .parameters = {kProject, limit_parameter(), skip_parameter()},
       .result = "summaries:entry_summary[] total:integer next:integer? damage:finding[]",
       .handler = summaries,
       .example = "entry summaries --project p"},
      {.method = "entry.delete",
       .help = "delete a stream for good; deleting the main stream deletes all streams of the session",
       .use = Use::write,
       .parameters = {kProject, kSession, kStream},
       .result = "deleted:boolean",
       .handler = remove,
       .preview = would_remove,
       .example = "entry delete --project p --session s --yes"},
  };
  return all;
}

}  // namespace holdfast::inline v1
