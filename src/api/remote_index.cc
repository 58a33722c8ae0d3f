// remote.index: writes what this machine can read at a PostgreSQL remote to tables that its server can search.
#include "api/remote_index.h"

#include <algorithm>

#include "api/index_stream.h"
#include "api/machines.h"
#include "api/redact_captured.h"
#include "api/remotes.h"
#include "api/sync_round.h"
#include "sync/content.h"
#include "sync/open_remote.h"
#include "sync/postgres_remote.h"
#include "sync/pull.h"
#include "sync/push.h"
#include "sync/redacted_sessions.h"
#include "sync/run_sync.h"

namespace holdfast::inline v1 {
namespace {

constexpr PostgresTimeouts kShort{
    .connect = std::chrono::seconds(5), .free = std::chrono::seconds(5), .silence = std::chrono::seconds(20)};

// Everything that is needed from this home, so its lock can be released before the server works.
struct Plan {
  std::vector<IndexedStream> streams = {};
  std::vector<IndexedStream> current = {};  // already up to date
  std::optional<StreamId> own = {};
  std::set<CaptureKey> gone = {};  // sessions of this device that were published and are no longer shared
};

class Planner {
 public:
  Planner(const Call& call, const SyncHome& home, const RemoteSettings& settings, Remote& remote, IndexReport& report)
      : call_(call), home_(home), settings_(settings), remote_(remote), report_(report) {}

  Result<Plan> run(const std::vector<RemoteStream>& heads, const std::map<StreamId, ProjectedStream>& indexed) {
    HOLDFAST_LET(key, home_.device(call_.context));
    const std::string device = device_id(key.public_key);
    HOLDFAST_LET(own, home_.own_ids(call_.context));
    const std::set<std::string> revoked = settings_.revoked();
    for (const RemoteStream& one : heads) {
      const auto there = indexed.find(one.id);
      const auto so_far = there == indexed.end() ? std::nullopt : std::optional(there->second);
      if (one.id.device == device)
        HOLDFAST_TRY(add_own(one, so_far));
      else if (is_device_id(one.id.device) && !own.contains(one.id.device) && !revoked.contains(one.id.device))
        HOLDFAST_TRY(add_other(one.id, so_far));
    }
    return std::move(plan_);
  }

 private:
  FileSystem& files() const { return home_.files(); }

  Result<void> add_other(const StreamId& id, const std::optional<ProjectedStream>& indexed) {
    HOLDFAST_LET(cursor, home_.cursor(call_.context, settings_.name, id));
    IndexedStream stream{.id = id, .head = cursor.head, .machine = settings_.machine_of(id.device)};
    if (indexed && indexed->head == stream.head && indexed->left_out == 0) {
      plan_.current.push_back(std::move(stream));
      return {};
    }
    // Another machine has indexed more of the stream.
    if (indexed && indexed->head.seq > stream.head.seq) return {};
    const std::string path = home_.from(settings_.name, id);
    HOLDFAST_LET(replaced, replaced_sessions(call_.context, home_, settings_.name, id));
    const auto is_meant = [&](const CaptureKey& key) {
      return !replaced.contains(key) && !cursor.withdrawn.contains(key.layout + "\n" + key.store + "\n" + key.id);
    };
    if (const auto known = Archive::open(call_.context, files(), path)) {
      PullReport fetched;
      HOLDFAST_TRY(fetch(
          call_.context, home_, settings_, remote_, id,
          [&](const CaptureKey& key, const CapturedSession&) { return is_meant(key); }, fetched));
      std::ranges::move(fetched.findings, std::back_inserter(report_.findings));
      HOLDFAST_LET(archive, Archive::open(call_.context, files(), path));
      IndexedSource source{path, std::make_unique<CapturedFiles>(files(), path, std::move(archive))};
      for (const auto& [key, session] : source.files->state().sessions)
        if (is_meant(key)) source.meant.insert(key);
      stream.sources.push_back(std::move(source));
    } else if (known.error().code != Code::not_found) {
      return fail(known.error());
    }
    plan_.streams.push_back(std::move(stream));
    return {};
  }

