#include "transfer/import.h"

#include <gtest/gtest.h>

#include "crash/disk/sim_file_system.h"
#include "model/model_json.h"
#include "text/json_write.h"
#include "transfer/atif_export.h"

namespace holdfast::inline v1 {
namespace {

template <typename T>
T good(Result<T> result) {
  EXPECT_TRUE(result) << (result ? "" : result.error().text());
  return result ? std::move(*result) : T{};
}

std::shared_ptr<Store> memory() { return good(Store::in_memory({})); }

// A prompt, an answer in two records of one response, a result; then a branch.
std::string recorded(Store& store) {
  SessionDraft draft;
  draft.project = "/home/dev/alpha";
  draft.title = "Fix it";
  const std::string id = good(store.create({}, draft));
  const auto writer = good(store.write({}, id));
  Message prompt;
  prompt.timestamp = "2026-11-15T01:00:00.000Z";
  prompt.blocks.push_back({.kind = BlockKind::text, .text = "hello 👋"});
  prompt.context.cwd = "/home/dev/alpha";
  const std::string first = good(writer->append({}, prompt)).id;
  Message answer;
  answer.role = Role::assistant;
  answer.origin = Origin::model;
  answer.model = "opus";
  answer.response = "msg_1";
  answer.usage = Usage{.input = 3, .output = 50, .cache_read = 7, .cache_write = 2};
  answer.timestamp = "2026-11-15T01:00:01.000Z";
  answer.blocks.push_back({.kind = BlockKind::thinking, .text = "hm"});
  (void)good(writer->append({}, answer));
  answer.blocks.assign(1, {.kind = BlockKind::tool_call, .id = "t1", .name = "Bash", .json = R"({"command":"ls"})"});
  (void)good(writer->append({}, answer));
  Message result;
  result.role = Role::tool;
  result.origin = Origin::tool;
  result.blocks.push_back({.kind = BlockKind::tool_result, .text = "a\nb", .id = "t1", .is_error = true});
  (void)good(writer->append({}, result));
  Message branch = prompt;
  branch.parent = first;
  branch.blocks[0].text = "other";
  (void)good(writer->append({}, branch));
  EXPECT_TRUE(writer->close({}));
  return id;
}

std::string json_of(const Transcript& transcript) {
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1).key("session");
  write_session(json, transcript.session);
  json.key("messages").begin_array();
  for (const Message& message : transcript.messages) write_message(json, message, message.ordinal);
  return json.end_array().end_object().take();
}

TEST(Import, ExportRoundTripKeepsIdsTimesTreeAndUsage) {
  const auto from = memory(), to = memory();
  const Transcript before = good(from->read({}, recorded(*from), {.branch = "all"}));
  const std::string id = good(import_session({}, *to, good(read_import(json_of(before))))).id;
  const Transcript after = good(to->read({}, id, {.branch = "all"}));
  EXPECT_EQ(after.session.id, before.session.id);
  EXPECT_EQ(after.session.title, "Fix it");
  EXPECT_EQ(after.session.counts, before.session.counts);
  EXPECT_EQ(after.session.usage, before.session.usage);
  ASSERT_EQ(after.messages.size(), before.messages.size());
  for (std::size_t i = 0; i < after.messages.size(); ++i) {
    EXPECT_EQ(after.messages[i].id, before.messages[i].id);
    EXPECT_EQ(after.messages[i].parent, before.messages[i].parent);
    EXPECT_EQ(after.messages[i].timestamp, before.messages[i].timestamp);
    EXPECT_EQ(after.messages[i].blocks, before.messages[i].blocks);
    EXPECT_EQ(after.messages[i].context, before.messages[i].context);
  }
  // Importing the same session again changes nothing.
  EXPECT_EQ(import_session({}, *to, good(read_import(json_of(before)))).error().code, Code::already_exists);
}

TEST(Import, DuplicateIdAndMissingParentAreKeptAside) {
  const ImportedSession imported =
      good(read_import(R"({"session":{"id":"s"},"messages":[{"role":"user","id":"a","parent":"gone","text":"1"},)"
                       R"({"role":"user","id":"a","text":"2"},{"role":"user","id":"b","parent":"a","text":"3"}]})"));
  EXPECT_EQ(imported.messages.at(0).extra, R"({"parent":"gone"})");
  EXPECT_EQ(imported.messages.at(1).extra, R"({"id":"a"})");
  const auto store = memory();
  const std::string id = good(import_session({}, *store, imported)).id;
  EXPECT_EQ(good(store->read({}, id, {.branch = "all"})).messages.size(), 3u);
}

// Holdfast says it beside the ordinal. Without one, it is another program's word.
TEST(Import, AbandonedOfAnotherProgramIsOnlyKept) {
  const ImportedSession imported =
      good(read_import(R"({"session":{"id":"s"},"messages":[{"ordinal":0,"role":"user","text":"1","abandoned":true},)"
                       R"({"role":"user","text":"2","abandoned":true}]})"));
  EXPECT_TRUE(imported.messages.at(0).abandoned);
  EXPECT_EQ(imported.messages.at(0).extra, "");
  EXPECT_FALSE(imported.messages.at(1).abandoned);
  EXPECT_EQ(imported.messages.at(1).extra, R"({"abandoned":true})");
}

struct ImportInto : testing::TestWithParam<const char*> {
  static std::shared_ptr<Store> open_on(SimFileSystem& disk) {
    StoreOptions options;
    options.layout = GetParam();
    options.roots = {{"", "/store"}};
    options.write = options.create = true;
    return good(Store::open({}, disk, options));
  }
  static ImportedSession document() {
    ImportedSession imported;
    imported.draft.title = "copy";
    imported.draft.project = "/srv/p";
    for (const char* const text : {"one", "two", "three"}) {
      Message message;
      message.timestamp = "2026-11-15T01:00:0" + std::to_string(imported.messages.size()) + ".000Z";
      message.blocks.push_back({.kind = BlockKind::text, .text = text});
      imported.messages.push_back(std::move(message));
    }
    return imported;
  }
  // The number of messages in the only session; 0 if there is none.
  static std::size_t messages_in(SimFileSystem& disk) {
    const auto store = open_on(disk);
    const SessionList list = good(store->list({}));
    EXPECT_LE(list.total, 1u);
    return list.sessions.empty() ? 0 : good(store->read({}, list.sessions[0].id, {})).messages.size();
  }
};

struct FailsFrom final : SimObserver {
  FailsFrom(std::int64_t skip, bool once) : skip_(skip), once_(once) {}
  Injection before(const SimCall&) override {
    const bool now = once_ ? skip_ == 0 : skip_ <= 0;
    --skip_;
    return now ? Injection{.kind = Injection::Kind::fail, .error = ENOSPC} : Injection{};
  }
  std::int64_t skip_;
  bool once_;
};

TEST_P(ImportInto, FailureImportsAllOrNothing) {
  for (const bool once : {true, false}) {
    bool done = false;
    for (std::int64_t skip = 0; !done && skip < 400; ++skip) {
      SimFileSystem disk;
      auto store = open_on(disk);
      FailsFrom faults(skip, once);
      disk.set_observer(&faults);
      const auto id = import_session({}, *store, document());
      done = id.has_value() && faults.skip_ >= 0;
      store.reset();
      disk.set_observer(nullptr);
      const std::size_t count = messages_in(disk);
      EXPECT_TRUE(count == 3 || (count == 0 && !id)) << count << " messages, failed at call " << skip;
    }
    EXPECT_TRUE(done);
  }
}

TEST_P(ImportInto, InvalidMessageImportsNothing) {
  SimFileSystem disk;
  ImportedSession imported = document();
  Message& bad = imported.messages[1];
  bad.timestamp = "no time";
  bad.blocks.push_back({.kind = BlockKind::tool_call, .id = "t", .name = "f", .json = "{not json"});
  EXPECT_FALSE(import_session({}, *open_on(disk), imported));
  EXPECT_EQ(good(open_on(disk)->list({})).total, 0u);
}

TEST_P(ImportInto, ImportedSessionCanBeAppendedTo) {
  SimFileSystem disk;
  const auto store = open_on(disk);
  const std::string id = good(import_session({}, *store, document())).id;
  {
    const auto writer = good(store->write({}, id));
    Message next;
    next.blocks.push_back({.kind = BlockKind::text, .text = "four"});
    (void)good(writer->append({}, next));
  }
  const Transcript transcript = good(open_on(disk)->read({}, id, {}));
  EXPECT_EQ(transcript.session.title, "copy");
  EXPECT_TRUE(transcript.findings.empty());
  std::string texts;
  for (const Message& message : transcript.messages) texts += message.text() + " ";
  EXPECT_EQ(texts, "one two three four ");
}

INSTANTIATE_TEST_SUITE_P(Layouts, ImportInto, testing::Values("holdfast", "open-agent", "linggen", "maestro"),
                         [](const auto& layout) { return std::string(layout.param).substr(0, 4); });

TEST(Import, ReadsTrajectoriesOfEveryVersion) {
  const auto store = memory();
  const Transcript before = good(store->read({}, recorded(*store), {.branch = "all"}));
  std::string atif = good(export_atif(before));
  for (const std::string version : {"ATIF-v1.7", "ATIF-v1.0", "ATIF-v1.8"}) {
    atif.replace(atif.find("ATIF-v1."), 9, version);
    const ImportedSession imported = good(read_import(atif));
    EXPECT_EQ(imported.format, "atif");
    const auto to = memory();
    const Session session = good(to->get({}, good(import_session({}, *to, imported)).id));
    EXPECT_EQ(session.counts.assistant, before.session.counts.assistant);
    EXPECT_EQ(session.counts.tool_calls, 1);
    EXPECT_EQ(session.counts.tool_results, 1);
    EXPECT_EQ(session.usage, before.session.usage);
    EXPECT_EQ(session.first_prompt, "hello 👋");
  }
}

std::vector<std::string> others(const std::vector<Message>& messages) {
  std::vector<std::string> all;
  for (const Message& message : messages)
    for (const Block& block : message.blocks)
      if (block.kind == BlockKind::other) all.push_back(block.json);
  return all;
}

TEST(Import, LaterBlocksAndFieldsAreKeptVerbatim) {
  const std::string block = R"({"type":"hologram","depth":1.50})";
  const std::string text = R"({"session":{"id":"s"},"messages":[{"role":"user","mood":"good","blocks":[)"
                           R"({"type":"text","text":"q"},)" +
                           block + R"(]},{"role":"assistant","blocks":[{"type":"other","raw":{"a":1}}]}]})";
  const ImportedSession imported = good(read_import(text));
  EXPECT_EQ(others(imported.messages), (std::vector<std::string>{block, R"({"a":1})"}));
  EXPECT_EQ(imported.messages.at(0).extra, R"({"mood":"good"})");
  EXPECT_EQ(kept_verbatim(imported.messages), 3u);
  const auto store = memory();
  const std::string id = good(import_session({}, *store, imported)).id;
  EXPECT_EQ(others(good(store->read({}, id, {})).messages), others(imported.messages)) << "and in the store";
  EXPECT_EQ(kept_verbatim(good(read_import(json_of(good(store->read({}, id, {}))))).messages), 3u) << "and once more";
}

TEST(Import, UnknownTrajectoryPartsAreKept) {
  const std::string step =
      R"({"step_id":1,"source":"agent","message":[{"type":"text","text":"a"},{"type":"audio","source":{"path":"x"}}],)"
      R"("llm_call_count":2,"tool_calls":[{"tool_call_id":"c","function_name":"f","arguments":{}}],)"
      R"("observation":{"results":[{"source_call_id":"c","content":[{"type":"text","text":"r"},{"type":"audio"}],)"
      R"("extra":{"is_error":true,"took":3}}]},"extra":{"origin":"failed","mark":1}})";
  const ImportedSession imported = good(read_import(
      R"({"schema_version":"ATIF-v1.8","session_id":"s","agent":{"name":"n","version":"1"},"notes":"n","steps":[)" +
      step + R"(],"final_metrics":{}})"));
  EXPECT_EQ(others(imported.messages),
            (std::vector<std::string>{R"({"type":"audio","source":{"path":"x"}})", R"({"llm_call_count":2})",
                                      R"({"mark":1})", R"({"type":"audio"})", R"({"took":3})", R"({"notes":"n"})"}));
  EXPECT_EQ(imported.messages[1].blocks[0].text, "r");
}

TEST(Import, TrajectoryKeepsOtherBlocksAndCountsOmittedMessages) {
  Transcript transcript;
  Message prompt;
  prompt.blocks.push_back({.kind = BlockKind::text, .text = "q"});
  prompt.blocks.push_back({.kind = BlockKind::other, .json = R"({"odd":1})"});
  Message mark{.role = Role::system, .origin = Origin::notice};
  mark.blocks.push_back({.kind = BlockKind::other, .json = R"({"mark":2})"});
  transcript.messages = {prompt, mark};
  EXPECT_EQ(atif_left_out(transcript).blocks, 1u);
  EXPECT_EQ(others(good(read_import(good(export_atif(transcript)))).messages),
            std::vector<std::string>{R"({"odd":1})"});
}

TEST(Import, RejectsInvalidDocuments) {
  EXPECT_EQ(read_import("no").error().code, Code::invalid_argument);
  EXPECT_EQ(read_import("{}").error().code, Code::invalid_argument);
  EXPECT_EQ(read_import(R"({"schema_version":"ATIF-v1.7","steps":[]})").error().code, Code::invalid_argument);
  EXPECT_EQ(read_import("{\"session\":{\"id\":\"a\"}}\n{\"role\":\"us").error().code, Code::corrupt);
  EXPECT_EQ(read_import("{\"role\":\"user\"}\n{\"role\":\"user\"}\n").error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace holdfast::inline v1
