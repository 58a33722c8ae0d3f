// The life of a session on the native layout, in memory; on a simulated disk where files are examined.
#include <gtest/gtest.h>
#include <holdfast/store.h>

#include "base/hash.h"
#include "layout/holdfast/line.h"
#include "store/layout_store_testing.h"

namespace holdfast::inline v1 {
namespace {

Message said(Role role, std::string text) {
  Message message;
  message.role = role;
  message.origin = role == Role::assistant ? Origin::model : Origin::typed;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  return message;
}

struct NativeStore : testing::Test {
  TestClock clock;
  Context context{.clock = &clock};
  std::shared_ptr<Store> store = must(Store::in_memory(context));
  std::string id = must(store->create(context, {.project = "/home/me/proj", .title = "Fix login"}, Durability::power));
};

TEST_F(NativeStore, KeepsAppendedMessagesInOrderAsChain) {
  auto writer = must(store->write(context, id, {}));
  const auto first = must(writer->append(context, said(Role::user, "hello"), Durability::power));
  const auto second = must(writer->append(context, said(Role::assistant, "hi"), Durability::power));
  EXPECT_EQ(first.ack.durability, Durability::power);
  const Transcript transcript = must(store->read(context, id, {}));
  ASSERT_EQ(transcript.messages.size(), 2u);
  EXPECT_EQ(transcript.messages[0].text(), "hello");
  EXPECT_EQ(transcript.messages[1].id, second.id);
  EXPECT_EQ(transcript.messages[1].parent, first.id);
  EXPECT_EQ(transcript.session.counts.user, 1);
  EXPECT_EQ(transcript.session.counts.assistant, 1);
  EXPECT_EQ(transcript.session.first_prompt, "hello");
  EXPECT_EQ(transcript.session.project, "/home/me/proj");
  EXPECT_EQ(transcript.session.title, "Fix login");
}

TEST_F(NativeStore, ListsByProjectAndFindsByPrefix) {
  clock.step(std::chrono::seconds(1));
  const std::string other = must(store->create(context, {.project = "/home/me/other"}, Durability::power));
  const auto listed = [&] {
    std::vector<std::string> ids;
    for (const Session& session : must(store->list(context, {})).sessions) ids.push_back(session.id);
    return ids;
  };
  EXPECT_EQ(listed(), (std::vector{other, id})) << "newest first";
  clock.step(std::chrono::seconds(1));
  must(store->update(context, id, {.title = "New"}));
  EXPECT_EQ(listed(), (std::vector{id, other})) << "newest first";
  EXPECT_EQ(must(store->list(context, {.project = "/home/me/other"})).sessions.at(0).id, other);
  EXPECT_EQ(must(store->get(context, id.substr(0, id.size() - 1))).id, id);
  EXPECT_EQ(store->get(context, "ses_").error().code, Code::not_found);
}

TEST_F(NativeStore, ForkFromMessageKeepsOriginal) {
  auto writer = must(store->write(context, id, {}));
  const auto first = must(writer->append(context, said(Role::user, "one"), Durability::power));
  must(writer->append(context, said(Role::user, "two"), Durability::power));
  SessionDraft draft;
  draft.parent = Parent{id, ParentKind::fork, first.id};
  const std::string fork = must(store->fork(context, id, draft));
  const Transcript copy = must(store->read(context, fork, {}));
  ASSERT_EQ(copy.messages.size(), 1u);
  EXPECT_EQ(copy.messages[0].text(), "one");
  ASSERT_TRUE(copy.session.parent);
  EXPECT_EQ(copy.session.parent->id, id);
  EXPECT_EQ(must(store->read(context, id, {})).messages.size(), 2u);
}

TEST_F(NativeStore, AppendsNextMessageToChosenLeaf) {
  auto writer = must(store->write(context, id, {}));
  const auto first = must(writer->append(context, said(Role::user, "one"), Durability::power));
  must(writer->append(context, said(Role::user, "left behind"), Durability::power));
  must(store->update(context, id, {.leaf = first.id}));
  EXPECT_EQ(must(store->read(context, id, {})).messages.size(), 1u);
  must(writer->append(context, said(Role::user, "other way"), Durability::power));
  const Transcript active = must(store->read(context, id, {}));
  ASSERT_EQ(active.messages.size(), 2u);
  EXPECT_EQ(active.messages[1].text(), "other way");
  EXPECT_EQ(must(store->read(context, id, {.branch = "all"})).messages.size(), 3u);
}

TEST_F(NativeStore, LargeTextsRoundTrip) {
  LayoutStore files("holdfast");
  const std::string session = must(files.store->create(files.context, {.project = "/p"}, Durability::power));
  auto writer = must(files.store->write(files.context, session, {}));
  const std::string large(300 << 10, 'x');
  must(writer->append(files.context, said(Role::user, large), Durability::power));
  const Transcript transcript = must(files.store->read(files.context, session, {}));
  EXPECT_EQ(transcript.messages.at(0).text(), large);
  // In a blob, not in the log.
  EXPECT_EQ(files.bytes("/store/" + native::blob_path(sha256_hex(large))), large);
  EXPECT_LT(must(files.disk.read_file("/store/" + transcript.session.path)).size(), 5000u);
}

TEST_F(NativeStore, AnswerWithoutOriginIsFromModel) {
  auto writer = must(store->write(context, id, {}));
  must(writer->append(context, {.role = Role::assistant, .blocks = {{.text = "hi"}}}, Durability::power));
  const Transcript read = must(store->read(context, id, {}));
  EXPECT_EQ(read.messages.at(0).origin, Origin::model);
  EXPECT_EQ(read.session.counts.assistant, 1);
  EXPECT_EQ(read.session.counts.user, 0);
}

TEST_F(NativeStore, UnsyncedMessageCanBeParent) {
  auto writer = must(store->write(context, id, {}));
  const auto first = must(writer->append(context, said(Role::user, "one"), Durability::none));
  Message second = said(Role::user, "two");
  second.parent = first.id;
  must(writer->append(context, second, Durability::power));
  EXPECT_EQ(must(store->read(context, id, {})).messages.size(), 2u);
}

TEST_F(NativeStore, LiveOwnerIsShownAsRunningAndSecondIsRefused) {
  auto writer = must(store->write(context, id, {.lease = LeaseRequest::take}));
  EXPECT_EQ(must(store->get(context, id)).status, Status::running);
  EXPECT_EQ(store->write(context, id, {.lease = LeaseRequest::take}).error().code, Code::busy);
  EXPECT_EQ(store->remove(context, id).error().code, Code::busy);
  must(writer->close(context));
  EXPECT_EQ(must(store->get(context, id)).status, Status::active);
}

TEST_F(NativeStore, RemovedSessionIsGone) {
  LayoutStore files("holdfast");
  const std::string session = must(files.store->create(files.context, {.project = "/p"}, Durability::power));
  must(must(files.store->write(files.context, session, {}))
           ->append(files.context, said(Role::user, "remember this"), Durability::power));
  const std::string log = "/store/" + must(files.store->get(files.context, session)).path;
  const std::string folder = log.substr(0, log.rfind('/'));
  ASSERT_TRUE(files.bytes(log).contains("remember this"));
  must(files.store->remove(files.context, session));
  EXPECT_EQ(files.store->get(files.context, session).error().code, Code::not_found);
  EXPECT_EQ(must(files.store->list(files.context, {})).total, 0u);
  EXPECT_FALSE(files.disk.exists(folder));
  for (const SimEntry& entry : files.disk.tree()) EXPECT_FALSE(entry.bytes.contains("remember this")) << entry.path;
}

TEST_F(NativeStore, UnchangedSaveKeepsUpdatedAt) {
  const std::string created = must(store->get(context, id)).updated_at;
  clock.step(std::chrono::seconds(1));
  must(store->update(context, id, {.title = "New"}));
  const std::string updated = must(store->get(context, id)).updated_at;
  EXPECT_NE(updated, created);
  clock.step(std::chrono::seconds(1));
  must(store->update(context, id, {.title = "New"}));
  EXPECT_EQ(must(store->get(context, id)).updated_at, updated);
}

TEST_F(NativeStore, PatchChangesOnlyGivenMembers) {
  const RecordKey key{"run", "/home/me/proj", "run-ling-1-1"};
  must(store->edit_records(context, [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
    return std::vector<RecordEdit>{
        {RecordEdit::Kind::create, key, R"({"agent_id":"ling","status":"running","started_at":1700000000,"extra":7})"}};
  }));
  const auto patch = [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
    return std::vector<RecordEdit>{{RecordEdit::Kind::patch, key, R"({"status":"completed"})"}};
  };
  must(store->edit_records(context, patch));
  const std::string run = must(store->get_record(context, key));
  EXPECT_NE(run.find(R"("status":"completed")"), std::string::npos) << run;
  EXPECT_NE(run.find(R"("extra":7)"), std::string::npos) << run;
  EXPECT_NE(run.find(R"("started_at":"2023-11-14T22:13:20.000Z")"), std::string::npos) << run;
  EXPECT_EQ(must(store->list_records(context, {"run", "/home/me/proj", ""})).records.size(), 1u);
  EXPECT_EQ(store->get_record(context, {"nonsense", "", "x"}).error().code, Code::unsupported);
}

}  // namespace
}  // namespace holdfast::inline v1
