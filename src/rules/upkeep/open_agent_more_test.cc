// Rows O09 to O18 of the mission on the layout open-agent, and those that also
// apply to the native layout.
#include "disk/real_testing.h"
#include "model/marker.h"
#include "rules/upkeep/compaction.h"
#include "rules/upkeep/prompt_history.h"
#include "rules/upkeep/summary.h"
#include "store/open_agent_testing.h"
#include "store/session_header.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kTree = "9d7ea8fd-7a93-4e43-9cd0-83ed6a5f5f2b";
constexpr std::string_view kTools = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";

std::string log_of(const std::string& id) { return "projects/-home-me-p/" + id + ".jsonl"; }

using Texts = std::vector<std::string>;

struct Native {
  Context context;
  std::shared_ptr<Store> store = must(Store::in_memory(context));
  std::string id = must(store->create(context, {.project = "/p"}));
  AppendedMessage append(const Message& message) {
    return must(must(store->write(context, id))->append(context, message));
  }
};

TEST(OpenAgent, O09_EndingSessionStoresExtractOrGivenSummary) {
  OaStore oa;
  const std::string id = oa.create();
  oa.append(id, said(Role::user, "fix\nthe   login"));
  oa.append(id, said(Role::assistant, "trying"));
  oa.append(id, said(Role::assistant, "It works now."));
  must(end_session(oa.context, *oa.store, id));
  EXPECT_EQ(must(oa.store->get(oa.context, id)).summary, "fix the login — It works now.");
  EXPECT_NE(oa.lines(log_of(id))[0].find("It works now."), std::string::npos);
  EXPECT_NE(oa.file("projects/-home-me-p/sessions-index.json").find("fix the login — It works now."),
            std::string::npos);
  must(end_session(oa.context, *oa.store, id, {.summary = "what a command answered"}));
  must(end_session(oa.context, *oa.store, id));  // does not replace the summary with an extract
  EXPECT_EQ(must(oa.store->get(oa.context, id)).summary, "what a command answered");
}

TEST(Native, O09_EndingSessionStoresExtract) {
  Native native;
  native.append(said(Role::user, std::string(500, 'x')));
  must(end_session(native.context, *native.store, native.id));
  const Session session = must(native.store->get(native.context, native.id));
  EXPECT_EQ(session.summary, std::string(200, 'x') + "…");
  EXPECT_EQ(session.status, Status::complete);
}

TEST(OpenAgent, O10_SessionHasBranchesAndActiveLeaf) {
  OaStore oa("as_specified");
  const std::string id(kTree);
  EXPECT_EQ(texts(oa.read(id)), (Texts{"first way", "another way", "And that the other."}));
  EXPECT_EQ(oa.read(id, {.branch = "all"}).messages.size(), 7u);
  EXPECT_EQ(texts(oa.read(id, {.branch = "00000035-0000-4000-8000-000000000000"})).back(), "That was the first way.");
  must(oa.store->update(oa.context, id, {.leaf = "00000035-0000-4000-8000-000000000000"}));
  EXPECT_EQ(texts(oa.read(id)).back(), "That was the first way.");
  const auto next = oa.append(id, said(Role::user, "on from there"));
  const Transcript now = oa.read(id);
  EXPECT_EQ(now.messages.back().id, next.id);
  EXPECT_EQ(now.messages.back().parent, "00000035-0000-4000-8000-000000000000");
  EXPECT_EQ(oa.read(id, {.branch = "all"}).messages.size(), 8u);
}

TEST(OpenAgent, O10_SdkLinesWithoutParentsFollowFileOrder) {
  OaStore oa("as_written");
  const std::string id = "838e0f77-a155-4329-be07-bc2d0a92a89c";
  oa.append(id, said(Role::user, "ours"));
  must(oa.disk.foreign_append("/home/sessions/" + id + ".jsonl",
                              R"({"type":"user","uuid":"sdk","session_id":")" + id +
                                  R"(","message":{"role":"user","content":"theirs"},"parent_tool_use_id":null})" +
                                  "\n"));
  oa.append(id, said(Role::user, "ours again"));
  EXPECT_EQ(texts(oa.read(id)), (Texts{"hello", "Hi! What shall we do?", "ours", "theirs", "ours again"}));
  EXPECT_EQ(texts(oa.read(id, {.last = 2})), (Texts{"theirs", "ours again"}));
}

