// The directory between two machines: its format, and transfers from store to store.
#include <algorithm>

#include "base/hash.h"
#include "rules/queue/sync_testing.h"

namespace holdfast::inline v1 {
namespace {

Parcel parcel_of_thread(std::string text) {
  return {.origin = "sto_a",
          .layout = "holdfast",
          .item = "sq_1",
          .subject = {.entity = "session", .id = "ses_1", .hint = "projects/p/sessions/ses_1"},
          .payload = SyncPayload{std::move(text)}};
}

std::vector<std::string> files_below(const SimFileSystem& disk, std::string_view folder) {
  std::vector<std::string> all;
  for (const SimEntry& entry : disk.tree()) {
    if (entry.kind == FileKind::file && entry.path.starts_with(folder)) all.push_back(entry.path);
  }
  return all;
}

TEST(SyncDirectory, ParcelIsOneFileNamedByItsHash) {
  SimFileSystem disk;
  must(make_sync_directory({}, disk, "/share"));
  DirectoryTransport transport(disk, "/share");
  EXPECT_EQ(transport.send({}, parcel_of_thread("{\"a\":1}")).delivery, Delivery::delivered);
  auto names = files_below(disk, "/share/sto_a/");
  ASSERT_EQ(names.size(), 1u);
  const std::string bytes = disk.read_file(names[0]).value();
  EXPECT_EQ(names[0], "/share/sto_a/sq_1/00000001-" + sha256_hex(bytes) + ".json");
  EXPECT_EQ(bytes,
            R"({"format":"holdfast-parcel","schema_version":1,"origin":"sto_a","layout":"holdfast","item":"sq_1",)"
            R"("entity":"session","id":"ses_1","owner":"","hint":"projects/p/sessions/ses_1","order":0,"op":"upsert",)"
            R"("payload":"{\"a\":1}","attachments":[]})"
            "\n");
  EXPECT_EQ(disk.read_file("/share/holdfast-sync.json").value_or(""), "{\"format\":\"holdfast-sync\",\"version\":1}\n");

