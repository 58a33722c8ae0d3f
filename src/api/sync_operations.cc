// sync.run, sync.status: fetches what others share, and publishes what is shared here.
#include <algorithm>
#include <map>
#include <vector>

#include "api/call.h"
#include "api/machine_copies.h"
#include "api/remotes.h"
#include "api/sync_round.h"
#include "api/tables.h"
#include "archive/lost_lines.h"
#include "base/error_words.h"
#include "sync/open_remote.h"
#include "sync/withdrawals.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> run(Call& call) {
  HOLDFAST_LET(wants, fetch_filter(call));
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
    return fail(Code::not_found, "there is no remote yet; add one with holdfast remote add NAME dir:/path");
  // Sync shares what is in the archive, so capture first. Nothing is withdrawn without an archive, either.
  const bool wanted =
      std::ranges::any_of(remotes, [](const RemoteSettings& one) { return count_shares(one) > 0 || one.narrowed; });
  std::string captured = "{}";
  if (wanted && !call.flag("no_capture")) {
    const Operation& capture = *find_operation("archive.run");
    Call inner{call.context, capture, JsonView("{}"), call.stores};
    HOLDFAST_LET(answer, capture.handler(inner));
    captured = std::move(answer);
  }
  HOLDFAST_LET(local, local_archive(call));
  JsonWriter json = begin_answer();
  json.key("remotes").begin_array();
  std::vector<Finding> findings;
  // What the archive has no space for is not sent, nor what it has lost.
  for (const JsonItem& item : JsonView(captured).find("findings").elements()) {
    const std::string kind = item.value.find("kind").as_string().value_or("");
    if (kind == code_name(Code::disk_full) || kind == kLostLines)
      findings.push_back({.file = item.value.find("file").as_string().value_or(""),
                          .kind = kind,
                          .consequence = item.value.find("consequence").as_string().value_or("")});
  }
  std::optional<Error> failed;
  for (RemoteSettings& settings : remotes) {
    HOLDFAST_TRY(call.context.check());
    SyncRound round;
    const auto done = sync_one(call, *access.home, settings, local.get(), wants, round);
    if (!done) HOLDFAST_TRY(call.context.check());  // stopped; not a failure of this remote
    json.begin_object().key("remote").string(settings.name).key("ok").boolean(done.has_value());
    write_round(json, round);
    if (!done) json.key("error").string(error_words(done.error()));
    json.end_object();
    std::ranges::move(round.findings(), std::back_inserter(findings));
    // An error alone would lose what was received before it, which no later sync reports.
    const bool is_remote = !done && done.error().code == Code::sync_transport_failed;
    if (!done && remotes.size() == 1 && !(is_remote && round.has_received())) return fail(done.error());
    if (!done) failed = done.error();
  }
  json.end_array().key("failed").boolean(failed.has_value());
  write_findings(json, "findings", findings);
  return json.end_object().take();
}

struct OneMachine {
  std::string name;
  std::uint64_t epoch = 0, read = 0;
  std::vector<ReadStream> streams;
};

