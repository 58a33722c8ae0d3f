// The gates of Session-Bench (facts: a public benchmark for what an agent writes
// to disk), one test each, on a native session on a real disk. P2, crash
// tolerance, is left to src/rules/crash_test.cc and the laboratory in crash/.
#include <gtest/gtest.h>
#include <holdfast/log_reader.h>
#include <holdfast/store.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/paths_testing.h"
#include "base/time.h"
#include "crash/disk/sim_testing.h"
#include "disk/real_testing.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

struct SessionBench : testing::Test {
  Context context;
  TemporaryDirectory scratch;
  std::shared_ptr<Store> store;
  std::string id;

  void SetUp() override {
    StoreOptions options;
    options.roots[""] = scratch.path() + "/store";
    options.write = options.create = true;
    store = must(Store::open(context, real_file_system(), options));
    id = must(store->create(context, {.project = "/home/me/proj", .title = "One line"}));
    auto writer = must(store->write(context, id));
    Message prompt;
    prompt.blocks = {{.kind = BlockKind::text, .text = "Print the first line of notes.txt"}};
    must(writer->append(context, prompt));
    Message call;
    call.role = Role::assistant;
    call.origin = Origin::model;
    call.model = "some-model-1";
    call.usage = Usage{.input = 1200, .output = 70, .cache_read = 8000};
    call.cost = "0.0123";
    call.blocks = {{.kind = BlockKind::thinking, .text = "I should read the file."},
                   {.kind = BlockKind::tool_call, .id = "call_1", .name = "Read", .json = R"({"path":"notes.txt"})"}};
    must(writer->append(context, call));
    Message result;
    result.role = Role::tool;
    result.origin = Origin::tool;
    result.blocks = {{.kind = BlockKind::tool_result, .text = "hello", .id = "call_1"}};
    must(writer->append(context, result));
    Message answer = call;
    answer.blocks = {{.kind = BlockKind::text, .text = "The first line is: hello"}};
    must(writer->append(context, answer));
  }

  std::string log_path() { return scratch.path() + "/store/" + must(store->get(context, id)).path; }
  static std::string bytes_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  std::vector<std::string> lines() {
    std::vector<std::string> all;
    std::istringstream text(bytes_of(log_path()));
    for (std::string line; std::getline(text, line);) all.push_back(line);
    return all;
  }
};

TEST_F(SessionBench, S1_OneLineTaskTakesAtMost10KB) {
  std::uintmax_t bytes = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(log_path()).parent_path()))
    if (entry.is_regular_file()) bytes += entry.file_size();
  EXPECT_LE(bytes, 10'000u);
}

TEST_F(SessionBench, S2_AtLeastQuarterOfBytesIsConversation) {
  std::size_t said = 0;
  for (const Message& message : must(store->read(context, id)).messages)
    for (const Block& block : message.blocks) said += block.text.size() + block.json.size();
  // For a session with answers of typical length; the one above is all overhead.
  auto writer = must(store->write(context, id));
  Message answer;
  answer.role = Role::assistant;
  answer.origin = Origin::model;
  answer.blocks = {{.kind = BlockKind::text, .text = std::string(600, 'x')}};
  for (int n = 0; n < 10; ++n) {
    must(writer->append(context, answer));
    said += 600;
  }
  EXPECT_GE(static_cast<double>(said), 0.25 * static_cast<double>(bytes_of(log_path()).size()));
}

