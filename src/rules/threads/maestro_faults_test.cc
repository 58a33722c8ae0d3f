// Faults under a Maestro store: corrupt files, full disks, failing devices, unreachable
// roots; each with its code (M09, M10, M13).
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "disk/real_testing.h"
#include "rules/rules_testing.h"
#include "rules/threads/maestro_testing.h"
#include "store/engine.h"
#include "store/repair.h"
#include "store/session_trash.h"
#include "store/small_disk_testing.h"

namespace holdfast::inline v1 {
namespace {

struct MaestroFaults : testing::Test {
  MaestroStore files;
  const Context& context = files.context;
  Store& store = *files.store;
  std::string thread = files.thread();
  std::string session = files.session(thread);
  std::string path = "/store/threads/" + thread + ".json";

  std::string rename(const std::string& title) { return R"({"id":")" + thread + R"(","title":")" + title + "\"}"; }
};

TEST_F(MaestroFaults, M09_CorruptThreadIsSetAsideAndBackupUsed) {
  must(save_thread(context, store, JsonView(rename("second"))));
  must(files.disk.put_file(path, "{\"schemaVersion\": 1, \"id\""));
  EXPECT_EQ(must(get_thread(context, store, thread)).title, "t");  // reading changes nothing
  EXPECT_FALSE(files.disk.exists("/store/corrupt"));
  const Thread saved = must(save_thread(context, store, JsonView(rename("third"))));
  EXPECT_EQ(saved.title, "third");
  EXPECT_EQ(saved.last_session, session);  // from the backup
  EXPECT_EQ(files.bytes("/store/corrupt/" + thread + ".json"), "{\"schemaVersion\": 1, \"id\"");
  const auto mended = must(engine_of(store))->opening_findings();
  ASSERT_EQ(mended.size(), 2u);  // shown to a reader, restored by a writer
  EXPECT_EQ(mended[0].kind, "restored_from_backup");
  EXPECT_EQ(mended[1].consequence, "the bad file is now corrupt/" + thread + ".json");
}

TEST_F(MaestroFaults, M09_CorruptThreadWithoutBackupIsErrorAndSetAside) {
  for (const std::string& entry : files.disk.paths()) {
    if (entry.find("/backup/") != std::string::npos) must(files.disk.put_file(entry, "bad too"));
  }
  for (const std::string& bad : {std::string("null"), std::string(), std::string("\0\0\0\0", 4)}) {
    must(files.disk.put_file(path, bad));
    files.events.clear();
    const auto failed = resume_thread(context, store, thread);
    EXPECT_EQ(failed.error().code, Code::serialization_failed) << failed.error().text();
    ASSERT_EQ(files.events.size(), 1u);
    EXPECT_NE(files.events[0].find("session:persistence_failed {\"threadId\":\"" + thread), std::string::npos);
    EXPECT_FALSE(files.disk.exists(path));
  }
  EXPECT_EQ(files.bytes("/store/corrupt/" + thread + ".json"), "null");
  EXPECT_EQ(files.bytes("/store/corrupt/" + thread + ".2.json"), "");
  EXPECT_EQ(files.bytes("/store/corrupt/" + thread + ".3.json"), std::string("\0\0\0\0", 4));
}

TEST_F(MaestroFaults, M09_CorruptLastSessionIsRestoredOnResume) {
  const std::string file = "/store/sessions/" + session + ".json";
  const std::string before = files.bytes(file);
  must(store.update(context, session, {.metadata = std::string(R"({"x":1})")}));
  must(files.disk.put_file(file, "garbage"));
  const ResumedThread resumed = must(resume_thread(context, store, thread));
  EXPECT_EQ(resumed.session, session);
  EXPECT_EQ(files.bytes("/store/corrupt/" + session + ".json"), "garbage");
  EXPECT_EQ(files.bytes(file), before);  // the backup: the version before the last
}

TEST_F(MaestroFaults, M09_CorruptLastSessionWithoutBackupIsSetAsideThenReplaced) {
  must(files.disk.put_file("/store/sessions/" + session + ".json", "garbage"));
  EXPECT_EQ(resume_thread(context, store, thread).error().code, Code::serialization_failed);
  EXPECT_EQ(files.bytes("/store/corrupt/" + session + ".json"), "garbage");
  const ResumedThread resumed = must(resume_thread(context, store, thread));
  EXPECT_TRUE(resumed.new_session);
  EXPECT_NE(resumed.session, session);
  EXPECT_EQ(resumed.thread.last_session, resumed.session);
}

TEST_F(MaestroFaults, M09_RepairFindsEveryCorruptFile) {
  must(files.append(session, said(Role::user, "good")));
  must(files.disk.put_file("/store/messages/" + thread + "/msg_bad.json", "{"));
  must(files.disk.put_file("/store/sessions/ses_bad.json", ""));
  must(files.disk.put_file("/store/threads/thr_bad.json", "[]"));
  const Repaired repaired = must(repair_store(context, store));
  EXPECT_EQ(repaired.findings.size(), 3u);
  for (const char* name : {"msg_bad", "ses_bad", "thr_bad"})
    EXPECT_TRUE(files.disk.exists(std::string("/store/corrupt/") + name + ".json")) << name;
  EXPECT_EQ(files.indexed(), Strings{thread});
  EXPECT_EQ(files.texts(session), Strings{"good"});
  EXPECT_TRUE(must(store.read(context, session, {})).findings.empty());
}

TEST_F(MaestroFaults, M10_UnwrittenChangesAreKeptUntilDiskHasRoom) {
  StoreOptions options;
  options.layout = "maestro";
  options.roots = {{"", "/store"}};
  options.write = options.keep_unwritten = true;
  const auto keeping = must(Store::open(context, files.disk, options));
  Strings events;
  keeping->subscribe([&](const StoreEvent& event) { events.push_back(event.name); });
  auto writer = must(keeping->write(context, session));
  must(writer->append(context, said(Role::user, "before")));
  files.disk.set_capacity(1, 1);
  events.clear();
  EXPECT_EQ(must(writer->append(context, said(Role::user, "full"))).ack.durability, Durability::none);
  must(save_thread(context, *keeping, JsonView(rename("renamed"))));
  EXPECT_EQ(must(writer->append(context, said(Role::user, "still full"))).ack.durability, Durability::none);
  EXPECT_EQ(events,
            (Strings{"session:persistence_failed", "session:persistence_failed", "session:persistence_failed"}));
  EXPECT_EQ(must(get_thread(context, *keeping, thread)).title, "renamed");
  EXPECT_EQ(must(keeping->read(context, session, {})).messages.size(), 3u);
  EXPECT_EQ(must(store.read(context, session, {})).messages.size(), 1u);  // another store sees only what is on disk
  files.disk.set_capacity(1 << 30, 100000);
  events.clear();
  must(must(engine_of(*keeping))->flush_unwritten(context));
  EXPECT_EQ(events, (Strings{"session:persisted", "session:persisted", "session:persisted"}));
  EXPECT_EQ(files.texts(session), (Strings{"before", "full", "still full"}));
  EXPECT_EQ(must(get_thread(context, store, thread)).title, "renamed");
  EXPECT_EQ(must(writer->append(context, said(Role::user, "after"))).ack.durability, Durability::power);
}

// If a removal waited in memory and were carried out after the session was restored, the session would be neither in
// place nor in the trash.
TEST_F(MaestroFaults, M10_FailedMoveToTrashIsNotDeferred) {
  StoreOptions options;
  options.layout = "maestro";
  options.roots = {{"", "/store"}};
  options.write = options.keep_unwritten = true;
  const auto keeping = must(Store::open(context, files.disk, options));
  must(must(keeping->write(context, session))->append(context, said(Role::user, "one")));
  struct NoJournal final : SimObserver {
    Injection before(const SimCall& call) override {
      if (call.kind != SimCallKind::sync || !call.path.ends_with("/journal")) return {};
      return {.kind = Injection::Kind::fail, .error = EIO};
    }
  } broken;
  files.disk.set_observer(&broken);
  EXPECT_FALSE(trash_session(context, *keeping, session));
  files.disk.set_observer(nullptr);
  (void)restore_session(context, *keeping, session);
  must(must(engine_of(*keeping))->flush_unwritten(context));
  EXPECT_EQ(files.texts(session), Strings{"one"});
  must(trash_session(context, *keeping, session));
  must(restore_session(context, *keeping, session));
  EXPECT_EQ(files.texts(session), Strings{"one"});
}

// A message that waits does not go to the trash unwritten, either.
TEST_F(MaestroFaults, M10_TrashingFirstWritesUnwrittenMessages) {
  StoreOptions options;
  options.layout = "maestro";
  options.roots = {{"", "/store"}};
  options.write = options.keep_unwritten = true;
  const auto keeping = must(Store::open(context, files.disk, options));
  auto writer = must(keeping->write(context, session));
  must(writer->append(context, said(Role::user, "one")));
  files.disk.set_capacity(1, 1);
  must(writer->append(context, said(Role::user, "two")));
  EXPECT_FALSE(trash_session(context, *keeping, session));
  files.disk.set_capacity(1 << 30, 100000);
  must(trash_session(context, *keeping, session));
  must(restore_session(context, *keeping, session));
  EXPECT_EQ(files.texts(session), (Strings{"one", "two"}));
}

TEST_F(MaestroFaults, M13_DeviceErrorIsAtomicWriteFailedAndKeepsFiles) {
  struct Broken final : SimObserver {
    Injection before(const SimCall& call) override {
      if (call.kind != SimCallKind::create) return {};
      return {.kind = Injection::Kind::fail, .error = EIO};
    }
  } broken;
  const auto tree = files.tree();
  files.events.clear();
  files.disk.set_observer(&broken);
  const auto failed = save_thread(context, store, JsonView(rename("x")));
  files.disk.set_observer(nullptr);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Code::atomic_write_failed) << failed.error().text();
  EXPECT_EQ(failed.error().os_error, EIO);
  EXPECT_EQ(files.tree(), tree);
  ASSERT_EQ(files.events.size(), 1u);
  EXPECT_NE(files.events[0].find(R"("code":"atomic_write_failed")"), std::string::npos);
}

