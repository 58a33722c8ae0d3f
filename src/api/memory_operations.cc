// memory.*: texts that the agents of a project keep for later.
#include <algorithm>

#include "api/layers.h"
#include "api/records.h"
#include "api/tables.h"
#include "layout/layout.h"
#include "layout/record_shape.h"
#include "rules/initiative/delegation.h"
#include "rules/initiative/memory_lines.h"
#include "text/one_line.h"
#include "text/trim.h"

namespace holdfast::inline v1 {
namespace {

// A layout may have texts that belong to no project; they are used if no project is given (O15).
bool means_common(const Call& call, const Store& store) {
  const Layout* const layout = find_layout(store.layout_name());
  return call.project().empty() && layout != nullptr && layout->shape("common_memory") != nullptr;
}

RecordKey key_of(const Call& call) { return {"memory", call.project(), call.text("id")}; }

// Requires an id if a project may have many texts, and none if it has only one.
Result<void> check_id(const Call& call, const Store& store) {
  const Layout* const layout = find_layout(store.layout_name());
  const RecordShape* const shape = layout == nullptr ? nullptr : layout->shape("memory");
  if (shape == nullptr || (shape->many() && !call.text("id").empty())) return {};
  if (shape->many()) return fail(Code::invalid_argument, "a project may have many texts: give the id of one");
  if (!call.has("id")) return {};
  return fail(Code::invalid_argument, "a project has one " + std::string(shape->path) + " in layout " +
                                          std::string(store.layout_name()) + ", so it takes no id");
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(check_id(call, *store));
  RecordKey key = key_of(call);
  if (means_common(call, *store)) key.kind = "common_memory";
  HOLDFAST_LET(memory, store->get_record(call.context, key));
  return answer_record("memory", memory);
}

Result<std::string> put(Call& call) {
  HOLDFAST_LET(store, call.store_of("memory"));
  HOLDFAST_TRY(check_id(call, *store));
  const RecordEdit edit{RecordEdit::Kind::put, key_of(call),
                        JsonWriter().begin_object().key("body").string(call.text("body")).end_object().take()};
  HOLDFAST_TRY(store->edit_records(call.context, [&](const Store::Look&) { return std::vector{edit}; }));
  return get(call);
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(memories, store->list_records(call.context, {"memory", call.project(), {}}));
  if (means_common(call, *store)) {
    HOLDFAST_LET(common, store->list_records(call.context, {"common_memory", {}, {}}));
    memories.records.insert(memories.records.begin(), common.records.begin(), common.records.end());
    std::ranges::move(common.findings, std::back_inserter(memories.findings));
  }
  return answer_records(call, "memories", memories);
}

// "Foo" for "Foo" and "## Foo"; the caller adds the marks.
std::string heading_text(std::string_view given) {
  const std::string line = on_one_line(given);
  return std::string(trim(std::string_view(line).substr(std::min(line.find_first_not_of("# \t"), line.size())), " \t"));
}

Result<std::string> learn(Call& call) {
  HOLDFAST_LET(store, call.store_of("memory"));
  const std::string heading =
      call.has("heading") ? heading_text(call.text("heading")) : std::string(kInitiativePatterns);
  if (heading.empty()) return fail(Code::invalid_argument, "memory.learn: heading must not be empty");
  HOLDFAST_LET(outcome, record_learning(call.context, *store, call.project(), heading, call.text("text")));
  HOLDFAST_TRY(check_remembered(outcome));
  JsonWriter json = begin_answer();
  write_outcome(json, outcome);
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> memory_operations() {
  static const Parameter id{
      .name = "id", .help = "name of the text; omit it if a project has only one", .positional = true};
  static const std::vector<Operation> all{
      {.method = "memory.get",
       .help = "show a text stored for a project's agents",
       .parameters = {id, layer_project_parameter()},
       .result = "memory:record",
       .handler = get,
       .example = "memory get notes --project ."},
      {.method = "memory.put",
       .help = "store a text; replaces the one with the same name",
       .use = Use::create,
       .parameters = {id,
                      {.name = "body", .help = "the whole text, Markdown", .required = true},
                      layer_project_parameter()},
       .result = "memory:record",
       .handler = put,
       .example = "memory put notes --project . --body \"The build needs cmake 3.25\""},
      {.method = "memory.list",
       .help = "list the texts of a project, by name",
       .parameters = {layer_project_parameter(), limit_parameter(), skip_parameter()},
       .result = "memories:record[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .example = "memory list --project ."},
      {.method = "memory.learn",
       .help = "add a learning, a pattern or a preference to MEMORY.md, once",
       .use = Use::create,
       .parameters = {{.name = "text", .help = "the text, one line", .required = true, .positional = true},
                      {.name = "heading", .help = "heading to add it under (default: Initiative Patterns)"},
                      layer_project_parameter()},
       .result = "persisted:boolean warnings:string[]",
       .handler = learn,
       .example = "memory learn \"The build needs cmake 3.25\" --project ."},
  };
  return all;
}

}  // namespace holdfast::inline v1
