// cache.*: sections of documents and assessments of code, kept while they are valid.
#include "api/records.h"
#include "api/tables.h"
#include "rules/workflow/assessment_cache.h"
#include "rules/workflow/section_cache.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> section(Call& call) {
  if (call.has("path") == call.has("module"))
    return fail(Code::invalid_argument, "give either the path of a file or the module of a specification");
  HOLDFAST_LET(store, call.store());
  SectionRequest request;
  request.path = call.text("path");
  request.module = call.text("module");
  request.header = call.text("header");
  request.subtree = call.flag("subtree");
  HOLDFAST_LET(cut, read_section(call.context, *store, call.project(), request));
  JsonWriter json = begin_answer();
  json.key("path").string(cut.path).key("header").string(cut.header).key("level").int64(cut.level);
  json.key("content").string(cut.content).key("cached").boolean(cut.cached);
  write_findings(json, "findings", cut.findings);
  return json.end_object().take();
}

AssessmentScope scope_of(const Call& call) {
  AssessmentScope scope{call.text("scope"), {}};
  for (const JsonItem& item : call.params.find("paths").elements())
    scope.paths.push_back(item.value.as_string().value_or(""));
  return scope;
}

std::string answer(const CachedAssessment& found) {
  JsonWriter json = begin_answer();
  json.key("hit").boolean(found.content.has_value()).key("content");
  found.content ? json.string(*found.content) : json.null();
  json.key("cached_at");
  found.content ? json.string(found.cached_at) : json.null();
  json.key("state").string(found.state);
  write_findings(json, "findings", found.findings);
  return json.end_object().take();
}

Result<std::string> assessment(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(found, find_assessment(call.context, *store, call.project(), scope_of(call)));
  return answer(found);
}

Result<std::string> assess(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(kept, store_assessment(call.context, *store, call.project(), scope_of(call), call.text("content"),
                                      call.text("state")));
  return answer(kept);
}

constexpr std::string_view kAssessment = "hit:boolean content:string? cached_at:time? state:string findings:finding[]";

}  // namespace

std::span<const Operation> cache_operations() {
  static const Parameter scope{
      .name = "scope", .help = "a name for what is assessed", .required = true, .positional = true};
  static const Parameter paths{.name = "paths",
                               .help = "files and directories of the project (default: all of it)",
                               .type = ParamType::array,
                               .shape = "string"};
  static const std::vector<Operation> all{
      {.method = "cache.section",
       .help = "print a section of a Markdown file, cached while the file is unchanged",
       .use = Use::write,
       .parameters = {{.name = "header",
                       .help = "heading of the section, case-insensitive",
                       .required = true,
                       .positional = true},
                      {.name = "module", .help = "the specification of this module"},
                      {.name = "path", .help = "or a file of the project"},
                      {.name = "subtree",
                       .help = "include the sections below it (default: up to the next heading)",
                       .type = ParamType::boolean},
                      project_parameter(false)},
       .result = "path:string header:string level:integer content:string cached:boolean findings:finding[]",
       .handler = section,
       .example = "cache section \"Session Persistence\" --module storage --store lopen:."},
      {.method = "cache.assessment",
       .help = "show what was found about a part of the project, while no file there has changed",
       .use = Use::write,
       .parameters = {scope, paths, project_parameter(false)},
       .result = kAssessment,
       .handler = assessment,
       .example = "cache assessment auth-code --paths '[\"src/auth\"]' --store lopen:."},
      {.method = "cache.assess",
       .help = "store what was found; with `state`, only if nothing has changed since",
       .use = Use::write,
       .parameters = {scope,
                      {.name = "content", .help = "what was found", .required = true, .positional = true},
                      paths,
                      {.name = "state", .help = "state that `cache.assessment` returned before the work began"},
                      project_parameter(false)},
       .result = kAssessment,
       .errors = {Code::conflict},
       .handler = assess,
       .example = "cache assess auth-code \"3 of 5 criteria hold\" --paths '[\"src/auth\"]' --store lopen:."},
  };
  return all;
}

}  // namespace holdfast::inline v1
