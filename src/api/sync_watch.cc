// sync.watch: syncs when something shared has changed here, and from time to time to fetch from others.
#include <algorithm>
#include <map>
#include <set>

#include "api/archive_access.h"
#include "api/archive_capture.h"
#include "api/remotes.h"
#include "api/sync_round.h"
#include "base/error_words.h"
#include "base/hash.h"
#include "base/time.h"
#include "sync/home_lock.h"
#include "sync/push.h"

namespace holdfast::inline v1 {
namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr std::int64_t kEvery = 60, kMaxEvery = 7 * 24 * 3600, kLongestPause = 15 * 60;  // seconds
constexpr auto kBusyPause = std::chrono::seconds(1);                                     // while another process syncs
// An agent writes an answer in many pieces: send them together.
constexpr StoreWatch::Pace kPace{.quiet = std::chrono::seconds(1), .longest = std::chrono::seconds(10)};

// A hash of what is shared with this remote and its state; it changes when either changes.
std::string shared_state(const Context& context, const SyncHome& home, const Archive* local,
                         const RemoteSettings& settings) {
  std::string all;
  for (const ProjectShare& share : settings.shares) all += share.identity + "\n" + share.policy + "\n";
  for (const std::string_view policy : {"full", "redacted"}) {
    if (local == nullptr) break;
    const auto shared = shared_sessions(context, home, local->state(), settings, policy);
    if (!shared) return {};  // the sync that follows gives the reason
    for (const auto& [key, one] : *shared) {
      all += key.layout + "\n" + key.store + "\n" + key.id + "\n" + one.session->row + "\n";
      // Without the capture number: a file that was just written is captured again even if it did not change.
      for (const auto& [place, version] : one.session->head)
        all += place.root + "/" + place.path + " " + std::to_string(version->mtime_ns) + " " + version->hash() + "\n";
    }
  }
  return sha256_hex(all);
}

struct Watched {
  std::unique_ptr<File> lock = {};       // keeps other processes from watching this remote
  Time next = {};                        // the latest time of the next sync
  std::optional<std::string> sent = {};  // shared_state() as last sent; nullopt if not yet sent
  std::optional<Code> failing = {};
  unsigned failures = 0;  // since its last success
};

class SyncWatch {
 public:
  explicit SyncWatch(const Call& call)
      : call_(call), every_(std::chrono::seconds(std::min(call.integer("every", kEvery), kMaxEvery))) {}

  Result<std::string> run() {
    HOLDFAST_LET(changes, StoreWatch::create());
    changes_.emplace(std::move(changes));
    while (read_on_) {
      const auto looked = look();
      if (!looked && looked.error().code != Code::cancelled) return fail(looked.error());
      if (!looked || !read_on_) break;
      StoreWatch::Pace pace = kPace;
      pace.every = until_next();
      const auto waited = changes_->wait(call_.context, pace);
      if (!waited && waited.error().code != Code::cancelled) return fail(waited.error());
      if (!waited) break;
    }
    JsonWriter json = begin_answer();
    json.key("sent").uint64(sent_.size()).key("withdrawn").uint64(withdrawn_.size());
    json.key("received").uint64(received_.size());
    return json.end_object().take();
  }

 private:
  Time now() const { return call_.context.clock->ticks(); }

  std::chrono::nanoseconds until_next() const {
    std::chrono::nanoseconds least = every_;
    for (const auto& [name, one] : watched_) least = std::min<std::chrono::nanoseconds>(least, one.next - now());
    return std::max<std::chrono::nanoseconds>(least, std::chrono::milliseconds(10));
  }

  // Reads the settings each time: projects may be shared and remotes added or removed while this runs.
  Result<void> look() {
    HOLDFAST_LET(remotes, requested_remotes(call_, call_.text("name")));
    HOLDFAST_TRY(keep_others_away(remotes));
    if (std::ranges::any_of(remotes, [](const RemoteSettings& one) { return count_shares(one) > 0; })) {
      HOLDFAST_LET(path, archive_path(call_));
      HOLDFAST_TRY(capture_now(call_, path, &*changes_));
    }
    HOLDFAST_LET(archive, local_archive(call_));
    HOLDFAST_LET(home, open_sync_home(call_.context, call_.stores, false));
    for (const RemoteSettings& settings : remotes) {
      HOLDFAST_TRY(call_.context.check());
      Watched& one = watched_.at(settings.name);
      const std::string state = shared_state(call_.context, *home, archive.get(), settings);
      const bool changed = !one.failing && one.sent != state;
      if (!changed && now() < one.next) continue;
      HOLDFAST_TRY(exchange(settings.name, one, archive.get(), state));
      if (!read_on_) break;
    }
    return {};
  }

  Result<void> keep_others_away(const std::vector<RemoteSettings>& remotes) {
    std::erase_if(watched_, [&](const auto& one) {
      return std::ranges::none_of(remotes, [&](const RemoteSettings& its) { return its.name == one.first; });
    });
    for (const RemoteSettings& settings : remotes) {
      if (watched_.contains(settings.name)) continue;
      HOLDFAST_LET(path, sync_path(call_.stores));
      HOLDFAST_LET(lock, watch_lock(call_.context, *call_.stores.settings().files, path, settings.name));
      watched_[settings.name].lock = std::move(lock);
    }
    return {};
  }

