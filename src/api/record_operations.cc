// record.*: any document beside the sessions, by its kind; the rules of a kind
// (one active mission, who may end a run) are in the nouns of their own.
#include <algorithm>

#include "api/call.h"
#include "api/tables.h"

namespace holdfast::inline v1 {
namespace {

RecordKey key_of(const Call& call) { return {call.text("kind"), call.text("project"), call.text("id")}; }

Result<std::string> answer_record(const Call& call, Store& store, const RecordKey& key) {
  HOLDFAST_LET(record, store.get_record(call.context, key));
  return begin_answer().key("record").raw(record).end_object().take();
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, call.store());
  return answer_record(call, *store, key_of(call));
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(all, store->list_records(call.context, key_of(call)));
  const Page page = page_of(call);
  const std::size_t from = std::min(page.skip, all.records.size());
  const std::size_t count = std::min(page.limit, all.records.size() - from);
  JsonWriter json = begin_answer();
  json.key("records").begin_array();
  for (std::size_t i = from; i < from + count; ++i) json.raw(all.records[i]);
  json.end_array();
  write_page(json, page, count, all.records.size());
  write_findings(json, "findings", all.findings);
  return json.end_object().take();
}

Result<void> edit(const Call& call, Store& store, RecordEdit::Kind kind) {
  const RecordEdit one{kind, key_of(call), call.json("record")};
  return store.edit_records(call.context, [&](const Store::Look&) { return std::vector{one}; });
}

Result<std::string> put(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(edit(call, *store, call.flag("new") ? RecordEdit::Kind::create : RecordEdit::Kind::put));
  return answer_record(call, *store, key_of(call));
}

Result<std::string> remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(edit(call, *store, RecordEdit::Kind::remove));
  return begin_answer().key("id").string(call.text("id")).key("deleted").boolean(true).end_object().take();
}

Result<std::string> would_remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(store->get_record(call.context, key_of(call)));
  return "delete the " + call.text("kind") + " " + call.text("id") + " of " + store->name();
}

const Parameter kKind{
    .name = "kind", .help = "run, mission, project, agent, plan, memory, ...", .required = true, .positional = true};
const Parameter kId{.name = "id", .help = "its id; none where there is one of the kind", .positional = true};
const Parameter kProject{.name = "project", .help = "directory that it belongs to", .path = true};

}  // namespace

std::span<const Operation> record_operations() {
  static const std::vector<Operation> all{
      {.method = "record.get",
       .help = "show a document beside the sessions",
       .parameters = {kKind, kId, kProject},
       .result = "record:record",
       .handler = get,
       .example = "record get run run-1 --project ."},
      {.method = "record.list",
       .help = "list the documents of a kind, by id",
       .parameters = {kKind, kProject, limit_parameter(), skip_parameter()},
       .result = "records:record[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .example = "record list mission --project ."},
      {.method = "record.put",
       .help = "make a document or change fields of it; a null removes one, all others stay",
       .use = Use::write,
       .parameters = {kKind,
                      kId,
                      kProject,
                      {.name = "record", .help = "the fields", .type = ParamType::object, .required = true},
                      {.name = "new", .help = "refuse to change one that is there", .type = ParamType::boolean}},
       .result = "record:record",
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
