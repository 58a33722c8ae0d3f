// Sync: random histories of a few devices over a simulated remote. Devices record, share, withdraw and sync; requests
// fail, are lost, answered into the void, done twice or late; the remote lies for a while; processes are killed and
// power goes at any call to the disk; a disk is cloned, or put back as it once was. Then everything is calm, everybody
// syncs, and everybody must have exactly what the others share: nothing missing, nothing twice, every byte right, and
// nothing at the remote that was never shared.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "crash/disk/sim_file_system.h"
#include "parts.h"
#include "sync/simulated_remote_testing.h"
#include "sync/sync_testing.h"

namespace holdfast::lab {
namespace {

constexpr const char* kProjects[] = {"/p", "/q", "/private"};  // the last is never shared
constexpr int kRounds = 12;                                    // until clones of clones have found their epochs
constexpr std::string_view kNeverShared = "NEVER-SHARED";

class KillAtCall final : public SimObserver {
 public:
  explicit KillAtCall(std::uint64_t at, bool inside) : at_(at), inside_(inside) {}
  Injection before(const SimCall&) override {
    if (count_++ != at_) return {};
    killed = true;
    return {.kind = inside_ ? Injection::Kind::kill_inside : Injection::Kind::kill_before};
  }
  bool killed = false;

 private:
  std::uint64_t at_, count_ = 0;
  bool inside_;
};

struct Member {
  std::unique_ptr<SimFileSystem> disk, backup;
  std::string name;
  std::map<std::string, std::pair<std::string, std::string>> sessions = {};  // id -> project, bytes: in the archive
  std::map<std::string, std::pair<std::string, std::string>> sessions_then = {};  // of the backup
  std::set<std::string> shared = {}, shared_then = {};
  bool may_begin_epoch = false;  // something happened that is told from a clone by nobody
};

class History {
 public:
  History(std::uint64_t seed, Outcome& outcome) : seed_(seed), random_(seed), outcome_(outcome) {
    encrypted_ = random_.chance(20);
    world_->charter = write_charter(test_charter(secret()));
  }

  void run() {
    const std::uint64_t count = 2 + random_.below(3);
    for (std::uint64_t n = 0; n < count; ++n) {
      Member member;
      member.disk = std::make_unique<SimFileSystem>(seed_ * 16 + n);
      member.name = "m" + std::to_string(n);
      members_.push_back(std::move(member));
    }
    const std::uint64_t steps = 10 + random_.below(25);
    for (std::uint64_t n = 0; n < steps && !failed_; ++n) step(members_[random_.below(members_.size())]);
    if (!failed_) judge();
    ++outcome_.cases;
  }

 private:
  std::string secret() const { return encrypted_ ? std::string(16, 'k') : std::string(); }
  TestDevice device(const Member& member) const { return TestDevice(*member.disk, member.name, secret()); }

  void broken(std::uint64_t Outcome::* count, const std::string& what) {
    failed_ = true;
    outcome_.fail(count, "seed " + std::to_string(seed_) + ": " + what);
  }

  void step(Member& member) {
    const std::uint64_t what = random_.below(100);
    if (what < 30) {
      record(member);
    } else if (what < 42) {
      const std::string project = kProjects[random_.below(2)];
      const bool now = !member.shared.contains(project);
      if (!device(member).share(project, now ? "full" : "local-only"))
        return broken(&Outcome::unopenable, "cannot share");
      now ? (void)member.shared.insert(project) : (void)member.shared.erase(project);
    } else if (what < 90) {
      sync(member);
    } else if (what < 93) {
      world_->arrive(random_.chance(50));
    } else if (what < 95) {
      member.backup = member.disk->clone();
      member.sessions_then = member.sessions;
      member.shared_then = member.shared;
    } else if (what < 97 && member.backup) {
      member.disk = std::move(member.backup);
      member.sessions = member.sessions_then;
      member.shared = member.shared_then;
      member.may_begin_epoch = true;
    } else if (what < 98 && members_.size() < 6) {
      Member clone;
      clone.disk = member.disk->clone();
      clone.name = member.name;
      clone.sessions = member.sessions;
      clone.shared = member.shared;
      clone.may_begin_epoch = member.may_begin_epoch = true;
      members_.push_back(std::move(clone));
    }
  }

