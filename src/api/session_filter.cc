#include "api/session_filter.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "api/machines.h"
#include "api/remote_query.h"
#include "base/ascii.h"
#include "base/time.h"
#include "layout/layout.h"
#include "model/archived_status.h"
#include "model/time_formats.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

// The minutes of an age like "36h"; nullopt if the text is not an age.
std::optional<std::int64_t> age_of(std::string_view text) {
  if (text.size() < 2 || text.size() > 6) return std::nullopt;
  constexpr std::pair<char, std::int64_t> kUnits[] = {{'m', 1}, {'h', 60}, {'d', 24 * 60}, {'w', 7 * 24 * 60}};
  std::int64_t number = 0;
  const char* const end = text.data() + text.size() - 1;
  if (std::from_chars(text.data(), end, number).ptr != end || number < 0) return std::nullopt;
  for (const auto& [unit, minutes] : kUnits) {
    if (text.back() == unit) return number * minutes;
  }
  return std::nullopt;
}

Failure no_such_agent(std::string_view what, const std::string& text, const std::vector<const Layout*>& among) {
  std::string known;
  for (const Layout* one : among) (known += known.empty() ? "" : ", ") += one->name();
  return fail(Code::invalid_argument, std::string(what) + " \"" + text + "\"; " +
                                          (among.size() == layouts().size() ? "known names are " : "it could be ") +
                                          known);
}

// Finds a layout by its name, its agent's name, or the beginning of either: "claude", "gemini cli", "GitHub Copilot".
Result<std::string> agent_meant(const std::string& text) {
  std::vector<const Layout*> begin, within, all;
  const std::string typed = in_lower_case(text);
  for (const Layout* one : layouts()) {
    all.push_back(one);
    const std::string name = in_lower_case(one->name()), agent = in_lower_case(one->agent());
    if (typed == name || typed == agent) return std::string(one->name());
    if (name.starts_with(typed) || agent.starts_with(typed)) begin.push_back(one);
    if (agent.find(" " + typed) != std::string::npos) within.push_back(one);  // a later word begins with it
  }
  if (begin.empty()) begin = std::move(within);
  if (begin.size() == 1 && !typed.empty()) return std::string(begin.front()->name());
  return begin.empty() || typed.empty() ? no_such_agent("there is no agent", text, all)
                                        : no_such_agent("more than one agent begins with", text, begin);
}

bool reads_archive(const Call& call) {
  return !call.has("store") && (!call.has("machine") || call.text("machine") == "all");
}

}  // namespace

std::optional<Error> archive_error(const Call& call) {
  return reads_archive(call) ? call.stores.archive_error() : std::nullopt;
}

Result<std::string> moment_of(const Call& call, std::string_view name) {
  const std::string text = call.text(name);
  if (text.empty()) return std::string();
  if (const auto age = age_of(text)) return iso8601(call.context.clock->now() - std::chrono::minutes(*age));
  const bool day = text.size() == 10;
  std::string when = to_iso_time(day ? text + (name != "since" ? "T23:59:59.999Z" : "T00:00:00Z") : text);
  if (when.empty())
    return fail(Code::invalid_argument, std::string(name) + " takes a time (2026-11-15, 2026-11-15T08:00:00Z) or an " +
                                            "age (90m, 36h, 7d, 2w), not \"" + text + "\"");
  // A day is a day in the user's time zone.
  const auto& offset = call.stores.settings().utc_offset;
  const auto begins = day && offset ? parse_iso8601(when) : std::nullopt;
  return begins ? iso8601(*begins - offset(*begins)) : when;
}

Result<std::string> requested_layout(const Call& call) {
  std::string layout = call.text("layout");
  if (!layout.empty() && find_layout(layout) == nullptr) {
    const auto all = layouts();
    return no_such_agent("there is no layout", layout, {all.begin(), all.end()});
  }
  if (!call.has("agent")) return layout;
  HOLDFAST_LET(agent, agent_meant(call.text("agent")));
  if (!layout.empty() && layout != agent)
    return fail(Code::invalid_argument, "layout and agent name different agents: " + layout + " and " + agent);
  return agent;
}

Parameter machines_parameter() {
  return {.name = "machine", .help = "sessions from this other machine, as fetched by sync; all for every machine"};
}

Parameter machine_parameter() {
  return {.name = "machine",
          .help = "read the session from this other machine, as fetched by sync; all: from any machine"};
}

Result<MachineStores> all_stores_of_machine(const Call& call, std::string_view layout) {
  HOLDFAST_LET(view, call.stores.machines().look(call.context, call.stores, call.text("machine")));
  for (auto* const stores : {&view.stores, &view.kept})
    if (!layout.empty()) std::erase_if(*stores, [&](const StoreOptions& one) { return one.layout != layout; });
  MachineStores found{std::move(view.stores)};
  found.listed = found.all.size();
  std::ranges::move(view.kept, std::back_inserter(found.all));
  return found;
}

