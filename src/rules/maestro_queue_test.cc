// The queue of a Maestro store: one file per item, created in the commit of the save.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "rules/queue/sync_item.h"
#include "rules/queue/sync_testing.h"
#include "rules/threads/threads.h"
#include "store/engine.h"

namespace holdfast::inline v1 {
namespace {

struct MaestroQueue : testing::Test {
  SimFileSystem disk;
  SyncedStore files{disk, "/store", "maestro"};
  FakeTransport remote;
  const Context& context = files.context;

  void save(std::string kind, std::string id, std::string json, std::string thread = {}) {
    must(files.store->edit_records(context, [&](const Store::Look&) -> Result<Edits> {
      return Edits{{RecordEdit::Kind::put, {kind, thread, id}, json}};
    }));
  }
  void save_thread(std::string id, std::string privacy, std::string title = "t") {
    std::string json =
        R"({"title":")" + title + R"(","created_at":"2026-01-21T10:00:00Z","updated_at":")" + "2026-01-21T10:12:00Z\"";
    if (!privacy.empty()) json += ",\"privacy\":" + privacy;
    save("thread", id, json + "}");
  }
  void save_session(std::string id, std::string thread) {
    save("session", id, R"({"status":"running","started_at":"2026-01-21T10:02:00Z","thread_id":")" + thread + "\"}");
  }
  void save_message(std::string id, std::string thread) {
    save("message", id,
         R"({"session_id":"ses_1","role":"user","content":"hi","created_at":"2026-01-21T10:04:00Z","thread_id":")" +
             thread + "\"}",
         thread);
  }
  void remove(std::string kind, std::string id, std::string thread = {}) {
    must(files.store->edit_records(context, [&](const Store::Look&) -> Result<Edits> {
      return Edits{{RecordEdit::Kind::remove, {kind, thread, id}, {}}};
    }));
  }
  std::string item_file(const SyncSubject& subject) { return "/store/sync_queue/" + sync_item_id(subject) + ".json"; }
  std::vector<std::string> queue_files() {
    std::vector<std::string> all;
    for (const SimEntry& entry : disk.tree()) {
      if (entry.path.starts_with("/store/sync_queue/")) all.push_back(entry.path);
    }
    return all;
  }
  const std::string shared = R"({"localOnly":false,"redactInputs":false,"redactOutputs":false})";
};

TEST_F(MaestroQueue, M06_ItemFileHasSeedFieldsAndStatus) {
  save_thread("thr_123", shared);
  const SyncSubject subject{.entity = "thread", .id = "thr_123"};
  EXPECT_EQ(queue_files(), std::vector{item_file(subject)});
  const std::string bytes = disk.read_file(item_file(subject)).value();
  const std::string thread = disk.read_file("/store/threads/thr_123.json").value();
  EXPECT_EQ(bytes, "{\n  \"schemaVersion\": 1,\n  \"id\": \"" + sync_item_id(subject) +
                       "\",\n  \"entity\": \"thread\",\n  \"entityId\": \"thr_123\",\n  \"op\": \"upsert\",\n"
                       "  \"payloadHash\": \"sha256:" +
                       sha256_hex(thread) +
                       "\",\n  \"attempts\": 0,\n  \"nextAttemptAt\": \"2023-11-14T22:13:20.000Z\",\n"
                       "  \"createdAt\": \"2023-11-14T22:13:20.000Z\",\n  \"status\": \"pending\"\n}");
  EXPECT_EQ(files.events,
            std::vector<std::string>{R"(sync:enqueued {"entity":"thread","entityId":"thr_123","op":"upsert"})"});
}

TEST_F(MaestroQueue, M06_OffUnlessEnabled) {
  files.reopen(false);
  save_thread("thr_1", shared);
  EXPECT_TRUE(queue_files().empty());
  EXPECT_TRUE(files.events.empty());
  EXPECT_EQ(drain_queue(context, *files.store, remote).error().code, Code::invalid_argument);
}

TEST_F(MaestroQueue, M07_NothingOfLocalThreadIsQueued) {
  save_thread("thr_1", {});  // local by default
  save_thread("thr_2", R"({"localOnly":true})");
  save_thread("thr_3", R"({"redactInputs":true})");
  for (const std::string thread : {"thr_1", "thr_2", "thr_3", "thr_none"}) {
    save_session("ses_" + thread, thread);
    save_message("msg_" + thread, thread);
  }
  remove("session", "ses_thr_1");
  remove("thread", "thr_2");
  EXPECT_TRUE(queue_files().empty()) << queue_files()[0];
  EXPECT_TRUE(files.events.empty());
  save_thread("thr_1", shared);
  save_session("ses_1", "thr_1");
  save_message("msg_1", "thr_1");
  EXPECT_EQ(queue_files().size(), 3u);
}

