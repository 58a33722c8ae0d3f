// Locks of a store across threads and processes (I-19). To the kernel, two Store
// objects on one directory are like two processes.
#include <gtest/gtest.h>
#include <holdfast/commit.h>
#include <holdfast/document.h>
#include <holdfast/store.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

#include "base/lock_rank.h"
#include "crash/disk/sim_testing.h"
#include "disk/real_testing.h"
#include "rules/threads/threads.h"
#include "store/engine.h"

namespace holdfast::inline v1 {
namespace {

Message spoken(std::string text) {
  Message message;
  message.role = Role::user;
  message.origin = Origin::typed;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  return message;
}

// A message part of which is stored beside the log, on every layout that does so.
Message large(const std::string& layout, int number) {
  std::string text(300'000, static_cast<char>('a' + number % 26));
  text += std::to_string(number);
  if (layout == "holdfast") return spoken(std::move(text));
  Message message;
  message.role = Role::tool;
  message.origin = Origin::tool;
  message.blocks.push_back(
      {.kind = BlockKind::tool_result, .text = std::move(text), .id = "call_" + std::to_string(number)});
  return message;
}

struct LockOrderOf : testing::TestWithParam<const char*> {
  const std::string layout = GetParam();
  TemporaryDirectory scratch;
  Context context;

  std::shared_ptr<Store> open() {
    StoreOptions options;
    options.layout = layout;
    options.roots[""] = scratch.path("store");
    if (layout == "linggen") options.roots = {{"home", scratch.path("store")}, {"workspace", scratch.path("ws")}};
    options.write = options.create = true;
    return must(Store::open(context, real_file_system(), options));
  }
  std::string session(Store& store) {
    SessionDraft draft;
    if (layout == "linggen") draft.project = "/srv/p";
    if (layout == "maestro") {
      draft.thread = must(create_thread(context, store, {.title = "t", .project = "/p"})).thread.id;
    }
    return must(store.create(context, draft));
  }
  static Place log_of(Store& store, const Context& context, const std::string& id) {
    FileStore& files = *must(engine_of(store));
    DirectoryFeed feed = files.looking(context);
    const SessionRef ref = must(files.resolve(context, feed, id));
    return must(files.layout().writer()->line_writer(feed, ref))->log();
  }
  std::size_t count(Store& store, const std::string& id) {
    return must(store.read(context, id, {.branch = "all"})).messages.size();
  }
};

struct AppendWithSideFiles : LockOrderOf {};
INSTANTIATE_TEST_SUITE_P(Layouts, AppendWithSideFiles, testing::Values("holdfast", "open-agent"));

// A commit takes the root's lock, then the log's; so does an append with a blob or a spilled output.
TEST_P(AppendWithSideFiles, ConcurrentAppendsAndCommitsDoNotDeadlock) {
  constexpr int kTimes = 15;
  const auto ours = open(), theirs = open();
  const std::string id = session(*ours);
  const auto writer = must(ours->write(context, id));
  must(writer->append(context, spoken("first")));
  const Place log = log_of(*ours, context, id);
  const auto root = must(must(engine_of(*theirs))->roots().root(log.root));
  const LogMode mode = layout == "holdfast" ? LogMode::ours : LogMode::shared;
  std::thread committer([&] {
    for (int i = 0; i < kTimes; ++i) {
      Commit commit(root);
      commit.append(root, log.path, {R"({"type":"note","number":)" + std::to_string(i) + "}"}, mode);
      commit.put(root, "beside.json", std::to_string(i), std::nullopt);
      const auto done = commit.run(context);
      EXPECT_TRUE(done) << done.error().text();
    }
  });
  for (int i = 0; i < kTimes; ++i) {
    const auto done = writer->append(context, large(layout, i));
    EXPECT_TRUE(done) << done.error().text();
  }
  committer.join();
  EXPECT_GE(count(*theirs, id), static_cast<std::size_t>(kTimes) + 1);
}

TEST_P(AppendWithSideFiles, RepeatedToolCallKeepsBothMessages) {
  const auto store = open();
  const std::string id = session(*store);
  const auto writer = must(store->write(context, id));
  // The same call twice: the first spilled output stays.
  const Message first = large(layout, 1);
  must(writer->append(context, first));
  Message again = first;
  again.blocks[0].text += " again";
  must(writer->append(context, again));
  const auto messages = must(store->read(context, id, {})).messages;
  ASSERT_EQ(2U, messages.size());
  // Not EXPECT_EQ, which would print both texts.
  EXPECT_TRUE(messages[0].blocks.at(0).text == first.blocks[0].text);
  EXPECT_TRUE(messages[1].blocks.at(0).text == again.blocks[0].text);
  const std::string log = scratch.path("store") + "/" + log_of(*store, context, id).path;
  EXPECT_LT(std::filesystem::file_size(log), 100'000U) << "the texts are beside the log";
  if (layout == "open-agent") {
    EXPECT_NE(messages[0].blocks[0].spilled, messages[1].blocks[0].spilled);
  }
}

struct WriterConcurrency : LockOrderOf {};
INSTANTIATE_TEST_SUITE_P(Layouts, WriterConcurrency, testing::Values("holdfast", "open-agent", "linggen", "maestro"));

TEST_P(WriterConcurrency, CloseWaitsForRunningAppendsAndRefusesLaterOnes) {
  const auto store = open();
  const std::string id = session(*store);
  must(must(store->write(context, id))->append(context, spoken("first")));
  for (int round = 0; round < 5; ++round) {
    const std::size_t before = count(*store, id);
    const auto writer = must(store->write(context, id, {.lease = LeaseRequest::take}));
    std::atomic<int> said = 0, refused = 0, begun = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; refused == 0; ++i) {
          ++begun;
          const auto done = writer->append(context, spoken("m " + std::to_string(t) + " " + std::to_string(i)));
          if (done) {
            ++said;
            continue;
          }
          EXPECT_EQ(Code::invalid_argument, done.error().code) << done.error().text();
          EXPECT_EQ("the session was closed for writing", done.error().message);
          ++refused;
        }
      });
    }
    while (begun < 8) std::this_thread::yield();
    must(writer->close(context));
    must(writer->close(context));
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(before + static_cast<std::size_t>(said), count(*store, id));
    EXPECT_FALSE(must(look_at_lease(*must(engine_of(*store))->roots().first(), lease_name(id))).alive);
  }
}