Result<std::string> status(Call& call) {
  JsonWriter json = begin_answer();
  json.key("remotes").begin_array();
  const auto home = open_sync_home(call.context, call.stores, false);
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
    json.key("shared_projects").uint64(count_shares(settings));
    json.key("published")
        .uint64(mine ? (*mine)->state().sessions.size() : 0)
        .key("unfinished")
        .boolean(pending.has_value());
    json.key("machines").begin_array();
    std::map<std::string, OneMachine> machines;  // by device, which may have streams of several epochs
    for (const StreamId& stream : streams) {
      HOLDFAST_LET(cursor, (*home)->cursor(call.context, settings.name, stream));
      OneMachine& machine = machines[stream.device];
      if (stream.epoch >= machine.epoch) {
        machine.epoch = stream.epoch;
        machine.read = cursor.head.seq;
        machine.name = cursor.machine.empty() ? machine.name : cursor.machine;
      }
      std::string from = (*home)->from(settings.name, stream);
      auto archive = Archive::open(call.context, (*home)->files(), from);
      if (!archive) continue;
      HOLDFAST_LET(replaced, replaced_sessions(call.context, **home, settings.name, stream));
      machine.streams.push_back({std::move(from), *std::move(archive), std::move(replaced), std::move(cursor.forms)});
    }
    for (const auto& [device, machine] : machines) {
      const auto known = settings.devices.find(device);
      json.begin_object().key("machine").string(machine.name).key("device").string(device);
      json.key("epoch").uint64(machine.epoch).key("read").uint64(machine.read);
      json.key("trust").string(trust_name(known == settings.devices.end() ? DeviceTrust::seen : known->second.trust));
      const auto sessions = sessions_here(machine.streams);
      json.key("sessions").uint64(sessions.size()).key("here");
      json.uint64(
          static_cast<std::uint64_t>(std::ranges::count_if(sessions, [](const auto& one) { return one.second; })));
      json.end_object();
    }
    json.end_array().end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace

namespace {

// Whether the remote has segments of other devices that were not read yet.
Result<bool> has_news(const Call& call, const SyncHome& home, const RemoteSettings& settings, Remote& remote) {
  HOLDFAST_LET(heads, remote.heads(call.context));
  HOLDFAST_LET(own, home.own_ids(call.context));
  const std::set<std::string> revoked = settings.revoked();
  for (const RemoteStream& one : heads) {
    if (own.contains(one.id.device) || revoked.contains(one.id.device)) continue;
    HOLDFAST_LET(cursor, home.cursor(call.context, settings.name, one.id));
    if (cursor.head != one.head) return true;
  }
  return false;
}

}  // namespace

// Checks that each remote can be reached and is the one that was added; reads no sessions and sends nothing.
Result<std::string> would_sync(Call& call) {
  HOLDFAST_TRY(fetch_filter(call));
  HOLDFAST_LET(remotes, requested_remotes(call, call.text("name")));
  HOLDFAST_LET(home, open_sync_home(call.context, call.stores, false));
  HOLDFAST_LET(local, local_archive(call));
  std::string names, unchanged, projects;
  std::size_t withdrawn = 0, cut = 0;
  for (const RemoteSettings& settings : remotes) {
    HOLDFAST_LET(remote, open_remote(call.context, *call.stores.settings().files, settings.url));
    HOLDFAST_TRY(check_remote(call.context, settings, *remote));
    HOLDFAST_LET(news, has_news(call, *home, settings, *remote));
    std::string& here = news ? names : unchanged;
    here += (here.empty() ? "" : ", ") + settings.name;
    for (const ProjectShare& share : settings.shares)
      if (share.policy != kWithheld) projects += (projects.empty() ? "" : ", ") + share.project;
    if (!local) continue;
    HOLDFAST_LET(expected, expected_withdrawals(call.context, *home, settings, *local));
    withdrawn += expected.withdrawn.size();
    cut += expected.cut.size();
  }
  const auto sessions = [](std::size_t count) {
    return std::to_string(count) + (count == 1 ? " session" : " sessions");
  };
  std::vector<std::string> steps{
      names.empty() ? "receive nothing new from " + unchanged : "receive new data from " + names,
      projects.empty() ? "send nothing" : "send new data of " + projects};
  if (withdrawn > 0)
    steps.push_back("withdraw " + sessions(withdrawn) + " that " + (withdrawn == 1 ? "is" : "are") +
                    " forgotten or no longer shared in this form");
  if (cut > 0) steps.push_back("erase forgotten text from " + sessions(cut));
  std::string text;
  for (const std::string& step : steps) text += (text.empty() ? "" : &step == &steps.back() ? ", and " : ", ") + step;
  return text;
}

std::span<const Operation> sync_operations() {
  static const std::vector<Operation> all{
      {.method = "sync.run",
       .help = "exchange shared sessions with your other machines",
       .use = Use::write,
       .parameters =
           {{.name = "name", .help = "sync only with this remote", .positional = true},
            {.name = "fetch",
             .help =
                 "also download the sessions themselves: all, those of the last N days (30d), or those of a project",
             .path = true,
             .or_name = true},
            {.name = "no_capture",
             .help = "send only what is already in the archive, without capturing more",
             .type = ParamType::boolean}},
       .result = "remotes:object[] failed:boolean findings:finding[]",
       .errors = {Code::sync_transport_failed, Code::newer_schema, Code::conflict},
       .handler = run,
       .example = "sync --fetch 30d",
       .command = "sync"},
      watch_sync_operation(),
      {.method = "sync.status",
       .help = "show what is shared with whom, and what is here from other machines",
       .result = "remotes:object[]",
       .errors = {Code::newer_schema},
       .handler = status,
       .example = "sync status"},
  };
  return all;
}

}  // namespace holdfast::inline v1
