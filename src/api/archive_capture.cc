#include "api/archive_capture.h"

#include <algorithm>
#include <chrono>
#include <span>

#include "api/forget.h"
#include "api/guarded.h"
#include "api/notes.h"
#include "api/session_filter.h"
#include "archive/archive_writer.h"
#include "archive/capture_removed_files.h"
#include "archive/damaged_chunks.h"
#include "archive/heal_chunks.h"
#include "archive/lost_lines.h"
#include "archive/rewrite_archive.h"
#include "base/own_folder.h"
#include "base/time.h"
#include "layout/agent_home.h"
#include "layout/layout.h"
#include "store/engine.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kNoted = 20;  // findings
constexpr auto kResumeWait = std::chrono::seconds(5);
constexpr auto kResumePause = std::chrono::milliseconds(20);

// `missed`: what could not be captured. `error`: why the run failed, or nullptr.
std::string run_json(const CaptureReport& report, std::span<const Finding> missed, std::uint64_t added,
                     std::string_view at, const Error* error) {
  JsonWriter json;
  json.begin_object().key("at").string(at).key("sessions").uint64(report.sessions);
  json.key("captured").uint64(report.captured).key("added_bytes").uint64(added);
  json.key("missed").boolean(report.missed).key("out_of_space").boolean(report.out_of_space);
  json.key("no_room").uint64(report.no_room);
  if (error != nullptr) {
    const bool said = error->path.empty() || error->message.contains(error->path);
    json.key("failed").string(error->message + (said ? "" : " (" + error->path + ")"));
  }
  const auto noted = missed.first(std::min(missed.size(), kNoted));
  write_findings(json, "findings", {noted.begin(), noted.end()});
  json.key("more_findings").uint64(missed.size() - noted.size());
  return json.end_object().take();
}

bool ends_run(Code code) {
  return code == Code::poisoned || code == Code::durability_unknown || code == Code::out_of_memory;
}

Result<void> capture_stores(const Call& call, const std::vector<StoreOptions>& stores, ArchiveWriter& writer,
                            StoreWatch* watch, CaptureReport& report) {
  const auto& tell = call.stores.settings().progress;
  const ArchiveRules rules = archive_rules(call);
  for (const StoreOptions& options : stores) {
    if (is_excluded(rules, options.layout, {})) continue;
    const auto progress = [&](const CaptureReport& so_far) {
      if (tell)
        tell("capturing " + store_name(options) + ": " + std::to_string(so_far.sessions) + " sessions, " +
             std::to_string(so_far.captured) + " new");
    };
    const Layout* const layout = find_layout(options.layout);
    const auto root = options.roots.find("");
    if (watch != nullptr && layout != nullptr && root != options.roots.end())
      watch->expect(*call.stores.settings().files, *layout, root->second);
    auto store = call.stores.open(call.context, options, Use::read);
    // An agent with a folder but no session yet has nothing to capture.
    if (!store && is_absent_default_store(call, store.error())) continue;
    const auto capture = [&]() -> Result<void> {
      if (!store) return fail(store.error());
      auto* const engine = engine_or_null(**store);
      if (watch != nullptr && engine != nullptr)
        HOLDFAST_TRY(capture_removed_files(call.context, *engine, *watch, writer, rules, report));
      HOLDFAST_TRY(capture_store(call.context, **store, writer, rules, report, progress));
      if (watch != nullptr && engine != nullptr) watch->add(*engine, writer.state());
      return {};
    };
    auto done = without_exceptions(capture);
    HOLDFAST_TRY(call.context.check());
    if (!done && (done.error().code == Code::disk_full || ends_run(done.error().code))) return done;
    if (!done) {
      report.missed = true;
      report.findings.push_back(left_out(options, done.error()));
    }
    if (report.out_of_space) break;
  }
  return {};
}

// For what must be recorded although the call was cancelled.
Context context_after(const Call& call) {
  return call.context.stop.stop_requested() ? Context{.clock = call.context.clock} : call.context;
}

bool has_archive(FileSystem& files, const std::string& path) {
  const auto there = own_folder(files.open_directory(path, false));
  return there && (*there)->exists(kArchiveFormat);
}