TEST(OpenAgent, O10_ForeignLineStaysOnBranchAndChosenParentBranches) {
  OaStore oa("as_written");
  const std::string id = "838e0f77-a155-4329-be07-bc2d0a92a89c";
  const std::string first = oa.read(id).messages.at(0).id;
  // Our line follows "Hi!", but the SDK wrote a line before ours was written.
  const std::string sdk = R"({"type":"user","uuid":"sdk","message":{"role":"user","content":"slipped in"}})";
  const std::string ours =
      R"({"type":"user","uuid":"ours","parentUuid":"00000002-0000-4000-8000-000000000000","message":{"role":"user","content":"ours"}})";
  must(oa.disk.foreign_append("/home/sessions/" + id + ".jsonl", sdk + "\n" + ours + "\n"));
  EXPECT_EQ(texts(oa.read(id)), (Texts{"hello", "Hi! What shall we do?", "slipped in", "ours"}));
  Message other = said(Role::user, "another way");
  other.parent = first;
  oa.append(id, other);
  EXPECT_EQ(texts(oa.read(id)), (Texts{"hello", "another way"}));
  EXPECT_EQ(oa.read(id, {.branch = "all"}).messages.size(), 5u);
}

TEST(OpenAgent, O10_ForkCopiesMessagesUpToGivenOne) {
  OaStore oa("as_specified");
  SessionDraft draft;
  draft.parent = Parent{std::string(kTree), ParentKind::fork, "00000034-0000-4000-8000-000000000000"};
  const std::string fork = must(oa.store->fork(oa.context, kTree, draft));
  const Transcript copy = oa.read(fork);
  ASSERT_EQ(copy.messages.size(), 4u);
  EXPECT_EQ(copy.messages.back().blocks.at(0).text.size(), 45000u) << "spilled results come along";
  draft.parent->message = "nowhere";
  EXPECT_CODE(oa.store->fork(oa.context, kTree, draft), Code::not_found);
}

TEST(Native, O10_SessionHasBranchesActiveLeafAndForks) {
  Native native;
  const auto root = native.append(said(Role::user, "root"));
  const auto left = native.append(said(Role::assistant, "left"));
  must(native.store->update(native.context, native.id, {.leaf = root.id}));
  native.append(said(Role::assistant, "right"));
  EXPECT_EQ(texts(must(native.store->read(native.context, native.id))), (Texts{"root", "right"}));
  EXPECT_EQ(texts(must(native.store->read(native.context, native.id, {.branch = left.id}))), (Texts{"root", "left"}));
  EXPECT_EQ(must(native.store->read(native.context, native.id, {.branch = "all"})).messages.size(), 3u);
  SessionDraft draft;
  draft.parent = Parent{native.id, ParentKind::fork, root.id};
  const std::string fork = must(native.store->fork(native.context, native.id, draft));
  EXPECT_EQ(texts(must(native.store->read(native.context, fork))), (Texts{"root"}));
}

TEST(OpenAgent, O11_KeepsContextOfEveryMessage) {
  OaStore oa;
  const std::string id = oa.create();
  Message message = said(Role::user, "x");
  message.context = {"/home/me/p", "main", "plan", "0.3.0", "external"};
  oa.append(id, message);
  EXPECT_EQ(oa.read(id).messages.at(0).context, message.context);
  EXPECT_NE(
      oa.lines(log_of(id))[1].find(
          R"("cwd":"/home/me/p","gitBranch":"main","permissionMode":"plan","version":"0.3.0","userType":"external"})"),
      std::string::npos);
  OaStore spec("as_specified");
  EXPECT_EQ(spec.read(std::string(kTree)).messages.at(0).context.permission_mode, "default");
}

TEST(Native, O11_KeepsContextOfEveryMessage) {
  Native native;
  Message message = said(Role::user, "x");
  message.context = {"/home/me/p", "main", "plan", "0.3.0", "external"};
  native.append(message);
  EXPECT_EQ(must(native.store->read(native.context, native.id)).messages.at(0).context, message.context);
}

