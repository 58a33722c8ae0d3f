// project.*: the directories that a store has data for. Links are resolved: two
// spellings of one directory are one project.
#include "api/records.h"
#include "api/tables.h"
#include "disk/resolve.h"
#include "store/projects.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> add(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(project, add_project(call.context, *store, call.text("project"), call.text("name"), resolve_path));
  return answer_record("project", project);
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(projects, list_projects(call.context, *store));
  return answer_records(call, "projects", projects);
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(path, find_project(call.context, *store, call.text("project"), resolve_path));
  HOLDFAST_LET(project, store->get_record(call.context, {"project", path, {}}));
  return answer_record("project", project);
}

Result<std::string> remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(remove_project(call.context, *store, call.text("project"), resolve_path));
  return begin_answer().key("project").string(call.text("project")).key("deleted").boolean(true).end_object().take();
}

Result<std::string> would_remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(path, find_project(call.context, *store, call.text("project"), resolve_path));
  HOLDFAST_LET(sessions, store->list(call.context, {.project = path, .limit = 1}));
  return "delete the project " + path + " of " + store->name() + " with " + counted(sessions.total, "session") +
         " and its runs and missions for good";
}

Parameter directory_parameter() {
  Parameter parameter = project_parameter(true);
  parameter.positional = true;
  return parameter;
}

}  // namespace

std::span<const Operation> project_operations() {
  static const std::vector<Operation> all{
      {.method = "project.add",
       .help = "register a project; a known project gets the given name and is otherwise unchanged",
       .use = Use::create,
       .parameters = {directory_parameter(),
                      {.name = "name", .help = "default: its current name, or the last part of the path"}},
       .result = "project:project",
       .handler = add,
       .aliases = {{"add_project", {{"path", "project"}}}},
       .example = "project add ."},
      {.method = "project.list",
       .help = "list the projects of a store, newest first",
       .parameters = {limit_parameter(), skip_parameter()},
       .result = "projects:project[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .aliases = {"list_projects"},
       .example = "project list"},
      {.method = "project.get",
       .help = "show a project",
       .parameters = {directory_parameter()},
       .result = "project:project",
       .handler = get,
       .example = "project get ."},
      {.method = "project.remove",
       .help = "delete a project with its sessions, runs and missions",
       .use = Use::write,
       .parameters = {directory_parameter()},
       .result = "project:string deleted:boolean",
       .handler = remove,
       .preview = would_remove,
       .aliases = {{"remove_project", {{"path", "project"}}}},
       .example = "project remove ./old --yes"},
  };
  return all;
}

}  // namespace holdfast::inline v1
