#include "sync/run_sync.h"

#include "crash/disk/sim_testing.h"
#include "sync/project_identity.h"
#include "sync/simulated_remote_testing.h"
#include "sync/sync_testing.h"

namespace holdfast::inline v1 {
namespace {

using Sessions = std::vector<std::string>;

struct SyncRun : testing::TestWithParam<bool> {
  std::string secret = GetParam() ? std::string(16, 'k') : std::string();
  std::shared_ptr<RemoteWorld> world = std::make_shared<RemoteWorld>();
  SimFileSystem disk_a, disk_b, disk_c;
  TestDevice a{disk_a, "laptop", secret}, b{disk_b, "tower", secret}, c{disk_c, "third", secret};
  SimulatedRemote remote{world};

  void SetUp() override { world->charter = write_charter(test_charter(secret)); }
  SyncReport sync(const TestDevice& device) { return must(device.sync(remote)); }
  // Whether anything at the remote contains the text as stored.
  bool remote_has(std::string_view text) const {
    for (const auto& [name, bytes] : world->chunks)
      if (bytes.find(text) != std::string::npos) return true;
    for (const auto& [id, segments] : world->streams)
      for (const StreamSegment& one : segments)
        if ((one.header + one.body.value_or("")).find(text) != std::string::npos) return true;
    return false;
  }
};

INSTANTIATE_TEST_SUITE_P(Plain, SyncRun, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Encrypted, SyncRun, testing::Values(true));

TEST_P(SyncRun, OnlySharedSessionsArrive) {
  must(a.record("one", "/p", "first line\n"));
  must(a.record("two", "/secret", "PLANTED\n"));
  EXPECT_EQ(sync(a).pushed.sessions.size(), 0u) << "nothing is shared by default";
  // If keys may have to be sealed to it, a device publishes who it is, and nothing else.
  EXPECT_EQ(world->streams.size(), GetParam() ? 1u : 0u);
  EXPECT_TRUE(world->chunks.empty());
  must(a.share("/p"));
  EXPECT_EQ(sync(a).pushed.sessions.size(), 1u);
  EXPECT_EQ(sync(b).pulled.sessions.size(), 1u);
  EXPECT_EQ(b.others().size(), 1u);
  EXPECT_EQ(b.others(true), Sessions{"one=not here"});
  EXPECT_EQ(must(b.fetch_all(remote)).chunks, 1u);
  EXPECT_EQ(b.others(true), Sessions{"one=first line\n"});
  must(a.record("one", "/p", "first line\nsecond line\n"));
  EXPECT_EQ(sync(a).pushed.sessions.size(), 1u);
  const std::uint64_t calls = world->calls;
  EXPECT_EQ(sync(a).pushed.segments, 0u) << "nothing new";
  EXPECT_LE(world->calls - calls, 3u);
  sync(b);
  must(b.fetch_all(remote));
  EXPECT_EQ(b.others(true), Sessions{"one=first line\nsecond line\n"});
  EXPECT_FALSE(remote_has("PLANTED"));
  EXPECT_FALSE(remote_has("/secret"));
}

TEST_P(SyncRun, EncryptedRemoteIsUnreadableWithoutKey) {
  must(a.record("title-of-it", "/p", "what was said\n"));
  must(a.share("/p"));
  sync(a);
  // Chunks are compressed, so only short texts would be visible; names and titles are in bodies.
  ASSERT_FALSE(world->chunks.empty());
  const bool readable = read_chunk_header(world->chunks.begin()->second).has_value();
  EXPECT_EQ(readable, !GetParam());
  if (!GetParam()) return;
  TestDevice wrong{disk_c, "third", std::string(16, 'w')};
  EXPECT_EQ(wrong.sync(remote).error().code, Code::permission_denied);
}

TEST_P(SyncRun, WithdrawalErasesAndNamesReaders) {
  must(a.record("kept", "/p", "kept\n"));
  must(a.record("gone", "/q", "gone\n"));
  must(a.share("/p"));
  must(a.share("/q"));
  sync(a);
  sync(b);
  sync(b);
  sync(a);
  ASSERT_EQ(world->chunks.size(), 2u);
  must(a.share("/q", "local-only"));
  const SyncReport report = sync(a);
  EXPECT_EQ(report.pushed.withdrawn.size(), 1u);
  EXPECT_EQ(report.pushed.pulled_by, std::set<std::string>{"tower"});
  EXPECT_EQ(world->chunks.size(), 1u);
  EXPECT_EQ(world->streams.at({must(a.device()), 1}).front().body, std::nullopt);
  sync(b);
  EXPECT_EQ(b.others().size(), 1u) << "it had not fetched it";
  // A later reader reads the stub, and finds everything else of it published again.
  sync(c);
  must(c.fetch_all(remote));
  EXPECT_EQ(c.others(true), Sessions{"kept=kept\n"});
}

TEST_P(SyncRun, DropSurvivesErasureOfItsBody) {
  must(a.share("/p"));
  must(a.record("first", "/p", "1\n"));
  sync(a);
  sync(b);
  ASSERT_EQ(b.others().size(), 1u);
  // One sync withdraws a session and publishes another; then that one is withdrawn too, and its body erased.
  must(a.share("/p", "local-only"));
  must(a.share("/q"));
  must(a.record("second", "/q", "2\n"));
  sync(a);
  must(a.share("/q", "local-only"));
  sync(a);
  EXPECT_EQ(sync(b).pulled.withdrawn.size(), 1u);
  EXPECT_EQ(b.others(), Sessions{});
}

TEST_P(SyncRun, ReadReceiptSurvivesErasureOfItsBody) {
  must(a.share("/p"));
  must(a.record("one", "/p", "1\n"));
  sync(a);
  must(b.share("/q"));
  must(b.record("two", "/q", "2\n"));
  sync(b);  // says that it has read `one`, beside `two`
  must(b.share("/q", "local-only"));
  sync(b);
  sync(a);
  must(a.share("/p", "local-only"));
  EXPECT_EQ(sync(a).pushed.pulled_by, std::set<std::string>{"tower"});
}

TEST_P(SyncRun, InterruptedWithdrawalIsCompleted) {
  must(a.share("/p"));
  must(a.share("/q"));
  must(a.record("gone", "/p", "words of it\n"));
  must(a.record("kept", "/q", "kept\n"));
  sync(a);
  must(a.share("/p", "local-only"));
  const RemoteWorld before = *world;
  bool died = true;
  for (int at = 0; died; ++at) {  // before each request in turn
    *world = before;
    const auto disk = disk_a.clone();
    const TestDevice writer{*disk, "laptop", secret};
    int calls = 0;
    SimulatedRemote dying{
        world, [&](std::string_view) { return calls++ == at ? RemoteFault::crash_before : RemoteFault::none; }};
    (void)writer.sync(dying);
    died = dying.crashed();
    sync(writer);
    SimFileSystem fresh;
    const TestDevice reader{fresh, "tower", secret};
    sync(reader);
    must(reader.fetch_all(remote));
    EXPECT_EQ(reader.others(true), Sessions{"kept=kept\n"}) << at;
    EXPECT_EQ(world->streams.at({must(a.device()), 1}).front().body, std::nullopt) << at;
    EXPECT_EQ(world->chunks.size(), 1u) << at;
  }
}

TEST_P(SyncRun, InterruptedSegmentIsNotSentOnceItIsNotShared) {
  must(a.share("/p"));
  must(a.share("/q"));
  must(a.record("gone", "/p", "words of it\n"));
  must(a.record("kept", "/q", "kept\n"));
  SimulatedRemote dying{
      world, [](std::string_view call) { return call == "publish" ? RemoteFault::crash_before : RemoteFault::none; }};
  (void)a.sync(dying);
  ASSERT_TRUE(dying.crashed());
  must(a.share("/p", "local-only"));
  const std::string device = must(a.device());
  const SyncReport report = sync(a);
  EXPECT_TRUE(report.pushed.withdrawn.empty());
  EXPECT_EQ(report.pushed.sessions.size(), 1u);
  EXPECT_EQ(world->streams.at({device, 1}).size(), 1u) << "one segment, and no drop of what never was there";
  EXPECT_TRUE(world->streams.at({device, 1}).front().body.has_value());
  EXPECT_EQ(world->chunks.size(), 1u) << "what was stored before the crash is erased";
  sync(b);
  must(b.fetch_all(remote));
  EXPECT_EQ(b.others(true), Sessions{"kept=kept\n"});
}

TEST_P(SyncRun, OnlyTrustingDevicesForget) {
  must(a.record("gone", "/q", "gone\n"));
  must(a.share("/q"));
  sync(a);
  sync(b);
  must(b.fetch_all(remote));
  sync(c);
  must(c.fetch_all(remote));
  must(c.trust(must(a.device()), DeviceTrust::trusted));
  must(a.share("/q", "local-only"));
  sync(a);
  EXPECT_EQ(sync(b).pulled.withdrawn.size(), 1u);
  EXPECT_EQ(b.others(true), Sessions{"gone=gone\n"});
  EXPECT_EQ(sync(c).pulled.withdrawn.size(), 1u);
  EXPECT_EQ(c.others(true), Sessions{});
}

TEST_P(SyncRun, RestoredBackupStartsNewEpoch) {
  must(a.share("/p"));
  must(a.record("one", "/p", "1\n"));
  sync(a);
  const auto backup = disk_a.clone();
  must(a.record("two", "/p", "2\n"));
  sync(a);
  TestDevice restored{*backup, "laptop", secret};
  must(restored.record("three", "/p", "3\n"));
  const SyncReport report = sync(restored);
  EXPECT_TRUE(report.pushed.new_epoch);
  ASSERT_EQ(report.pushed.findings.size(), 1u);
  EXPECT_NE(report.pushed.findings[0].consequence.find("backup"), std::string::npos);
  sync(b);
  must(b.fetch_all(remote));
  EXPECT_EQ(b.others(true), (Sessions{"one=1\n", "one=not here", "three=3\n", "two=2\n"}))
      << "a copy that a later epoch has is not fetched";
  EXPECT_FALSE(sync(restored).pushed.new_epoch);
  // The other home continues in its own epoch.
  must(a.record("four", "/p", "4\n"));
  EXPECT_FALSE(sync(a).pushed.new_epoch);
}

TEST_P(SyncRun, MovedHomeIsTheSameDevice) {
  must(a.share("/p"));
  must(a.record("one", "/p", "1\n"));
  sync(a);
  const std::string device = must(a.device());
  const auto etc = must(disk_a.open_directory("/etc", true));
  EXPECT_TRUE(must(etc->open("machine-id", OpenMode::create_append))->append("another machine"));
  EXPECT_EQ(must(a.device()), device);
  const SyncReport moved = sync(a);
  EXPECT_EQ(moved.pushed.segments + moved.pushed.withdrawn.size() + moved.pushed.findings.size(), 0u);
  must(a.record("two", "/p", "2\n"));
  EXPECT_EQ(sync(a).pushed.sessions.size(), 1u);
  must(a.share("/p", "local-only"));
  EXPECT_EQ(sync(a).pushed.withdrawn.size(), 2u);
  EXPECT_TRUE(world->chunks.empty());
}

TEST_P(SyncRun, WithdrawalReachesAbandonedEpoch) {
  must(a.share("/p"));
  must(a.share("/q"));
  must(a.record("kept", "/q", "k\n"));
  must(a.record("one", "/p", "1\n"));
  sync(a);
  const auto backup = disk_a.clone();
  must(a.record("two", "/p", "2\n"));
  must(a.record("also", "/q", "a\n"));
  sync(a);
  TestDevice restored{*backup, "laptop", secret};
  EXPECT_TRUE(sync(restored).pushed.new_epoch);
  sync(b);
  sync(restored);
  must(restored.share("/p", "local-only"));
  const SyncReport report = sync(restored);
  EXPECT_EQ(report.pushed.withdrawn.size(), 2u) << "one, in both epochs, and two, which it does not know";
  EXPECT_EQ(report.pushed.pulled_by, std::set<std::string>{"tower"});
  sync(c);
  must(c.fetch_all(remote));
  EXPECT_EQ(c.others(true), (Sessions{"also=a\n", "kept=k\n", "kept=not here"})) << "what is still shared stays";
  sync(b);
  EXPECT_EQ(b.others().size(), 3u);
  // The other home, if there is one, notices and publishes again what it shares.
  EXPECT_TRUE(sync(a).pushed.new_epoch);
  EXPECT_FALSE(sync(restored).pushed.new_epoch);
  EXPECT_EQ(sync(restored).pushed.segments, 0u);
}

// A home takes over what it does not know once for each thing that is unshared, so two that share different things do
// not erase what the other publishes for ever.
TEST_P(SyncRun, TwoHomesThatUnshareComeToAnEnd) {
  for (const char* const project : {"/p", "/q", "/r"}) {
    must(a.share(project));
    must(a.record(std::string("in_") + (project + 1), project, std::string(project) + "\n"));
  }
  must(a.device());
  const auto disk = disk_a.clone();
  TestDevice copy{*disk, "laptop", secret};
  sync(a);
  EXPECT_TRUE(sync(copy).pushed.new_epoch) << "it does not know the epoch of the other home";
  must(a.share("/p", "local-only"));
  must(copy.share("/q", "local-only"));
  bool is_quiet = false;
  for (int n = 0; n < 6 && !is_quiet; ++n) {
    const SyncReport one = sync(a), other = sync(copy);
    is_quiet = one.pushed.segments + other.pushed.segments == 0;
  }
  EXPECT_TRUE(is_quiet);
  sync(b);
  must(b.fetch_all(remote));
  Sessions read;
  for (const std::string& text : b.others(true))
    if (!text.contains("not here")) read.push_back(text);
  EXPECT_EQ(read, (Sessions{"in_p=/p\n", "in_q=/q\n", "in_r=/r\n"})) << "each home shares what it shares";
}

// What somebody else put there under the name of an epoch is none.
TEST_P(SyncRun, OnlySignedEpochsCount) {
  must(a.share("/p"));
  must(a.record("one", "/p", "1\n"));
  const std::string device = must(a.device());
  sync(a);
  StreamSegment forged = world->streams.at({device, 1}).front();
  forged.header[40] ^= 1;
  world->streams[{device, 2}].push_back(forged);
  world->streams[{device, UINT64_MAX}].push_back(forged);
  world->streams.erase({device, 1});
  EXPECT_TRUE(sync(a).pushed.new_epoch);
  EXPECT_TRUE(world->streams.contains({device, 3}));
  must(a.share("/p", "local-only"));
  const SyncReport report = sync(a);
  EXPECT_EQ(report.pushed.withdrawn.size(), 1u);
  EXPECT_TRUE(report.pushed.findings.empty());
  EXPECT_EQ(world->streams.at({device, 2}).size(), 1u);
}

TEST_P(SyncRun, NarrowingPolicyErasesFullData) {
  must(a.share("/p"));
  must(a.record("title-of-it", "/p", "said\nSECRET\n"));
  sync(a);
  sync(b);
  sync(a);
  must(a.share("/p", "redacted"));
  const SyncReport narrowed = sync(a);
  EXPECT_EQ(narrowed.pushed.withdrawn.size(), 1u);
  EXPECT_EQ(narrowed.pushed.pulled_by, std::set<std::string>{"tower"});
  EXPECT_EQ(sync(a).pushed.segments, 0u) << "nothing new";
  sync(c);
  must(c.fetch_all(remote));
  ASSERT_EQ(c.redacted(), Sessions{"said\n"});
  ASSERT_EQ(world->chunks.size(), 2u) << "the log and its FORMAT";
  for (const auto& [name, bytes] : world->chunks) EXPECT_FALSE(bytes.contains("SECRET"));
  must(a.record("title-of-it", "/p", "said\nSECRET\nmore\n"));
  EXPECT_EQ(sync(a).pushed.sessions.size(), 1u);
  sync(c);
  must(c.fetch_all(remote));
  EXPECT_EQ(c.redacted(), Sessions{"said\nmore\n"});
  must(a.share("/p", "local-only"));
  sync(a);
  EXPECT_TRUE(world->chunks.empty());
}

TEST_P(SyncRun, TamperedRemoteIsReportedAndChangesNothing) {
  must(a.share("/p"));
  must(a.record("one", "/p", "1\n"));
  sync(a);
  auto& segments = world->streams.begin()->second;
  const auto honest = segments;
  const auto lies = std::vector<std::function<void()>>{
      [&] { segments[0].body->back() ^= 1; },
      [&] { segments[0].header[40] ^= 1; },
      [&] { segments[0].header.insert(0, std::string(2000, ' ')); },
      [&] { segments[0].body->append(std::string(kMaxSegmentBody, 'x')); },
      [&] { segments[0].seq = 2; },
      [&] { segments[0].hash = std::string(64, 'f'); },
      [&] { segments[0].header = "{}\n00\n"; },
  };
  for (const auto& lie : lies) {
    segments = honest;
    lie();
    const SyncReport report = sync(b);
    ASSERT_EQ(report.pulled.findings.size(), 1u);
    EXPECT_EQ(report.pulled.findings[0].kind, "hostile");
    EXPECT_EQ(b.others(), Sessions{});
  }
  segments = honest;
  sync(b);
  EXPECT_EQ(b.others().size(), 1u);
  for (auto& [name, bytes] : world->chunks) bytes[bytes.size() - 1] ^= 1;
  const PullReport fetched = must(b.fetch_all(remote));
  EXPECT_EQ(fetched.findings.size(), 1u);
  EXPECT_EQ(fetched.missing, 1u);
  EXPECT_EQ(b.others(true), Sessions{"one=not here"});
  segments.clear();
  EXPECT_TRUE(sync(b).pulled.findings.empty()) << "a stream that is gone takes nothing away";
  EXPECT_EQ(b.others().size(), 1u);
}

TEST_P(SyncRun, MemberCannotWriteForAnother) {
  must(a.share("/p"));
  must(a.record("one", "/p", "1\n"));
  sync(a);
  const std::string victim = must(a.device());
  const SigningKey mallory = signing_key(random_secret(32));
  RemoteSecret key{test_charter(secret).id, std::nullopt};
  if (!secret.empty()) key.key = remote_key(secret, key.remote);
  auto& segments = world->streams.at({victim, 1});
  SegmentContent content;
  content.ops.push_back(write_drop_op(9, drop_name({"made-up", "/s", "one"})));
  segments.push_back(
      must(make_segment(mallory, key, 1, {1, segments[0].hash}, "2026-11-16T00:00:00Z", write_content(content))));
  const SyncReport report = sync(b);
  EXPECT_EQ(report.pulled.findings.size(), 1u);
  EXPECT_EQ(b.others().size(), 1u);
  // In its own stream it can only drop its own sessions: none.
  segments.pop_back();
  content.ops.push_back(
      R"({"op":"session","state":{"n":10,"base":0,"layout":"made-up","store":"/../etc","session":"x",)"
      R"("row":{},"files":[]}})");
  content.ops.push_back(R"({"op":"session","state":{"n":11,"base":0,"layout":"made-up","store":"/s","session":"../x",)"
                        R"("row":{},"files":[]}})");
  content.ops.push_back(R"({"op":"session","state":{"n":12,"base":0,"layout":"made-up","store":"/s","session":"y",)"
                        R"("row":{},"files":[{"root":"home","path":"../../y","size":0,"add":[]}]}})");
  world->streams[{device_id(mallory.public_key), 1}].push_back(
      must(make_segment(mallory, key, 1, {}, "2031-11-16T00:00:00Z", write_content(content))));
  const SyncReport second = sync(b);
  EXPECT_EQ(second.pulled.sessions.size(), 0u);
  EXPECT_EQ(second.pulled.findings.size(), 4u) << "a clock and three names";
  EXPECT_EQ(b.others().size(), 1u);
}

// Its device can no longer say so in the epoch that has the session.
TEST_P(SyncRun, ForgetInLaterEpochTakesListedSessionsAway) {
  must(a.share("/p"));
  must(a.record("one", "/p", "1\n"));
  must(a.record("two", "/p", "2\n"));
  sync(a);
  sync(c);
  must(c.fetch_all(remote));
  const auto in = must(a.home());
  RemoteSecret key{test_charter(secret).id, std::nullopt};
  if (!secret.empty()) key.key = remote_key(secret, key.remote);
  SegmentContent content;
  content.ops.push_back(write_forget_op(1, drop_name({"made-up", "/s", "one"}), {1}));
  world->streams[{must(a.device()), 2}].push_back(
      must(make_segment(must(in->device({})), key, 2, {}, "2026-11-16T00:00:00Z", write_content(content))));
  EXPECT_EQ(sync(b).pulled.sessions.size(), 1u);
  must(b.fetch_all(remote));
  EXPECT_EQ(b.others(true), Sessions{"two=2\n"}) << "a new reader";
  sync(c);
  EXPECT_EQ(c.others(true), (Sessions{"one=1\n", "two=2\n"})) << "what was fetched stays";
}

// A reader that knows the segments of an epoch that the remote has lost prefers what a later epoch has.
TEST_P(SyncRun, SessionsOfLostEpochAreReplaced) {
  must(a.share("/p"));
  must(a.record("one", "/p", "1\n"));
  sync(a);
  sync(b);
  world->streams.clear();
  world->chunks.clear();
  EXPECT_TRUE(sync(a).pushed.new_epoch);
  sync(b);
  const PullReport fetched = must(b.fetch_all(remote));
  EXPECT_EQ(fetched.missing, 0u);
  EXPECT_EQ(b.others(true), (Sessions{"one=1\n", "one=not here"}));
}

TEST_P(SyncRun, RevokedDeviceIsNoLongerRead) {
  must(a.share("/p"));
  must(a.record("one", "/p", "1\n"));
  sync(a);
  sync(b);
  must(b.trust(must(a.device()), DeviceTrust::revoked));
  must(a.record("two", "/p", "2\n"));
  sync(a);
  sync(b);
  EXPECT_EQ(b.others().size(), 1u);
}

TEST(ProjectIdentity, NormalizesUrlsOfTheSameRepository) {
  for (const char* url : {"git@GitHub.com:me/thing.git", "https://github.com/me/thing",
                          "ssh://git@github.com:22/me/thing/", "https://user:token@github.com/me/thing.git"})
    EXPECT_EQ(normal_git_remote(url), "github.com/me/thing") << url;
  for (const char* url : {"/srv/thing.git", "file:///srv/thing", "C:\\thing", ""})
    EXPECT_EQ(normal_git_remote(url), "");
  EXPECT_TRUE(is_project_in("github.com/me/thing//sub", "github.com/me/thing"));
  EXPECT_FALSE(is_project_in("github.com/me/things", "github.com/me/thing"));
  EXPECT_FALSE(is_project_in("github.com/me/thing", "github.com/me/thing//sub"));
  EXPECT_TRUE(is_project_in("path:/p/sub", "path:/p"));
  EXPECT_FALSE(is_project_in("path:/pq", "path:/p"));
  EXPECT_EQ(levels_below("github.com/me/thing", "github.com/me/thing"), std::size_t{0});
  EXPECT_EQ(levels_below("github.com/me/thing//a/b", "github.com/me/thing"), std::size_t{2});
  EXPECT_EQ(levels_below("github.com/me/thing//a/b", "github.com/me/thing//a"), std::size_t{1});
  EXPECT_EQ(levels_below("path:/p/a/b", "path:/p"), std::size_t{2});
  EXPECT_EQ(levels_below("path:/p", "path:/"), std::size_t{1});
  EXPECT_EQ(levels_below("path:/p", "github.com/me/thing"), std::nullopt);
}

TEST(RecoveryPhrase, RoundTripsAndDetectsWrongLetter) {
  const std::string secret = random_secret(kPhraseBytes), phrase = recovery_phrase(secret);
  EXPECT_EQ(phrase.size(), 34u);
  EXPECT_EQ(read_recovery_phrase(phrase), secret);
  std::string upper;
  for (const char c : phrase) upper += c == '0' ? 'O' : c == '1' ? 'I' : c == '-' ? ' ' : static_cast<char>(toupper(c));
  EXPECT_EQ(read_recovery_phrase(upper), secret);
  for (std::size_t i = 0; i < phrase.size(); ++i) {
    if (phrase[i] == '-') continue;
    std::string wrong = phrase;
    wrong[i] = wrong[i] == '5' ? '6' : '5';
    EXPECT_FALSE(read_recovery_phrase(wrong) == secret);
  }
  EXPECT_FALSE(read_recovery_phrase("correct horse battery staple"));
}

}  // namespace
}  // namespace holdfast::inline v1
