// Sessions are deleted and restored while others write to them: every acknowledged message is in
// the store or in its trash, and after a restore it is in the session, once.
#include <fcntl.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "rules/threads/threads.h"
#include "store/processes_testing.h"
#include "store/record_text.h"
#include "store/said_testing.h"
#include "store/session_header.h"
#include "store/session_trash.h"

namespace holdfast::inline v1 {
namespace {

struct TrashRace : testing::TestWithParam<const char*> {
  const std::string layout = GetParam();
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("store"), stop = scratch.path("stop");

  std::string acks_of(int n) const { return scratch.path("acks" + std::to_string(n)); }
  bool stopped() const { return std::filesystem::exists(stop); }

  // Expects each message that was acknowledged to its writer to be in the session once.
  void expect_all_there(const std::string& id, int writers) const {
    std::map<std::string, int> found;
    const Transcript transcript = must(open_at(layout, path)->read({}, id, {.branch = "all"}));
    for (const Message& message : transcript.messages) ++found[message.text()];
    EXPECT_EQ(found["the first"], 1);
    EXPECT_EQ(transcript.session.title, "one") << "the session has its header";
    EXPECT_TRUE(transcript.findings.empty());
    std::set<std::string> lost, twice;
    const std::set<std::string> acks = acknowledged(writers);
    for (const std::string& text : acks) {
      if (found[text] == 0) lost.insert(text);
      if (found[text] > 1) twice.insert(text);
    }
    EXPECT_EQ(lost.size(), 0u) << "of " << acks.size() << ", the first: " << *lost.begin();
    EXPECT_EQ(twice.size(), 0u);
    EXPECT_FALSE(acks.empty());
  }

  // Appends until told to stop, and records what was acknowledged. `anew`: opens the
  // session for each message, as a command line does.
  bool append_all(int n, const std::string& id, bool anew) const {
    std::ofstream acks(acks_of(n));
    std::shared_ptr<Store> store;
    std::unique_ptr<SessionWriter> writer;
    for (int m = 0; !stopped(); ++m) {
      if (!store || anew) store = open_at(layout, path);
      if (!store) return false;
      if (!writer || anew) writer = store->write({}, id, {}).value_or(nullptr);
      if (!writer) continue;  // the session is in the trash now
      const std::string text = "from " + std::to_string(n) + " number " + std::to_string(m) + ".";
      if (writer->append({}, said(text), Durability::power)) acks << text << std::endl;
      if (anew) writer.reset();
      ::usleep(1000);  // a removal reads the session, which must not grow without limit on a fast disk
    }
    return acks.good();
  }

