// Sync: random histories of a few devices over a simulated remote. Devices record, share, withdraw and sync; requests
// fail, are lost, lose their answers, are done twice or late; the remote lies for a while; processes are killed and the
// power is cut at any call to the disk; a disk is cloned, or restored to an earlier state. Then the faults end, all
// devices sync, and each must have exactly what the others share: nothing missing, nothing twice, every byte right, and
// nothing at the remote that was never shared. A device that another has revoked has nothing that the other published
// afterwards.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "crash/disk/sim_file_system.h"
#include "parts.h"
#include "sim_parts.h"
#include "sync/simulated_remote_testing.h"
#include "sync/sync_testing.h"

namespace holdfast::lab {
namespace {

constexpr const char* kProjects[] = {"/p", "/q", "/private"};  // the last is never shared
constexpr int kRounds = 12;                                    // until clones of clones have their own epochs
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
  std::map<std::string, std::pair<std::string, std::string>> sessions_then = {};  // in the backup
  std::map<std::string, std::string> shared = {}, shared_then = {};               // by revoked device: recorded since
  std::map<std::string, std::set<std::string>> unseen = {}, unseen_then = {};  // by revoked device: what was said since
  bool twin = false;                                                           // others may have written as this device
  bool may_begin_epoch = false;  // something happened that looks like a clone
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
      constexpr const char* kPolicies[] = {"full", "redacted", "local-only"};
      const std::string policy = kPolicies[random_.below(3)];
      if (!device(member).share(project, policy)) return broken(&Outcome::unopenable, "cannot share");
      member.shared.erase(project);
      if (policy != "local-only") member.shared[project] = policy;
    } else if (what < 87) {
      sync(member);
    } else if (what < 90) {
      add_again(member);
    } else if (what < 93) {
      world_->arrive(random_.chance(50));
    } else if (what < 95) {
      member.backup = member.disk->clone();
      member.sessions_then = member.sessions;
      member.shared_then = member.shared;
      member.unseen_then = member.unseen;
    } else if (what < 97 && member.backup) {
      member.disk = std::move(member.backup);
      member.sessions = member.sessions_then;
      member.shared = member.shared_then;
      member.unseen = member.unseen_then;
      member.twin = true;
      member.may_begin_epoch = true;
    } else if (what < 98 && members_.size() < 6) {
      Member clone;
      clone.disk = member.disk->clone();
      clone.name = member.name;
      clone.sessions = member.sessions;
      clone.shared = member.shared;
      clone.unseen = member.unseen;
      clone.twin = member.twin = true;
      clone.may_begin_epoch = member.may_begin_epoch = true;
      members_.push_back(std::move(clone));
    } else {
      revoke(member, members_[random_.below(members_.size())]);
    }
  }

  // The remote is removed and added again: nothing is shared any more, and what was published before must be erased.
  void add_again(Member& member) {
    if (!member.unseen.empty()) return;  // it would come back with the first key
    const auto home = device(member).home();
    if (!home) return broken(&Outcome::unopenable, "a home cannot be opened");
    SimulatedRemote remote(world_);
    if (const auto before = (*home)->remote({}, "r");
        before && (!remember_removed({}, **home, *before) || !(*home)->forget({}, "r")))
      return broken(&Outcome::unopenable, "cannot remove");
    auto settings = device(member).settings(**home);
    if (!settings || !resume_removed({}, **home, *settings, remote))
      return broken(&Outcome::unopenable, "cannot add again");
    member.shared.clear();
  }

  void revoke(Member& member, const Member& other) {
    if (!encrypted_ || !member.unseen.empty()) return;
    const auto id = device(other).device(), own = device(member).device();
    if (!id || !own || *id == *own) return;
    if (!device(member).revoke(*id)) return broken(&Outcome::unopenable, "cannot revoke");
    member.unseen[*id];
    // What was in flight is dropped; if it arrives after all, it is taken for a clone's.
    member.may_begin_epoch = true;
  }

  void record(Member& member) {
    const std::string project = kProjects[random_.below(3)];
    const std::string id = "s" + std::to_string(random_.below(3)) + project.substr(1);
    auto& [its_project, bytes] = member.sessions[id];
    its_project = project;
    if (project == "/private") bytes += std::string(kNeverShared) + "\n";
    const std::string line = member.name + " " + std::to_string(random_.next()) + "\n";
    if (random_.chance(30)) bytes += "SECRET in " + project + ";\n";
    bytes += "said in " + project + ";\n" + line;
    for (auto& [revoked, lines] : member.unseen) lines.insert(line);
    if (random_.chance(3)) bytes += std::string(kBlockBytes, 'x');
    if (auto done = device(member).record(id, project, bytes); !done)
      broken(&Outcome::unopenable, "cannot record: " + done.error().text());
  }

  RemoteFault fault(std::string_view call) {
    if (!random_.chance(troubled_)) return RemoteFault::none;
    constexpr RemoteFault kReading[] = {RemoteFault::fail,      RemoteFault::crash_before, RemoteFault::cut,
                                        RemoteFault::lie_bytes, RemoteFault::twice,        RemoteFault::lie_head,
                                        RemoteFault::hide,      RemoteFault::lie_owner,    RemoteFault::forge};
    constexpr RemoteFault kWriting[] = {
        RemoteFault::fail,           RemoteFault::crash_before, RemoteFault::crash_after, RemoteFault::swallow_request,
        RemoteFault::swallow_answer, RemoteFault::twice,        RemoteFault::cut};
    // A remote that lies about heads looks like a clone.
    if (call == "heads") return random_.chance(90) ? RemoteFault::fail : lie_about_heads();
    if (call == "charter") return RemoteFault::fail;
    // A remote that shows a device something other than it wrote looks like one that lost data.
    if (call == "read_own") syncing_->may_begin_epoch = true;
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
    remote.own = device(member).device().value_or("");
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
      // Let in those who came after a key change.
      if (round == 2) let_in();
      for (Member& member : members_) {
        const auto done = device(member).sync(remote);
        // Two homes write as one device, at the same head: the second begins an epoch with its next sync.
        if (!done && done.error().code == Code::conflict && member.may_begin_epoch) continue;
        if (!done) return broken(&Outcome::unopenable, member.name + " cannot sync: " + done.error().text());
        check_epoch(member, *done);
        if (round == kRounds && (!done->pushed.sessions.empty() || !done->pulled.sessions.empty()))
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

  void let_in() {
    for (const Member& member : members_) {
      const auto home = device(member).home();
      auto settings = home ? device(member).settings(**home) : Result<RemoteSettings>(fail(home.error()));
      if (!settings || settings->keys.empty()) continue;
      for (const Member& other : members_)
        if (const auto id = device(other).device(); id && !member.unseen.contains(*id)) allow_reader(*settings, *id);
      if (!(*home)->save({}, *settings)) return broken(&Outcome::unopenable, "cannot let in");
    }
  }

  void compare(const Member& reader, const Member& writer) {
    const auto home = device(writer).home(), its = device(reader).home();
    const auto id = device(writer).device(), own = device(reader).device();
    if (!home || !its || !id || !own) return broken(&Outcome::unopenable, "a home cannot be opened");
    if (*id == *own) return;  // a clone reads nothing of its own device
    if (const auto since = writer.unseen.find(*own); since != writer.unseen.end())
      return compare_revoked(reader, writer, since->second);
    if (reader.unseen.contains(*id)) return;             // it has stopped reading
    std::map<std::string, std::string> expected, found;  // redacted sessions by their text
    for (const auto& [session, what] : writer.sessions) {
      const auto policy = writer.shared.find(what.first);
      if (policy == writer.shared.end()) continue;
      if (policy->second == "full")
        expected[session] = what.second;
      else
        expected[without_secrets(what.second)] = "redacted";
    }
    const auto stream = (*home)->own_stream({}, "r");
    if (!stream) return broken(&Outcome::unopenable, "the own stream cannot be read");
    const auto archive = Archive::open({}, *reader.disk, (*its)->from("r", {*id, stream->epoch}));
    if (archive) {
      for (const auto& [key, session] : (*archive)->state().sessions) {
        const auto cursor = (*its)->cursor({}, "r", {*id, stream->epoch});
        if (cursor && cursor->withdrawn.contains(key.layout + "\n" + key.store + "\n" + key.id)) continue;
        const FileVersion& version = *session.head.rbegin()->second;
        std::string bytes;
        auto read = read_into(bytes, **archive, version);
        if (!read) read = read_replaced(bytes, reader, **its, {*id, stream->epoch}, key, version.size);
        if (read && key.store == "/redacted")
          found[bytes.substr(bytes.find('\n') + 1)] = "redacted";
        else
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

  static Result<void> read_into(std::string& bytes, Archive& archive, const FileVersion& version) {
    bytes.clear();
    return read_version(archive.packs(), version, [&](std::string_view part) -> Result<void> {
      bytes += part;
      return {};
    });
  }

  // What another home wrote as the same device in a later epoch may take the place of a copy, if it begins with it.
  static Result<void> read_replaced(std::string& bytes, const Member& reader, const SyncHome& home,
                                    const StreamId& stream, const CaptureKey& key, std::uint64_t size) {
    HOLDFAST_LET(replaced, replaced_sessions({}, home, "r", stream));
    HOLDFAST_LET(streams, home.streams("r"));
    for (const StreamId& later : streams) {
      if (!replaced.contains(key) || later.device != stream.device || later.epoch <= stream.epoch) continue;
      const auto archive = Archive::open({}, *reader.disk, home.from("r", later));
      if (!archive) continue;
      const auto there = (*archive)->state().sessions.find(key);
      if (there == (*archive)->state().sessions.end()) continue;
      if (!read_into(bytes, **archive, *there->second.head.rbegin()->second)) continue;
      bytes.resize(std::min<std::size_t>(bytes.size(), size));
      return {};
    }
    return fail(Code::not_found, "it is not here");
  }

  static std::string without_secrets(const std::string& bytes) {
    std::string told;
    for (std::size_t at = 0, end = 0; at < bytes.size(); at = end + 1) {
      end = std::min(bytes.find('\n', at), bytes.size());
      if (!bytes.substr(at, end - at).contains("SECRET")) told += bytes.substr(at, end - at) + "\n";
    }
    return told;
  }

  void compare_revoked(const Member& reader, const Member& writer, const std::set<std::string>& since) {
    for (const std::string& session : device(reader).others(true))
      for (const std::string& line : since)
        if (session.contains(line))
          return broken(&Outcome::wrong, reader.name + " reads what " + writer.name + " said after it was revoked");
  }

  // Whatever is left of a device at the remote contains no word of a project that it does not share, and no
  // secret of one that it shares redacted.
  void look_for_secrets() {
    std::map<std::string, std::string> said;  // by device: everything there, unpacked
    for (const auto& [name, bytes] : world_->chunks) {
      if (encrypted_) {
        if (read_chunk_header(bytes)) return broken(&Outcome::wrong, "a chunk is not encrypted");
        continue;
      }
      const auto header = read_chunk_header(bytes);
      const auto plain = header ? unpack_chunk(*header, std::string_view(bytes).substr(kChunkHeaderBytes))
                                : Result<std::string>(fail(Code::corrupt, "no chunk"));
      if (!plain) return broken(&Outcome::altered, "a chunk at the remote is broken");
      said[name.first] += *plain;
    }
    for (const auto& [id, segments] : world_->streams) {
      for (const StreamSegment& one : segments) {
        if (encrypted_ || !one.body || one.body->size() < 16) continue;
        const std::string_view body = std::string_view(*one.body).substr(16);
        const auto header = read_chunk_header(body);
        const auto plain = header ? unpack_chunk(*header, body.substr(kChunkHeaderBytes))
                                  : Result<std::string>(fail(Code::corrupt, "no chunk"));
        if (plain) said[id.device] += *plain;
      }
    }
    for (const auto& [id, text] : said)
      if (text.contains(kNeverShared) || text.contains("private"))
        return broken(&Outcome::wrong, "bytes crossed a policy");
    for (const Member& member : members_) {
      const auto id = device(member).device();
      if (member.twin || !id) continue;
      const std::string& text = said[*id];
      for (const std::string project : {"/p", "/q"}) {
        const auto policy = member.shared.find(project);
        const bool shared = policy != member.shared.end();
        if (!shared && (text.contains("in " + project + ";") || text.contains("\"project\":\"" + project + "\"")))
          return broken(&Outcome::wrong, member.name + " left words of " + project + ", which it does not share");
        if ((!shared || policy->second == "redacted") && text.contains("SECRET in " + project + ";"))
          return broken(&Outcome::wrong, member.name + " left secrets of " + project);
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
  const std::uint64_t count = histories(options, 40, 150, 3000);
  auto outcome = in_parallel([&](unsigned worker, unsigned workers, Outcome& found) {
    if (worker == 0 && options.replay.empty()) run_sync_scenes(found);
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
