// Removes and restores sessions, on every layout that can remove them.
#include "store/session_trash.h"

#include <algorithm>

#include "store/crash_testing.h"
#include "store/layout_store_testing.h"
#include "store/said_testing.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

struct Trash : testing::TestWithParam<const char*> {
  LayoutStore files{GetParam()};
  const Context& context = files.context;
  Store& store = *files.store;

  std::string make(const std::string& title) {
    const std::string id = must(store.create(context,
                                             files.layout == "lopen"  // its sessions have no titles
                                                 ? SessionDraft{.project = "/srv/p", .metadata = R"({"module":"auth"})"}
                                                 : SessionDraft{.project = "/srv/p", .title = title},
                                             Durability::power));
    if (files.layout == "lopen") return id;  // its sessions have no messages
    auto writer = must(store.write(context, id, {}));
    must(writer->append(context, said("first of " + title), Durability::power));
    must(writer->append(context, said("second of " + title), Durability::power));
    must(writer->close(context));
    return id;
  }
  std::string picture(const std::string& id) {
    const Transcript transcript = must(store.read(context, id, {}));
    std::string seen = transcript.session.id + "|" + transcript.session.title + "|" + transcript.session.path;
    for (const Message& message : transcript.messages) seen += "|" + message.text();
    return seen;
  }
  std::vector<std::string> listed() {
    std::vector<std::string> ids;
    for (const Session& session : must(store.list(context, {})).sessions) ids.push_back(session.id);
    std::ranges::sort(ids);
    return ids;
  }
};

TEST_P(Trash, RestoredSessionIsUnchanged) {
  const std::string one = make("one"), other = make("other");
  const std::string before = picture(one);
  const auto both = listed();
  must(trash_session(context, store, one));
  EXPECT_EQ(listed(), std::vector{other});
  EXPECT_EQ(store.get(context, one).error().code, Code::not_found);
  const auto trashed = must(trashed_sessions(context, store));
  ASSERT_EQ(trashed.size(), 1u);
  EXPECT_EQ(trashed[0].id, one);
  EXPECT_EQ(restore_session(context, store, "nobody").error().code, Code::not_found);
  EXPECT_EQ(must(restore_session(context, store, one)), one);
  EXPECT_EQ(picture(one), before);
  EXPECT_EQ(listed(), both);
  EXPECT_TRUE(must(trashed_sessions(context, store)).empty());
  files.reopen();
  EXPECT_EQ(must(files.store->list(context, {})).total, 2u);
}

TEST_P(Trash, RestoredSessionCanBeWrittenAndTrashedAgain) {
  const std::string id = make("one");
  for (int round = 0; round < 2; ++round) {
    must(trash_session(context, store, id));
    must(restore_session(context, store, id));
  }
  if (files.layout != "lopen") {
    auto writer = must(store.write(context, id, {}));
    must(writer->append(context, said("third"), Durability::power));
    EXPECT_EQ(must(store.read(context, id, {})).messages.size(), 3u);
  }
  must(trash_session(context, store, id));
  EXPECT_TRUE(listed().empty());
}

TEST_P(Trash, EmptyingTrashDeletesOnlyOldSessions) {
  const std::string old = make("old"), young = make("young");
  must(trash_session(context, store, old));
  files.clock.step(std::chrono::hours(48));
  must(trash_session(context, store, young));
  const auto limit = files.clock.now() - std::chrono::hours(24);
  EXPECT_EQ(must(empty_trash(context, store, limit)), 1u);
  EXPECT_EQ(restore_session(context, store, old).error().code, Code::not_found);
  EXPECT_EQ(must(restore_session(context, store, young)), young);
}

// Layouts whose sessions have their own log, which a writer can hold.
struct TrashedLogs : Trash {};

TEST_P(TrashedLogs, RespectsLiveOwnerAndOverwritesNothing) {
  const std::string id = make("one");
  {
    auto writer = must(store.write(context, id, {.lease = LeaseRequest::take}));
    EXPECT_EQ(trash_session(context, store, id).error().code, Code::busy);
    must(writer->close(context));
  }
  EXPECT_TRUE(must(trashed_sessions(context, store)).empty()) << "a refusal leaves nothing behind";
  const std::string path = "/store/" + must(store.get(context, id)).path;
  must(trash_session(context, store, id));
  must(files.disk.put_file(path, "somebody else's\n"));
  EXPECT_EQ(restore_session(context, store, id).error().code, Code::already_exists);
  EXPECT_EQ(files.bytes(path), "somebody else's\n");
  EXPECT_EQ(must(trashed_sessions(context, store)).size(), 1u) << "it stays where it is";
}

// Another program creates the file after the restore has already checked.
struct MadeMeanwhile final : SimObserver {
  MadeMeanwhile(SimFileSystem& disk, std::string path) : disk_(disk), path_(std::move(path)) {}
  Injection before(const SimCall& call) override {
    const bool comes_back = call.kind == SimCallKind::make_link || call.kind == SimCallKind::rename;
    if (comes_back && path_.starts_with(call.to)) must(disk_.put_file(path_, "somebody else's\n"));
    return {};
  }
  SimFileSystem& disk_;
  std::string path_;
};

