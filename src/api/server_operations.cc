// mcp.install, mcp.uninstall: add `holdfast mcp` to an agent's own settings, and remove it.
#include "api/server_operations.h"

#include "api/agent_settings.h"
#include "layout/agent_home.h"
#include "layout/layout.h"
#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_settings.h"
#include "text/toml_edit.h"
#include "text/toml_value.h"
#include "text/trim.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kName = "holdfast";

bool takes_servers(const Layout& layout) {
  return layout.home() != nullptr && layout.home()->servers.format != AgentServers::Format::none;
}

std::string agents_with_servers() {
  std::string names;
  for (const Layout* const layout : layouts())
    if (takes_servers(*layout)) (names += names.empty() ? "" : ", ") += layout->name();
  return names;
}

// Why the settings of this agent are not edited, and what to do by hand.
std::string refusal(const Call& call, const Layout& layout) {
  std::string text(layout.agent());
  const std::string_view by_hand = layout.home() == nullptr ? std::string_view() : layout.home()->servers.by_hand;
  if (call.operation.verb() == "uninstall")
    text +=
        " has no MCP settings that Holdfast can edit; if you added the server named holdfast there, remove it by hand";
  else if (by_hand.empty())
    text +=
        " has no MCP settings that Holdfast can edit; if it takes servers, add one with the command holdfast and the "
        "argument mcp by hand";
  else
    text.append(" ").append(by_hand);
  return text + " (Holdfast can edit those of " + agents_with_servers() + ")";
}

Result<const Layout*> agent_of(const Call& call) {
  if (call.has("store")) return fail(Code::invalid_argument, "servers belong to an agent, not to a store");
  const std::string name = call.text("agent");
  const Layout* const layout = find_layout(name);
  if (layout == nullptr) return fail(Code::invalid_argument, "there is no agent " + name);
  if (!takes_servers(*layout)) return fail(Code::unsupported, refusal(call, *layout));
  return layout;
}

std::string settings_path(const Call& call, const Layout& layout, std::string_view below) {
  const AgentHome& home = *layout.home();
  const StoreSettings& settings = call.stores.settings();
  const std::string file(below);
  const auto variable = [&](std::string_view name) {
    const std::string value = settings.variable && !name.empty() ? settings.variable(name) : std::string();
    return value.starts_with('/') ? value : std::string();
  };
  const std::string own = variable(home.place.variable);
  switch (home.servers.from) {
    case AgentServers::From::person: return (own.empty() ? settings.person : own) + "/" + file;
    case AgentServers::From::config: {
      const std::string config = variable("XDG_CONFIG_HOME");
      return (config.empty() ? settings.person + "/.config" : config) + "/" + file;
    }
    case AgentServers::From::own: break;
  }
  return (own.empty() ? settings.person + "/" + std::string(home.place.folder) : own) + "/" + file;
}

// Adds it as a separate table, which can be removed as a whole.
Result<std::string> with_table(std::string doc, const AgentServers& servers) {
  for (const JsonItem& field : JsonView(servers.entry).fields()) {
    const std::string key = field.key();
    HOLDFAST_LET(more, toml_set(doc, {servers.key, kName, key}, field.value.raw()));
    doc = std::move(more);
  }
  return doc;
}

// Removes the table. If it was the last one in the file, also removes the blank line that was added before it, and the
// end of the line above if the file has none at its own end.
Result<std::string> without_table(const std::string& doc, const AgentServers& servers) {
  HOLDFAST_LET(rest, toml_remove(doc, {servers.key, kName}));
  if (rest.size() == doc.size() || !doc.starts_with(rest)) return rest;
  const auto drop_end = [&](std::string_view before) {
    for (const std::string_view end : {std::string_view("\r\n"), std::string_view("\n")})
      if (rest.ends_with(std::string(before).append(end))) return rest.resize(rest.size() - end.size());
  };
  drop_end("\n");
  if (!doc.ends_with('\n')) drop_end("");
  return rest;
}

// Also removes the list of servers if ours was the only one.
Result<std::string> without_entry(std::string_view bytes, JsonView root, const AgentServers& servers) {
  if (!root.find(servers.key).find(kName)) return std::string(bytes);
  HOLDFAST_LET(rest, json_remove(bytes, {servers.key, kName}));
  HOLDFAST_LET(left, parse_json_settings(rest));
  return left.find(servers.key).fields().empty() ? json_remove(rest, {servers.key}) : Result<std::string>(rest);
}

// The server of our name that the settings have, as JSON; empty if they have none. Fails if they have something else
// where it belongs.
Result<std::string> server_in(const std::string& bytes, const AgentServers& servers) {
  if (trim(bytes).empty()) return std::string();
  std::string json;
  JsonView root;
  if (servers.format == AgentServers::Format::toml) {
    HOLDFAST_LET(converted, toml_to_json(bytes));
    json = std::move(converted);
    root = JsonView(json);
  } else {
    HOLDFAST_LET(parsed, parse_json_settings(bytes));
    root = parsed;
  }
  const JsonView all = root.find(servers.key), server = all.find(kName);
  HOLDFAST_TRY(check_setting(all, JsonKind::object, servers.key));
  HOLDFAST_TRY(check_setting(server, JsonKind::object, std::string(servers.key) + "." + std::string(kName)));
  return server ? compact_json(server) : std::string();
}