TEST_F(MaestroFaults, M13_ErrorCodesHaveSpecifiedNames) {
  EXPECT_EQ(code_name(Code::storage_unavailable), "storage_unavailable");
  EXPECT_EQ(code_name(Code::serialization_failed), "serialization_failed");
  EXPECT_EQ(code_name(Code::atomic_write_failed), "atomic_write_failed");
  EXPECT_EQ(code_name(Code::schema_version_mismatch), "schema_version_mismatch");
  EXPECT_EQ(code_name(Code::sync_transport_failed), "sync_transport_failed");
}

TEST(MaestroDisk, M10_KeepsUnwrittenMessagesOnRealFullDisk) {
  const TemporaryDirectory scratch;
  const std::string disk = scratch.path("disk");
  const SmallDisk small(disk);
  if (!small.mounted()) GTEST_SKIP() << "mounting a small disk needs root";
  const Context context;
  StoreOptions options;
  options.layout = "maestro";
  options.roots = {{"", disk + "/sessions"}};
  options.write = options.create = options.keep_unwritten = true;
  auto store = must(Store::open(context, real_file_system(), options));
  const std::string thread = must(create_thread(context, *store, {.project = "/p"})).thread.id;
  const std::string session = must(store->create(context, {.thread = thread}));
  auto writer = must(store->write(context, session));
  const std::string filler = disk + "/filler";
  std::ofstream(filler) << std::string(150 << 10, 'f');
  std::size_t failures = 0;
  store->subscribe([&](const StoreEvent& event) {
    if (event.name != "session:persistence_failed") return;
    ++failures;
    EXPECT_NE(event.json.find("\"code\":\"disk_full\""), std::string::npos) << event.json;
  });
  std::size_t written = 0, kept = 0;
  for (int n = 0; n < 200 && kept < 3; ++n) {
    const auto appended = writer->append(context, said(Role::user, std::to_string(n) + std::string(4000, 'x')));
    ASSERT_TRUE(appended) << appended.error().text();
    ++(appended->ack.durability == Durability::power ? written : kept);
  }
  EXPECT_GT(written, 3u);
  EXPECT_EQ(kept, 3u);
  EXPECT_EQ(failures, 3u);
  // Without keep_unwritten, nothing is acknowledged.
  options.keep_unwritten = false;
  const auto strict = must(Store::open(context, real_file_system(), options));
  EXPECT_EQ(must(strict->read(context, session, {})).messages.size(), written);
  EXPECT_EQ(
      must(strict->write(context, session))->append(context, said(Role::user, std::string(4000, 'y'))).error().code,
      Code::disk_full);
  std::filesystem::remove(filler);
  must(must(engine_of(*store))->flush_unwritten(context));
  writer.reset();
  store.reset();
  const auto after = must(Store::open(context, real_file_system(), options));
  const auto messages = must(after->read(context, session, {})).messages;
  ASSERT_EQ(messages.size(), written + kept);
  for (std::size_t i = 0; i < messages.size(); ++i) EXPECT_TRUE(messages[i].text().starts_with(std::to_string(i)));
}

TEST(MaestroDisk, M13_UnreachableRootIsStorageUnavailable) {
  struct NoDisk final : SimObserver {
    Injection before(const SimCall&) override { return {.kind = Injection::Kind::fail, .error = EIO}; }
  } broken;
  SimFileSystem disk;
  disk.set_observer(&broken);
  StoreOptions options;
  options.layout = "maestro";
  options.roots = {{"", "/store"}};
  options.write = options.create = true;
  const auto opened = Store::open({}, disk, options);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::storage_unavailable) << opened.error().text();
}

}  // namespace
}  // namespace holdfast::inline v1