TEST_P(TrashedLogs, RestoreRefusesToReplaceLogCreatedMeanwhile) {
  const std::string id = make("one"), before = picture(id);
  const std::string path = "/store/" + must(store.get(context, id)).path;
  must(trash_session(context, store, id));
  MadeMeanwhile other(files.disk, path);
  files.disk.set_observer(&other);
  EXPECT_EQ(restore_session(context, store, id).error().code, Code::already_exists);
  files.disk.set_observer(nullptr);
  EXPECT_EQ(files.bytes(path), "somebody else's\n");
  ASSERT_EQ(must(trashed_sessions(context, store)).size(), 1u);
  auto directory = must(files.disk.open_directory("/store", false));
  must(directory->remove(path.substr(7)));
  EXPECT_EQ(must(restore_session(context, store, id)), id);
  EXPECT_EQ(picture(id), before);
}

TEST_P(TrashedLogs, WriterIsRefusedWhileTrashedAndContinuesAfterRestore) {
  const std::string id = make("one");
  auto writer = must(store.write(context, id, {}));
  must(writer->append(context, said("third"), Durability::power));
  must(trash_session(context, store, id));
  EXPECT_EQ(writer->append(context, said("nowhere"), Durability::power).error().code, Code::not_found);
  EXPECT_EQ(store.write(context, id, {}).error().code, Code::not_found);
  EXPECT_TRUE(listed().empty()) << "nothing is made anew";
  must(restore_session(context, store, id));
  must(writer->append(context, said("fourth"), Durability::power));
  EXPECT_EQ(must(store.read(context, id, {})).messages.size(), 4u);
}

INSTANTIATE_TEST_SUITE_P(Layouts, TrashedLogs, testing::Values("holdfast", "open-agent", "linggen"),
                         [](const auto& layout) { return std::string(layout.param).substr(0, 4); });

INSTANTIATE_TEST_SUITE_P(Layouts, Trash, testing::Values("holdfast", "open-agent", "linggen", "lopen", "maestro"),
                         [](const auto& layout) { return std::string(layout.param).substr(0, 4); });

// Whenever the power fails: what was said is there, or can be restored from the
// trash. (The session may be in both, or partly in its place: restoring fixes that.)
struct TrashCrash : testing::TestWithParam<std::string> {};

TEST_P(TrashCrash, SessionExistsOrCanBeRestored) {
  std::string id;
  all_or_none({GetParam(),
               [&](Store& store) {
                 id = must(store.create({}, {.project = "/p", .title = "one"}));
                 auto writer = must(store.write({}, id));
                 must(writer->append({}, said("a")));
                 must(writer->append({}, said("b")));
               },
               [&](Store& store) { return trash_session({}, store, id); },
               [&](Store& store) -> std::string {
                 std::string seen;
                 if (!must(trashed_sessions({}, store)).empty()) must(restore_session({}, store, id));
                 for (const Message& message : must(store.read({}, id, {})).messages) seen += " " + message.text();
                 return seen;
               }});
}

TEST_P(TrashCrash, TrashedSessionSurvivesCrash) {
  SimFileSystem disk;
  StorePtr store = open_on(disk, GetParam());
  const std::string id = must(store->create({}, {.project = "/p", .title = "one"}));
  must(must(store->write({}, id))->append({}, said("a"), Durability::process));
  must(trash_session({}, *store, id));
  store.reset();
  for (const CrashModel model : kAllModels) {
    Chooser chooser = Chooser::random(50, 1);
    do {
      const auto crashed = disk.crash(model, chooser);
      const StorePtr after = open_on(*crashed, GetParam());
      EXPECT_EQ(after->read({}, id, {}).error().code, Code::not_found);
      must(restore_session({}, *after, id));
      ASSERT_EQ(must(after->read({}, id, {})).messages.size(), 1u) << "also what was not synced by its writer";
    } while (chooser.next());
  }
}

// The names are durable before the trash drops them.
TEST_P(TrashCrash, RestoredSessionExistsOrIsStillInTrash) {
  SimFileSystem disk;
  StorePtr store = open_on(disk, GetParam());
  const std::string id = must(store->create({}, {.project = "/p", .title = "one"}));
  {
    auto writer = must(store->write({}, id));
    must(writer->append({}, said("a")));
    must(writer->append({}, said("b")));
  }
  must(trash_session({}, *store, id));
  disk.sync_all();
  const std::string all = " a b";
  const CrashEvent event{GetParam(), {}, {}, [&](Store& crashed) -> std::string {
                           if (!must(trashed_sessions({}, crashed)).empty()) must(restore_session({}, crashed, id));
                           std::string seen;
                           const auto transcript = crashed.read({}, id, {});
                           if (!transcript) return transcript.error().text();
                           for (const Message& message : transcript->messages) seen += " " + message.text();
                           return seen;
                         }};
  CrashWatch crashes(disk, event, all);
  disk.set_observer(&crashes);
  must(restore_session({}, *store, id));
  disk.set_observer(nullptr);
  crashes.look(true);
  store.reset();
  crashes.judge(all);
}

INSTANTIATE_TEST_SUITE_P(Layouts, TrashCrash, testing::Values("holdfast", "linggen", "open-agent"),
                         [](const auto& layout) { return layout.param.substr(0, 4); });

}  // namespace
}  // namespace holdfast::inline v1