  Result<void> exchange(const std::string& name, Watched& one, Archive* local, const std::string& state) {
    // Take the lock only for the sync: people sync and share at the same time.
    auto access = open_sync(call_, false);
    if (!access && access.error().code == Code::busy) {
      one.next = now() + kBusyPause;
      return {};
    }
    if (!access) return fail(std::move(access).error());
    auto settings = access->home->remote(call_.context, name);
    if (!settings && settings.error().code == Code::not_found) return {};  // removed just now
    if (!settings) return fail(std::move(settings).error());
    HOLDFAST_LET(wants, fetch_filter(call_));
    SyncRound round;
    const auto done = sync_one(call_, *access->home, *settings, local, wants, round);
    access->lock.reset();
    if (!done) HOLDFAST_TRY(call_.context.check());
    if (!done && is_ours(done.error().code)) return done;
    const bool first = !one.sent;
    if (done) {
      tell_back(name, one);
      one.next = now() + every_;
      one.sent = state;
    }
    tell_round(name, round, done && first);
    const PushReport& pushed = round.report.pushed;
    if (!done) tell_failure(name, one, done.error(), pushed.read_only || pushed.full);
    return {};
  }

  // Whether waiting for the remote does not help. A full disk may be the remote's.
  static bool is_ours(Code code) {
    return code == Code::cancelled || code == Code::deadline_exceeded || code == Code::poisoned ||
           code == Code::durability_unknown;
  }

  JsonWriter begin_item(const std::string& name, std::string_view event) const {
    JsonWriter item;
    item.begin_object().key("at").string(iso8601(call_.context.clock->now())).key("remote").string(name);
    item.key("event").string(event);
    return item;
  }
  void tell(JsonWriter item) { read_on_ = read_on_ && (*call_.items)(item.end_object().text()); }

  void tell_round(const std::string& name, const SyncRound& round, bool always) {
    const auto& [pulled, pushed] = round.report;
    sent_.insert(pushed.sessions.begin(), pushed.sessions.end());
    withdrawn_.insert(pushed.withdrawn.begin(), pushed.withdrawn.end());
    received_.insert(pulled.sessions.begin(), pulled.sessions.end());
    std::vector<Finding> fresh = round.findings();
    std::erase_if(fresh, [&](const Finding& one) { return !told_.insert(one.file + "\n" + one.consequence).second; });
    const bool news = pushed.sessions.size() + pushed.withdrawn.size() + pushed.mended_segments + pushed.mended_chunks +
                              pulled.sessions.size() + pulled.withdrawn.size() + round.fetched >
                          0 ||
                      !pulled.new_devices.empty() || !fresh.empty();
    if (!news && !always) return;
    JsonWriter item = begin_item(name, "synced");
    write_round(item, round);
    write_findings(item, "findings", fresh);
    tell(std::move(item));
  }

  void tell_failure(const std::string& name, Watched& one, const Error& error, bool reachable) {
    const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(every_).count();
    const std::int64_t pause = std::max(seconds, std::min(seconds << std::min(one.failures, 10U), kLongestPause));
    ++one.failures;
    one.next = now() + std::chrono::seconds(pause);
    if (one.failing == error.code) return;
    one.failing = error.code;
    JsonWriter item =
        begin_item(name, error.code == Code::sync_transport_failed && !reachable ? "unreachable" : "failed");
    item.key("error").string(error_words(error));
    tell(std::move(item));
  }

  void tell_back(const std::string& name, Watched& one) {
    one.failures = 0;
    if (std::exchange(one.failing, std::nullopt)) tell(begin_item(name, "back"));
  }

  const Call& call_;
  const std::chrono::nanoseconds every_;
  std::optional<StoreWatch> changes_;
  std::map<std::string, Watched> watched_;  // by the name of the remote
  std::set<std::string> told_;              // findings that were reported
  std::set<CaptureKey> sent_, withdrawn_;   // in all rounds
  std::set<DeviceSession> received_;
  bool read_on_ = true;
};

Result<std::string> watch(Call& call) {
  HOLDFAST_TRY(fetch_filter(call));
  return SyncWatch(call).run();
}

}  // namespace

Operation watch_sync_operation() {
  return {
      .method = "sync.watch",
      .help = "keep syncing until stopped: send shared sessions as they change, and check for new ones from others",
      .use = Use::write,
      .parameters =
          {{.name = "name", .help = "sync only with this remote", .positional = true},
           {.name = "fetch",
            .help = "also download the sessions themselves: all, those of the last N days (30d), or those of a project",
            .path = true,
            .or_name = true},
           {.name = "every",
            .help = "seconds between checks for sessions from others (default 60)",
            .type = ParamType::integer,
            .least = 1}},
      .result = "sent:integer withdrawn:integer received:integer",
      .errors = {Code::newer_schema},
      .handler = watch,
      .example = "sync --watch",
      .item =
          "at:string remote:string event:string sent?:object received?:object new_machines?:string[] "
          "already_read_by?:string[] error?:string findings?:finding[]"};
}

}  // namespace holdfast::inline v1
