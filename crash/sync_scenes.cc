// Sync where segments of a device are damaged or lost for good, or unknown to its home, which was restored from a
// backup, one scene at a time: what the device withdraws is erased all the same, also if it is cut off at any call to
// the remote or to its disk; nothing that others still need goes with it, and no number is used twice.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "crash/disk/sim_file_system.h"
#include "sim_parts.h"
#include "sync/check_own_stream.h"
#include "sync/simulated_remote_testing.h"
#include "sync/sync_testing.h"

namespace holdfast::lab {
namespace {

// A middle or last segment is gone, or all are; or the home is restored from a backup of before its first sync.
enum class Damage { header, middle, end, epoch, home };
constexpr Damage kDamages[] = {Damage::header, Damage::middle, Damage::end, Damage::epoch, Damage::home};
constexpr std::uint64_t kStride = 4;  // of the calls to the disk; every kind of damage begins at another one

std::string text_of(const std::string& id) { return "words of " + id + "\n"; }

// A device, and the remote that it shares with others.
struct Stage {
  std::shared_ptr<RemoteWorld> world = std::make_shared<RemoteWorld>();
  std::unique_ptr<SimFileSystem> disk = std::make_unique<SimFileSystem>(1);

  TestDevice device() const { return TestDevice(*disk, "laptop"); }
  Result<void> record(const std::string& id, const std::string& project) const {
    return device().record(id, project, text_of(id));
  }
  Result<SyncReport> sync() const {
    SteadyRemote remote(world);
    return device().sync(remote);
  }
  Result<std::vector<StreamSegment>*> first_epoch() const {
    HOLDFAST_LET(id, device().device());
    return &world->streams[{id, 1}];
  }
  // As remote check does.
  Result<void> check() const {
    SteadyRemote remote(world);
    HOLDFAST_LET(home, device().home());
    HOLDFAST_LET(settings, device().settings(*home));
    HOLDFAST_LET(heads, remote.heads({}));
    HOLDFAST_TRY(check_own_stream({}, *home, settings, remote, heads));
    return {};
  }
  // The same device and remote, apart from these.
  Stage copy() const { return {std::make_shared<RemoteWorld>(*world), disk->clone()}; }
  // Another home at the same remote that writes as this device.
  Stage copied_home() const { return {world, disk->clone()}; }
};

void spoil(StreamSegment& segment) { segment.header[40] = static_cast<char>(segment.header[40] ^ 1); }

// What a device can read that joins now, as "id=bytes". Changes nothing.
Result<std::set<std::string>> newcomer_reads(const Stage& stage) {
  SteadyRemote remote(std::make_shared<RemoteWorld>(*stage.world));
  SimFileSystem disk(2);
  const TestDevice reader(disk, "tower");
  HOLDFAST_TRY(reader.sync(remote));
  HOLDFAST_TRY(reader.fetch_all(remote));
  std::set<std::string> all;
  for (const std::string& one : reader.others(true))
    if (!one.ends_with("=not here")) all.insert(one);
  return all;
}

// Everything that is there, unpacked.
std::string bytes_at(const RemoteWorld& world) {
  std::string all;
  const auto add = [&](std::string_view packed) {
    const auto header = read_chunk_header(packed);
    const auto plain = header ? unpack_chunk(*header, packed.substr(kChunkHeaderBytes))
                              : Result<std::string>(fail(Code::corrupt, "no chunk"));
    all += plain.value_or("");
  };
  for (const auto& [name, bytes] : world.chunks) add(bytes);
  for (const auto& [id, segments] : world.streams)
    for (const StreamSegment& one : segments)
      if (one.body && one.body->size() > 16) add(std::string_view(*one.body).substr(16));
  return all;
}

// ---- cut off at any call

// Segments with s1 and s2, s3, and s4; then the damage. s1 and s3 are no longer shared.
Result<Stage> damaged(Damage damage) {
  Stage stage;
  stage.world->charter = write_charter(test_charter(""));
  for (const char* const project : {"/p", "/q"}) HOLDFAST_TRY(stage.device().share(project));
  HOLDFAST_TRY(stage.record("s1", "/p"));
  HOLDFAST_TRY(stage.record("s2", "/q"));
  HOLDFAST_TRY(stage.device().device());
  auto backup = stage.disk->clone();
  HOLDFAST_TRY(stage.sync());
  HOLDFAST_TRY(stage.record("s3", "/p"));
  HOLDFAST_TRY(stage.sync());
  HOLDFAST_TRY(stage.record("s4", "/q"));
  HOLDFAST_TRY(stage.sync());
  HOLDFAST_LET(segments, stage.first_epoch());
  if (segments->size() != 3) return fail(Code::internal, "three segments are expected");
  switch (damage) {
    case Damage::header: spoil((*segments)[1]); break;
    case Damage::middle: segments->erase(segments->begin() + 1); break;
    case Damage::end: segments->pop_back(); break;
    case Damage::epoch: segments->clear(); break;
    case Damage::home: stage.disk = std::move(backup); break;
  }
  if (damage == Damage::header || damage == Damage::middle) HOLDFAST_TRY(stage.check());
  HOLDFAST_TRY(stage.device().share("/p", "local-only"));
  return stage;
}

// Whoever joins while the device is cut off reads what could be read before, in one epoch or the other.
void look_between(Damage damage, const Stage& stage, const std::string& where, Outcome& outcome) {
  if (damage == Damage::epoch) return;
  const auto read = newcomer_reads(stage);
  if (!read) return outcome.fail(&Outcome::unopenable, where + ": cannot join: " + read.error().text());
  if (!read->contains("s2=" + text_of("s2")))
    outcome.fail(&Outcome::lost, where + ": what is still shared cannot be read meanwhile");
}

// The device goes on.
void judge(const Stage& stage, std::size_t segments, const std::string& where, Outcome& outcome) {
  ++outcome.cases;
  for (int n = 0; n < 3; ++n)
    if (const auto done = stage.sync(); !done)
      return outcome.fail(&Outcome::unopenable, where + ": cannot sync: " + done.error().text());
  const auto last = stage.sync();
  if (!last || last->pushed.segments != 0 || !last->pushed.withdrawn.empty())
    return outcome.fail(&Outcome::wrong, where + ": never comes to an end");
  const auto read = newcomer_reads(stage);
  if (!read) return outcome.fail(&Outcome::unopenable, where + ": cannot join: " + read.error().text());
  for (const char* const id : {"s2", "s4"})
    if (!read->contains(id + ("=" + text_of(id))))
      return outcome.fail(&Outcome::lost, where + ": " + id + " cannot be read");
  if (read->size() != 2) return outcome.fail(&Outcome::wrong, where + ": what is no longer shared can be read");
  const std::string left = bytes_at(*stage.world);
  for (const std::string& gone : {text_of("s1"), text_of("s3"), std::string("\"project\":\"/p\"")})
    if (left.contains(gone)) return outcome.fail(&Outcome::wrong, where + ": this is left there: " + gone);
  const auto epoch = stage.first_epoch();
  if (!epoch || (*epoch)->size() > segments)
    outcome.fail(&Outcome::wrong, where + ": something was published in the epoch with the damage");
}

class KilledAt final : public SimObserver {
 public:
  explicit KilledAt(std::uint64_t at) : at_(at) {}
  Injection before(const SimCall&) override {
    if (count_++ != at_) return {};
    killed = true;
    return {.kind = at_ % 8 < 4 ? Injection::Kind::kill_before : Injection::Kind::kill_inside};
  }
  bool killed = false;

