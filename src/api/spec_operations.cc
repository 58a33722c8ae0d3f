// spec.* and research.*: documents that live in the project's sources.
#include "api/find_session.h"
#include "api/records.h"
#include "api/tables.h"
#include "rules/workflow/drift.h"
#include "rules/workflow/research.h"
#include "rules/workflow/specification.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> list_specs(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(found, list_specifications(call.context, *store, call.project()));
  RecordList records;
  for (const Specification& specification : found.specifications)
    records.records.push_back(specification_json(specification));
  records.findings = std::move(found.findings);
  return answer_records(call, "specifications", records);
}

Result<std::string> get_spec(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(found, get_specification(call.context, *store, call.project(), call.text("module")));
  return answer_record("specification", specification_json(found));
}

Result<std::string> drift(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("session")));
  HOLDFAST_LET(report, find_drift(call.context, *found.store, call.project(), found.session.id, call.text("module")));
  return answer_record("drift", drift_json(report));
}

Result<std::string> add(Call& call) {
  HOLDFAST_LET(store, call.store());
  ResearchRequest request;
  request.module = call.text("module");
  request.topic = call.text("topic");
  request.parts = {call.maybe_text("summary"), call.maybe_text("findings"), call.maybe_text("sources"),
                   call.maybe_text("relevance"), call.maybe_text("section")};
  request.body = call.maybe_text("body");
  if (request.body &&
      (request.parts.summary || request.parts.findings || request.parts.sources || request.parts.relevance))
    return fail(Code::invalid_argument, "give either the whole text (body) or its parts");
  request.replace = call.flag("replace");
  HOLDFAST_LET(note, add_research(call.context, *store, call.project(), request));
  JsonWriter json = begin_answer();
  json.key("research").raw(research_json(note));
  if (!note.warnings.empty()) json.key("warnings").strings(note.warnings);
  return json.end_object().take();
}

Result<std::string> get_note(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(note, get_research(call.context, *store, call.project(), call.text("module"), call.text("topic")));
  return answer_record("research", research_json(note));
}

Result<std::string> list_notes(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(found, list_research(call.context, *store, call.project(), call.text("module")));
  RecordList records;
  for (const ResearchFile& note : found.notes) records.records.push_back(research_json(note));
  records.findings = std::move(found.findings);
  return answer_records(call, "research", records);
}

Parameter module_parameter(bool required) {
  return {.name = "module",
          .help = "name of the module: its directory in docs/requirements",
          .required = required,
          .positional = true};
}

}  // namespace

std::span<const Operation> spec_operations() {
  static const std::vector<Operation> all{
      {.method = "spec.list",
       .help = "list the specifications of a project, their sections and what is missing",
       .parameters = {project_parameter(false), limit_parameter(), skip_parameter()},
       .result = "specifications:specification[] total:integer next:integer? findings:finding[]",
       .handler = list_specs,
       .example = "spec list --store lopen:."},
      {.method = "spec.get",
       .help = "show a specification: name, description, title, sections with their hashes, criteria",
       .parameters = {module_parameter(true), project_parameter(false)},
       .result = "specification:specification",
       .handler = get_spec,
       .example = "spec get auth --store lopen:."},
      {.method = "spec.drift",
       .help = "list sections that changed since a session was last saved",
       .parameters = {module_parameter(true),
                      {.name = "session", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true},
                      project_parameter(false)},
       .result = "drift:drift",
       .handler = drift,
       .example = "spec drift auth --session auth-20260214-1 --store lopen:."},
  };
  return all;
}

std::span<const Operation> research_operations() {
  static const Parameter topic{
      .name = "topic", .help = "topic of the note; also names the file", .required = true, .positional = true};
  static const std::vector<Operation> all{
      {.method = "research.add",
       .help = "write a research note and its line in the module's RESEARCH.md",
       .use = Use::create,
       .parameters = {module_parameter(true),
                      topic,
                      {.name = "summary", .help = "Markdown"},
                      {.name = "findings", .help = "Markdown"},
                      {.name = "sources", .help = "Markdown"},
                      {.name = "relevance", .help = "Markdown"},
                      {.name = "section", .help = "heading of the section of the specification that it belongs to"},
                      {.name = "body", .help = "the whole text instead of its parts"},
                      {.name = "replace",
                       .help = "replace these parts of an existing note",
                       .type = ParamType::boolean},
                      project_parameter(false)},
       .result = "research:research",
       .errors = {Code::already_exists},
       .handler = add,
       .aliases = {"log_research"},
       .example =
           "research add auth \"JWT best practices\" --summary \"Short lives\" --section Tokens --store lopen:."},
      {.method = "research.get",
       .help = "show a research note",
       .parameters = {module_parameter(true), topic, project_parameter(false)},
       .result = "research:research",
       .handler = get_note,
       .example = "research get auth \"JWT best practices\" --store lopen:."},
      {.method = "research.list",
       .help = "list the research notes of a module, or of all",
       .parameters = {module_parameter(false), project_parameter(false), limit_parameter(), skip_parameter()},
       .result = "research:research[] total:integer next:integer? findings:finding[]",
       .handler = list_notes,
       .example = "research list auth --store lopen:."},
  };
  return all;
}

}  // namespace holdfast::inline v1
