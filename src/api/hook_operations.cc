// hooks.*: hooks that an agent runs by itself, which tell its sessions the state of a project's work, and capture what
// they wrote.
#include "api/agent_settings.h"
#include "api/archive_access.h"
#include "api/archive_capture.h"
#include "api/call.h"
#include "api/records.h"
#include "api/tables.h"
#include "layout/agent_home.h"
#include "layout/layout.h"
#include "rules/initiative/two_layer.h"
#include "rules/initiative/workflow_view.h"
#include "store/projects.h"
#include "text/json_copy.h"

namespace holdfast::inline v1 {
namespace {

const Layout* agent_of(const Call& call) {
  const Layout* const layout = find_layout(call.text("agent"));
  return layout != nullptr && layout->home() != nullptr && layout->home()->hooks.add != nullptr ? layout : nullptr;
}

std::string settings_path(const Call& call, const Layout& layout) {
  const AgentHome& home = *layout.home();
  if (call.has("project")) return call.project() + "/" + std::string(home.hooks.project_file);
  // The agent's own directory, where its sessions are.
  for (const StoreOptions& store : call.stores.settings().defaults) {
    const auto root = store.roots.find("");
    if (store.layout == layout.name() && root != store.roots.end())
      return root->second + "/" + std::string(home.hooks.file);
  }
  return call.stores.settings().person + "/" + std::string(home.place.folder) + "/" + std::string(home.hooks.file);
}

Result<void> check_no_store(const Call& call) {
  if (!call.has("store")) return {};
  return fail(Code::invalid_argument, "hooks belong to an agent, not to a store");
}

// A misspelled project must not be created. It may belong to anybody.
Result<void> check_project(const Call& call) {
  const auto there = call.stores.settings().files->open_directory(call.project(), false);
  if (there || there.error().code == Code::unsafe_path) return {};
  return fail(there.error());
}

Result<SettingsEdit> edit_for(const Call& call) {
  HOLDFAST_TRY(check_no_store(call));
  const Layout* const layout = agent_of(call);
  if (layout == nullptr) return fail(Code::invalid_argument, "no hooks are known for " + call.text("agent"));
  if (call.has("project")) HOLDFAST_TRY(check_project(call));
  HOLDFAST_LET(file, read_settings_file(call, settings_path(call, *layout)));
  const AgentHooks& hooks = layout->home()->hooks;
  const bool adds = call.operation.verb() == "install";
  auto next = adds                  ? hooks.add(file.bytes, call.text("program"), call.flag("capture"))
              : !file.bytes.empty() ? hooks.remove(file.bytes)
                                    : Result<std::string>(std::string());
  if (!next && next.error().path.empty()) next.error().path = file.path;
  if (!next) return fail(std::move(next).error());
  return edit_settings(std::move(file), std::move(*next));
}

Result<std::string> change(Call& call) {
  HOLDFAST_LET(edit, edit_for(call));
  HOLDFAST_TRY(write_settings(call, edit));
  JsonWriter json = begin_answer();
  json.key("agent").string(call.text("agent")).key("file").string(edit.file.path);
  return json.key("changed").boolean(edit.changes()).end_object().take();
}

// The piece of the longer document that the shorter one lacks.
std::string added_in(std::string_view longer, std::string_view shorter) {
  const std::string more = longer.empty() ? "{}" : compact_json(JsonView(longer));
  const std::string less = shorter.empty() ? "{}" : compact_json(JsonView(shorter));
  std::size_t front = 0, back = 0;
  while (front < less.size() && more[front] == less[front]) ++front;
  while (back < less.size() - front && more[more.size() - 1 - back] == less[less.size() - 1 - back]) ++back;
  std::string_view text = std::string_view(more).substr(front, more.size() - front - back);
  while (text.starts_with(',')) text.remove_prefix(1);
  return std::string(text);
}

Result<std::string> would_change(Call& call) {
  HOLDFAST_LET(edit, edit_for(call));
  const bool adds = call.operation.verb() == "install";
  if (!edit.changes())
    return "do nothing: " + edit.file.path + (adds ? " already has the hook" : " has no Holdfast hook");
  if (adds &&
      agent_of(call)->home()->hooks.add(edit.file.bytes, {}, call.flag("capture")) == edit.file.bytes)  // there is one
    return "make the hook in " + edit.file.path + " run " + call.text("program");
  return (adds ? "add to " : "remove from ") + edit.file.path + ": " +
         (adds ? added_in(edit.next, edit.file.bytes) : added_in(edit.file.bytes, edit.next));
}

std::string answer_text(std::string_view format, std::string_view text) {
  return begin_answer().key("format").string(format).key("text").string(text).end_object().take();
}

// The store of workflow state in that project; nullopt if it has none, which is not an error.
std::optional<StoreOptions> state_in(const Call& call, const std::string& project) {
  const auto directory = call.stores.settings().files->open_directory(project, false);
  if (!directory) return std::nullopt;
  for (const Layout* const layout : layouts()) {
    if (layout->shape("initiative") == nullptr || layout->home() == nullptr) continue;
    for (const std::string_view mark : layout->home()->marks) {
      if (mark.empty() || !(*directory)->exists(mark)) continue;
      StoreOptions options;
      options.layout = layout->name();
      options.roots[""] = project;
      return options;
    }
  }
  return std::nullopt;
}

// Captures what is new, at the end of a session. archive.status shows what could not be captured.
Result<void> capture(const Call& call) {
  HOLDFAST_LET(path, archive_path(call));
  HOLDFAST_TRY(capture_now(call, path));
  return {};
}

// Returns what the agent reads at the start of a session. Errors become part of that text and never stop a session.
Result<std::string> run(Call& call) {
  HOLDFAST_TRY(check_no_store(call));
  if (call.flag("capture")) {
    const auto captured = capture(call);
    return answer_text("text", captured ? "" : "! " + captured.error().text() + "\n");
  }
  const std::string project = call.project();
  const auto state = project.starts_with('/') ? state_in(call, project) : std::nullopt;
  if (!state) return answer_text("text", "");
  const auto told = [&]() -> Result<std::string> {
    HOLDFAST_LET(store, call.stores.open(call.context, *state, Use::write));
    std::string notes;
    if (const auto resumed = resume_initiative(call.context, *store, {}, {}, false)) {
      for (const std::string& line : resumed->corrections) notes += line + "\n";
      for (const std::string& line : resumed->outcome.warnings) notes += "! " + line + "\n";
    }
    HOLDFAST_LET(view, view_workflow(call.context, *store, {}));
    return JsonView(view).find("text").as_string().value_or("") + notes;
  }();
  return answer_text("text", told ? *told : "! " + told.error().text() + "\n");
}

Result<std::string> text(Call& call) {
  const Layout* const layout = agent_of(call);
  if (layout == nullptr) return fail(Code::invalid_argument, "no hooks are known for " + call.text("agent"));
  return answer_text("md", layout->home()->hooks.text);
}

std::vector<std::string_view> agents_with_hooks() {
  std::vector<std::string_view> names;
  for (const Layout* const layout : layouts())
    if (layout->home() != nullptr && layout->home()->hooks.add != nullptr) names.push_back(layout->name());
  return names;
}

}  // namespace

std::span<const Operation> hook_operations() {
  static const Parameter agent{
      .name = "agent", .help = "name of the agent", .required = true, .positional = true, .words = agents_with_hooks()};
  static const Parameter project{
      .name = "project", .help = "install into this project's settings (default: your own)", .path = true};
  static const std::vector<Operation> all{
      {.method = "hooks.install",
       .help = "make an agent start its sessions with the state of the project's workflow",
       .use = Use::write,
       .parameters = {agent,
                      project,
                      {.name = "program", .help = "command to run (default: holdfast)"},
                      {.name = "capture",
                       .help = "also capture what is new into the archive whenever a session ends",
                       .type = ParamType::boolean}},
       .result = "agent:string file:string changed:boolean",
       .handler = change,
       .preview = would_change,
       .example = "hooks install claude-code --yes"},
      {.method = "hooks.uninstall",
       .help = "remove the hooks from an agent's settings",
       .use = Use::write,
       .parameters = {agent, project},
       .result = "agent:string file:string changed:boolean",
       .handler = change,
       .preview = would_change,
       .example = "hooks uninstall claude-code --yes"},
      {.method = "hooks.run",
       .help = "print the state of a project's workflow, or nothing if there is none; this is what the hook runs",
       .use = Use::write,
       .parameters = {agent,
                      {.name = "project", .help = "directory of the project", .required = true, .path = true},
                      {.name = "capture",
                       .help = "instead capture what is new into the archive; this is what the hook at a session's end "
                               "runs",
                       .type = ParamType::boolean}},
       .result = "format:string text:string",
       .handler = run,
       .example = "hooks run claude-code --project ."},
      {.method = "hooks.text",
       .help = "print instructions for an agent that explain the commands",
       .use = Use::nothing,
       .parameters = {agent},
       .result = "format:string text:string",
       .handler = text,
       .example = "hooks text claude-code"},
  };
  return all;
}

}  // namespace holdfast::inline v1
