// The queue of a native store: derived from the records, in one log.
#include <algorithm>

#include "rules/queue/sync_testing.h"

namespace holdfast::inline v1 {
namespace {

struct NativeQueue : testing::Test {
  SimFileSystem disk;
  SyncedStore files{disk, "/store"};
  FakeTransport remote;
  const Context& context = files.context;
};

TEST_F(NativeQueue, M06_OffUnlessEnabled) {
  shared_session(files, 2);
  files.reopen(false);
  EXPECT_FALSE(files.state().enabled);
  EXPECT_EQ(files.state().depth, 0u);
  const auto refused = drain_queue(context, *files.store, remote);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::invalid_argument);
  EXPECT_FALSE(disk.read_file("/store/queue.jsonl")) << "nothing was written";
  files.reopen(true);
  EXPECT_EQ(files.drain(remote).sent, 4u) << "what was recorded meanwhile is queued all the same";
}

TEST_F(NativeQueue, M06_QueuesSessionAndEachLineOnceInOrder) {
  const std::string id = shared_session(files, 3);
  EXPECT_EQ(files.state().depth, 5u) << "session.json, the session line and three messages";
  EXPECT_FALSE(disk.read_file("/store/queue.jsonl")) << "looking writes nothing";
  EXPECT_EQ(files.drain(remote).sent, 5u);
  ASSERT_EQ(remote.parcels.size(), 5u);
  EXPECT_EQ(remote.parcels[0].subject.entity, "session");
  EXPECT_TRUE(std::ranges::is_sorted(remote.parcels.begin() + 1, remote.parcels.end(), {},
                                     [](const Parcel& parcel) { return parcel.subject.order; }));
  EXPECT_EQ(files.drain(remote).sent, 0u);
  EXPECT_EQ(files.state().depth, 0u);
  auto writer = must(files.store->write(context, id));
  must(writer->append(context, said("one more")));
  EXPECT_EQ(files.drain(remote).sent, 1u) << "and no line twice";
  must(files.store->update(context, id, {.title = "new"}));
  EXPECT_EQ(files.drain(remote).sent, 1u);
  EXPECT_EQ(remote.parcels.back().subject.entity, "session");
}

TEST_F(NativeQueue, M07_NothingIsSentUnlessSessionIsShared) {
  const std::string local = shared_session(files, 3, false);
  must(files.store->update(context, local, {.metadata = R"({"privacy":{"redactInputs":true}})"}));
  EXPECT_EQ(files.state().depth, 0u);
  EXPECT_EQ(files.drain(remote).sent, 0u);
  EXPECT_EQ(remote.calls, 0);
  must(files.store->update(context, local, {.metadata = R"({"privacy":{"localOnly":false}})"}));
  EXPECT_EQ(files.drain(remote).sent, 5u) << "shared later: all of it";
}

TEST_F(NativeQueue, M07_PrivacyIsCheckedAgainWhenSending) {
  const std::string id = shared_session(files, 2);
  remote.fail_next = 100;
  EXPECT_EQ(files.drain(remote).failed, 4u);
  must(files.store->update(context, id, {.metadata = R"({"privacy":{"localOnly":true}})"}));
  EXPECT_EQ(files.state().depth, 0u) << "nothing is queued for it";
  remote.fail_next = 0;
  files.clock.step(std::chrono::minutes(10));
  EXPECT_EQ(files.drain(remote).sent, 0u);
  EXPECT_TRUE(remote.parcels.empty());
  must(files.store->update(context, id, {.metadata = R"({"privacy":{"localOnly":false}})"}));
  EXPECT_EQ(files.drain(remote).sent, 4u) << "and nothing was lost by it";
}

TEST_F(NativeQueue, DeletionIsSentUnlessSessionIsPrivate) {
  const std::string shared = shared_session(files, 1);
  const std::string turned = shared_session(files, 1);
  files.drain(remote);
  must(files.store->update(context, turned, {.metadata = R"({"privacy":{"localOnly":true}})"}));
  files.drain(remote);
  remote.parcels.clear();
  must(files.store->remove(context, shared));
  must(files.store->remove(context, turned));
  EXPECT_EQ(files.drain(remote).sent, 1u);
  ASSERT_EQ(remote.parcels.size(), 1u);
  EXPECT_EQ(remote.parcels[0].subject.id, shared);
  EXPECT_FALSE(remote.parcels[0].payload);
  EXPECT_EQ(files.drain(remote).sent, 0u) << "once";
}

TEST_F(NativeQueue, M06_RetriesWithBackoffThenKeepsFailedItem) {
  shared_session(files, 0);  // only the document: no line yet
  remote.fail_next = 1000;
  auto step = std::chrono::seconds(20);
  for (int attempt = 1; attempt <= 10; ++attempt) {
    const DrainResult done = files.drain(remote);
    EXPECT_EQ(remote.calls, attempt);
    EXPECT_EQ(attempt < 10 ? done.failed : done.given_up, 1u) << attempt;
    files.drain(remote);
    files.clock.step(step / 2 - std::chrono::milliseconds(1));
    files.drain(remote);
    EXPECT_EQ(remote.calls, attempt) << "not before its time";
    files.reopen();  // the time is persistent
    files.clock.step(step / 2 + std::chrono::milliseconds(1));
    step = std::min(step * 2, std::chrono::seconds(300));
  }
  EXPECT_EQ(files.drain(remote).failed, 0u);
  EXPECT_EQ(remote.calls, 10);
  EXPECT_EQ(files.state().failed, 1u) << "kept";
  ASSERT_EQ(files.events.size(), 11u);
  EXPECT_TRUE(files.events[0].starts_with(R"(sync:enqueued {"entity":"session","entityId":"ses_)")) << files.events[0];
  EXPECT_TRUE(files.events[0].ends_with(R"(,"op":"upsert"})")) << files.events[0];
  EXPECT_TRUE(files.events[10].ends_with(R"(,"code":"sync_transport_failed","attempts":10})")) << files.events[10];
  EXPECT_EQ(must(retry_queue(context, *files.store, {})), 1u);
  remote.fail_next = 0;
  EXPECT_EQ(files.drain(remote).sent, 1u);
  EXPECT_EQ(must(retry_queue(context, *files.store, {})), 0u);
}

TEST_F(NativeQueue, RemovedItemIsNotSentOrQueuedAgain) {
  shared_session(files, 1);
  const std::string item =
      text_in(must(list_queue(context, *files.store, {.status = {}, .entity = "session"})).records[0], "id");
  must(remove_from_queue(context, *files.store, item));
  EXPECT_EQ(files.drain(remote).sent, 2u);
  for (const Parcel& parcel : remote.parcels) EXPECT_EQ(parcel.subject.entity, "message");
  EXPECT_EQ(remove_from_queue(context, *files.store, item).error().code, Code::not_found);
  EXPECT_EQ(retry_queue(context, *files.store, item).error().code, Code::not_found);
}

TEST_F(NativeQueue, MessageAfterClearedLogIsSent) {
  const std::string id = shared_session(files, 5);
  files.drain(remote);
  const std::string log = "/store/" + must(files.store->get(context, id)).path;
  const std::string bytes = disk.read_file(log).value();
  must(disk.put_file(log, bytes.substr(0, bytes.find('\n') + 1)));
  files.reopen();
  auto writer = must(files.store->write(context, id));
  std::string longer(bytes.size(), 'x');  // longer than what was covered, so size alone shows nothing
  must(writer->append(context, said(longer)));
  remote.parcels.clear();
  files.drain(remote);
  EXPECT_TRUE(std::ranges::any_of(remote.parcels, [&](const Parcel& parcel) {
    return parcel.payload && parcel.payload->bytes.find(longer) != std::string::npos;
  }));
}

TEST_F(NativeQueue, RedactsSecretsInSentParcelsOnRequest) {
  const std::string secret = "ghp_" + std::string("A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
  const std::string id = shared_session(files, 0);
  {
    auto writer = must(files.store->write(context, id));
    must(writer->append(context, said("my token is " + secret)));
    must(writer->append(context, said(secret + " " + std::string(std::size_t{300} << 10, 'x'))));
  }
  SyncedStore other(disk, "/other");
  must(make_sync_directory(context, disk, "/share"));
  DirectoryTransport transport(disk, "/share");
  files.drain(transport, {.redact = true});
  for (const SimEntry& entry : disk.tree()) {
    EXPECT_FALSE(entry.path.starts_with("/share/") && entry.bytes.find(secret) != std::string::npos) << entry.path;
  }
  const ReceivedParcels got = must(receive_directory(context, disk, "/share", *other.store));
  EXPECT_TRUE(got.findings.empty());
  const auto messages = must(other.store->read(context, id, {})).messages;
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_TRUE(messages[0].blocks[0].text.starts_with("my token is [redacted")) << messages[0].blocks[0].text;
  EXPECT_TRUE(messages[1].blocks[0].text.starts_with("[redacted"));
  EXPECT_GT(messages[1].blocks[0].text.size(), std::size_t{300} << 10) << "the large text came along";
  EXPECT_NE(transcript_of(*files.store, id).find(secret), std::string::npos) << "here it stays as it was";
}

TEST_F(NativeQueue, SaveDuringSendIsSentToo) {
  struct Saving final : Transport {
    DeliveryResult send(const Context& context, const Parcel& parcel) override {
      if (parcel.subject.entity == "session") sent.push_back(parcel.payload->bytes);
      if (sent.size() == 1 && !saved) {
        saved = true;
        must(store->update(context, parcel.subject.id, {.title = "later"}));
        // Another process queues it meanwhile.
        must(retry_queue(context, *store, {}));
      }
      return {};
    }
    Store* store = nullptr;
    bool saved = false;
    std::vector<std::string> sent;
  } transport;
  transport.store = files.store.get();
  shared_session(files, 0);
  files.drain(transport);
  EXPECT_EQ(files.state().depth, 1u) << "the later version stays queued";
  files.drain(transport);
  ASSERT_EQ(transport.sent.size(), 2u);
  EXPECT_NE(transport.sent[1].find("later"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::inline v1