  // Adds this machine's published sessions that are still shared; their bytes are here.
  Result<void> add_own(const RemoteStream& there, const std::optional<ProjectedStream>& indexed) {
    HOLDFAST_LET(own, home_.own_stream(call_.context, settings_.name));
    if (own.epoch != there.id.epoch) return {};
    if (own.head != there.head) {
      report_.findings.push_back({settings_.name, there.head.seq, 0, "not_synced",
                                  "the remote does not have what this machine sent; run holdfast sync first", 0});
      return {};
    }
    const std::string path = home_.published(settings_.name, own.epoch);
    auto published = Archive::open(call_.context, files(), path);
    if (!published && published.error().code != Code::not_found) return fail(std::move(published).error());
    HOLDFAST_LET(local, local_archive(call_));
    const bool has_published = published && !(*published)->state().sessions.empty();
    if (local == nullptr && has_published) return {};
    IndexedStream stream{.id = there.id, .head = own.head, .machine = settings_.machine, .indexed = indexed};
    if (has_published) {
      HOLDFAST_LET(redacted, redacted_sessions(call_.context, home_, settings_, local->state(), redact_captured(call_),
                                               report_.findings));
      HOLDFAST_LET(full, shared_sessions(call_.context, home_, local->state(), settings_));
      std::map<std::string, CaptureState> states;  // by policy
      for (const auto& [key, session] : (*published)->state().sessions) {
        const std::string policy = read_origin(session.origin).policy;
        const bool shared =
            policy == "full" ? full.contains(key) : redacted != nullptr && redacted->state().sessions.contains(key);
        if (shared)
          states[policy].sessions.emplace(key, session);
        else
          plan_.gone.insert(key);
      }
      const std::string hidden = home_.path() + "/remotes/" + settings_.name + "/redacted";
      for (auto& [policy, state] : states) {
        const bool whole = policy == "full";
        IndexedSource source{whole ? path : hidden, nullptr};
        for (const auto& [key, session] : state.sessions) source.meant.insert(key);
        HOLDFAST_LET(bytes, Archive::open_as(call_.context, files(), whole ? call_.stores.settings().archive : hidden,
                                             std::move(state)));
        source.files = std::make_unique<CapturedFiles>(files(), source.path, std::move(bytes));
        stream.sources.push_back(std::move(source));
      }
    }
    plan_.own = there.id;
    plan_.streams.push_back(std::move(stream));
    return {};
  }