TEST(OpenAgent, O12_ProgressHasToolTextAndFraction) {
  OaStore oa("as_specified");
  const Transcript read = oa.read(std::string(kTree), {.branch = "all"});
  EXPECT_EQ(progress_of(read.messages[2]), (Progress{"call_9", "half way", 0.5}));
  const std::string id = oa.create();
  const Progress progress{"call_1", "compiling", 0.25};
  oa.append(id, progress_message(progress));
  EXPECT_EQ(progress_of(oa.read(id).messages.at(0)), progress);
  EXPECT_NE(oa.lines(log_of(id))[1].find(
                R"("toolUseID":"call_1","data":{"type":"tool_progress","text":"compiling","fraction":0.25})"),
            std::string::npos);
  EXPECT_FALSE(progress_of(said(Role::user, "x")));
}

TEST(Native, O12_ProgressHasToolTextAndFraction) {
  Native native;
  const Progress progress{"call_1", "compiling", std::nullopt};
  native.append(progress_message(progress));
  EXPECT_EQ(progress_of(must(native.store->read(native.context, native.id)).messages.at(0)), progress);
}

TEST(OpenAgent, O13_LargeToolResultsAreSpilledAndReadBack) {
  OaStore oa;
  const std::string id = oa.create();
  const std::string large = std::string(20000, 'a') + std::string(10001, 'b');
  oa.append(id, tool_output("toolu_1", large));
  oa.append(id, tool_output("toolu_2", large.substr(1)));  // 30,000: stays in the log
  EXPECT_EQ(oa.file("projects/-home-me-p/" + id + "/tool-results/toolu_1.txt"), large);
  EXPECT_FALSE(oa.has("projects/-home-me-p/" + id + "/tool-results/toolu_2.txt"));
  const std::string line = oa.lines(log_of(id))[1];
  EXPECT_LT(line.size(), 4000u);
  EXPECT_NE(line.find(R"(<persisted-output>\nOutput too large (29.3KB). Full output saved to: projects/-home-me-p/)"),
            std::string::npos)
      << line.substr(0, 400);
  Transcript read = oa.read(id);
  EXPECT_EQ(read.messages.at(0).blocks.at(0).text, large);
  EXPECT_EQ(read.messages.at(0).blocks.at(0).spilled, "projects/-home-me-p/" + id + "/tool-results/toolu_1.txt");
  // The same call twice: nothing is overwritten.
  oa.append(id, tool_output("toolu_1", large + "c"));
  EXPECT_EQ(oa.file("projects/-home-me-p/" + id + "/tool-results/toolu_1.txt"), large);
  read = oa.read(id);
  EXPECT_EQ(read.messages.back().blocks.at(0).text, large + "c");
}

TEST(OpenAgent, O13_UntrustedNamesNeverBecomePaths) {
  OaStore oa;
  const std::string id = oa.create();
  const std::string large(40000, 'x');
  for (const char* evil : {"../../../etc/passwd", "a/b", "", "..", "nul\x01", "CON"}) {
    oa.append(id, tool_output(evil, large));
    EXPECT_EQ(oa.read(id).messages.back().blocks.at(0).text, large) << evil;
  }
  for (const auto& [path, bytes] : oa.files()) EXPECT_TRUE(path.starts_with("projects/-home-me-p/")) << path;
  // A line that names a file outside of the session is shown as its preview.
  oa.put("projects/secret.txt", "the secret");
  auto writer = must(oa.store->write(oa.context, id));
  must(writer->append_raw(
      oa.context,
      R"({"type":"tool_result","uuid":"u9","tool_use_id":"t","tool_name":"x","is_error":false,"result":"<persisted-output>\nOutput too large (1.0KB). Full output saved to: /home/projects/../projects/secret.txt\n\nPreview (first 2KB):\nboo"})"));
  const Transcript read = oa.read(id);
  EXPECT_EQ(read.messages.back().blocks.at(0).text.find("the secret"), std::string::npos);
  EXPECT_TRUE(found(read.findings, "missing", "tool-results/secret.txt"));
}

