#include "api/sync_round.h"

#include <algorithm>
#include <functional>

#include "api/owned_files.h"
#include "api/redact_captured.h"
#include "api/remote_index.h"
#include "base/ascii.h"
#include "base/time.h"
#include "sync/open_remote.h"
#include "sync/project_identity.h"

namespace holdfast::inline v1 {

Result<WantSession> fetch_filter(const Call& call) {
  const std::string fetch = call.text("fetch");
  if (fetch.empty()) return WantSession();
  if (fetch == "all") return WantSession([](const CaptureKey&, const CapturedSession&) { return true; });
  if (fetch.ends_with('d') && std::ranges::all_of(fetch.substr(0, fetch.size() - 1), is_ascii_digit) &&
      fetch.size() > 1 && fetch.size() < 7) {
    const std::string since = iso8601(call.context.clock->now() - std::chrono::hours(24 * std::stol(fetch)));
    return WantSession([since](const CaptureKey&, const CapturedSession& session) {
      return JsonView(session.row).find("updated_at").as_string().value_or(session.at) >= since;
    });
  }
  // The identity of a project is host/path, path:/… or alias:….
  if (!fetch.contains('/') && !fetch.contains(':'))
    return fail(Code::invalid_argument,
                "cannot fetch " + fetch + "; it must be all, a number of days such as 30d, or a project");
  if (fetch.starts_with('/')) {
    const auto there = call.stores.settings().files->open_directory(fetch, false);
    if (!there && there.error().code == Code::not_found)
      return fail(Code::not_found, "there is no such directory to fetch sessions for", fetch);
  }
  const std::string identity = fetch.starts_with('/') ? project_identity(*call.stores.settings().files, fetch) : fetch;
  return WantSession([identity](const CaptureKey&, const CapturedSession& session) {
    return is_project_in(read_origin(session.origin).identity, identity);
  });
}

Result<std::unique_ptr<Archive>> local_archive(const Call& call) {
  auto archive = Archive::open(call.context, *call.stores.settings().files, call.stores.settings().archive);
  if (!archive && archive.error().code == Code::not_found) return std::unique_ptr<Archive>();
  return archive;
}

std::vector<Finding> SyncRound::findings() const {
  std::vector<Finding> all = report.pulled.findings;
  std::ranges::copy(report.pushed.findings, std::back_inserter(all));
  return all;
}

bool SyncRound::has_received() const {
  const PullReport& pulled = report.pulled;
  return !pulled.sessions.empty() || !pulled.withdrawn.empty() || fetched > 0 || !pulled.new_devices.empty() ||
         !findings().empty();
}

namespace {

Result<void> fetch_wanted(const Call& call, const SyncHome& home, const RemoteSettings& settings, Remote& remote,
                          const WantSession& wants, SyncRound& round) {
  SyncReport& report = round.report;
  if (!wants) return {};
  HOLDFAST_LET(streams, home.streams(settings.name));
  // The later epochs of a device first: what they have need not be fetched from the earlier ones.
  std::ranges::sort(streams, std::greater());
  std::set<DeviceSession> all;
  for (const StreamId& stream : streams) {
    HOLDFAST_LET(replaced, replaced_sessions(call.context, home, settings.name, stream));
    // Called only for sessions that are not here.
    const WantSession noted = [&](const CaptureKey& key, const CapturedSession& session) {
      const bool wanted = wants(key, session) && !replaced.contains(key);
      if (wanted) all.emplace(stream.device, key);
      return wanted;
    };
    HOLDFAST_TRY(fetch(call.context, home, settings, remote, stream, noted, report.pulled));
  }
  round.fetched = all.size() - std::min<std::uint64_t>(all.size(), report.pulled.missing);
  const std::string meant = call.text("fetch");
  if (!meant.starts_with('/')) return {};
  for (const StreamId& stream : streams) {
    const auto archive = Archive::open(call.context, home.files(), home.from(settings.name, stream));
    if (!archive) continue;
    for (const auto& [key, session] : (*archive)->state().sessions)
      if (wants(key, session)) return {};
  }
  report.pulled.findings.push_back(
      {settings.name, 0, 0, "nothing_to_fetch", "no other machine shares sessions of " + meant + " there", 0});
  return {};
}

}  // namespace

Result<void> sync_one(const Call& call, const SyncHome& home, RemoteSettings& settings, Archive* local,
                      const WantSession& wants, SyncRound& round) {
  SyncReport& report = round.report;
  round.kept_after_erasure = kept_after_erasure(settings.url);
  HOLDFAST_TRY(home.clear_scratch(settings.name));  // of a forget that was interrupted
  HOLDFAST_LET(remote, open_remote(call.context, home.files(), settings.url));
  if (const auto& tell = call.stores.settings().progress) tell("syncing with " + settings.name);
  std::unique_ptr<Archive> redacted;
  if (local != nullptr) {
    HOLDFAST_LET(made, redacted_sessions(call.context, home, settings, local->state(), redact_captured(call),
                                         report.pushed.findings));
    redacted = std::move(made);
  }
  const auto synced = run_sync(call.context, home, settings, *remote, local, redacted.get(), report);
  // What its own machine has forgotten must not be found in the cache here.
  if (report.pulled.erased) (void)remove_cache(call);
  // A machine that cannot write there still receives everything that it wants.
  if (!synced && (report.pushed.read_only || report.pushed.full))
    HOLDFAST_TRY(fetch_wanted(call, home, settings, *remote, wants, round));
  HOLDFAST_TRY(synced);
  if (!report.pushed.withdrawn.empty() || !report.pushed.cut.empty()) {
    const SearchRemoval removal = withdraw_from_search(call.context, home, settings, report.pushed.cut);
    if (removal.failed)
      report.pushed.findings.push_back({settings.name, 0, 0, "search", removal.note(settings.name), 0});
  }
  return fetch_wanted(call, home, settings, *remote, wants, round);
}

void write_round(JsonWriter& json, const SyncRound& round) {
  const auto& [pulled, pushed] = round.report;
  json.key("sent").begin_object().key("sessions").uint64(pushed.sessions.size());
  json.key("withdrawn").uint64(pushed.withdrawn.size());
  json.key("segments").uint64(pushed.segments).key("chunks").uint64(pushed.chunks).key("bytes").uint64(pushed.bytes);
  json.key("cut").uint64(pushed.cut.size());
  if (pushed.mended_segments + pushed.mended_chunks > 0) {
    json.key("repaired").begin_object().key("segments").uint64(pushed.mended_segments);
    json.key("chunks").uint64(pushed.mended_chunks).end_object();
  }
  json.end_object().key("received").begin_object().key("sessions").uint64(pulled.sessions.size());
  json.key("withdrawn").uint64(pulled.withdrawn.size()).key("chunks").uint64(pulled.chunks);
  json.key("bytes").uint64(pulled.bytes);
  json.key("fetched").uint64(round.fetched).key("not_complete").uint64(pulled.missing).end_object();
  if (!pulled.new_devices.empty()) json.key("new_machines").strings(pulled.new_devices);
  if (!pushed.pulled_by.empty()) json.key("already_read_by").strings(pushed.pulled_by);
  if (!pushed.withdrawn.empty() || !pushed.cut.empty()) json.key("out_of_reach").string(round.kept_after_erasure);
}

}  // namespace holdfast::inline v1
