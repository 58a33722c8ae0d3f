// Faults seen in the wild, on the layout open-agent: one bad record never hides
// another, nothing is lost, and the finding names the file and the cause.
#include "disk/counting_file_system_testing.h"
#include "disk/real_testing.h"
#include "store/open_agent_testing.h"
#include "store/session_header.h"

namespace holdfast::inline v1 {
namespace {

using Texts = std::vector<std::string>;

const std::string kId = "550e8400-e29b-41d4-a716-446655440000";
const std::string kLog = "projects/-home-me-p/" + kId + ".jsonl";
const std::string kHeader =
    R"({"type":"session_header","id":"550e8400-e29b-41d4-a716-446655440000","model":"m","provider":"p","createdAt":1794705192292,"updatedAt":1794705192292,"options":{"cwd":"/home/me/p"}})";

std::string line(const std::string& uuid, const std::string& text) {
  return R"({"type":"user","uuid":")" + uuid + R"(","session_id":")" + kId +
         R"(","message":{"role":"user","content":")" + text + R"("},"parent_tool_use_id":null})";
}

// A store with that log and a healthy neighbor.
struct Faulty : OaStore {
  explicit Faulty(std::string_view log) : neighbour(create({.project = "/home/me/p"})) {
    append(neighbour, said(Role::user, "well"));
    put(kLog, log);
  }
  // Other sessions are not affected, and everything that was there is still there after the next write.
  Transcript check() {
    const SessionList list = must(store->list(context));
    EXPECT_EQ(list.total, 2u);
    EXPECT_EQ(texts(OaStore::read(neighbour)), (Texts{"well"}));
    const std::string before = file(kLog);
    const Transcript transcript = OaStore::read(kId);
    EXPECT_EQ(file(kLog), before) << "reading changed the log";
    append(kId, said(Role::user, "appended"));
    EXPECT_TRUE(file(kLog).starts_with(before)) << "bytes were lost";
    const Transcript after = OaStore::read(kId, {.branch = "all"});
    EXPECT_EQ(texts(after).back(), "appended");
    EXPECT_GE(after.messages.size(), transcript.messages.size() + 1);
    return transcript;
  }
  std::string neighbour;
};

TEST(OpenAgentFaults, TornLastLine) {
  Faulty oa(kHeader + "\n" + line("a", "one") + "\n" + line("b", "two").substr(0, 40));
  EXPECT_EQ(texts(oa.check()), (Texts{"one"}));
  EXPECT_TRUE(found(oa.OaStore::read(kId).findings, "torn", kLog));
}

TEST(OpenAgentFaults, TornTailFollowedBySdkAppend) {
  Faulty oa(kHeader + "\n" + line("a", "one") + "\n" + line("b", "two").substr(0, 40) + line("c", "three") + "\n" +
            line("d", "four") + "\n");
  const Transcript transcript = oa.check();
  EXPECT_EQ(texts(transcript), (Texts{"one", "three", "four"}));
  EXPECT_TRUE(found(transcript.findings, "glued", kLog) || found(transcript.findings, "torn", kLog));
}

TEST(OpenAgentFaults, TwoRecordsOnOneLine) {
  Faulty oa(kHeader + "\n" + line("a", "one") + line("b", "two") + "\n");
  const Transcript transcript = oa.check();
  EXPECT_EQ(texts(transcript), (Texts{"one", "two"}));
  EXPECT_TRUE(found(transcript.findings, "glued", kLog));
}

TEST(OpenAgentFaults, BlankLinesAndCrlf) {
  Faulty oa("\n" + kHeader + "\r\n\n\n" + line("a", "one") + "\r\n\n" + line("b", "two") + "\n\n");
  const Transcript transcript = oa.check();
  EXPECT_EQ(texts(transcript), (Texts{"one", "two"}));
  EXPECT_TRUE(transcript.findings.empty());
}

TEST(OpenAgentFaults, NoTrailingNewline) {
  Faulty oa(kHeader + "\n" + line("a", "one") + "\n" + line("b", "two"));
  oa.check();
  EXPECT_EQ(texts(oa.OaStore::read(kId)), (Texts{"one", "two", "appended"})) << "part of the active branch";
  EXPECT_TRUE(oa.OaStore::read(kId).findings.empty());
}