Result<std::vector<StoreOptions>> stores_of_machine(const Call& call, std::string_view layout) {
  HOLDFAST_LET(found, all_stores_of_machine(call, layout));
  found.all.resize(found.listed);
  return std::move(found.all);
}

std::vector<Parameter> filter_parameters() {
  return {{.name = "agent",
           .help = "only sessions of this agent: claude, codex, \"Gemini CLI\"; a prefix is enough",
           .letter = 'a'},
          {.name = "project",
           .help = "only sessions in this directory or below, or in projects whose name starts with this",
           .path = true,
           .or_name = true},
          {.name = "since",
           .help = "only sessions changed at or after this time: a local day, ISO-8601, or an age like 7d"},
          {.name = "until", .help = "only sessions changed at or before this time"},
          {.name = "status",
           .help = "only sessions with this status",
           .words = {"running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"}},
          {.name = "archived",
           .help = "only sessions archived by their agent, or kept only in Holdfast's archive",
           .type = ParamType::boolean},
          {.name = "layout", .help = "only stores with this layout"},
          machines_parameter(),
          remote_parameter(),
          {.name = "subagents",
           .help = "include sessions of sub-agents (default); --no-subagents leaves them out",
           .type = ParamType::boolean}};
}

Result<SessionFilter> filter_of(const Call& call) {
  SessionFilter filter;
  const auto with_those_below = [](std::string path) {
    return path.starts_with('/') && !path.ends_with('/') ? path + "/" : path;
  };
  filter.project = with_those_below(call.project());
  if (const std::string given = with_those_below(call.text("project")); given != filter.project)
    filter.also_project = given;
  HOLDFAST_LET(since, moment_of(call, "since"));
  HOLDFAST_LET(until, moment_of(call, "until"));
  filter.since = std::move(since);
  filter.until = std::move(until);
  if (call.has("status")) filter.status = status_of(call.text("status"));
  if (call.flag("archived")) {
    if (filter.status && *filter.status != kArchivedStatus)
      return fail(Code::invalid_argument, "archived and status name different statuses: archived and " +
                                              std::string(status_name(*filter.status)));
    filter.status = kArchivedStatus;
  }
  filter.subagents = call.flag("subagents", true);
  return filter;
}

Result<std::vector<StoreOptions>> stores_of(const Call& call) {
  HOLDFAST_LET(layout, requested_layout(call));
  if (call.has("machine") && call.text("machine") != "all") return stores_of_machine(call, layout);
  auto stores = call.stores.meant(call.text("store"), layout, Use::read);
  if (!stores && stores.error().code == Code::not_found) stores.emplace();  // no store, so no session
  if (stores && reads_archive(call))
    std::ranges::move(call.stores.archived(call.context, layout), std::back_inserter(*stores));
  if (stores && call.has("machine")) {
    HOLDFAST_LET(others, stores_of_machine(call, layout));
    std::ranges::move(others, std::back_inserter(*stores));
  }
  return stores;
}

OpenedStores open_to_read(const Call& call, const std::vector<StoreOptions>& stores) {
  OpenedStores opened;
  for (const StoreOptions& options : stores) opened.push_back(call.stores.open(call.context, options, Use::read));
  return opened;
}

void report_progress(const Call& call, std::size_t done, std::size_t of) {
  if (const auto& tell = call.stores.settings().progress)
    tell("read " + std::to_string(done) + " of " + std::to_string(of) + " stores");
}

Finding left_out(const StoreOptions& store, const Error& error) {
  const std::string name = store_name(store);
  const bool said = error.path.empty() || name.ends_with(":" + error.path) || error.message.contains(error.path);
  return {.file = name,
          .kind = std::string(code_name(error.code)),
          .consequence = "this store is left out: " + error.message + (said ? "" : " (" + error.path + ")")};
}

Result<void> add_absent_finding(const Call& call, std::vector<Finding>& findings) {
  if (!call.has("machine")) return {};
  HOLDFAST_LET(view, call.stores.machines().look(call.context, call.stores, call.text("machine")));
  std::map<std::string, std::size_t> missing;  // by machine
  for (const AbsentSession& session : view.not_here) ++missing[session.machine];
  for (const auto& [machine, count] : missing)
    findings.push_back({.file = machine,
                        .kind = std::string(code_name(Code::not_found)),
                        .consequence = counted(count, "session") + " of " + machine + (count == 1 ? " is" : " are") +
                                       " not here and left out; run holdfast sync --fetch all to fetch " +
                                       (count == 1 ? "it" : "them")});
  return {};
}

bool is_absent_default_store(const Call& call, const Error& error) {
  return error.code == Code::not_found && !call.has("store") && call.stores.settings().current_defaults != nullptr;
}

}  // namespace holdfast::inline v1