 private:
  std::uint64_t at_, count_ = 0;
};

void cut_off(Damage damage, Outcome& outcome) {
  const std::string name = "damage " + std::to_string(static_cast<int>(damage));
  const auto begun = damaged(damage);
  if (!begun) return outcome.fail(&Outcome::unopenable, name + ": " + begun.error().text());
  const std::size_t segments = damage == Damage::home ? SIZE_MAX : begun->first_epoch().value()->size();
  for (const RemoteFault fault : {RemoteFault::crash_before, RemoteFault::crash_after}) {
    bool reached = true;
    for (std::uint64_t at = 0; reached; ++at) {
      const Stage stage = begun->copy();
      std::uint64_t calls = 0;
      SteadyRemote dying(stage.world, [&](std::string_view) { return calls++ == at ? fault : RemoteFault::none; });
      (void)stage.device().sync(dying);
      reached = calls > at;
      const std::string where = name + ", request " + std::to_string(at);
      look_between(damage, stage, where, outcome);
      judge(stage, segments, where, outcome);
    }
  }
  bool killed = true;
  for (std::uint64_t at = static_cast<std::uint64_t>(damage); killed; at += kStride) {
    Stage stage = begun->copy();
    KilledAt killer(at);
    stage.disk->set_observer(&killer);
    (void)stage.sync();
    stage.disk->set_observer(nullptr);
    killed = killer.killed;
    auto chooser = Chooser::random(1, at);
    if (killed) stage.disk = stage.disk->crash(at % 8 < 4 ? CrashModel::weak : CrashModel::ordered, chooser);
    const std::string where = name + ", call " + std::to_string(at) + " to the disk";
    look_between(damage, stage, where, outcome);
    judge(stage, segments, where, outcome);
  }
}

// ---- two homes that write as one device

Result<Stage> shared_by_two() {
  Stage stage;
  stage.world->charter = write_charter(test_charter(""));
  for (const char* const project : {"/p", "/q"}) HOLDFAST_TRY(stage.device().share(project));
  HOLDFAST_TRY(stage.record("s1", "/p"));
  HOLDFAST_TRY(stage.sync());
  return stage;
}

bool has_withdrawn(const SyncReport& report, std::string_view id) {
  return std::ranges::any_of(report.pushed.withdrawn, [&](const CaptureKey& key) { return key.id == id; });
}

// In the second segment there is also a session that only the other home has, and the third names a chunk of s1.
Result<void> others_stay(Outcome& outcome) {
  HOLDFAST_LET(stage, shared_by_two());
  const Stage other = stage.copied_home();
  HOLDFAST_TRY(other.device().record("s1", "/p", text_of("s1") + "more\n"));
  HOLDFAST_TRY(other.record("s5", "/q"));
  HOLDFAST_TRY(other.sync());
  HOLDFAST_TRY(other.device().record("s6", "/q", text_of("s1")));
  HOLDFAST_TRY(other.sync());
  HOLDFAST_TRY(other.record("s7", "/q"));
  HOLDFAST_TRY(other.sync());
  HOLDFAST_LET(segments, stage.first_epoch());
  if (segments->size() != 4) return fail(Code::internal, "four segments are expected");
  spoil(segments->back());
  HOLDFAST_TRY(stage.device().share("/p", "local-only"));
  HOLDFAST_LET(report, stage.sync());
  if (has_withdrawn(report, "s1"))
    outcome.fail(&Outcome::wrong, "a session counts as withdrawn that can still be read");
  if (std::ranges::none_of(report.pushed.findings, [](const Finding& one) { return one.kind == "left"; }))
    outcome.fail(&Outcome::wrong, "what cannot be erased is not reported");
  HOLDFAST_LET(read, newcomer_reads(stage));
  if (!read.contains("s5=" + text_of("s5")))
    outcome.fail(&Outcome::lost, "the body of a session was erased that only another home has");
  if (!read.contains("s6=" + text_of("s1")))
    outcome.fail(&Outcome::lost, "the chunk of a session was erased that only another home has");
  return {};
}

// The second segment is of another home, and arrives after the third one. That home does not notice what is erased.
Result<void> nothing_is_erased_too_soon(Outcome& outcome) {
  HOLDFAST_LET(stage, shared_by_two());
  const Stage other = stage.copied_home();
  for (const char* const id : {"s5", "s6"}) {
    HOLDFAST_TRY(other.record(id, "/q"));
    HOLDFAST_TRY(other.sync());
  }
  HOLDFAST_LET(segments, stage.first_epoch());
  if (segments->size() != 3) return fail(Code::internal, "three segments are expected");
  const StreamSegment late = (*segments)[1];
  segments->erase(segments->begin() + 1);
  HOLDFAST_TRY(stage.device().share("/p", "local-only"));
  HOLDFAST_LET(report, stage.sync());
  if (has_withdrawn(report, "s1"))
    outcome.fail(&Outcome::wrong, "a session counts as withdrawn while a segment is on its way");
  HOLDFAST_LET(arrived, stage.first_epoch());
  arrived->insert(arrived->begin() + 1, late);
  for (int n = 0; n < 2; ++n) {
    HOLDFAST_TRY(stage.sync());
    HOLDFAST_TRY(other.sync());
  }
  HOLDFAST_LET(read, newcomer_reads(stage));
  for (const char* const id : {"s1", "s5", "s6"})
    if (!read.contains(id + ("=" + text_of(id))))
      outcome.fail(&Outcome::lost, std::string(id) + " of the other home cannot be read");
  return {};
}

}  // namespace

void run_sync_scenes(Outcome& outcome) {
  for (const auto& scene : {others_stay, nothing_is_erased_too_soon})
    if (const auto done = scene(outcome); !done) outcome.fail(&Outcome::unopenable, done.error().text());
  for (const Damage damage : kDamages) cut_off(damage, outcome);
}

}  // namespace holdfast::lab