TEST_F(SessionBench, S3_NoFixedRecordIsOver25KB) {
  const auto all = lines();
  ASSERT_EQ(all.size(), 5u);
  for (const std::string& line : all) EXPECT_LT(line.size(), 25'000u);
  const std::size_t format = bytes_of(scratch.path() + "/store/FORMAT").size();
  EXPECT_GT(format, 0u);
  EXPECT_LT(format, 25'000u);
}

TEST_F(SessionBench, C1_EveryMessageHasTimestamp) {
  const Transcript transcript = must(store->read(context, id));
  ASSERT_EQ(transcript.messages.size(), 4u);
  for (const Message& message : transcript.messages) EXPECT_TRUE(parse_iso8601(message.timestamp)) << message.timestamp;
}

TEST_F(SessionBench, C2_EveryAnswerNamesItsModel) {
  int answers = 0;
  for (const Message& message : must(store->read(context, id)).messages) {
    if (message.role != Role::assistant) continue;
    ++answers;
    EXPECT_EQ(message.model, "some-model-1");
  }
  EXPECT_EQ(answers, 2);
}

TEST_F(SessionBench, C3_TokenCountsAreKept) {
  const Session session = must(store->get(context, id));
  EXPECT_EQ(session.usage.output, 140);
  EXPECT_EQ(session.usage.cache_read, 16'000);
}

TEST_F(SessionBench, C4_CostInDollarsIsKept) {
  EXPECT_EQ(must(store->read(context, id)).messages.at(1).cost, "0.0123");
}

TEST_F(SessionBench, C5_ToolCallsAndOutputsAreKept) {
  const Transcript transcript = must(store->read(context, id));
  EXPECT_EQ(transcript.messages.at(1).blocks.at(1).json, R"({"path":"notes.txt"})");
  EXPECT_EQ(transcript.messages.at(2).blocks.at(0).text, "hello");
}

TEST_F(SessionBench, C6_ReasoningIsReadable) {
  EXPECT_EQ(must(store->read(context, id)).messages.at(1).blocks.at(0).text, "I should read the file.");
}

TEST_F(SessionBench, C7_SubagentsAndMessagesNameTheirParents) {
  SessionDraft child;
  child.project = "/home/me/proj";
  child.parent = Parent{id, ParentKind::subagent, {}};
  const std::string sub = must(store->create(context, child));
  EXPECT_EQ(must(store->get(context, sub)).parent->id, id);
  const Transcript transcript = must(store->read(context, id));
  ASSERT_EQ(transcript.messages.size(), 4u);
  for (std::size_t n = 1; n < transcript.messages.size(); ++n)
    EXPECT_EQ(transcript.messages[n].parent, transcript.messages[n - 1].id);
}

// The first lines that this version ever wrote, from docs/formats/holdfast.md.
TEST_F(SessionBench, T1_ReadsSessionsOfFirstVersion) {
  const std::string folder = scratch.path() + "/store/projects/old-00000000/sessions/ses_old1";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/messages.jsonl")
      << R"({"type":"session","schema_version":1,"id":"ses_old1","project":"/home/me/old","created_at":"2026-11-15T03:15:00.042Z"})"
      << "\n"
      << R"({"type":"message","id":"msg_0vq2m9c4t1r8d","parent":null,"role":"user","origin":"typed","timestamp":"2026-11-15T03:15:01.100Z","blocks":[{"type":"text","text":"why does login fail?"}]})"
      << "\n";
  const Transcript old = must(store->read(context, "ses_old1"));
  EXPECT_EQ(old.session.project, "/home/me/old");
  EXPECT_EQ(old.messages.at(0).text(), "why does login fail?");
}

TEST_F(SessionBench, T2_LogNamesItsFormatVersion) {
  EXPECT_EQ(JsonView(lines().at(0)).find("schema_version").as_int64(), 1);
}

TEST_F(SessionBench, T3_NewerVersionIsRefusedByName) {
  std::string format = bytes_of(scratch.path() + "/store/FORMAT");
  format.replace(format.find("\"incompat\": []"), 14, "\"incompat\": [\"time-travel\"]");
  std::ofstream(scratch.path() + "/store/FORMAT") << format;
  StoreOptions options;
  options.roots[""] = scratch.path() + "/store";
  const auto refused = Store::open(context, real_file_system(), options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::newer_schema);
  EXPECT_NE(refused.error().message.find("time-travel"), std::string::npos);
}

TEST_F(SessionBench, O1_StandardToolsCanReadLog) {
  const std::string count = "python3 -c 'import json,sys; print(len([json.loads(l) for l in open(sys.argv[1])]))' '" +
                            log_path() + "' > '" + scratch.path() + "/count'";
  if (std::system("command -v python3 > /dev/null") != 0) GTEST_SKIP() << "no python3 here";
  ASSERT_EQ(std::system(count.c_str()), 0);
  EXPECT_EQ(bytes_of(scratch.path() + "/count"), "5\n");
}

TEST_F(SessionBench, O2_LogCanBeFollowedWhileWritten) {
  const auto directory = must(real_file_system().open_directory(scratch.path() + "/store", false));
  auto reader = must(LogReader::open(context, *directory, must(store->get(context, id)).path));
  Record record;
  while (must(reader.next(record))) {
  }
  must(must(store->write(context, id))->append(context, {.blocks = {{.text = "one more"}}}));
  ASSERT_TRUE(must(reader.next(record)));
  EXPECT_NE(record.bytes.find("one more"), std::string_view::npos);
}

// Every key that is written is in the published format.
TEST_F(SessionBench, O3_SchemaIsDocumented) {
  const std::string format = bytes_of(paths::source() + "/docs/formats/holdfast.md");
  ASSERT_FALSE(format.empty());
  const auto all = lines();
  ASSERT_EQ(all.size(), 5u);
  for (const std::string& line : all) {
    for (const JsonItem& item : JsonView(line).fields())
      EXPECT_NE(format.find("\"" + item.key() + "\""), std::string::npos) << item.key();
  }
}

TEST_F(SessionBench, O4_LogPathStaysSameWhenSessionContinues) {
  const std::string before = log_path();
  must(must(store->write(context, id))->append(context, {.blocks = {{.text = "later"}}}));
  must(store->update(context, id, {.title = "Renamed", .status = Status::complete}));
  EXPECT_EQ(log_path(), before);
}

// A reader that splits at newlines and parses each line loses nothing and meets no surprises.
TEST_F(SessionBench, P1_NaiveLineReaderIsSafe) {
  must(must(store->write(context, id))
           ->append(context, {.blocks = {{.text = "a\nb\r\n\xE2\x80\xA8 \x01 \xF0\x9F\x98\x80 \"quoted\" \\"}}}));
  for (const std::string& line : lines()) EXPECT_TRUE(is_json_object_line(line)) << line;
  EXPECT_EQ(lines().size(), 6u);
}

TEST_F(SessionBench, P3_LogIsReadableWithoutSessionDocument) {
  std::filesystem::remove(std::filesystem::path(log_path()).parent_path() / "session.json");
  const Transcript transcript = must(store->read(context, id));
  EXPECT_EQ(transcript.session.project, "/home/me/proj");
  EXPECT_EQ(transcript.messages.size(), 4u);
}

}  // namespace
}  // namespace holdfast::inline v1
