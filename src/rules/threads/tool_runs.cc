#include "rules/threads/tool_runs.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/id.h"
#include "layout/change.h"
#include "model/tally.h"
#include "store/engine.h"
#include "store/record_text.h"
#include "text/json_copy.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::array<std::string_view, 3> kEnds = {"Succeeded", "Failed", "Canceled"};
constexpr std::string_view kRunning = "Running";

Result<void> check_end(std::string_view status) {
  if (std::ranges::find(kEnds, status) != kEnds.end()) return {};
  return fail(Code::invalid_argument,
              "the status of a tool run must be Succeeded, Failed or Canceled, not " + std::string(status));
}

// Both lists in a session's metadata, as raw JSON, so other fields of an entry stay.
struct Runs {
  std::vector<std::string> ended, pending;
};

std::vector<std::string> entries_in(JsonView metadata, std::string_view key) {
  std::vector<std::string> entries;
  for (const JsonItem& item : metadata.find(key).elements()) entries.push_back(compact_json(item.value));
  return entries;
}

std::string array_of(const std::vector<std::string>& entries) {
  JsonWriter json;
  json.begin_array();
  for (const std::string& entry : entries) json.raw(entry);
  return json.end_array().take();
}

std::string spell(const ToolRun& run) {
  JsonWriter json;
  json.begin_object().key("runId").string(run.id).key("toolName").string(run.tool);
  if (run.status != kRunning) json.key("status").string(run.status);
  return json.end_object().take();
}

ToolRun run_of(std::string_view entry) {
  ToolRun run{text_in(entry, "runId"), text_in(entry, "toolName"), text_in(entry, "status")};
  if (run.status.empty()) run.status = kRunning;
  return run;
}

auto find_run(std::vector<std::string>& entries, std::string_view id) {
  return std::ranges::find_if(entries, [&](const std::string& entry) { return text_in(entry, "runId") == id; });
}

Result<Runs> runs_of(const Layout& layout, Feed& feed, const SessionRef& ref) {
  Tally tally;
  HOLDFAST_LET(head, layout.read_head(feed, ref, tally));
  if (!head) HOLDFAST_TRY(layout.read(feed, ref, {.whole = false}, tally));
  Session session;
  tally.finish(session);
  const JsonView metadata(session.metadata);
  return Runs{entries_in(metadata, "toolRuns"), entries_in(metadata, "pendingToolRuns")};
}

// Reads, changes and saves both lists in one step.
template <typename Change>
Result<void> change_runs(const Context& context, Store& store, std::string_view session, const Change& change) {
  HOLDFAST_LET(engine, engine_of(store));
  return engine->update_by(context, session, [&](DirectoryFeed& feed, const SessionRef& ref) -> Result<SessionPatch> {
    HOLDFAST_LET(runs, runs_of(engine->layout(), feed, ref));
    HOLDFAST_TRY(change(runs));
    JsonWriter json;
    json.begin_object().key("toolRuns").raw(array_of(runs.ended)).key("pendingToolRuns");
    runs.pending.empty() ? json.null() : json.raw(array_of(runs.pending));
    SessionPatch patch;
    patch.metadata = json.end_object().take();
    return patch;
  });
}

Failure taken(const ToolRun& run) {
  return fail(Code::already_exists, "tool run " + run.id + " already exists: " + run.tool + ", " + run.status);
}

}  // namespace

Result<ToolRun> add_tool_run(const Context& context, Store& store, std::string_view session, ToolRun run) {
  HOLDFAST_LET(engine, engine_of(store));
  if (run.status.empty()) run.status = kRunning;
  if (run.status != kRunning) HOLDFAST_TRY(check_end(run.status));
  if (run.tool.empty()) return fail(Code::invalid_argument, "a tool run needs the name of its tool");
  if (run.id.empty()) run.id = make_id("tool", engine->moment(context).entropy(), 10);
  HOLDFAST_TRY(change_runs(context, store, session, [&](Runs& runs) -> Result<void> {
    for (std::vector<std::string>* list : {&runs.ended, &runs.pending}) {
      const auto there = find_run(*list, run.id);
      if (there == list->end()) continue;
      const ToolRun old = run_of(*there);
      if (old.tool == run.tool && old.status == run.status) return {};
      return taken(old);
    }
    (run.status == kRunning ? runs.pending : runs.ended).push_back(spell(run));
    return {};
  }));
  return run;
}

Result<ToolRun> finish_tool_run(const Context& context, Store& store, std::string_view session, std::string_view run,
                                std::string_view status) {
  HOLDFAST_TRY(check_end(status));
  ToolRun done;
  HOLDFAST_TRY(change_runs(context, store, session, [&](Runs& runs) -> Result<void> {
    if (const auto there = find_run(runs.ended, run); there != runs.ended.end()) {
      done = run_of(*there);
      if (done.status == status) return {};
      return taken(done);
    }
    const auto begun = find_run(runs.pending, run);
    if (begun == runs.pending.end()) return fail(Code::not_found, "there is no tool run " + std::string(run));
    done = run_of(*begun);
    done.status = status;
    runs.pending.erase(begun);
    runs.ended.push_back(spell(done));
    return {};
  }));
  return done;
}

Result<std::vector<ToolRun>> list_tool_runs(const Context& context, Store& store, std::string_view session) {
  HOLDFAST_LET(engine, engine_of(store));
  DirectoryFeed feed = engine->looking(context);
  HOLDFAST_LET(ref, engine->resolve(context, feed, session, Naming::prefix));
  HOLDFAST_LET(runs, runs_of(engine->layout(), feed, ref));
  std::vector<ToolRun> all;
  for (const std::string& entry : runs.ended) all.push_back(run_of(entry));
  for (const std::string& entry : runs.pending) all.push_back(run_of(entry));
  return all;
}

std::string snapshot_state(JsonView snapshot) {
  if (auto kind = snapshot.find("kind").as_string()) return *kind;
  std::string words;
  for (const char letter : snapshot.find("state").as_string().value_or("")) {
    if (is_ascii_upper(letter) && !words.empty()) words += '_';
    words += ascii_lower(letter);
  }
  return words;
}

std::size_t snapshot_pending(JsonView snapshot) {
  const JsonView snake = snapshot.find("pending_tool_calls");
  std::size_t count = 0;
  for ([[maybe_unused]] const JsonItem& item : (snake ? snake : snapshot.find("pendingToolCalls")).elements()) ++count;
  return count;
}

}  // namespace holdfast::inline v1