void check_history(const Context& context, Store& store) {
  must(append_prompt(context, store, {"one", "{}", "2026-11-15T00:00:01.000Z", "/p", "s1"}));
  must(append_prompt(context, store, {"two", R"({"1":{"content":"x"}})", "1794700802000", "/q", "s2"}));
  must(append_prompt(context, store, {.display = "now", .project = "/p"}));
  EXPECT_CODE(append_prompt(context, store, {.display = "x", .pasted = "[]"}), Code::invalid_argument);
  const PromptList all = must(list_prompts(context, store));
  ASSERT_EQ(all.prompts.size(), 3u);
  EXPECT_EQ(all.prompts[0].display, "now");
  EXPECT_EQ(all.prompts[2], (Prompt{"one", "{}", "2026-11-15T00:00:01.000Z", "/p", "s1"}));
  EXPECT_EQ(must(list_prompts(context, store, {.project = "/p"})).prompts.size(), 2u);
  EXPECT_EQ(must(list_prompts(context, store, {.session_id = "s2"})).prompts.at(0).pasted, R"({"1":{"content":"x"}})");
  EXPECT_EQ(must(list_prompts(context, store, {.limit = 1})).prompts.at(0).display, "now");
}

TEST(OpenAgent, O14_PromptHistoryCoversAllSessions) {
  OaStore spec("as_specified");
  const PromptList read = must(list_prompts(spec.context, *spec.store));
  ASSERT_EQ(read.prompts.size(), 2u);
  EXPECT_EQ(read.prompts[0].display, "another way");
  EXPECT_EQ(read.prompts[0].session_id, kTree);
  OaStore oa;
  check_history(oa.context, *oa.store);
  EXPECT_EQ(oa.lines("history.jsonl")[0],
            R"({"display":"one","pastedContents":{},"timestamp":1794700801000,"project":"/p","sessionId":"s1"})");
}

TEST(Native, O14_PromptHistoryCoversAllSessions) {
  Native native;
  check_history(native.context, *native.store);
}