TEST_F(MaestroQueue, M07_PrivacyIsCheckedAgainWhenSending) {
  save_thread("thr_1", shared);
  save_session("ses_1", "thr_1");
  save_message("msg_1", "thr_1");
  // Another program makes it private; no commit of ours sees that.
  std::string thread = disk.read_file("/store/threads/thr_1.json").value();
  const auto at = thread.find("false", thread.find("localOnly"));
  ASSERT_NE(at, std::string::npos);
  thread.replace(at, 5, "true");
  must(disk.put_file("/store/threads/thr_1.json", thread));
  const DrainResult done = files.drain(remote);
  EXPECT_EQ(done.withheld, 3u);
  EXPECT_EQ(done.sent, 0u);
  EXPECT_EQ(remote.calls, 0);
  EXPECT_TRUE(queue_files().empty()) << "nothing is queued for it";
}

TEST_F(MaestroQueue, SavingAgainQueuesOnceWithTheNewHash) {
  save_thread("thr_1", shared);
  const std::string first = text_in(must(list_queue(context, *files.store)).records[0], "payload_hash");
  remote.fail_next = 1;
  files.drain(remote);
  save_thread("thr_1", shared, "another title");
  const RecordList items = must(list_queue(context, *files.store));
  ASSERT_EQ(items.records.size(), 1u);
  EXPECT_NE(text_in(items.records[0], "payload_hash"), first);
  EXPECT_EQ(JsonView(items.records[0]).find("attempts").as_int64(), 0);
  save_thread("thr_1", shared, "another title");
  EXPECT_EQ(files.events.size(), 3u) << "a save that changes nothing queues nothing";
  files.clock.step(std::chrono::minutes(1));
  EXPECT_EQ(files.drain(remote).sent, 1u);
  EXPECT_NE(remote.parcels[0].payload->bytes.find("another title"), std::string::npos);
  EXPECT_TRUE(queue_files().empty());
}

TEST_F(MaestroQueue, M06_RetriesWithBackoffThenKeepsFailedItem) {
  save_thread("thr_1", shared);
  remote.fail_next = 1000;
  auto step = std::chrono::seconds(20);
  for (int attempt = 1; attempt <= 10; ++attempt) {
    const DrainResult done = files.drain(remote);
    EXPECT_EQ(attempt < 10 ? done.failed : done.given_up, 1u) << attempt;
    files.clock.step(step / 2 - std::chrono::milliseconds(1));
    files.drain(remote);
    EXPECT_EQ(remote.calls, attempt) << "not before its time";
    files.reopen();
    files.clock.step(step / 2 + std::chrono::milliseconds(1));
    step = std::min(step * 2, std::chrono::seconds(300));
  }
  files.drain(remote);
  EXPECT_EQ(remote.calls, 10);
  const std::string bytes = disk.read_file(item_file({.entity = "thread", .id = "thr_1"})).value();
  EXPECT_NE(bytes.find("\"attempts\": 10"), std::string::npos) << bytes;
  EXPECT_NE(bytes.find("\"status\": \"failed\""), std::string::npos) << bytes;
  ASSERT_EQ(files.events.size(), 11u);
  EXPECT_EQ(files.events[1], R"(sync:failed {"itemId":")" + sync_item_id({.entity = "thread", .id = "thr_1"}) +
                                 R"(","code":"sync_transport_failed","attempts":1})");
  EXPECT_EQ(must(retry_queue(context, *files.store, {})), 1u);
  remote.fail_next = 0;
  EXPECT_EQ(files.drain(remote).sent, 1u);
}

TEST_F(MaestroQueue, TwoThreadsCanHaveMessagesWithSameId) {
  save_thread("thr_1", shared);
  save_thread("thr_2", shared);
  save_message("msg_1", "thr_1");
  save_message("msg_1", "thr_2");
  EXPECT_EQ(files.drain(remote).sent, 4u);
  std::vector<std::string> owners;
  for (const Parcel& parcel : remote.parcels) {
    if (parcel.subject.entity == "message") owners.push_back(parcel.subject.owner);
  }
  std::ranges::sort(owners);
  EXPECT_EQ(owners, (std::vector<std::string>{"thr_1", "thr_2"}));
}