  void record(Member& member) {
    const std::string project = kProjects[random_.below(3)];
    const std::string id = "s" + std::to_string(random_.below(3)) + project.substr(1);
    auto& [its_project, bytes] = member.sessions[id];
    its_project = project;
    if (project == "/private") bytes += std::string(kNeverShared) + "\n";
    bytes += member.name + " " + std::to_string(random_.next()) + "\n";
    if (random_.chance(3)) bytes += std::string(kBlockBytes, 'x');
    if (auto done = device(member).record(id, project, bytes); !done)
      broken(&Outcome::unopenable, "cannot record: " + done.error().text());
  }

  RemoteFault fault(std::string_view call) {
    if (!random_.chance(troubled_)) return RemoteFault::none;
    constexpr RemoteFault kReading[] = {RemoteFault::fail,      RemoteFault::crash_before, RemoteFault::cut,
                                        RemoteFault::lie_bytes, RemoteFault::twice,        RemoteFault::lie_head,
                                        RemoteFault::hide};
    constexpr RemoteFault kWriting[] = {
        RemoteFault::fail,           RemoteFault::crash_before, RemoteFault::crash_after, RemoteFault::swallow_request,
        RemoteFault::swallow_answer, RemoteFault::twice,        RemoteFault::cut};
    // A remote that lies about heads cannot be told from a clone.
    if (call == "heads") return random_.chance(90) ? RemoteFault::fail : lie_about_heads();
    if (call == "charter") return RemoteFault::fail;
    if (call == "publish" && random_.chance(20)) return RemoteFault::delay;
    if (call.starts_with("read")) return kReading[random_.below(std::size(kReading))];
    return kWriting[random_.below(std::size(kWriting))];
  }
  RemoteFault lie_about_heads() {
    syncing_->may_begin_epoch = true;
    return random_.chance(50) ? RemoteFault::hide : RemoteFault::lie_head;
  }

  void sync(Member& member) {
    syncing_ = &member;
    troubled_ = random_.chance(60) ? 12 : 0;
    SimulatedRemote remote(world_, [this](std::string_view call) { return fault(call); });
    KillAtCall killer(random_.chance(35) ? random_.below(120) : UINT64_MAX, random_.chance(50));
    member.disk->set_observer(&killer);
    const auto done = device(member).sync(remote);
    if (done && random_.chance(30)) (void)device(member).fetch_all(remote);
    member.disk->set_observer(nullptr);
    if (done) check_epoch(member, *done);
    if (killer.killed && random_.chance(70)) {
      auto chooser = Chooser::random(1, random_.next());
      constexpr CrashModel kModels[] = {CrashModel::ordered, CrashModel::ext4_nul, CrashModel::weak};
      member.disk = member.disk->crash(kModels[random_.below(3)], chooser);
    } else {
      member.disk->kill();
    }
  }

  void check_epoch(Member& member, const SyncReport& report) {
    if (report.pushed.new_epoch && !member.may_begin_epoch)
      broken(&Outcome::wrong, member.name + " took itself for a clone");
    ++outcome_.acknowledged;
  }

  // ---- the end

  void judge() {
    troubled_ = 0;
    world_->arrive();
    SimulatedRemote remote(world_);
    for (int round = 0; round <= kRounds; ++round) {
      for (Member& member : members_) {
        const auto done = device(member).sync(remote);
        // Two that write as one device, at the same head: the second begins an epoch with its next sync.
        if (!done && done.error().code == Code::conflict && member.may_begin_epoch) continue;
        if (!done) return broken(&Outcome::unopenable, member.name + " cannot sync: " + done.error().text());
        check_epoch(member, *done);
        if (round == kRounds && (done->pushed.sessions > 0 || done->pulled.sessions > 0))
          return broken(&Outcome::wrong, member.name + " never comes to an end");
      }
    }
    for (const Member& reader : members_) {
      if (auto done = device(reader).fetch_all(remote); !done)
        return broken(&Outcome::unopenable, reader.name + " cannot fetch: " + done.error().text());
      for (const Member& writer : members_)
        if (&reader != &writer) compare(reader, writer);
    }
    look_for_secrets();
  }