// A clock whose first wait runs a function.
class WaitingClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return system_clock().now(); }
  std::chrono::steady_clock::time_point ticks() const override { return system_clock().ticks(); }
  void sleep(std::chrono::nanoseconds time) const override {
    // On another thread, which stands for another process.
    if (auto once = std::exchange(meanwhile, nullptr)) std::thread(once).join();
    system_clock().sleep(time);
  }
  mutable std::function<void()> meanwhile;
};

TEST_P(WriterConcurrency, WriterWithLostLeaseWritesNothing) {
  const auto ours = open(), theirs = open();
  const std::string id = session(*ours);
  const auto writer = must(ours->write(context, id, {.lease = LeaseRequest::take}));
  must(writer->append(context, spoken("mine")));
  FileStore& files = *must(engine_of(*theirs));

  // The session changes owners while we wait for the lock of the file that we write.
  const bool in_files = layout == "maestro";
  const Place place = in_files ? Place{} : log_of(*theirs, context, id);
  Root& root = in_files ? *files.roots().first() : *must(files.roots().root(place.root));
  const std::string lock_path = in_files ? root.side("locks", "records") : place.path;
  auto held = must(root.directory().open(lock_path, OpenMode::update));
  ASSERT_TRUE(must(held->try_lock(LockKind::exclusive)));
  WaitingClock clock;
  bool taken = false;
  clock.meanwhile = [&] {
    auto lease = must(Lease::take_over(context, files.roots().first(), lease_name(id), "another"));
    taken = true;
    held->unlock();
  };
  Context waiting = context;
  waiting.clock = &clock;
  const auto late = writer->append(waiting, spoken("too late"));
  ASSERT_TRUE(taken);
  ASSERT_FALSE(late);
  EXPECT_EQ(Code::busy, late.error().code);
  EXPECT_EQ(1U, count(*theirs, id));

  must(must(theirs->write(context, id, {.lease = LeaseRequest::take_over}))->close(context));
  const auto later = writer->append(context, spoken("later still"));
  ASSERT_FALSE(later);
  EXPECT_EQ(Code::busy, later.error().code);
  EXPECT_EQ(1U, count(*theirs, id));
}

TEST_P(WriterConcurrency, ListenerCanUseStore) {
  const auto ours = open(), theirs = open();
  const std::string first = session(*ours);
  int told = 0;
  std::vector<std::string> made;
  ours->subscribe([&](const StoreEvent&) {
    ++told;
    // It blocks neither another process nor this one.
    std::thread([&] { made.push_back(session(*theirs)); }).join();
    EXPECT_TRUE(ours->list(context, {}));
  });
  const std::string second = session(*ours);
  EXPECT_GE(told, 1);
  const auto before = told;
  must(must(ours->write(context, second))->append(context, spoken("x")));
  EXPECT_GT(told, before);
}

// The former bug: a compose function that makes something durable takes the root's lock under the log's.
TEST(LockOrder, RootLockUnderLogLockIsReported) {
  static int findings;
  findings = 0;
  SimFileSystem disk;
  const Context context;
  const auto root = must(Root::open(context, disk, "/r", {.create = true}));
  const auto log = must(AppendLog::open(context, root, "a.jsonl"));
  const LockComplaint before = set_lock_complaint([](const char*) noexcept { ++findings; });
  must(log->append_after_last(context, [&](std::string_view) -> Result<std::string> {
    HOLDFAST_TRY(replace_document(context, *root, "blob", "bytes"));
    return std::string(R"({"a":1})");
  }));
  set_lock_complaint(before);
  EXPECT_GE(findings, 1);
}

}  // namespace
}  // namespace holdfast::inline v1