// An archive that this version cannot use, or that another process writes to, is left alone.
void note_failed_opening(const Call& call, const std::string& path, const Error& error) {
  if (error.code == Code::newer_schema || !has_archive(*call.stores.settings().files, path)) return;
  const Context after = context_after(call);
  auto root = Root::open(after, *call.stores.settings().files, path, {.side = std::string(kArchiveSide)});
  if (root) note_run(after, **root, run_json({}, {}, 0, iso8601(call.context.clock->now()), &error));
}

Finding half_forgotten(const std::string& path, const std::string& why) {
  return {path, 0, 0, "half_forgotten", why, 0};
}

// Opens the archive. Sets damage in the log aside, and completes forgetting that was interrupted if that is possible
// now: nothing forgotten is captured again, so the run goes on without it.
Result<std::unique_ptr<ArchiveWriter>> open_to_capture(const Call& call, const std::string& path,
                                                       std::vector<Finding>& findings) {
  FileSystem& files = *call.stores.settings().files;
  std::string cache = call.stores.settings().cache;
  const auto open = [&] { return ArchiveWriter::open(call.context, files, path, ArchiveOrder::chunks_first, cache); };
  HOLDFAST_LET(writer, open());
  HOLDFAST_LET(lost, note_lost_lines(call.context, *writer));
  std::ranges::copy(writer->findings(), std::back_inserter(findings));
  for (Finding& one : findings) {
    if (lost && one.file == kCaptureLog && !one.moved_to.empty())
      one.consequence = "the end of the log is lost; what is left of the last line is in " + one.moved_to;
  }
  const auto reopen = [&]() -> Result<void> {
    writer.reset();
    HOLDFAST_LET(again, open());
    writer = std::move(again);
    return {};
  };
  // Whoever rewrites the log must read all of it again.
  if (!writer->damaged().empty() || is_half_forgotten(writer->all_forgotten(), writer->state())) {
    cache.clear();
    HOLDFAST_TRY(reopen());
  }
  // First: what a damaged line names is not needed by any other, and would be removed with what is forgotten.
  HOLDFAST_LET(mended, set_log_damage_aside(call.context, *writer, findings));
  if (mended) {
    HOLDFAST_TRY(reopen());
    HOLDFAST_LET(now, find_lost_lines(call.context, writer->root().directory(), true));
    lost = now;
  }
  // If there is no space for that, the next run does it. Where there is no log although there was one, it stays so.
  if (writer->had_log() || !lost) {
    const auto repeated = repeat_forgotten_in_log(call.context, *writer);
    if (!repeated && repeated.error().code != Code::disk_full) return fail(repeated.error());
    if (!repeated || *repeated) HOLDFAST_TRY(reopen());
  }
  if (!is_half_forgotten(writer->all_forgotten(), writer->state())) return writer;
  if (lost) {
    findings.push_back(half_forgotten(path,
                                      "what was forgotten is still in the archive: it cannot be told from what the "
                                      "missing lines of the log named"));
    return writer;
  }
  const auto finished = finish_forgetting(call, *writer);
  HOLDFAST_TRY(call.context.check());
  if (!finished && (finished.error().code == Code::poisoned || finished.error().code == Code::durability_unknown))
    return fail(finished.error());
  if (finished)
    findings.push_back({path, 0, 0, "forgotten", "what was left of an interrupted forget is removed", 0});
  else if (finished.error().code == Code::disk_full)
    findings.push_back(half_forgotten(
        path,
        finished.error().message + "; what was forgotten is still in the archive until a run finds that much space"));
  else
    findings.push_back(half_forgotten(path, finished.error().text() +
                                                "; what was forgotten is still in the archive until a run can finish "
                                                "that"));
  HOLDFAST_TRY(reopen());
  return writer;
}

}  // namespace

ArchiveRules archive_rules(const Call& call) {
  const StoreSettings& settings = call.stores.settings();
  ArchiveRules rules{settings.archive_exclude, settings.archive_min_free};
  for (const auto& [session, source] : Notes::read(call.context, settings)->handed_off())
    rules.sources[{session.layout, session.id}] = json_of(source);
  return rules;
}

Result<std::vector<StoreOptions>> stores_to_read(const Call& call) {
  // An agent may create its folder while a watch runs.
  if (const auto& now = call.stores.settings().current_defaults; now && !call.has("store")) return now();
  auto stores = call.stores.meant(call.text("store"), {}, Use::read);
  if (!stores && stores.error().code == Code::not_found) stores.emplace();
  return stores;
}