TEST(OpenAgent, O15_ReadsCommonMemoryAndWritesProjectMemory) {
  OaStore oa("as_specified");
  const RecordKey memory{"memory", "/home/me/spec", "MEMORY"};
  EXPECT_NE(must(oa.store->get_record(oa.context, memory)).find("tests first"), std::string::npos);
  EXPECT_NE(must(oa.store->get_record(oa.context, {"common_memory", "", "MEMORY"})).find("of everything"),
            std::string::npos);
  must(oa.store->edit_records(oa.context, [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
    return std::vector<RecordEdit>{{RecordEdit::Kind::put, memory, R"({"body":"# New\n"})"},
                                   {RecordEdit::Kind::create, {"memory", "/home/me/n", "MEMORY"}, R"({"body":"x"})"}};
  }));
  EXPECT_EQ(oa.file("projects/-home-me-spec/memory/MEMORY.md"), "# New\n");
  EXPECT_EQ(oa.file("projects/-home-me-n/memory/MEMORY.md"), "x");
}

TEST(OpenAgent, O16_ForkHasNewIdOnEveryLineAndNamesParent) {
  OaStore oa("as_written");
  const std::string fork = must(oa.store->fork(oa.context, kTools, {.model = "other-model"}));
  const auto lines = oa.lines("projects/-home-me-demo/" + fork + ".jsonl");
  ASSERT_EQ(lines.size(), 10u);
  const JsonView header(lines[0]);
  EXPECT_TRUE(header.find("id").is_string(fork));
  EXPECT_TRUE(header.find("parentSessionId").is_string(kTools));
  EXPECT_EQ(header.find("forkedAt").as_int64(), header.find("createdAt").as_int64());
  EXPECT_TRUE(header.find("model").is_string("other-model"));
  EXPECT_TRUE(header.find("options").find("systemPrompt").is_string("Be brief."));
  for (std::size_t n = 1; n < lines.size(); ++n) EXPECT_TRUE(JsonView(lines[n]).find("session_id").is_string(fork));
  const Session session = must(oa.store->get(oa.context, fork));
  ASSERT_TRUE(session.parent);
  EXPECT_EQ(session.parent->id, kTools);
  // Resuming appends to the same file.
  oa.append(fork, said(Role::user, "resumed"));
  oa.reopen();
  EXPECT_EQ(texts(oa.read(fork)).back(), "resumed");
}

void check_compaction(const Context& context, Store& store, const std::string& id) {
  auto writer = must(store.write(context, id));
  must(writer->append(context, said(Role::user, "long ago")));
  must(writer->append(context, said(Role::assistant, "an answer")));
  const Compacted done = must(compact_session(context, store, id, {.summary = "They talked.", .pre_tokens = 900}));
  must(writer->append(context, said(Role::user, "and now")));
  const Transcript active = must(store.read(context, id));
  ASSERT_EQ(active.messages.size(), 3u);
  EXPECT_TRUE(is_compact_boundary(active.messages[0]));
  EXPECT_EQ(active.messages[1].id, done.summary);
  EXPECT_EQ(active.messages[1].origin, Origin::summary);
  EXPECT_EQ(active.messages[2].text(), "and now");
  const Transcript all = must(store.read(context, id, {.branch = "all"}));
  EXPECT_EQ(all.messages.size(), 5u);
  EXPECT_EQ(all.messages[0].text(), "long ago");
  EXPECT_EQ(all.session.counts.assistant, 1) << "a summary is no answer";
  EXPECT_CODE(compact_session(context, store, id, {}), Code::invalid_argument);
}

TEST(OpenAgent, O16_CompactionKeepsOriginalMessages) {
  OaStore oa;
  const std::string id = oa.create();
  check_compaction(oa.context, *oa.store, id);
  const std::string boundary = oa.lines(log_of(id))[3];
  EXPECT_NE(boundary.find(R"("subtype":"compact_boundary")"), std::string::npos);
  EXPECT_NE(boundary.find(R"("compact_metadata":{"trigger":"manual","pre_tokens":900})"), std::string::npos);
  EXPECT_NE(boundary.find(R"("parentUuid":null)"), std::string::npos);
  // A compaction by the SDK, which dropped the earlier messages.
  OaStore sdk("as_written");
  EXPECT_EQ(sdk.read("6fa459ea-ee8a-4ca4-894e-db77e160355e").messages.size(), 4u);
}

TEST(Native, O16_CompactionKeepsOriginalMessages) {
  Native native;
  check_compaction(native.context, *native.store, native.id);
}

TEST(OpenAgent, O17_HeadersNeverContainSecrets) {
  OaStore oa;
  const std::string id = oa.create(
      {.project = "/home/me/p",
       .metadata =
           R"({"options":{"apiKey":"sk-1","codexOAuth":{"t":"sk-2"},"env":{"A":"sk-3"},"maxTokens":5,"mcpServers":{"g":{"url":"u","env":{"K":"sk-4"},"headers":{"Authorization":"sk-5"}}}},"githubToken":"sk-6"})"});
  must(oa.store->update(oa.context, id, {.metadata = R"({"options":{"mySecret":"sk-7"},"access_token":"sk-8"})"}));
  oa.append(id, said(Role::user, "x"));
  must(end_session(oa.context, *oa.store, id));
  for (const SimEntry& entry : oa.disk.tree()) EXPECT_EQ(entry.bytes.find("sk-"), std::string::npos) << entry.path;
  EXPECT_NE(oa.lines(log_of(id))[0].find(R"("maxTokens":5)"), std::string::npos);
}

TEST(OpenAgent, O17_OldSecretsAreReportedAndRemovedOnRequest) {
  OaStore oa;
  const std::string id = "550e8400-e29b-41d4-a716-446655440000";
  const std::string rest =
      R"({"type":"user","uuid":"u","session_id":"550e8400-e29b-41d4-a716-446655440000","message":{"role":"user","content":"x"}})"
      "\n";
  oa.put(
      "sessions/" + id + ".jsonl",
      R"({"type":"session_header","id":"550e8400-e29b-41d4-a716-446655440000","model":"m","provider":"p","createdAt":1,"updatedAt":1,"options":{"model":"m","apiKey":"sk-old","cwd":"/x"}})"
      "\n" +
          rest);
  const Transcript read = oa.read(id);
  EXPECT_TRUE(found(read.findings, "secret_in_header", "sessions/" + id));
  EXPECT_EQ(read.session.metadata.find("sk-old"), std::string::npos);
  EXPECT_EQ(read.session.damage, 0);
  for (const Finding& finding : read.findings) EXPECT_EQ(finding.consequence.find("sk-old"), std::string::npos);
  must(write_header(oa.context, *oa.store, id));
  EXPECT_NE(oa.file("sessions/" + id + ".jsonl").find("sk-old"), std::string::npos) << "only on request";
  must(write_header(oa.context, *oa.store, id, HeaderRequest::without_secrets));
  EXPECT_EQ(
      oa.file("sessions/" + id + ".jsonl"),
      R"({"type":"session_header","id":"550e8400-e29b-41d4-a716-446655440000","model":"m","provider":"p","createdAt":1,"updatedAt":1,"options":{"model":"m","cwd":"/x"}})"
      "\n" +
          rest);
  for (const SimEntry& entry : oa.disk.tree()) EXPECT_EQ(entry.bytes.find("sk-old"), std::string::npos) << entry.path;
  EXPECT_TRUE(oa.read(id).findings.empty());
}

TEST(OpenAgent, O17_FilesAreAccessibleOnlyToOwner) {
  OaStore oa;
  const std::string id = oa.create();
  oa.append(id, tool_output("t", std::string(40000, 'x')));
  must(append_prompt(oa.context, *oa.store, {.display = "x"}));
  oa.close();
  const auto directory = must(oa.disk.open_directory("/home", false));
  std::size_t files = 0;
  each_file(*directory, "", [&](const std::string& path, const std::string&) {
    EXPECT_EQ(must(directory->stat(path)).mode & 0777U, 0600U) << path;
    ++files;
  });
  EXPECT_GT(files, 4u);
}

TEST(OpenAgent, O18_RawLinesRoundTripByteForByte) {
  OaStore from("as_written");
  OaStore to;
  const std::string id(kTools);
  must(to.store->create(to.context, {.id = id, .project = "/home/me/p"}));
  const auto lines = from.lines("projects/-home-me-demo/" + id + ".jsonl");
  {
    auto writer = must(to.store->write(to.context, id));
    for (std::size_t n = 1; n < lines.size(); ++n) must(writer->append_raw(to.context, lines[n]));
  }
  const Transcript read = to.read(id, {.raw = true});
  ASSERT_EQ(read.messages.size(), lines.size() - 1);
  for (std::size_t n = 1; n < lines.size(); ++n) EXPECT_EQ(read.messages[n - 1].raw, lines[n]);
  const auto& messages = read.messages;
  EXPECT_EQ(messages[2].blocks.size(), 2u) << "tool_calls repeat the block and are not counted twice";
  EXPECT_EQ(messages[2].blocks[1].json, R"({"command":"ls"})");
  EXPECT_EQ(messages[3].blocks[0].text, "a.txt\nb.txt");
  EXPECT_EQ(messages[4].blocks[0].text, R"({"error":"no such file"})");
  EXPECT_TRUE(messages[4].blocks[0].is_error);
  EXPECT_EQ(messages[5].text(), "Read every line.");
  EXPECT_EQ(read.session.usage.input, 280);
  EXPECT_EQ(read.session.usage.output, 39) << "the total in `result` is not added";
  EXPECT_EQ(read.session.counts.user, 1);
  EXPECT_EQ(read.session.counts.assistant, 2);
}

TEST(OpenAgent, O18_MessagesRoundTrip) {
  OaStore oa;
  const std::string id = oa.create();
  Message answer = said(Role::assistant, "text");
  answer.blocks.push_back({.kind = BlockKind::thinking, .text = "hm"});
  answer.blocks.push_back({.kind = BlockKind::tool_call, .id = "c1", .name = "Bash", .json = R"({"a":[1]})"});
  answer.blocks.push_back({.kind = BlockKind::other, .json = R"({"type":"audio","x":1})"});
  answer.response = "msg_1";
  answer.cost = "0.25";
  answer.usage = Usage{1, 2, 3, 4, 5};
  oa.append(id, answer);
  Message injected = said(Role::user, "context");
  injected.origin = Origin::injected;
  oa.append(id, injected);
  Message note = said(Role::system, "a notice");
  note.origin = Origin::notice;
  oa.append(id, note);
  const Transcript read = oa.read(id);
  EXPECT_EQ(read.messages[0].blocks, answer.blocks);
  EXPECT_EQ(read.messages[0].usage, answer.usage);
  EXPECT_EQ(read.messages[0].response, "msg_1");
  EXPECT_EQ(read.messages[0].cost, "0.25");
  EXPECT_EQ(read.messages[1].origin, Origin::injected);
  EXPECT_EQ(read.messages[2].text(), "a notice");
  EXPECT_EQ(read.messages[2].role, Role::system);
}

}  // namespace
}  // namespace holdfast::inline v1