  DirectoryTransport again(disk, "/share");
  EXPECT_EQ(again.send({}, parcel_of_thread("{\"a\":1}")).delivery, Delivery::delivered);
  EXPECT_EQ(files_below(disk, "/share/sto_a/"), names) << "twice is once";
  EXPECT_EQ(again.send({}, parcel_of_thread("{\"a\":2}")).delivery, Delivery::delivered);
  names = files_below(disk, "/share/sto_a/");
  ASSERT_EQ(names.size(), 1u) << "the newest says everything";
  EXPECT_TRUE(names[0].starts_with("/share/sto_a/sq_1/00000002-"));
}

TEST(SyncDirectory, FailedDeliveryGivesReason) {
  SimFileSystem disk;
  must(make_sync_directory({}, disk, "/share"));
  Parcel bad = parcel_of_thread("{}");
  bad.item = "../x";
  const auto refused = [&](const std::string& directory, const Parcel& parcel) {
    const DeliveryResult answer = DirectoryTransport(disk, directory).send({}, parcel);
    return answer.delivery == Delivery::retryable ? answer.reason : "delivered";
  };
  EXPECT_NE(refused("/share", bad).find("../x"), std::string::npos);
  EXPECT_NE(refused("/share", parcel_of_thread("\xff")), "delivered");
  must(disk.put_file("/new/holdfast-sync.json", R"({"format":"holdfast-sync","version":2})"));
  EXPECT_NE(refused("/new", parcel_of_thread("{}")).find("newer version"), std::string::npos);
  must(make_sync_directory({}, disk, "/other"));
  OneFault full(SimCallKind::rename, {.kind = Injection::Kind::fail, .error = ENOSPC});
  disk.set_observer(&full);
  const DeliveryResult failed = DirectoryTransport(disk, "/other").send({}, parcel_of_thread("{}"));
  disk.set_observer(nullptr);
  EXPECT_EQ(failed.delivery, Delivery::retryable) << failed.reason;
  EXPECT_FALSE(failed.reason.empty());
}

TEST(SyncDirectory, RefusesOtherDirectoriesAndLeavesThemAlone) {
  SimFileSystem disk;
  must(disk.put_file("/mnt/readme", "not mounted"));
  for (const std::string place : {"/mnt", "/mnt/readme", "/nowhere"}) {
    const DeliveryResult answer = DirectoryTransport(disk, place).send({}, parcel_of_thread("{}"));
    EXPECT_EQ(answer.delivery, Delivery::retryable) << place;
    EXPECT_FALSE(make_sync_directory({}, disk, "/mnt/readme"));
  }
  EXPECT_EQ(files_below(disk, "/mnt/"), std::vector<std::string>{"/mnt/readme"});
  EXPECT_TRUE(files_below(disk, "/nowhere").empty());
  EXPECT_TRUE(must(make_sync_directory({}, disk, "/mnt")));
  EXPECT_FALSE(must(make_sync_directory({}, disk, "/mnt"))) << "it is one already";
  EXPECT_EQ(DirectoryTransport(disk, "/mnt").send({}, parcel_of_thread("{}")).delivery, Delivery::delivered);
}

struct TwoStores : testing::Test {
  void SetUp() override { must(make_sync_directory({}, disk, "/share")); }
  SimFileSystem disk;
  SyncedStore a{disk, "/a"};
  SyncedStore b{disk, "/b"};
  DirectoryTransport transport{disk, "/share"};
  ReceivedParcels receive() { return must(receive_directory(b.context, disk, "/share", *b.store)); }
};

TEST_F(TwoStores, TransfersSessionCompletelyAndOnce) {
  const std::string large(std::size_t{300} << 10, 'x');
  const std::string id = shared_session(a, 3);
  const std::string local = shared_session(a, 2, false);
  auto writer = must(a.store->write(a.context, id));
  must(writer->append(a.context, said(large)));
  must(writer->append_raw(a.context, R"({"odd":"line"})"));
  a.drain(transport);
  const ReceivedParcels first = receive();
  EXPECT_TRUE(first.findings.empty()) << first.findings[0].consequence;
  EXPECT_GT(first.changes, 0u);
  EXPECT_EQ(transcript_of(*b.store, id), transcript_of(*a.store, id));
  EXPECT_EQ(must(b.store->read({}, id, {})).messages[3].blocks[0].text, large);
  EXPECT_EQ(must(b.store->get({}, id)).title, "t");
  EXPECT_EQ(b.store->get({}, local).error().code, Code::not_found) << "local only stays";
  const std::string before = picture(disk);
  EXPECT_EQ(receive().changes, 0u) << "twice is once";
  EXPECT_EQ(picture(disk), before);
  must(a.store->update(a.context, id, {.title = "renamed"}));
  must(writer->append(a.context, said("after")));
  a.drain(transport);
  receive();
  EXPECT_EQ(must(b.store->get({}, id)).title, "renamed");
  EXPECT_EQ(transcript_of(*b.store, id), transcript_of(*a.store, id));
  writer.reset();
  must(a.store->remove(a.context, id));
  a.drain(transport);
  EXPECT_EQ(files_below(disk, "/share/sto_").size(), 1u) << "nothing of it stays in the directory but that it went";
  receive();
  EXPECT_EQ(b.store->get({}, id).error().code, Code::not_found);
  EXPECT_EQ(receive().changes, 0u);
}

TEST_F(TwoStores, StoreSkipsItsOwnParcels) {
  shared_session(a, 1);
  a.drain(transport);
  EXPECT_EQ(must(receive_directory(a.context, disk, "/share", *a.store)).parcels, 0u);
}

TEST_F(TwoStores, BadParcelIsSkippedAndOthersAreReceived) {
  shared_session(a, 2);
  a.drain(transport);
  auto names = files_below(disk, "/share/sto_");
  ASSERT_EQ(names.size(), 4u);
  // The parcel of a message: without its session, all the others would have to wait.
  const auto message = std::ranges::find_if(names, [&](const std::string& name) {
    return disk.read_file(name).value().find(R"("entity":"message")") != std::string::npos;
  });
  ASSERT_NE(message, names.end());
  must(disk.put_file(*message, disk.read_file(*message).value() + " "));
  // A parcel that names a file outside, with the correct hash.
  Parcel evil = parcel_of_thread("{}");
  evil.item = "sq_evil";
  evil.subject.hint = "projects/../../etc/sessions/x";
  EXPECT_EQ(transport.send({}, evil).delivery, Delivery::delivered);
  const ReceivedParcels got = receive();
  EXPECT_EQ(got.findings.size(), 2u);
  EXPECT_EQ(got.changes, 3u);
}

TEST_F(TwoStores, RefusesNonSyncAndNewerDirectories) {
  must(disk.put_file("/else/file", ""));
  EXPECT_EQ(receive_directory({}, disk, "/else", *b.store).error().code, Code::not_found);
  must(disk.put_file("/else/holdfast-sync.json", R"({"format":"holdfast-sync","version":9})"));
  EXPECT_EQ(receive_directory({}, disk, "/else", *b.store).error().code, Code::newer_schema);
}

}  // namespace
}  // namespace holdfast::inline v1
