// The stores of seed 004, from start to end: threads, sessions, messages, index, events.
#include <algorithm>

#include "rules/rules_testing.h"
#include "rules/threads/maestro_testing.h"
#include "store/engine.h"
#include "store/repair.h"

namespace holdfast::inline v1 {
namespace {

struct Maestro : testing::Test {
  MaestroStore files;
  const Context& context = files.context;
  Store& store = *files.store;
};

TEST_F(Maestro, M01_FillsEmptyIdsAndTimesAndSetsUpdatedAtOnSave) {
  const Thread made =
      must(save_thread(context, store, JsonView(R"({"id":"","title":"a","createdAt":"","updatedAt":""})")));
  const std::string id = made.id;
  EXPECT_TRUE(id.starts_with("thr_")) << id;
  EXPECT_EQ(made.created_at, "2023-11-14T22:13:20.000Z");
  files.clock.step(std::chrono::seconds(5));
  const std::string request = R"({"id":")" + id + R"(","title":"b","updatedAt":"1999-01-01T00:00:00Z"})";
  const Thread saved = must(save_thread(context, store, JsonView(request)));
  EXPECT_EQ(saved.updated_at, "2023-11-14T22:13:25.000Z");
  EXPECT_EQ(saved.created_at, "2023-11-14T22:13:20.000Z");
  const std::string session = files.session(id);
  EXPECT_TRUE(session.starts_with("ses_")) << session;
  EXPECT_EQ(session.size(), 40u);
  const AppendedMessage message = must(files.append(session, said(Role::user, "x")));
  EXPECT_TRUE(message.id.starts_with("msg_")) << message.id;
  EXPECT_EQ(message.ack.durability, Durability::power);
}

TEST_F(Maestro, M01_SessionWithoutThreadUsesThreadOfItsProject) {
  const std::string thread = files.thread("/srv/p");
  const std::string one = must(store.create(context, {.project = "/srv/p"}));
  const std::string two = must(store.create(context, {.project = "/srv/q", .title = "second"}));
  EXPECT_EQ(text_in(must(store.get_record(context, {"session", {}, one})), "thread_id"), thread);
  const std::string other = text_in(must(store.get_record(context, {"session", {}, two})), "thread_id");
  EXPECT_NE(other, thread);
  EXPECT_EQ(must(get_thread(context, store, other)).title, "second");
  EXPECT_EQ(must(get_thread(context, store, other)).last_session, two);
  EXPECT_EQ(files.indexed().size(), 2u);
}

TEST_F(Maestro, M01_IdsAreCheckedBeforeTheyBecomePaths) {
  for (const char* bad : {"../x", "a/b", "..", "a\\b"}) {
    const std::string request = JsonWriter().begin_object().key("id").string(bad).end_object().take();
    EXPECT_EQ(save_thread(context, store, JsonView(request)).error().code, Code::unsafe_path) << bad;
  }
  const std::string session = files.session(files.thread());
  Message message = said(Role::user, "x");
  message.id = "../../x";
  EXPECT_EQ(files.append(session, message).error().code, Code::unsafe_path);
}

TEST_F(Maestro, M03_OtherSchemaVersionIsRefusedAndLeftAlone) {
  const std::string id = files.thread();
  std::string bytes = files.bytes("/store/threads/" + id + ".json");
  bytes.replace(bytes.find("\"schemaVersion\": 1"), 18, "\"schemaVersion\": 999");
  must(files.disk.put_file("/store/threads/" + id + ".json", bytes));
  for (const Error& error :
       {get_thread(context, store, id).error(),
        save_thread(context, store, JsonView(R"({"id":")" + id + R"(","title":"x"})")).error(),
        store.create(context, {.thread = id}).error(), resume_thread(context, store, id).error()}) {
    EXPECT_EQ(error.code, Code::schema_version_mismatch) << error.text();
    EXPECT_NE(error.message.find("999"), std::string::npos) << error.text();
    EXPECT_NE(error.message.find("version 1 is required"), std::string::npos) << error.text();
    EXPECT_EQ(error.path, "threads/" + id + ".json");
  }
  EXPECT_EQ(files.bytes("/store/threads/" + id + ".json"), bytes);
  EXPECT_FALSE(files.disk.exists("/store/corrupt"));
  EXPECT_EQ(save_thread(context, store, JsonView(R"({"id":"thr_n","schemaVersion":2})")).error().code,
            Code::schema_version_mismatch);
}

TEST_F(Maestro, M03_OtherSchemaVersionsDoNotHideOtherRecords) {
  const std::string thread = files.thread();
  const std::string session = files.session(thread);
  must(files.append(session, said(Role::user, "here")));
  must(files.disk.put_file("/store/messages/" + thread + "/msg_x.json",
                           R"({"schemaVersion":2,"sessionId":")" + session + "\"}"));
  must(files.disk.put_file("/store/sessions/ses_x.json", R"({"schemaVersion":7})"));
  const Transcript transcript = must(store.read(context, session, {}));
  EXPECT_EQ(transcript.messages.size(), 1u);
  ASSERT_EQ(transcript.findings.size(), 1u);
  EXPECT_EQ(transcript.findings[0].kind, "schema_version_mismatch");
  EXPECT_EQ(must(store.list(context)).sessions.size(), 1u);
  EXPECT_EQ(store.get(context, "ses_x").error().code, Code::schema_version_mismatch);
}

TEST_F(Maestro, M04_IndexListsPinnedFirstThenNewest) {
  const std::string a = files.thread("/a"), b = files.thread("/b");
  files.clock.step(std::chrono::seconds(1));
  const std::string c = files.thread("/c");
  files.clock.step(std::chrono::seconds(1));
  must(save_thread(context, store, JsonView(R"({"id":")" + a + R"(","metadata":{"pinned":true}})")));
  files.clock.step(std::chrono::seconds(1));
  must(files.append(files.session(b), said(Role::user, "x")));
  EXPECT_EQ(files.indexed(), (Strings{a, b, c}));
  EXPECT_EQ(files.listed(), (Strings{a, b, c}));
}

TEST_F(Maestro, M04_BadOrStaleIndexIsRebuilt) {
  const std::string b = files.thread("/b");  // not changed below, so only a rebuilt index lists it
  const std::string a = files.thread("/a");
  const std::string session = files.session(a);
  const std::string thread = files.bytes("/store/threads/" + a + ".json");
  const auto changed = [&] {
    files.clock.step(std::chrono::seconds(1));
    must(files.append(session, said(Role::user, "x")));
  };
  const auto with = [&](const std::string& index) {
    must(files.disk.put_file("/store/index.json", index));
    EXPECT_EQ(files.listed().size(), 2u);
    changed();
  };
  with("{\"schemaVersion\": 1, \"thre");
  EXPECT_EQ(files.indexed(), (Strings{a, b}));
  EXPECT_EQ(files.bytes("/store/corrupt/index.json"), "{\"schemaVersion\": 1, \"thre");
  for (const char* version : {"0", "999"}) {
    with(R"({"schemaVersion":)" + std::string(version) + R"(,"threads":[],"rebuiltAt":"2026-01-01T00:00:00Z"})");
    EXPECT_EQ(files.indexed(), (Strings{a, b})) << version;
  }
  with(R"({"schemaVersion":1,"threads":[{"id":"thr_gone"}],"rebuiltAt":"2026-01-01T00:00:00Z"})");
  EXPECT_EQ(files.indexed(), (Strings{a, b}));
  must(must(files.disk.open_directory("/store", false))->remove("index.json"));
  EXPECT_EQ(files.listed().size(), 2u);
  changed();
  EXPECT_EQ(files.indexed(), (Strings{a, b}));
  // A thread that another program saved without an index entry.
  std::string other = thread;
  other.replace(other.find(a), a.size(), "thr_other");
  must(files.disk.put_file("/store/threads/thr_other.json", other));
  EXPECT_EQ(files.listed().size(), 3u);
  changed();
  EXPECT_EQ(files.indexed().size(), 3u);
  // A thread whose title, but not its entry, another program changed.
  other.replace(other.find("\"title\": \"t\""), 12, "\"title\": \"u\"");
  must(files.disk.put_file("/store/threads/thr_other.json", other));
  changed();
  EXPECT_NE(files.bytes("/store/index.json").find("\"title\": \"u\""), std::string::npos);
  must(must(files.store->write(context, session))->close(context));
  EXPECT_EQ(must(must(engine_of(store))->rebuild_indexes(context)), 1u);
  EXPECT_EQ(files.indexed().size(), 3u);
}

TEST_F(Maestro, M05_SameMessageIsIgnoredAndDifferentOneRefused) {
  const std::string session = files.session(files.thread());
  Message message = said(Role::user, "once");
  message.id = "msg_1";
  must(files.append(session, message));
  const auto tree = files.tree();
  files.events.clear();
  files.clock.step(std::chrono::seconds(1));
  EXPECT_EQ(must(files.append(session, message)).id, "msg_1");
  EXPECT_EQ(files.tree(), tree);
  EXPECT_TRUE(files.events.empty());
  message.blocks[0].text = "twice";
  EXPECT_EQ(files.append(session, message).error().code, Code::already_exists);
  EXPECT_EQ(files.tree(), tree);
  EXPECT_EQ(files.texts(session), Strings{"once"});
}

TEST_F(Maestro, M05_MessagesWithSameTimeKeepTheirOrder) {
  const std::string session = files.session(files.thread());
  Strings want;
  for (int i = 0; i < 30; ++i) {
    want.push_back(std::to_string(i));
    Message message = said(Role::user, want.back());
    if (i >= 10) message.timestamp = "2023-11-14T22:13:21Z";                 // all at the same time
    if (i >= 20) message.timestamp = "2023-11-14T22:13:21.000000000+00:00";  // in another form
    must(files.append(session, message));
  }
  EXPECT_EQ(files.texts(session), want);
}

TEST_F(Maestro, M05_UnsupportedBlockIsRefused) {
  const std::string session = files.session(files.thread());
  Message message = said(Role::assistant, "x");
  message.blocks.push_back({.kind = BlockKind::thinking, .text = "y"});
  const auto refused = files.append(session, message);
  EXPECT_EQ(refused.error().code, Code::unsupported);
  EXPECT_NE(refused.error().message.find("maestro"), std::string::npos);
}

TEST_F(Maestro, M12_EventsHaveExactlySpecifiedFields) {
  files.events.clear();
  const std::string thread = files.thread();
  EXPECT_EQ(files.events, (Strings{"session:persisted {\"threadId\":\"" + thread +
                                   R"(","sessionId":null,"updatedAt":"2023-11-14T22:13:20.000000Z"})"}));
  const std::string session = files.session(thread);
  files.events.clear();
  must(files.append(session, said(Role::user, "x")));
  const std::string ids = "{\"threadId\":\"" + thread + "\",\"sessionId\":\"" + session + "\"";
  EXPECT_EQ(files.events, (Strings{"session:persisted " + ids + R"(,"updatedAt":"2023-11-14T22:13:20.000002Z"})"}));
  files.events.clear();
  must(resume_thread(context, store, thread));
  EXPECT_EQ(files.events, (Strings{"session:resumed " + ids + "}"}));
  files.events.clear();
  files.disk.set_capacity(1, 1);
  EXPECT_EQ(files.append(session, said(Role::user, "y")).error().code, Code::disk_full);
  ASSERT_EQ(files.events.size(), 1u);
  const std::string& failed = files.events.front();
  EXPECT_TRUE(failed.starts_with("session:persistence_failed " + ids + R"(,"code":"disk_full","message":")")) << failed;
}

TEST_F(Maestro, M20_PersistedEventIsSentOnlyWhenDurable) {
  const std::string thread = files.thread();
  const std::string session = files.session(thread);
  std::size_t looked = 0, lost = 0;
  files.store->subscribe([&](const StoreEvent& event) {
    if (event.name != "session:persisted") return;
    for (const CrashModel model : kAllModels) {
      Chooser chooser = Chooser::random(6, 1);
      do {
        const auto crashed = files.disk.crash(model, chooser);
        for (const std::string& path : {"/store/messages/" + thread + "/msg_9.json",
                                        "/store/threads/" + thread + ".json", std::string("/store/index.json")}) {
          ++looked;
          if (crashed->read_file(path).value_or("") != files.disk.read_file(path).value_or("-")) ++lost;
        }
      } while (chooser.next());
    }
  });
  Message message = said(Role::user, "x");
  message.id = "msg_9";
  must(files.append(session, message));
  EXPECT_GT(looked, 10u);
  EXPECT_EQ(lost, 0u);
}

TEST_F(Maestro, M17_DeletingThreadDeletesSessionsAndMessages) {
  const std::string gone = files.thread("/a"), stays = files.thread("/b");
  for (const std::string& thread : {gone, stays}) {
    for (int i = 0; i < 2; ++i) must(files.append(files.session(thread), said(Role::user, "x")));
  }
  const ThreadDeletion deleted = must(delete_thread(context, store, gone));
  EXPECT_EQ(deleted.sessions, 2u);
  EXPECT_EQ(deleted.messages, 2u);
  for (const auto& [path, bytes] : files.tree()) EXPECT_EQ(path.find(gone), std::string::npos) << path;
  EXPECT_FALSE(files.disk.exists("/store/messages/" + gone));
  EXPECT_EQ(files.indexed(), Strings{stays});
  EXPECT_EQ(must(store.list(context)).sessions.size(), 2u);
  EXPECT_EQ(delete_thread(context, store, gone).error().code, Code::not_found);
  const std::string session = must(get_thread(context, store, stays)).last_session;
  auto writer = must(store.write(context, session, {.lease = LeaseRequest::take}));
  EXPECT_EQ(delete_thread(context, store, stays).error().code, Code::busy);
}

TEST_F(Maestro, M17_DeletingLastSessionClearsItInThread) {
  const std::string thread = files.thread();
  const std::string session = files.session(thread);
  must(files.append(session, said(Role::user, "x")));
  must(store.remove(context, session));
  EXPECT_TRUE(JsonView(must(get_thread(context, store, thread)).source).find("last_session_id").is_null());
  EXPECT_TRUE(must(read_thread(context, store, thread)).messages.empty());
}

// The decisions of docs/adr/0005: one file per message, nothing is deleted automatically, outputs are verbatim.
TEST_F(Maestro, M19_NothingExpiresAndToolOutputIsVerbatim) {
  const std::string thread = files.thread();
  const std::string session = files.session(thread);
  std::string output;
  for (int i = 0; i < 40000; ++i) output += "line " + std::to_string(i) + "\t\"x\"\n";
  Message result;
  result.role = Role::tool;
  result.id = "msg_1";
  result.blocks.push_back({.kind = BlockKind::tool_result, .text = output, .id = "call_1"});
  must(files.append(session, result));
  must(store.update(context, session, {.status = Status::complete}));
  files.clock.step(std::chrono::hours(24 * 3650));
  files.again();
  must(repair_store(context, *files.store));
  EXPECT_EQ(files.texts(session), Strings{output});
  EXPECT_TRUE(files.disk.exists("/store/messages/" + thread + "/msg_1.json"));
  EXPECT_EQ(files.listed(), Strings{thread});
}

}  // namespace
}  // namespace holdfast::inline v1