Result<std::string> edited(const SettingsFile& file, const AgentServers& servers, bool adds) {
  if (!adds && !file.there) return std::string();
  if (servers.format == AgentServers::Format::toml)
    return adds ? with_table(file.bytes, servers) : without_table(file.bytes, servers);
  if (trim(file.bytes).empty() && !adds) return file.bytes;
  const std::string_view bytes = trim(file.bytes).empty() ? std::string_view("{}\n") : std::string_view(file.bytes);
  HOLDFAST_LET(root, parse_json_settings(bytes));
  if (!adds) return without_entry(bytes, root, servers);
  return json_set(bytes, {servers.key, kName}, servers.entry);
}

// Whether a member of our name is there. Of a file with comments nothing more is known.
bool names_server(std::string_view bytes) {
  const std::string key = JsonWriter().string(kName).take();
  for (std::size_t at = bytes.find(key); at != std::string_view::npos; at = bytes.find(key, at + 1))
    if (trim(bytes.substr(at + key.size())).starts_with(':')) return true;
  return false;
}

bool has_server(const SettingsFile& file, const AgentServers& servers, bool adds) {
  const auto server = server_in(file.bytes, servers);
  return server ? !server->empty() : !adds && names_server(file.bytes);
}

// Of several files that the agent reads, the one that has our server, else the first that exists.
Result<SettingsFile> settings_with_servers(const Call& call, const Layout& layout, bool adds) {
  const AgentServers& servers = layout.home()->servers;
  HOLDFAST_LET(file, read_settings_file(call, settings_path(call, layout, servers.file)));
  if (servers.or_file.empty() || (file.there && has_server(file, servers, adds))) return file;
  auto other = read_settings_file(call, settings_path(call, layout, servers.or_file));
  if (file.there) return other && other->there && has_server(*other, servers, adds) ? std::move(*other) : file;
  if (!other) return fail(std::move(other).error());
  return other->there ? std::move(*other) : file;
}

// What a person can do with settings that cannot be edited without losing something.
std::string advice(const AgentServers& servers, bool adds) {
  const std::string name = JsonWriter().string(kName).take(), key = JsonWriter().string(servers.key).take();
  return adds ? "; add " + key + ": {" + name + ": " + std::string(servers.entry) + "} to it by hand"
              : "; remove " + name + " from its " + key + " by hand";
}

struct ServerEdit {
  SettingsEdit settings;
  std::string kept = {};  // why a server that differs from ours stays; empty if there is none
};

// A server of our name that is there stays as it is: a person may have given it other options.
Result<ServerEdit> edit_for(const Call& call) {
  HOLDFAST_LET(layout, agent_of(call));
  const AgentServers& servers = layout->home()->servers;
  const bool adds = call.operation.verb() == "install";
  HOLDFAST_LET(file, settings_with_servers(call, *layout, adds));
  ServerEdit edit;
  auto next = [&]() -> Result<std::string> {
    if (!adds) return edited(file, servers, adds);
    HOLDFAST_LET(there, server_in(file.bytes, servers));
    if (there.empty()) return edited(file, servers, adds);
    if (there != compact_json(JsonView(servers.entry)))
      edit.kept = file.path +
                  " already has a server named holdfast with other settings, which stay; to replace it, run holdfast "
                  "mcp uninstall " +
                  call.text("agent") + " first";
    return file.bytes;
  }();
  if (!next) {
    Error error = next.error();
    if (error.path.empty()) error.path = file.path;
    if (error.code == Code::corrupt && servers.format == AgentServers::Format::json)
      error.message += advice(servers, adds);
    return fail(std::move(error));
  }
  HOLDFAST_LET(settings, edit_settings(std::move(file), std::move(*next)));
  edit.settings = std::move(settings);
  return edit;
}

Result<std::string> change(Call& call) {
  HOLDFAST_LET(edit, edit_for(call));
  HOLDFAST_TRY(write_settings(call, edit.settings));
  JsonWriter json = begin_answer();
  json.key("agent").string(call.text("agent")).key("file").string(edit.settings.file.path);
  json.key("changed").boolean(edit.settings.changes());
  if (!edit.kept.empty()) json.key("warnings").begin_array().string(edit.kept).end_array();
  return json.end_object().take();
}

Result<std::string> would_change(Call& call) {
  HOLDFAST_LET(edit, edit_for(call));
  HOLDFAST_LET(layout, agent_of(call));
  const bool adds = call.operation.verb() == "install";
  const std::string& path = edit.settings.file.path;
  if (!edit.kept.empty()) return "do nothing: " + edit.kept;
  if (!edit.settings.changes())
    return "do nothing: " + path + (adds ? " already has the server" : " has no Holdfast server");
  const AgentServers& servers = layout->home()->servers;
  return (adds ? "add to " : "remove from ") + path + ": " + std::string(servers.key) + "." + std::string(kName) +
         " = " + std::string(servers.entry);
}

}  // namespace

std::span<const Operation> server_operations() {
  static const Parameter agent{.name = "agent", .help = "name of the agent", .required = true, .positional = true};
  static const std::vector<Operation> all{
      {.method = "mcp.install",
       .help = "add holdfast mcp to an agent's settings; everything else there stays",
       .use = Use::write,
       .parameters = {agent},
       .result = "agent:string file:string changed:boolean",
       .errors = {Code::unsupported},
       .handler = change,
       .preview = would_change,
       .example = "mcp install codex --yes"},
      {.method = "mcp.uninstall",
       .help = "remove holdfast mcp from an agent's settings",
       .use = Use::write,
       .parameters = {agent},
       .result = "agent:string file:string changed:boolean",
       .errors = {Code::unsupported},
       .handler = change,
       .preview = would_change,
       .example = "mcp uninstall codex --yes"},
  };
  return all;
}

}  // namespace holdfast::inline v1