TEST(OpenAgentFaults, EmptyFile) {
  Faulty oa("");
  const Transcript transcript = oa.check();
  EXPECT_TRUE(transcript.messages.empty());
  EXPECT_TRUE(found(transcript.findings, "empty", kLog));
  EXPECT_TRUE(oa.file(kLog).starts_with(R"({"type":"session_header","id":")" + kId))
      << "the first append makes it whole";
}

TEST(OpenAgentFaults, BinaryGarbageAndNulBytes) {
  Faulty oa(kHeader + "\n" + std::string(4096, '\0') + "\n\xff\xfe{]\n" + line("a", "one") + "\nnull\n");
  const Transcript transcript = oa.check();
  EXPECT_EQ(texts(transcript), (Texts{"one"}));
  EXPECT_TRUE(found(transcript.findings, "nul", kLog));
  EXPECT_TRUE(found(transcript.findings, "not_json", kLog));
}

TEST(OpenAgentFaults, MissingHeader) {
  Faulty oa(line("a", "one") + "\n" + line("b", "two") + "\n");
  const Transcript transcript = oa.check();
  EXPECT_EQ(texts(transcript), (Texts{"one", "two"}));
  EXPECT_EQ(transcript.session.id, kId);
  EXPECT_TRUE(found(transcript.findings, "missing_header", kLog));
  must(oa.store->update(oa.context, kId, {.title = "kept aside"}));
  EXPECT_EQ(must(oa.store->get(oa.context, kId)).title, "kept aside");
}

TEST(OpenAgentFaults, TornHeader) {
  Faulty oa(kHeader.substr(0, 60) + "\n" + line("a", "one") + "\n");
  const Transcript transcript = oa.check();
  EXPECT_EQ(texts(transcript), (Texts{"one"}));
  EXPECT_TRUE(found(transcript.findings, "torn", kLog));
  EXPECT_TRUE(found(transcript.findings, "missing_header", kLog));
}

TEST(OpenAgentFaults, MisplacedAndDuplicateHeader) {
  Faulty oa(line("a", "one") + "\n" + kHeader + "\n" + kHeader + "\n" + line("b", "two") + "\n");
  const Transcript transcript = oa.check();
  EXPECT_EQ(texts(transcript), (Texts{"one", "two"}));
  EXPECT_EQ(transcript.session.project, "/home/me/p");
  EXPECT_TRUE(found(transcript.findings, "header_not_first", kLog));
  EXPECT_TRUE(found(transcript.findings, "second_header", kLog));
}

TEST(OpenAgentFaults, TemporaryFilesLeftBehind) {
  Faulty oa(kHeader + "\n" + line("a", "one") + "\n");
  for (const char* name : {"x.tmp", "index.tmp", "jsonl.tmp", "sessions-index.json.tmp"})
    oa.put("projects/-home-me-p/" + std::string(name), "{half");
  oa.put(kLog + ".tmp", "{half");
  oa.put("projects/-home-me-p/my-session.jsonl", "{}\n");
  oa.check();
  const SessionList list = must(oa.store->list(oa.context));
  EXPECT_TRUE(found(list.findings, "bad_name", "my-session.jsonl"));
  EXPECT_EQ(oa.file("projects/-home-me-p/jsonl.tmp"), "{half") << "left alone";
}

TEST(OpenAgentFaults, StaleIndexIsCorrected) {
  Faulty oa(kHeader + "\n" + line("a", "one") + "\n");
  oa.close();
  oa.put(
      "projects/-home-me-p/sessions-index.json",
      R"({"projectPath":"","sessions":[{"id":"00000000-0000-4000-8000-00000000dead","firstPrompt":"gone","messageCount":9,"created":1,"modified":1}]})");
  oa.reopen();
  oa.check();
  oa.close();
  const std::string index = oa.file("projects/-home-me-p/sessions-index.json");
  EXPECT_EQ(index.find("dead"), std::string::npos) << index;
  EXPECT_NE(index.find(kId), std::string::npos) << index;
  EXPECT_NE(index.find(oa.neighbour), std::string::npos) << index;
}

TEST(OpenAgentFaults, TwoWritersOfOneSession) {
  Faulty oa(kHeader + "\n" + line("a", "one") + "\n");
  auto first = must(oa.store->write(oa.context, kId));
  auto second = must(oa.store->write(oa.context, kId));
  must(first->append(oa.context, said(Role::user, "1")));
  must(second->append(oa.context, said(Role::user, "2")));
  must(first->append(oa.context, said(Role::user, "3")));
  EXPECT_EQ(texts(oa.OaStore::read(kId)), (Texts{"one", "1", "2", "3"})) << "one branch, in order";
}

TEST(OpenAgentFaults, TwoSessionsWithSameId) {
  Faulty oa(kHeader + "\n" + line("a", "grouped") + "\n");
  oa.put("sessions/" + kId + ".jsonl", kHeader + "\n" + line("b", "flat") + "\n");
  const SessionList list = must(oa.store->list(oa.context));
  EXPECT_EQ(list.total, 3u);
  EXPECT_TRUE(found(list.findings, "duplicate_session", "sessions/" + kId));
  EXPECT_EQ(texts(oa.OaStore::read(kId)), (Texts{"grouped"}));
}

TEST(OpenAgentFaults, DuplicateUuid) {
  Faulty oa(kHeader + "\n" + line("a", "one") + "\n" + line("b", "two") + "\n" + line("a", "one") + "\n");
  const Transcript transcript = oa.check();
  EXPECT_EQ(texts(transcript), (Texts{"one", "two", "one"}));
  EXPECT_TRUE(found(transcript.findings, "duplicate_id", kLog));
  EXPECT_EQ(transcript.session.counts.user, 2) << "counted once";
}

TEST(OpenAgentFaults, UnknownFieldsSurviveHeaderRewrite) {
  const std::string odd =
      R"({"x":{"deep":[1,2]},"type":"user","uuid":"o","session_id":"550e8400-e29b-41d4-a716-446655440000","message":{"role":"user","content":"odd","y":1},"z":"\u00e9"})";
  Faulty oa(
      R"({"type":"session_header","zeta":1,"id":"550e8400-e29b-41d4-a716-446655440000","options":{"hooks":{"a":[]}},"alpha":{"b":null}})"
      "\n" +
      odd + "\n");
  must(oa.store->update(oa.context, kId, {.title = "t"}));
  must(write_header(oa.context, *oa.store, kId));
  const auto lines = oa.lines(kLog);
  EXPECT_TRUE(lines[0].starts_with(
      R"({"type":"session_header","zeta":1,"id":"550e8400-e29b-41d4-a716-446655440000","options":{"hooks":{"a":[]}},"alpha":{"b":null},"title":"t")"))
      << lines[0];
  EXPECT_EQ(lines[1], odd);
  EXPECT_EQ(oa.OaStore::read(kId, {.raw = true}).messages.at(0).raw, odd);
}

TEST(OpenAgentFaults, DamagedSideDocumentIsReported) {
  Faulty oa(kHeader + "\n" + line("a", "one") + "\n");
  oa.put(".holdfast/headers/" + kId + ".json", "{\"folder\":\"pro");
  const Transcript transcript = oa.OaStore::read(kId);
  EXPECT_EQ(texts(transcript), (Texts{"one"}));
  EXPECT_TRUE(found(transcript.findings, "corrupt", ".holdfast/headers/"));
}

TEST(OpenAgentFaults, LateLinesInReplacedLogAreKept) {
  Faulty oa(kHeader + "\n" + line("a", "one") + "\n");
  auto foreign = must(must(oa.disk.open_directory("/home", false))->open(kLog, OpenMode::append));
  must(oa.store->update(oa.context, kId, {.title = "t"}));
  must(write_header(oa.context, *oa.store, kId));
  must(foreign->append(line("late", "late") + "\n"));
  oa.append(kId, said(Role::user, "next"));
  EXPECT_EQ(texts(oa.OaStore::read(kId)), (Texts{"one", "late", "next"}));
}

TEST(OpenAgentFaults, TailOf36MegabyteSessionIsReadCheaply) {
  std::string log = kHeader + "\n";
  const std::string text(7000, 'x');
  for (int n = 0; n < 5400; ++n) log += line("id-" + std::to_string(n), text) + "\n";
  ASSERT_GT(log.size(), std::size_t{36} << 20);
  Faulty oa(log);
  EXPECT_EQ(oa.OaStore::read(kId).messages.size(), 5400u);
  CountingFileSystem files;
  StoreOptions options;
  options.layout = "open-agent";
  options.roots[""] = oa.disk.root("/home");
  const Transcript last = must(must(Store::open({}, files, options))->read({}, kId, {.last = 3}));
  EXPECT_EQ(last.messages.size(), 3u);
  EXPECT_GT(last.session.bytes, std::size_t{36} << 20);
  EXPECT_LT(files.bytes_read, 200000u) << "the end is read at the cost of the end";
  must(write_header(oa.context, *oa.store, kId));
  oa.append(kId, said(Role::user, "one more"));
  EXPECT_EQ(oa.OaStore::read(kId).messages.size(), 5401u);
}

TEST(OpenAgentFaults, UnknownSessionIsReadOnceForItsRowAndItsMessages) {
  std::string log = kHeader + "\n";
  for (int n = 0; n < 500; ++n) log += line("id-" + std::to_string(n), std::string(7000, 'x')) + "\n";
  const Faulty oa(log);
  CountingFileSystem files;
  StoreOptions options;
  options.layout = "open-agent";
  options.roots[""] = oa.disk.root("/home");
  const Transcript all = must(must(Store::open({}, files, options))->read({}, kId, {}));
  EXPECT_EQ(all.messages.size(), 500u);
  EXPECT_EQ(all.session.counts.user, 500);
  EXPECT_LT(files.bytes_read, log.size() + 200000);
}

}  // namespace
}  // namespace holdfast::inline v1
