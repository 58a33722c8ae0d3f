#include "doors/cli/doctor_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include "api/agents.h"
#include "api/dispatch.h"
#include "api/known_layouts.h"
#include "doors/cli/local_time.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/progress_line.h"
#include "doors/cli/render_cells.h"
#include "doors/cli/terminal.h"
#include "text/clean.h"
#include "text/json_text.h"
#include "text/json_write.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

std::string clean(std::string_view text) { return clean_for_terminal(text, {.one_line = true}); }

std::string lease_line(JsonView lease) {
  const std::string since = json_text(lease, "since");
  const bool run = json_text(lease, "name").starts_with("run-");
  return fmt::format("  {}: process {}, since {}, {}\n", clean(json_text(lease, "name")), json_count(lease, "pid"),
                     since.empty() ? "an unknown time" : clean(local_time(since)),
                     lease.find("alive").as_bool().value_or(false) ? "lives"
                     : run ? "is gone; the next change there marks the run as failed"
                           : "is gone; the session stays interrupted until it is continued");
}

std::string store_lines(JsonView store) {
  const std::uint64_t sessions = json_count(store, "sessions"), bytes = json_count(store, "bytes");
  std::string out = fmt::format("{}  {}\n", agent_of(json_text(store, "layout")), clean(json_text(store, "root")));
  out += "  " + counted(sessions, "session") + (bytes > 0 ? ", " + human_size(bytes) : "");
  const std::string first = local_day(json_text(store, "oldest")), last = local_day(json_text(store, "newest"));
  if (!last.empty()) out += ", " + (first == last ? last : first + " to " + last);
  for (const std::string_view state : {"running", "interrupted"})
    if (const auto count = json_count(store, state); count > 0) out += fmt::format("; {} {}", count, state);
  out += fmt::format("\n  {}", store.find("writable").as_bool().value_or(false) ? "writable" : "read-only");
  if (const std::string mode = json_text(store, "mode"); !mode.empty()) out += "; mode " + mode;
  if (const std::string kind = json_text(store, "file_system"); !kind.empty())
    out += fmt::format("; {}, {} free", kind, human_size(json_count(store, "free_bytes")));
  if (const auto leases = json_count(store, "leases"); leases > 0) out += "; " + counted(leases, "lease");
  out += "\n";
  for (const JsonItem& lease : store.find("holders").elements()) out += lease_line(lease.value);
  return out;
}

// Where stores would be found. The path of the home is private.
std::string place_lines(const Environment& env) {
  const std::string home = env.variable("HOME");
  std::string out;
  for (const AgentPlace& place : searched_places(env)) {
    std::string root = place.root;
    if (home.size() > 1 && root.starts_with(home + "/")) root.replace(0, home.size(), "~");
    out += fmt::format("  {}  {}\n", agent_of(place.layout), clean(root));
  }
  return out;
}

int exit_code_for(JsonView problems) {
  int code = 0;
  for (const JsonItem& problem : problems.elements()) {
    const JsonView kind = problem.value.find("kind");
    if (kind.is_string("unavailable")) code = 5;
    if (kind.is_string("damage") && code == 0) code = 4;
  }
  return code;
}

}  // namespace

std::string doctor_text(JsonView answer, bool colour, std::size_t width, std::uint64_t archived,
                        const std::string& places) {
  const std::string cache = json_text(answer, "cache");
  std::string out =
      painted(colour, "1", "holdfast " + json_text(answer, "version")) + ", " + json_text(answer, "system") + "\n";
  out += fmt::format("cache     {}\n", cache.empty() ? "none" : clean(cache));
  bool any = false;
  for (const JsonItem& file : answer.find("settings").elements()) {
    out += fmt::format("settings  {}\n", clean(file.value.as_string().value_or("")));
    any = true;
  }
  if (!any) out += "settings  none\n";
  any = false;
  for (const JsonItem& store : answer.find("stores").elements()) {
    out += "\n" + store_lines(store.value);
    any = true;
  }
  if (!any && archived > 0)
    out +=
        "\nThere are no agent sessions left on this machine; the archive has " + counted(archived, "session") + ".\n";
  else if (!any)
    out += "\nThere are no stores on this machine.\n" + (places.empty() ? "" : "Holdfast looks for them in\n" + places);
  std::string problems;
  for (const JsonItem& item : answer.find("problems").elements()) {
    const std::string mark = item.value.find("kind").is_string("note") ? "- " : "! ";
    const std::string where = json_text(item.value, "where");
    problems +=
        wrapped(mark, (where.empty() ? "" : clean(where) + ": ") + clean(json_text(item.value, "message")), width);
  }
  if (problems.empty()) return out + "\n" + painted(colour, "1", "Everything is in order.") + "\n";
  return out + "\n" + painted(colour, "1", "Needs attention") + "\n" + problems;
}

Result<int> run_doctor(const RunDoctor& request, bool json, ColourChoice colour) {
  const Interrupts interrupts;
  Context context;
  context.stop = interrupts.token();
  ProgressLine waiting("checking");
  const Environment env = process_environment();
  StoreSettings settings = stores_to_examine(env);
  // Every other command fails with this code.
  const int refused = settings.refused ? exit_code_of(settings.refused->code) : 0;
  settings.progress = [&](std::string_view text) { waiting.tell(text); };
  Stores stores(std::move(settings));
  JsonWriter params;
  params.begin_object();
  if (!request.store.empty()) params.key("store").string(request.store);
  HOLDFAST_LET(answer, dispatch(context, stores, "store.doctor", params.end_object().take()));
  std::uint64_t archived = 0;  // sessions that are listed although there is no store
  if (!json && JsonView(answer).find("stores").elements().empty()) {
    const auto list = dispatch(context, stores, "session.list", R"({"limit":1})");
    if (list) archived = json_count(JsonView(*list), "total");
  }
  waiting.stop();
  const std::size_t width = ::isatty(STDOUT_FILENO) == 1 ? terminal_width() : 0;
  const std::string text = json ? answer + "\n"
                                : doctor_text(JsonView(answer), screen_for(colour, false).colour, width, archived,
                                              request.store.empty() ? place_lines(env) : std::string());
  HOLDFAST_TRY(print_out(text, json ? OutputKind::json : OutputKind::text));
  return refused != 0 ? refused : exit_code_for(JsonView(answer).find("problems"));
}

}  // namespace holdfast::inline v1