TEST_F(MaestroQueue, SendsForeignItemsAndKeepsUnknownFields) {
  files.reopen(false);
  save_thread("thr_1", shared);
  save_message("msg_9", "thr_1");
  files.reopen();
  must(disk.put_file("/store/sync_queue/sq_789.json",
                     R"({"schemaVersion":1,"id":"sq_789","entity":"message","entityId":"msg_9","op":"upsert",)"
                     R"("payloadHash":"sha256:0","attempts":0,"nextAttemptAt":"2023-01-01T00:00:00+00:00",)"
                     R"("createdAt":"2023-01-01T00:00:00+00:00","device":"mine"})"));
  remote.fail_next = 1;
  EXPECT_EQ(files.drain(remote).failed, 1u);
  EXPECT_NE(disk.read_file("/store/sync_queue/sq_789.json").value().find(R"("device":"mine")"), std::string::npos);
  files.clock.step(std::chrono::minutes(1));
  EXPECT_EQ(files.drain(remote).sent, 1u);
  EXPECT_EQ(remote.parcels[0].subject.owner, "thr_1");
}

TEST_F(MaestroQueue, TransfersChangesAndDeletionsToAnotherStore) {
  SyncedStore other{disk, "/other", "maestro"};
  must(make_sync_directory({}, disk, "/share"));
  DirectoryTransport transport{disk, "/share"};
  save_thread("thr_1", shared);
  save_thread("thr_local", {});
  save_session("ses_1", "thr_1");
  save_message("msg_1", "thr_1");
  save_message("msg_2", "thr_1");
  save_message("msg_local", "thr_local");
  files.drain(transport, {.origin = "first"});
  const auto receive = [&] { return must(receive_directory(other.context, disk, "/share", *other.store)); };
  EXPECT_EQ(receive().changes, 4u);
  for (const std::string path : {"threads/thr_1.json", "sessions/ses_1.json", "messages/thr_1/msg_1.json"})
    EXPECT_EQ(disk.read_file("/other/" + path).value_or("none"), disk.read_file("/store/" + path).value());
  EXPECT_FALSE(disk.read_file("/other/threads/thr_local.json"));
  for (const SimEntry& entry : disk.tree()) {
    EXPECT_FALSE(entry.path.starts_with("/share/") && entry.bytes.find("msg_local") != std::string::npos) << entry.path;
    EXPECT_FALSE(entry.path.starts_with("/other/sync_queue/")) << "what came is not sent back";
  }
  EXPECT_EQ(receive().changes, 0u);
  remove("message", "msg_1", "thr_1");
  EXPECT_EQ(files.drain(transport, {.origin = "first"}).sent, 1u);
  EXPECT_EQ(receive().changes, 1u);
  EXPECT_FALSE(disk.read_file("/other/messages/thr_1/msg_1.json"));
  EXPECT_TRUE(disk.read_file("/other/messages/thr_1/msg_2.json"));
  remove("thread", "thr_1");
  files.drain(transport, {.origin = "first"});
  receive();
  EXPECT_FALSE(disk.read_file("/other/threads/thr_1.json"));
  EXPECT_TRUE(receive().findings.empty());
}

// As the operation does it: deletes the thread with its sessions and messages.
TEST_F(MaestroQueue, M17_DeletedThreadLeavesNothingAtReceiver) {
  SyncedStore other{disk, "/other", "maestro"};
  must(make_sync_directory({}, disk, "/share"));
  DirectoryTransport transport{disk, "/share"};
  const auto receive = [&] { return must(receive_directory(other.context, disk, "/share", *other.store)); };
  save_thread("thr_1", shared);
  save_thread("thr_2", shared);
  save_session("ses_1", "thr_1");
  save_session("ses_2", "thr_2");
  save_message("msg_1", "thr_1");
  files.drain(transport, {.origin = "first"});
  std::map<std::string, std::string> sent;
  for (const SimEntry& entry : disk.tree()) {
    if (entry.path.starts_with("/share/first/") && entry.bytes.find("msg_1") != std::string::npos)
      sent[entry.path] = entry.bytes;
  }
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(receive().changes, 5u);
  must(delete_thread(context, *files.store, "thr_1"));
  files.drain(transport, {.origin = "first"});
  // A crash prevented the parcel of the message from being swept.
  for (const auto& [path, bytes] : sent) must(disk.put_file(path, bytes));
  receive();
  std::set<std::string> left;
  for (const SimEntry& entry : disk.tree()) {
    const bool own = entry.path.find("/.holdfast/") != std::string::npos;
    if (entry.kind == FileKind::file && entry.path.starts_with("/other/") && !own) left.insert(entry.path);
  }
  EXPECT_EQ(left,
            (std::set<std::string>{"/other/index.json", "/other/sessions/ses_2.json", "/other/threads/thr_2.json"}));
  EXPECT_EQ(must(disk.read_file("/other/index.json")).find("thr_1"), std::string::npos);
  EXPECT_EQ(receive().changes, 0u);
}

}  // namespace
}  // namespace holdfast::inline v1