  void compare(const Member& reader, const Member& writer) {
    const auto home = device(writer).home(), its = device(reader).home();
    const auto id = device(writer).device(), own = device(reader).device();
    if (!home || !its || !id || !own) return broken(&Outcome::unopenable, "a home cannot be opened");
    if (*id == *own) return;  // a clone reads nothing of its own device
    std::map<std::string, std::string> expected, found;
    for (const auto& [session, what] : writer.sessions)
      if (writer.shared.contains(what.first)) expected[session] = what.second;
    const auto stream = (*home)->own_stream({}, "r");
    if (!stream) return broken(&Outcome::unopenable, "the own stream cannot be read");
    const auto archive = Archive::open({}, *reader.disk, (*its)->from("r", {*id, stream->epoch}));
    if (archive) {
      for (const auto& [key, session] : (*archive)->state().sessions) {
        std::string bytes;
        const auto cursor = (*its)->cursor({}, "r", {*id, stream->epoch});
        if (cursor && cursor->withdrawn.contains(key.layout + "\n" + key.store + "\n" + key.id)) continue;
        const auto read = read_version((*archive)->packs(), *session.head.begin()->second,
                                       [&](std::string_view part) -> Result<void> {
                                         bytes += part;
                                         return {};
                                       });
        found[key.id] = read ? bytes : "unreadable: " + read.error().text();
      }
    } else if (!expected.empty()) {
      return broken(&Outcome::lost, reader.name + " has nothing of " + writer.name + ": " + archive.error().text());
    }
    for (const auto& [session, bytes] : expected) {
      if (!found.contains(session))
        return broken(&Outcome::lost, reader.name + " lacks " + session + " of " + writer.name);
      if (found[session] != bytes)
        return broken(&Outcome::altered, reader.name + " has another " + session + " of " + writer.name + ": " +
                                             found[session].substr(0, 80));
    }
    for (const auto& [session, bytes] : found)
      if (!expected.contains(session))
        return broken(&Outcome::wrong, reader.name + " has " + session + ", which " + writer.name + " does not share");
  }

  void look_for_secrets() {
    if (encrypted_) {
      for (const auto& [name, bytes] : world_->chunks)
        if (read_chunk_header(bytes)) return broken(&Outcome::wrong, "a chunk is not encrypted");
      return;
    }
    for (const auto& [name, bytes] : world_->chunks) {
      const auto header = read_chunk_header(bytes);
      const auto plain = header ? unpack_chunk(*header, std::string_view(bytes).substr(kChunkHeaderBytes))
                                : Result<std::string>(fail(Code::corrupt, "no chunk"));
      if (!plain) return broken(&Outcome::altered, "a chunk at the remote is broken");
      if (plain->contains(kNeverShared)) return broken(&Outcome::wrong, "bytes crossed a policy");
    }
    for (const auto& [id, segments] : world_->streams) {
      for (const StreamSegment& one : segments) {
        if (!one.body || one.body->size() < 16) continue;
        const std::string_view body = std::string_view(*one.body).substr(16);
        const auto header = read_chunk_header(body);
        const auto plain = header ? unpack_chunk(*header, body.substr(kChunkHeaderBytes))
                                  : Result<std::string>(fail(Code::corrupt, "no chunk"));
        if (plain && plain->contains("private")) return broken(&Outcome::wrong, "a title crossed a policy");
      }
    }
  }

  const std::uint64_t seed_;
  Random random_;
  Outcome& outcome_;
  bool encrypted_ = false, failed_ = false;
  std::shared_ptr<RemoteWorld> world_ = std::make_shared<RemoteWorld>();
  std::vector<Member> members_;
  Member* syncing_ = nullptr;
  unsigned troubled_ = 0;  // percent of calls
};

}  // namespace

Outcome run_sync(const Options& options) {
  const std::uint64_t count = pick<std::uint64_t>(options, 40, 150, 3000);
  auto outcome = in_parallel([&](unsigned worker, unsigned workers, Outcome& found) {
    for (std::uint64_t n = worker; n < count; n += workers) {
      if (!options.replay.empty() && n > 0) break;
      const std::uint64_t seed = options.replay.empty() ? options.seed * 1'000'003 + n : std::stoull(options.replay);
      History(seed, found).run();
    }
  });
  outcome.unit = "histories";
  return outcome;
}

}  // namespace holdfast::lab