namespace {

Result<std::optional<Captured>> capture(const Call& call, const std::string& path, StoreWatch* watch,
                                        const std::optional<StoreOptions>& only) {
  Captured captured;
  auto writer = without_exceptions([&] { return open_to_capture(call, path, captured.report.findings); });
  if (!writer && writer.error().code == Code::busy) return std::nullopt;
  if (!writer) {
    if (!only) note_failed_opening(call, path, writer.error());
    return fail(std::move(writer).error());
  }
  captured.repaired = captured.report.findings.size();
  auto done = without_exceptions([&]() -> Result<void> {
    if (only) return capture_stores(call, {*only}, **writer, watch, captured.report);
    HOLDFAST_LET(stores, stores_to_read(call));
    HOLDFAST_TRY(capture_stores(call, stores, **writer, watch, captured.report));
    if (captured.report.out_of_space) return {};
    auto healed = heal_from_other_versions(call.context, **writer);
    HOLDFAST_TRY(call.context.check());
    if (healed || healed.error().code == Code::disk_full) return {};
    if (ends_run(healed.error().code)) return healed;
    captured.report.findings.push_back({path, 0, 0, std::string(code_name(healed.error().code)),
                                        healed.error().text() + "; damaged pieces were not looked for in other "
                                                                "versions of their files",
                                        0});
    return {};
  });
  const std::vector<Finding> missed(captured.report.findings.begin() + static_cast<std::ptrdiff_t>(captured.repaired),
                                    captured.report.findings.end());
  // A session that the watch held when it was deleted is no longer in any store.
  captured.report.sessions = std::max(captured.report.sessions, captured.report.captured);
  captured.added = (*writer)->bytes_written();
  captured.healed = (*writer)->healed();
  if (done && captured.healed > 0) done = drop_damaged_copies(call.context, **writer);
  if (done) done = (*writer)->note_damage(call.context);
  std::ranges::move(incomplete_sessions((*writer)->state(), (*writer)->damaged()),
                    std::back_inserter(captured.report.findings));
  // Keep what was captured, whatever stopped the run.
  const Context after = context_after(call);
  auto closed = (*writer)->close(after);
  // If it cannot be written, an older size of the log is known.
  if (closed) (void)note_log_end(after, **writer);
  if (done) done = std::move(closed);
  if (done) {
    HOLDFAST_LET(lost, find_lost_lines(after, (*writer)->root().directory(), true));
    if (lost) captured.report.findings.push_back(lost_lines_finding(*lost));
  }
  // A part does not replace what the last whole run said.
  if (!only)
    note_run(after, (*writer)->root(),
             run_json(captured.report, missed, captured.added, iso8601(call.context.clock->now()),
                      done ? nullptr : &done.error()));
  HOLDFAST_TRY(done);
  return captured;
}

}  // namespace

Result<std::optional<Captured>> capture_now(const Call& call, const std::string& path, StoreWatch* watch) {
  return capture(call, path, watch, std::nullopt);
}

bool deletes_resumed(std::string_view layout) {
  const Layout* const found = find_layout(layout);
  return found != nullptr && found->home() != nullptr && found->home()->resume.deletes;
}

CapturedFirst capture_before_resume(const Context& context, Stores& stores, std::string_view store) {
  const auto options = parse_store_name(store);
  if (!options || !deletes_resumed(options->layout)) return {};
  const std::string& path = stores.settings().archive;
  if (path.empty() || !has_archive(*stores.settings().files, path)) return {};
  const Call call{context, *find_operation("archive.run"), JsonView("{}"), stores};
  const auto until = context.clock->ticks() + kResumeWait;
  auto captured = capture(call, path, nullptr, *options);
  // A watch notices the new session, and captures it.
  while (captured && !*captured && context.check() && context.clock->ticks() < until) {
    context.clock->sleep(kResumePause);
    captured = capture(call, path, nullptr, *options);
  }
  CapturedFirst first;
  std::string why;
  if (!captured) {
    why = captured.error().text();
  } else if (!*captured) {
    why = "another process is writing to the archive now";
  } else {
    CaptureReport& report = (*captured)->report;
    if (report.missed || report.out_of_space || report.no_room > 0)
      why = "not everything could be captured; holdfast archive run says why";
    first.findings = std::move(report.findings);
  }
  if (!why.empty())
    first.warning = "the archive may lack this session, which " + std::string(find_layout(options->layout)->agent()) +
                    " deletes after it has resumed it: " + why;
  return first;
}

}  // namespace holdfast::inline v1
