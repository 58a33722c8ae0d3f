#include "sync/remote_keys.h"

#include <algorithm>

#include "crash/disk/sim_testing.h"
#include "sync/read_by.h"
#include "sync/simulated_remote_testing.h"
#include "sync/sync_testing.h"

namespace holdfast::inline v1 {
namespace {

using Sessions = std::vector<std::string>;

struct KeyRotation : testing::Test {
  const std::string secret = std::string(16, 'k');
  std::shared_ptr<RemoteWorld> world = std::make_shared<RemoteWorld>();
  SimFileSystem disk_a, disk_b, disk_c, disk_d;
  TestDevice a{disk_a, "laptop", secret}, b{disk_b, "tower", secret}, c{disk_c, "third", secret},
      d{disk_d, "fourth", secret};
  SimulatedRemote remote{world};

  void SetUp() override {
    world->charter = write_charter(test_charter(secret));
    must(a.share("/p"));
    must(a.record("one", "/p", "before\n"));
    // Each device has a stream and knows the others.
    for (int round = 0; round < 2; ++round)
      for (const TestDevice* device : {&a, &b, &c}) must(device->sync(remote));
  }
  SyncReport sync(const TestDevice& device) { return must(device.sync(remote)); }
  Sessions read(const TestDevice& device) {
    must(device.fetch_all(remote));
    return device.others(true);
  }
  // Removes the remote there, and adds it again with the first phrase.
  void add_again(const TestDevice& device) {
    const auto home = must(device.home());
    must(remember_removed({}, *home, must(device.settings(*home))));
    must(home->forget({}, "r"));
    RemoteSettings fresh = must(device.settings(*home));
    must(resume_removed({}, *home, fresh, remote));
  }
  static bool is_unsafe(const TestDevice& device) {
    return may_be_known_to_revoked(must(device.settings(*must(device.home()))));
  }
  static std::string kind(const SyncReport& report) {
    return report.pulled.findings.empty() ? "" : report.pulled.findings[0].kind;
  }
};

TEST_F(KeyRotation, RevokedDeviceCannotReadLaterData) {
  const auto had = must(sessions_read_by({}, *must(a.home()), must(a.settings(*must(a.home()))), must(c.device())));
  ASSERT_EQ(had.size(), 1u);
  EXPECT_EQ(had.begin()->first.id, "one");
  EXPECT_EQ(read(c), Sessions{"one=before\n"});
  must(a.revoke(must(c.device())));
  must(a.record("one", "/p", "before\nafter\n"));
  must(a.record("two", "/p", "new\n"));
  EXPECT_EQ(sync(a).pushed.sessions.size(), 2u);
  EXPECT_EQ(kind(sync(b)), "revoked") << "it is told";
  EXPECT_EQ(read(b), (Sessions{"one=before\nafter\n", "two=new\n"}));
  EXPECT_EQ(kind(sync(c)), "locked");
  EXPECT_EQ(read(c), Sessions{"one=before\n"});
  // Not even with everything that the remote has: none of its keys opens a later body or chunk.
  const RemoteSecret keys = must(c.settings(*must(c.home()))).key();
  EXPECT_TRUE(keys.others.empty());
  std::size_t locked = 0;
  StreamHead after;
  const StreamId stream{must(a.device()), 1};
  for (const StreamSegment& segment : world->streams.at(stream)) {
    const SegmentHeader header = must(check_segment(segment, keys.remote, stream, after));
    after = {segment.seq, segment.hash};
    if (header.lock.empty()) continue;
    ++locked;
    EXPECT_EQ(open_body(header, *segment.body, keys).error().code, Code::permission_denied);
    SegmentHeader first = header;
    first.lock.clear();
    EXPECT_EQ(open_body(first, *segment.body, keys).error().code, Code::corrupt);
  }
  EXPECT_GE(locked, 1u);
  const SigningKey own = must(must(c.home())->device({}));
  for (const auto& [name, bytes] : world->chunks) EXPECT_FALSE(unseal_for(own, bytes)) << "sealed for the revoked one";
}

TEST_F(KeyRotation, TrustingDevicesAdoptTheNewKey) {
  must(b.trust(must(a.device()), DeviceTrust::trusted));
  must(a.revoke(must(c.device())));
  sync(a);
  EXPECT_EQ(kind(sync(b)), "revoked");
  must(b.share("/q"));
  must(b.record("mine", "/q", "of b\n"));
  sync(b);
  sync(a);
  EXPECT_EQ(read(a), Sessions{"mine=of b\n"});
  sync(c);
  EXPECT_EQ(read(c), Sessions{"one=before\n"});
  // Both have the same key: one phrase opens both.
  EXPECT_EQ(must(a.settings(*must(a.home()))).key().lock, must(b.settings(*must(b.home()))).key().lock);
}

TEST_F(KeyRotation, RejectsKeyPossiblyKnownToRevokedDevice) {
  sync(d);
  sync(a);
  sync(b);
  must(b.trust(must(a.device()), DeviceTrust::trusted));
  must(b.revoke(must(d.device())));
  must(a.revoke(must(c.device())));
  sync(a);
  const std::string lock = must(b.settings(*must(b.home()))).key().lock;
  EXPECT_EQ(kind(sync(b)), "revoked");
  EXPECT_EQ(must(b.settings(*must(b.home()))).key().lock, lock) << "d may have the other one";
}

TEST_F(KeyRotation, TrustGivesTheKeyToLaterDevice) {
  must(a.revoke(must(c.device())));
  must(a.record("two", "/p", "new\n"));
  sync(a);
  EXPECT_EQ(kind(sync(d)), "locked");
  EXPECT_EQ(kind(sync(a)), "no_key");
  must(a.trust(must(d.device()), DeviceTrust::trusted));
  sync(a);
  EXPECT_EQ(kind(sync(d)), "revoked");
  EXPECT_EQ(read(d), (Sessions{"one=before\n", "two=new\n"}));
}

TEST_F(KeyRotation, NewPhraseRecoversEarlierSecrets) {
  const std::string first = must(a.revoke(must(c.device())));
  must(a.record("two", "/p", "new\n"));
  sync(a);
  const std::string second = must(a.revoke(must(b.device())));
  sync(a);
  const Charter charter = test_charter(secret);
  EXPECT_EQ(must(earlier_secrets({}, remote, charter, second, "")), (std::vector<std::string>{secret, first, second}));
  EXPECT_EQ(must(earlier_secrets({}, remote, charter, first, "")), (std::vector<std::string>{secret, first}));
  EXPECT_EQ(must(earlier_secrets({}, remote, charter, std::string(16, 'x'), "")), std::nullopt);
}

// The device to be kept out joins once more, and is met by a home that has only the first key again.
TEST_F(KeyRotation, KeyThatComesBackIsGivenToNobody) {
  must(b.trust(must(a.device()), DeviceTrust::trusted));
  must(a.revoke(must(c.device())));
  sync(a);
  must(b.share("/q"));
  must(b.record("mine", "/q", "of b\n"));
  sync(b);
  EXPECT_EQ(kind(sync(d)), "locked");
  add_again(a);
  EXPECT_TRUE(is_unsafe(a));
  // What the other one published is on its way when the new device is met.
  auto later = world->streams.extract(StreamId{must(b.device()), 1});
  ASSERT_FALSE(later.empty());
  sync(a);
  EXPECT_TRUE(must(a.settings(*must(a.home()))).devices.contains(must(d.device())));
  EXPECT_TRUE(is_unsafe(a));
  world->streams.insert(std::move(later));
  sync(a);
  EXPECT_FALSE(is_unsafe(a)) << "the other one has given it the key";
  must(a.share("/p"));
  must(a.record("two", "/p", "SAID\n"));
  sync(a);
  const auto has_it = [&](const TestDevice& device) {
    sync(device);
    return std::ranges::count(read(device), std::string("two=SAID\n")) == 1;
  };
  EXPECT_TRUE(has_it(b));
  EXPECT_FALSE(has_it(c));
  EXPECT_FALSE(has_it(d));
  // Until somebody lets it in.
  must(a.trust(must(d.device()), DeviceTrust::trusted));
  sync(a);
  EXPECT_TRUE(has_it(d));
}

TEST_F(KeyRotation, UnpublishedSegmentIsSealedWithNewKey) {
  must(a.record("two", "/p", "SAID\n"));
  SimulatedRemote away(
      world, [](std::string_view call) { return call == "publish" ? RemoteFault::crash_before : RemoteFault::none; });
  EXPECT_FALSE(a.sync(away));
  must(a.revoke(must(c.device())));
  sync(a);
  sync(c);
  EXPECT_EQ(c.others().size(), 1u);
  sync(b);
  EXPECT_EQ(read(b), (Sessions{"one=before\n", "two=SAID\n"}));
}

TEST_F(KeyRotation, RejectsForgedKeyBox) {
  must(a.revoke(must(c.device())));
  must(a.record("two", "/p", "new\n"));
  sync(a);
  const SigningKey reader = must(must(b.home())->device({}));
  const std::string box = must(seal_for(reader.public_key, std::string(16, 'x')));
  const auto honest = world->chunks;
  for (auto& [name, bytes] : world->chunks)
    if (unseal_for(reader, bytes)) bytes = box;
  EXPECT_EQ(kind(sync(b)), "locked");
  EXPECT_TRUE(must(b.settings(*must(b.home()))).keys.empty());
  world->chunks = honest;
  sync(b);
  EXPECT_EQ(read(b).size(), 2u);
}

TEST_F(KeyRotation, WithdrawalErasesDataFromBeforeTheRotation) {
  must(a.revoke(must(c.device())));
  must(a.record("one", "/p", "before\n" + std::string(kBlockBytes, 'x') + "after\n"));
  sync(a);
  must(a.share("/p", "local-only"));
  EXPECT_EQ(sync(a).pushed.withdrawn.size(), 1u);
  sync(b);
  EXPECT_EQ(read(b), Sessions{});
  EXPECT_EQ(world->chunks.size(), 2u) << "the key for the one that may read, and the earlier ones";
}

}  // namespace
}  // namespace holdfast::inline v1
