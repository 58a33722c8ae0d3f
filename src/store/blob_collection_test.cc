#include "store/blob_collection.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/hash.h"
#include "layout/holdfast/line.h"
#include "store/layout_store_testing.h"
#include "store/processes_testing.h"
#include "store/session_trash.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::chrono::hours kMonth{24 * 30};

Message large(const std::string& word) {
  Message message;
  message.origin = Origin::typed;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::string(native::kBlobOver, 'x') + word});
  return message;
}

std::string path_of(const std::string& word) { return native::blob_path(sha256_hex(large(word).text())); }

struct BlobCollection : testing::Test {
  LayoutStore files{"holdfast"};
  const Context& context = files.context;

  std::string make(std::initializer_list<std::string> words) {
    const std::string id = must(files.store->create(context, {.project = "/srv/p"}, Durability::power));
    auto writer = must(files.store->write(context, id, {}));
    for (const std::string& word : words) must(writer->append(context, large(word), Durability::power));
    must(writer->close(context));
    return id;
  }
  bool there(const std::string& word) { return files.disk.exists("/store/" + path_of(word)); }
  bool reads(const std::string& id, const std::string& word) {
    const Transcript transcript = must(files.store->read(context, id, {}));
    return std::ranges::any_of(transcript.messages,
                               [&](const Message& message) { return message.text() == large(word).text(); });
  }
  CollectedBlobs collect() { return must(collect_blobs(context, *files.store, files.clock.now() - kMonth)); }
  std::size_t empty() { return must(empty_trash(context, *files.store, files.clock.now() - kMonth)); }
};

TEST_F(BlobCollection, BlobsOfDeletedSessionAreSetAsideThenDeleted) {
  const std::string kept = make({"shared"}), gone = make({"own", "shared"});
  must(trash_session(context, *files.store, gone));
  EXPECT_EQ(empty(), 0u) << "too young";
  EXPECT_TRUE(there("own"));
  files.clock.step(kMonth + std::chrono::hours(1));
  EXPECT_EQ(empty(), 1u);
  EXPECT_FALSE(there("own")) << "set aside";
  EXPECT_TRUE(there("shared"));
  EXPECT_FALSE(must(has_blobs_aside(context, *files.store, files.clock.now() - kMonth)));
  files.clock.step(kMonth + std::chrono::hours(1));
  EXPECT_TRUE(must(has_blobs_aside(context, *files.store, files.clock.now() - kMonth)));
  EXPECT_EQ(collect().deleted, 1u);
  EXPECT_FALSE(must(has_blobs_aside(context, *files.store, files.clock.now())));
  EXPECT_TRUE(reads(kept, "shared"));
  const CollectedBlobs again = collect();
  EXPECT_EQ(again.set_aside + again.put_back + again.deleted, 0u);
}

TEST_F(BlobCollection, TrashedSessionKeepsItsBlobs) {
  const std::string id = make({"own"});
  must(trash_session(context, *files.store, id));
  files.clock.step(kMonth * 3);
  EXPECT_EQ(collect().set_aside, 0u);
  must(restore_session(context, *files.store, id));
  EXPECT_TRUE(reads(id, "own"));
}

TEST_F(BlobCollection, BlobReferencedAgainIsPutBack) {
  const std::string id = make({"a", "b"});
  const std::string log = files.bytes("/store/" + must(files.store->get(context, id)).path);
  must(files.store->remove(context, id));
  EXPECT_EQ(collect().set_aside, 2u);
  const std::string heir = make({"b"});
  EXPECT_TRUE(there("b")) << "a writer that finds nothing writes it";
  const std::size_t line = log.find("\"sha256\":\"" + sha256_hex(large("a").text()));
  ASSERT_NE(line, std::string::npos);
  must(files.disk.foreign_append("/store/" + must(files.store->get(context, heir)).path,
                                 log.substr(log.rfind('\n', line) + 1, log.find('\n', line) - log.rfind('\n', line))));
  files.clock.step(kMonth * 2);
  const CollectedBlobs done = collect();
  EXPECT_EQ(done.put_back, 2u);
  EXPECT_EQ(done.deleted, 0u);
  EXPECT_TRUE(reads(heir, "a"));
  EXPECT_TRUE(reads(heir, "b"));
}

