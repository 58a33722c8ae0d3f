// sync.run, sync.status: what others share comes here, what is shared here goes there.
#include <algorithm>

#include "api/archived.h"
#include "api/call.h"
#include "api/redact_captured.h"
#include "api/remotes.h"
#include "api/tables.h"
#include "base/time.h"
#include "sync/open_remote.h"
#include "sync/project_identity.h"
#include "sync/run_sync.h"

namespace holdfast::inline v1 {
namespace {

// all, an age like 30d, or a project.
Result<WantSession> fetch_wish(const Call& call) {
  const std::string wish = call.text("fetch");
  if (wish.empty()) return WantSession();
  if (wish == "all") return WantSession([](const CaptureKey&, const CapturedSession&) { return true; });
  if (wish.ends_with('d') &&
      std::ranges::all_of(wish.substr(0, wish.size() - 1), [](char c) { return c >= '0' && c <= '9'; }) &&
      wish.size() > 1 && wish.size() < 7) {
    const std::string since = iso8601(call.context.clock->now() - std::chrono::hours(24 * std::stol(wish)));
    return WantSession([since](const CaptureKey&, const CapturedSession& session) {
      return JsonView(session.row).find("updated_at").as_string().value_or(session.at) >= since;
    });
  }
  const std::string identity = wish.starts_with('/') ? project_identity(*call.stores.settings().files, wish) : wish;
  return WantSession([identity](const CaptureKey&, const CapturedSession& session) {
    return is_project_in(read_origin(session.origin).identity, identity);
  });
}

Result<std::unique_ptr<Archive>> local_archive(const Call& call) {
  auto archive = Archive::open(call.context, *call.stores.settings().files, call.stores.settings().archive);
  if (!archive && archive.error().code == Code::not_found) return std::unique_ptr<Archive>();
  return archive;
}

Result<void> sync_one(const Call& call, const SyncHome& home, RemoteSettings& settings, Archive* local,
                      const WantSession& wish, SyncReport& report, std::uint64_t& fetched) {
  HOLDFAST_LET(remote, open_remote(call.context, home.files(), settings.url));
  if (const auto& tell = call.stores.settings().progress) tell("syncing with " + settings.name);
  std::unique_ptr<Archive> redacted;
  if (local != nullptr) {
    HOLDFAST_LET(made, redacted_sessions(call.context, home, settings, local->state(), redact_captured(call),
                                         report.pushed.findings));
    redacted = std::move(made);
  }
  HOLDFAST_TRY(run_sync(call.context, home, settings, *remote, local, redacted.get(), report));
  if (!wish) return {};
  HOLDFAST_LET(streams, home.streams(settings.name));
  // Only sessions that are not here are asked about.
  const WantSession counted = [&](const CaptureKey& key, const CapturedSession& session) {
    const bool wanted = wish(key, session);
    fetched += wanted ? 1 : 0;
    return wanted;
  };
  for (const StreamId& stream : streams)
    HOLDFAST_TRY(fetch(call.context, home, settings, *remote, stream, counted, report.pulled));
  fetched -= std::min(fetched, report.pulled.missing);
  return {};
}

void write_report(JsonWriter& json, const RemoteSettings& settings, const SyncReport& report, std::uint64_t fetched,
                  const Result<void>& done) {
  const auto& [pulled, pushed] = report;
  json.begin_object().key("remote").string(settings.name).key("ok").boolean(done.has_value());
  json.key("sent").begin_object().key("sessions").uint64(pushed.sessions).key("withdrawn").uint64(pushed.withdrawn);
  json.key("segments").uint64(pushed.segments).key("chunks").uint64(pushed.chunks).key("bytes").uint64(pushed.bytes);
  json.end_object().key("received").begin_object().key("sessions").uint64(pulled.sessions);
  json.key("withdrawn").uint64(pulled.withdrawn).key("chunks").uint64(pulled.chunks).key("bytes").uint64(pulled.bytes);
  json.key("fetched").uint64(fetched).key("not_complete").uint64(pulled.missing).end_object();
  if (!pulled.new_devices.empty()) {
    json.key("new_machines").begin_array();
    for (const std::string& name : pulled.new_devices) json.string(name);
    json.end_array();
  }
  if (!pushed.pulled_by.empty()) {
    json.key("already_read_by").begin_array();
    for (const std::string& name : pushed.pulled_by) json.string(name);
    json.end_array();
  }
  if (!done) json.key("error").string(done.error().message);
  json.end_object();
}

Result<std::string> run(Call& call) {
  HOLDFAST_LET(wish, fetch_wish(call));
  HOLDFAST_LET(access, open_sync(call, false));
  std::vector<RemoteSettings> remotes;
  if (call.has("name")) {
    HOLDFAST_LET(one, access.home->remote(call.context, call.text("name")));
    remotes.push_back(std::move(one));
  } else {
    HOLDFAST_LET(all, access.home->remotes(call.context));
    remotes = std::move(all);
  }
  if (remotes.empty())
    return fail(Code::not_found, "there is no remote yet; holdfast remote add NAME dir:/path adds one");
  // What is shared is what the archive has: capture first.
  const bool shares = std::ranges::any_of(remotes, [](const RemoteSettings& one) { return !one.shares.empty(); });
  if (shares && !call.flag("no_capture")) {
    const Operation& capture = *find_operation("archive.run");
    Call inner{call.context, capture, JsonView("{}"), call.stores};
    HOLDFAST_TRY(capture.handler(inner));
  }
  HOLDFAST_LET(local, local_archive(call));
  JsonWriter json = begin_answer();
  json.key("remotes").begin_array();
  std::vector<Finding> findings;
  std::optional<Error> failed;
  for (RemoteSettings& settings : remotes) {
    HOLDFAST_TRY(call.context.check());
    SyncReport report;
    std::uint64_t fetched = 0;
    const auto done = sync_one(call, *access.home, settings, local.get(), wish, report, fetched);
    write_report(json, settings, report, fetched, done);
    std::ranges::move(report.pulled.findings, std::back_inserter(findings));
    std::ranges::move(report.pushed.findings, std::back_inserter(findings));
    if (!done && remotes.size() == 1) return fail(done.error());
    if (!done) failed = done.error();
  }
  json.end_array().key("failed").boolean(failed.has_value());
  write_findings(json, "findings", findings);
  return json.end_object().take();
}

Result<std::string> status(Call& call) {
  HOLDFAST_LET(path, sync_path(call.stores));
  JsonWriter json = begin_answer();
  json.key("remotes").begin_array();
  const auto home = SyncHome::open(call.context, *call.stores.settings().files, path, false);
  if (!home && home.error().code != Code::not_found) return fail(home.error());
  HOLDFAST_LET(remotes, home ? (*home)->remotes(call.context)
                             : Result<std::vector<RemoteSettings>>(std::vector<RemoteSettings>()));
  for (const RemoteSettings& settings : remotes) {
    HOLDFAST_LET(own, (*home)->own_stream(call.context, settings.name));
    HOLDFAST_LET(pending, (*home)->pending(call.context, settings.name));
    HOLDFAST_LET(streams, (*home)->streams(settings.name));
    const auto mine = Archive::open(call.context, (*home)->files(), (*home)->published(settings.name, own.epoch));
    json.begin_object().key("name").string(settings.name).key("url").string(settings.url);
    json.key("encrypted").boolean(!settings.secret.empty()).key("machine").string(settings.machine);
    json.key("epoch").uint64(own.epoch).key("segments").uint64(own.head.seq);
    json.key("shared_projects").uint64(settings.shares.size());
    json.key("published")
        .uint64(mine ? (*mine)->state().sessions.size() : 0)
        .key("unfinished")
        .boolean(pending.has_value());
    json.key("machines").begin_array();
    for (const StreamId& stream : streams) {
      HOLDFAST_LET(cursor, (*home)->cursor(call.context, settings.name, stream));
      const auto archive = Archive::open(call.context, (*home)->files(), (*home)->from(settings.name, stream));
      std::uint64_t all = 0, here = 0;
      if (archive) {
        for (const auto& [key, session] : (*archive)->state().sessions) {
          ++all;
          here += is_here((*archive)->packs(), session) ? 1 : 0;
        }
      }
      const auto known = settings.devices.find(stream.device);
      json.begin_object().key("machine").string(cursor.machine).key("device").string(stream.device);
      json.key("epoch").uint64(stream.epoch).key("read").uint64(cursor.head.seq);
      json.key("trust").string(trust_name(known == settings.devices.end() ? DeviceTrust::seen : known->second.trust));
      json.key("sessions").uint64(all).key("here").uint64(here).end_object();
    }
    json.end_array().end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace

// Whether each remote can be reached and is the one that was added; nothing is read or sent.
Result<std::string> would_sync(Call& call) {
  HOLDFAST_TRY(fetch_wish(call));
  HOLDFAST_LET(remotes, remotes_meant(call, call.text("name")));
  std::string names, projects;
  for (const RemoteSettings& settings : remotes) {
    HOLDFAST_LET(remote, open_remote(call.context, *call.stores.settings().files, settings.url));
    HOLDFAST_TRY(check_remote(call.context, settings, *remote));
    names += (names.empty() ? "" : ", ") + settings.name;
    for (const ProjectShare& share : settings.shares) projects += (projects.empty() ? "" : ", ") + share.project;
  }
  return "read what is new at " + names +
         (projects.empty() ? ", and send nothing" : ", and send what is new of " + projects);
}

std::span<const Operation> sync_operations() {
  static const std::vector<Operation> all{
      {.method = "sync.run",
       .help = "read what your other machines share and send what is shared here",
       .use = Use::write,
       .parameters = {{.name = "name", .help = "only with this remote", .positional = true},
                      {.name = "fetch",
                       .help = "also bring the sessions themselves here: all, those of the last days (30d), or of a "
                               "project",
                       .path = true,
                       .or_name = true},
                      {.name = "no_capture",
                       .help = "send what the archive has, without looking for more",
                       .type = ParamType::boolean}},
       .result = "remotes:object[] failed:boolean findings:finding[]",
       .errors = {Code::sync_transport_failed, Code::newer_schema, Code::conflict},
       .handler = run,
       .example = "sync --fetch 30d",
       .command = "sync"},
      {.method = "sync.status",
       .help = "what is shared with whom, and what is here of other machines",
       .result = "remotes:object[]",
       .errors = {Code::newer_schema},
       .handler = status,
       .example = "sync status"},
  };
  return all;
}

}  // namespace holdfast::inline v1