  std::set<std::string> acknowledged(int writers) const {
    std::set<std::string> all;
    for (int n = 0; n < writers; ++n) {
      std::ifstream acks(acks_of(n));
      for (std::string line; std::getline(acks, line);) all.insert(line);
    }
    return all;
  }
};

TEST_P(TrashRace, TrashAndRestoreLoseNoAcknowledgedMessage) {
  constexpr int kWriters = 3, kRounds = 60;
  std::string id;
  {
    const auto store = open_at(layout, path);
    id = must(store->create({}, {.project = "/srv/p", .title = "one"}, Durability::power));
    must(must(store->write({}, id, {}))->append({}, said("the first"), Durability::power));
  }
  std::vector<pid_t> children;
  for (int n = 0; n < kWriters; ++n) children.push_back(start_process([&, n] { return append_all(n, id, n != 0); }));
  const auto store = open_at(layout, path);
  int there_and_back = 0;
  std::string why;
  for (int round = 0; round < kRounds; ++round) {
    const auto gone = trash_session({}, *store, id);
    const auto back = restore_session({}, *store, id);
    there_and_back += gone && back ? 1 : 0;
    if (!back) why = back.error().text();
  }
  std::ofstream(stop) << "stop";
  expect_all_well(children);
  EXPECT_EQ(there_and_back, kRounds) << why;
  if (!must(trashed_sessions({}, *store)).empty()) must(restore_session({}, *store, id));
  expect_all_there(id, kWriters);
}

// The first message creates the log of a session, possibly during the removal.
TEST_P(TrashRace, FirstMessageIsKeptOrRefused) {
  const auto store = open_at(layout, path);
  for (int round = 0; round < 20; ++round) {
    const std::string id = must(store->create({}, {.project = "/srv/p", .title = "one"}, Durability::power));
    const pid_t writer = start_process([&] {
      const auto own = open_at(layout, path);
      auto opened = own ? own->write({}, id, {}) : Result<std::unique_ptr<SessionWriter>>(nullptr);
      const bool done = opened && *opened && (*opened)->append({}, said("the first"), Durability::power);
      std::ofstream(acks_of(round)) << (done ? "acknowledged" : "refused");
      return true;
    });
    while (!trash_session({}, *store, id)) {
    }
    expect_all_well({writer});
    must(restore_session({}, *store, id));
    const Transcript transcript = must(store->read({}, id, {}));
    EXPECT_EQ(transcript.session.title, "one");
    std::ifstream acks(acks_of(round));
    std::string word;
    acks >> word;
    if (word == "acknowledged") {
      ASSERT_EQ(transcript.messages.size(), 1u) << "round " << round;
    }
  }
}

// Writers that open the session by name, or have its log open, run during the deletion.
void expect_gone_for_good(const TrashRace& race, const std::string& id, const std::function<Result<void>()>& remove) {
  std::vector<pid_t> children;
  for (int n = 0; n < 2; ++n) children.push_back(start_process([&, n] { return race.append_all(n, id, n != 0); }));
  for (int look = 0; look < 200000 && race.acknowledged(2).empty(); ++look) ::usleep(100);
  const auto removed = remove();
  EXPECT_TRUE(removed) << removed.error().text();
  std::ofstream(race.stop) << "stop";
  expect_all_well(children);
  const auto store = open_at(race.layout, race.path);
  EXPECT_EQ(must(store->list({}, {})).total, 0u) << "an append made it anew";
  EXPECT_EQ(store->read({}, id, {}).error().code, Code::not_found);
  std::filesystem::remove(race.stop);
}

TEST_P(TrashRace, SessionDeletedDuringAppendsStaysDeleted) {
  for (int round = 0; round < 8; ++round) {
    const auto store = open_at(layout, path);
    const std::string id = must(store->create({}, {.project = "/srv/p", .title = "one"}, Durability::power));
    expect_gone_for_good(*this, id, [&] { return store->remove({}, id); });
  }
}

// The layout whose threads have sessions with logs.
using ThreadTrashRace = TrashRace;

TEST_P(ThreadTrashRace, SessionDeletedWithItsThreadStaysDeleted) {
  for (int round = 0; round < 8; ++round) {
    const auto store = open_at(layout, path);
    const std::string thread = must(create_thread({}, *store, {.title = "t", .project = "/srv/p"})).thread.id;
    const std::string id = must(store->create({}, {.thread = thread, .project = "/srv/p"}, Durability::power));
    expect_gone_for_good(*this, id, [&]() -> Result<void> {
      HOLDFAST_TRY(delete_thread({}, *store, thread));
      return {};
    });
  }
}

// The layout whose sessions move between folders.
using MoveRace = TrashRace;

TEST_P(MoveRace, MovingLosesNoAcknowledgedMessage) {
  constexpr int kWriters = 3;
  const auto store = open_at(layout, path);
  const std::string id = must(store->create({}, {.project = "/srv/p", .title = "one"}, Durability::power));
  must(must(store->write({}, id, {}))->append({}, said("the first"), Durability::power));
  std::vector<pid_t> children;
  for (int n = 0; n < kWriters; ++n) children.push_back(start_process([&, n] { return append_all(n, id, n != 0); }));
  for (int round = 0; round < 100; ++round) {
    const auto moved = move_to_project({}, *store, id, round % 2 == 0 ? "/srv/q" : "/srv/p");
    EXPECT_TRUE(moved) << moved.error().text();
  }
  std::ofstream(stop) << "stop";
  expect_all_well(children);
  expect_all_there(id, kWriters);
}

INSTANTIATE_TEST_SUITE_P(OpenAgent, MoveRace, testing::Values("open-agent"));
INSTANTIATE_TEST_SUITE_P(Layouts, TrashRace, testing::Values("holdfast", "open-agent", "linggen"),
                         [](const auto& layout) { return std::string(layout.param).substr(0, 4); });
INSTANTIATE_TEST_SUITE_P(Native, ThreadTrashRace, testing::Values("holdfast"));

}  // namespace
}  // namespace holdfast::inline v1