TEST_F(BlobCollection, DanglingLinkStopsCollection) {
  const std::string id = make({"own"});
  must(files.store->remove(context, id));
  auto store = must(files.disk.open_directory("/store", false));
  must(store->make_symlink("/elsewhere/sessions", "projects/away"));
  EXPECT_EQ(collect().set_aside, 0u);
  EXPECT_TRUE(there("own"));
  must(store->remove("projects/away"));
  EXPECT_EQ(collect().set_aside, 1u);
}

// The disk dies after every call of a collection: named texts can be read, and the others are gone in the end.
struct CrashedCollections final : SimObserver {
  CrashedCollections(LayoutStore& its, std::string session) : files(its), id(std::move(session)) {}

  void after(const SimCall&) override {
    for (const CrashModel model : kAllModels) {
      Chooser chooser = Chooser::random(4, ++seed);
      do {
        const auto crashed = files.disk.crash(model, chooser);
        const auto store = must(Store::open(
            files.context, *crashed, {.layout = "holdfast", .roots = {{"", "/store"}}, .write = true, .create = true}));
        EXPECT_EQ(must(store->read(files.context, id, {})).messages.at(0).text() == large("kept").text(), true);
        must(collect_blobs(files.context, *store, files.clock.now()));
        TestClock later = files.clock;
        later.step(kMonth);
        Context then = files.context;
        then.clock = &later;
        must(collect_blobs(then, *store, later.now()));
        EXPECT_TRUE(crashed->exists("/store/" + path_of("kept")));
        EXPECT_FALSE(crashed->exists("/store/" + path_of("gone")));
        EXPECT_FALSE(must(has_blobs_aside(then, *store, later.now())));
        ++states;
      } while (chooser.next());
    }
  }

  LayoutStore& files;
  std::string id;
  std::uint64_t seed = 0, states = 0;
};

TEST_F(BlobCollection, CrashLosesNoReferencedBlob) {
  const std::string kept = make({"kept"}), gone = make({"gone"});
  must(files.store->remove(context, gone));
  files.disk.sync_all();
  CrashedCollections crashes(files, kept);
  files.disk.set_observer(&crashes);
  EXPECT_EQ(collect().set_aside, 1u);
  files.clock.step(kMonth * 2);
  EXPECT_EQ(collect().deleted, 1u);
  files.disk.set_observer(nullptr);
  EXPECT_GT(crashes.states, 20u);
}

// A writer repeats the text of a session that is being deleted: everything acknowledged to the writer is kept.
TEST(BlobCollectionRace, ConcurrentWriterLosesNothing) {
  constexpr int kRounds = 40;
  const TemporaryDirectory scratch;
  const auto store = open_at("holdfast", scratch.path("s"));
  const std::string id = must(store->create({}, {.project = "/srv/p"}));
  auto writer = must(store->write({}, id));
  std::atomic<int> nobody_names = -1;
  std::thread collector([&] {
    const auto other = open_at("holdfast", scratch.path("s"));
    for (int round = 0; round < kRounds; ++round) {
      const std::string gone = must(other->create({}, {.project = "/srv/p"}));
      auto its = must(other->write({}, gone));
      must(its->append({}, large(std::to_string(round)), Durability::process));
      must(its->close({}));
      must(other->remove({}, gone));
      nobody_names = round;
      must(collect_blobs({}, *other, std::chrono::system_clock::now()));
    }
  });
  for (int round = 0; round < kRounds; ++round) {
    while (nobody_names < round) std::this_thread::yield();
    must(writer->append({}, large(std::to_string(round)), Durability::process));
  }
  collector.join();
  must(writer->close({}));
  const Transcript transcript = must(store->read({}, id, {}));
  ASSERT_EQ(transcript.messages.size(), static_cast<std::size_t>(kRounds));
  for (int round = 0; round < kRounds; ++round) {
    const bool whole =
        transcript.messages[static_cast<std::size_t>(round)].text() == large(std::to_string(round)).text();
    EXPECT_TRUE(whole) << round;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
