// memory.*: texts that a project's agents keep for later.
#include "api/records.h"
#include "api/tables.h"

namespace holdfast::inline v1 {
namespace {

RecordKey key_of(const Call& call) { return {"memory", call.text("project"), call.text("id")}; }

Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(memory, store->get_record(call.context, key_of(call)));
  return answer_record("memory", memory);
}

Result<std::string> put(Call& call) {
  HOLDFAST_LET(store, call.store());
  const RecordEdit edit{RecordEdit::Kind::put, key_of(call),
                        JsonWriter().begin_object().key("body").string(call.text("body")).end_object().take()};
  HOLDFAST_TRY(store->edit_records(call.context, [&](const Store::Look&) { return std::vector{edit}; }));
  return get(call);
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(memories, store->list_records(call.context, {"memory", call.text("project"), {}}));
  return answer_records(call, "memories", memories);
}

}  // namespace

std::span<const Operation> memory_operations() {
  static const Parameter id{.name = "id", .help = "its name; none where a project has one text", .positional = true};
  static const std::vector<Operation> all{
      {.method = "memory.get",
       .help = "show a text that a project's agents keep",
       .parameters = {id, project_parameter(true)},
       .result = "memory:record",
       .handler = get,
       .example = "memory get notes --project ."},
      {.method = "memory.put",
       .help = "keep a text, in place of the one of that name",
       .use = Use::create,
       .parameters = {id,
                      {.name = "body", .help = "the whole text, Markdown", .required = true},
                      project_parameter(true)},
       .result = "memory:record",
       .handler = put,
       .example = "memory put notes --project . --body \"The build needs cmake 3.25\""},
      {.method = "memory.list",
       .help = "list the texts of a project, by name",
       .parameters = {project_parameter(true), limit_parameter(), skip_parameter()},
       .result = "memories:record[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .example = "memory list --project ."},
  };
  return all;
}

}  // namespace holdfast::inline v1