  const Call& call_;
  const SyncHome& home_;
  const RemoteSettings& settings_;
  Remote& remote_;
  IndexReport& report_;
  Plan plan_;
};

// Removes sessions of a device of this home, of any epoch, that it no longer shares in that form, and those in `gone`.
Result<std::uint64_t> remove_withdrawn(const Context& context, Projection& projection, const SyncHome& home,
                                       const RemoteSettings& settings, const std::set<CaptureKey>& gone,
                                       const SigningKey& device) {
  HOLDFAST_LET(own, home.own_stream(context, settings.name));
  HOLDFAST_LET(known, projection.known(context, {device_id(device.public_key), 0}));
  std::map<std::uint64_t, std::unique_ptr<Archive>> published;  // by epoch; nullptr if this home did not write it
  const auto is_dropped = [&](std::uint64_t epoch, const CaptureKey& key) -> Result<bool> {
    if (!published.contains(epoch)) {
      const std::string where = epoch == own.epoch ? settings.name : SyncHome::left(settings.name, epoch);
      auto opened = Archive::open(context, home.files(), home.published(where, epoch));
      if (!opened && opened.error().code != Code::not_found) return fail(opened.error());
      published[epoch] = opened ? std::move(*opened) : nullptr;
    }
    return published[epoch] != nullptr && !published[epoch]->state().sessions.contains(key);
  };
  std::uint64_t removed = 0;
  for (const auto& [key, session] : known) {
    const CaptureKey shared{session.session.layout, session.session.store, session.part_of};
    HOLDFAST_LET(dropped, is_dropped(session.epoch, shared));
    if (!dropped && !gone.contains(shared) &&
        is_admitted(device, settings, {session.policy, session.identity, session.project}))
      continue;
    HOLDFAST_TRY(projection.remove(context, key));
    ++removed;
  }
  return removed;
}

Result<std::uint64_t> remove_withdrawn(const Context& context, Projection& projection, const SyncHome& home,
                                       const RemoteSettings& settings, const std::set<CaptureKey>& gone) {
  HOLDFAST_LET(devices, home.devices(context));
  std::uint64_t removed = 0;
  for (const SigningKey& device : devices) {
    HOLDFAST_LET(some, remove_withdrawn(context, projection, home, settings, gone, device));
    removed += some;
  }
  return removed;
}

std::string answer_of(const RemoteSettings& settings, const std::string& at, const IndexReport& report) {
  JsonWriter json = begin_answer();
  json.key("remote").string(settings.name).key("indexed_at").string(at).key("sessions").uint64(report.sessions);
  json.key("messages").uint64(report.written.messages).key("cut").uint64(report.written.cut);
  json.key("removed").uint64(report.removed).key("left_out").uint64(report.left_out);
  write_findings(json, "findings", report.findings);
  return json.end_object().take();
}

Result<std::string> index(Call& call) {
  HOLDFAST_LET(access, open_sync(call, false));
  HOLDFAST_LET(settings, access.home->remote(call.context, call.text("name")));
  HOLDFAST_TRY(check_searchable(settings));
  HOLDFAST_LET(remote, open_remote(call.context, access.home->files(), settings.url));
  HOLDFAST_TRY(check_remote(call.context, settings, *remote));
  HOLDFAST_LET(projection, Projection::open(settings.url));
  HOLDFAST_TRY(projection.check(call.context));
  HOLDFAST_LET(at, projection.now(call.context));
  HOLDFAST_LET(heads, remote->heads(call.context));
  const auto& tell = call.stores.settings().progress;
  if (tell) tell("reading " + settings.name);
  IndexReport report;
  PullReport pulled;
  const auto done = pull(call.context, *access.home, settings, *remote, heads, pulled);
  HOLDFAST_TRY(access.home->save(call.context, settings));
  HOLDFAST_TRY(done);
  report.findings = std::move(pulled.findings);
  HOLDFAST_LET(removed, projection.remove_gone(call.context));
  report.removed += removed;
  HOLDFAST_LET(indexed, projection.streams(call.context));
  HOLDFAST_LET(plan, Planner(call, *access.home, settings, *remote, report).run(heads, indexed));
  // Let other processes sync while the server works.
  access.lock.reset();
  if (plan.own) {
    HOLDFAST_LET(withdrawn, remove_withdrawn(call.context, projection, *access.home, settings, plan.gone));
    report.removed += withdrawn;
  }
  for (const IndexedStream& stream : plan.streams) {
    if (tell) tell("indexing the sessions of " + stream.machine);
    HOLDFAST_TRY(index_stream(call, projection, stream, at, report));
  }
  for (const IndexedStream& stream : plan.current)
    HOLDFAST_TRY(projection.confirm(call.context, stream.id, {stream.head, at}));
  return answer_of(settings, at, report);
}

// Runs `work` on the search tables, if there are any.
template <typename Work>
SearchRemoval in_search(const Context& context, const RemoteSettings& settings, const Work& work) {
  if (!check_searchable(settings)) return {};
  const auto removed = [&]() -> Result<std::uint64_t> {
    HOLDFAST_LET(projection, Projection::open(settings.url, kShort));
    HOLDFAST_LET(there, projection.exists(context));
    return there ? work(projection) : Result<std::uint64_t>(0);
  }();
  if (removed) return {.removed = *removed};
  return {.failed = removed.error()};
}

}  // namespace

Result<void> check_searchable(const RemoteSettings& settings) {
  if (!is_postgres_address(settings.url))
    return fail(Code::unsupported, "the remote " + settings.name +
                                       " is a directory, without a server to search it; run holdfast search --machine "
                                       "all to search what sync has fetched");
  if (!settings.secret.empty())
    return fail(Code::unsupported, "the remote " + settings.name +
                                       " is encrypted, so its server cannot search it; run holdfast search --machine "
                                       "all to search what sync has fetched");
  return {};
}

std::string SearchRemoval::note(const std::string& remote) const {
  if (failed)
    return "it may still be found by search at " + remote + " until holdfast remote index has run: " + failed->message;
  if (removed == 0) return {};
  return std::to_string(removed) + (removed == 1 ? " session was" : " sessions were") + " removed from search at " +
         remote;
}

SearchRemoval withdraw_from_search(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                   const std::set<CaptureKey>& cut) {
  return in_search(context, settings,
                   [&](Projection& projection) { return remove_withdrawn(context, projection, home, settings, cut); });
}

SearchRemoval erase_from_search(const Context& context, const SyncHome& home, const RemoteSettings& settings) {
  return in_search(context, settings, [&](Projection& projection) -> Result<std::uint64_t> {
    HOLDFAST_LET(devices, home.devices(context));
    std::uint64_t removed = 0;
    for (const SigningKey& device : devices) {
      HOLDFAST_LET(some, projection.remove_device(context, device_id(device.public_key)));
      removed += some;
    }
    return removed;
  });
}

Result<std::string> would_index(Call& call) {
  HOLDFAST_LET(remotes, requested_remotes(call, call.text("name")));
  const RemoteSettings& settings = remotes.front();
  HOLDFAST_TRY(check_searchable(settings));
  HOLDFAST_LET(projection, Projection::open(settings.url));
  HOLDFAST_TRY(projection.check(call.context));
  return "make what this machine can read at " + settings.name + " searchable there, for all who may search it";
}

Operation index_remote_operation() {
  return {.method = "remote.index",
          .help = "make the sessions that this machine can read on a PostgreSQL remote searchable there",
          .use = Use::write,
          .parameters = {{.name = "name", .help = "the name of a remote", .required = true, .positional = true}},
          .result =
              "remote:string indexed_at:time sessions:integer messages:integer cut:integer removed:integer "
              "left_out:integer findings:finding[]",
          .errors = {Code::sync_transport_failed, Code::newer_schema, Code::unsupported},
          .handler = index,
          .example = "remote index team"};
}

}  // namespace holdfast::inline v1
