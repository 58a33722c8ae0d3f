#include "handoff/hand_off.h"

#include <gtest/gtest.h>

#include "base/corpus_testing.h"
#include "crash/disk/sim_testing.h"
#include "disk/memory_file_system.h"
#include "handoff/brief.h"
#include "handoff/handoff_testing.h"

namespace holdfast::inline v1 {
namespace {

// Agents whose files we read back ourselves.
constexpr const char* kTargets[] = {"claude-code", "codex", "pi", "qwen", "gemini", "copilot", "holdfast"};

struct HandedOff {
  Conversation sent;
  Transcript read;
  std::string file;
};

// Hands off into a store of its own, and reads the result back.
Result<HandedOff> hand_off(const Transcript& transcript, std::string_view to, const HandoffOptions& options) {
  const Context context;
  const Layout& layout = *find_layout(to);
  HandedOff done;
  HOLDFAST_LET(prepared, prepare_handoff(transcript, layout, options));
  done.sent = std::move(prepared);
  RereadableTranscript told(transcript);
  HOLDFAST_LET(plan, plan_handoff(told, layout, options));
  const auto files = make_memory_file_system();
  HOLDFAST_LET(directory, files->open_directory("/s", true));
  StoreOptions store;
  store.layout = to;
  store.roots[""] = "/s";
  std::string id;
  if (layout.new_sessions() == nullptr) {
    store.write = store.create = true;
    HOLDFAST_LET(opened, Store::open(context, *files, store));
    HOLDFAST_LET(made, store_handoff(context, *opened, told, plan));
    HOLDFAST_LET(read, opened->read(context, made.id, {.raw = true, .data = true}));
    done.read = std::move(read);
    return done;
  }
  HOLDFAST_LET(written, write_handoff(context, *files, *directory, told, plan));
  done.file = written.file;
  HOLDFAST_LET(opened, Store::open(context, *files, store));
  HOLDFAST_LET(read, opened->read(context, written.id, {.raw = true, .data = true}));
  done.read = std::move(read);
  return done;
}

void expect_same(const Conversation& sent, const Transcript& read, std::span<const ToolName> names) {
  const Essence before = essence_of(sent, names);
  const Essence after = essence_of(conversation_of(read), names);
  EXPECT_EQ(after.texts, before.texts);
  EXPECT_EQ(after.thoughts, before.thoughts);
  EXPECT_EQ(after.calls, before.calls);
  EXPECT_TRUE(read.findings.empty());
}

Transcript everything() {
  Message thought = said(Role::assistant, "I looked.\nTwo lines, ünï 代码 🎯  ");
  thought.blocks.insert(thought.blocks.begin(), {.kind = BlockKind::thinking, .text = "Let me look."});
  thought.model = "some-model";
  return transcript({said(Role::user, "look at \"this\"\\ </thinking> {}"), thought,
                     asks({call("t1", "Bash", R"({"command":"ls","description":"List"})"),
                           call("t2", "Read", R"({"file_path":"/srv/a"})")}),
                     gives("t2", "no such file", true), gives("t1", "a\nb\n"),
                     asks({call("t3", "mcp__x__y", R"({"deep":{"list":[1,2.50,null]}})")}), gives("t3", ""),
                     asks({call("t4", "TodoWrite", R"({"todos":[{"content":"A","status":"pending"}]})")}),
                     said(Role::user, "go on"), said(Role::assistant, "done")});
}

// An image from the person, and one from a tool, which both sides support.
Transcript pictures() {
  Message look = said(Role::user, "look");
  look.blocks.push_back({.kind = BlockKind::image, .media_type = "image/png", .data = "\x89PNG\r\n", .bytes = 6});
  Message shown = gives("t", "a picture");
  shown.blocks.push_back({.kind = BlockKind::image, .media_type = "image/png", .data = "\x89PNG 2", .bytes = 6});
  return transcript(
      {look, asks({call("t", "Read", R"({"file_path":"a.png"})")}), shown, said(Role::assistant, "seen")});
}

class ToEveryAgent : public testing::TestWithParam<const char*> {};

TEST_P(ToEveryAgent, ConversationIsReadBack) {
  const auto done = hand_off(everything(), GetParam(), {});
  ASSERT_TRUE(done) << done.error().text();
  expect_same(done->sent, done->read, find_layout(GetParam())->tool_names());
  EXPECT_EQ(done->read.session.project, "/srv/proj");
  const NewSessions* const power = find_layout(GetParam())->new_sessions();
  if (power == nullptr || power->traits().titles) {
    EXPECT_EQ(done->read.session.title, "A title");
  }
}

TEST_P(ToEveryAgent, ImagesAreReadBack) {
  const auto done = hand_off(pictures(), GetParam(), {});
  ASSERT_TRUE(done) << done.error().text();
  expect_same(done->sent, done->read, find_layout(GetParam())->tool_names());
  const auto count = [](const Conversation& conversation) {
    std::size_t sum = 0;
    for (const Turn& turn : conversation.turns) sum += turn.pictures.size();
    return sum;
  };
  const Conversation again = conversation_of(done->read);
  EXPECT_EQ(count(again), count(done->sent));
  for (const Turn& turn : again.turns)
    for (const CarriedTurn::Picture& picture : turn.pictures) EXPECT_EQ(picture.image.data, "\x89PNG 2");
}

TEST_P(ToEveryAgent, HostileTextStaysText) {
  Transcript evil = transcript({said(Role::user, "\x1b]0;x\x07 $(rm -rf /) `id` \u2028 \xff"),
                                asks({call("../../x", "../bin/sh", R"({"a":"\u0000"})")}),
                                gives("../../x", "--flag\n\"}\n{\"type\":\"user\"}"), said(Role::assistant, "ok")});
  evil.session.title = "'; rm -rf ~ #\n../../evil: [x]\"";
  evil.session.id = "../../../etc/passwd";
  evil.session.git_branch = "$(x)\n- y: z";
  evil.session.project = "/srv/a b/$(x)/--flag";
  const auto done = hand_off(evil, GetParam(), {});
  ASSERT_TRUE(done) << done.error().text();
  const Essence read = essence_of(conversation_of(done->read), {});
  ASSERT_EQ(read.texts.size(), 2u);
  EXPECT_TRUE(read.texts[0].contains("$(rm -rf /) `id`"));
  ASSERT_EQ(read.calls.size(), 1u);
  EXPECT_TRUE(read.calls[0].ends_with("gives: --flag\n\"}\n{\"type\":\"user\"}")) << read.calls[0];
  EXPECT_FALSE(done->file.contains(".."));
  EXPECT_FALSE(done->file.contains('\n'));
  EXPECT_FALSE(done->file.contains("etc"));
  EXPECT_FALSE(done->read.session.id.contains('/'));
}

INSTANTIATE_TEST_SUITE_P(Agents, ToEveryAgent, testing::ValuesIn(kTargets), [](const auto& one) {
  std::string name = one.param;
  std::erase(name, '-');
  return name;
});

// Hands every session of the corpus to every agent, and back to the original one.
class CorpusHandoff : public testing::TestWithParam<CorpusAgent> {
 protected:
  void SetUp() override {
    const std::string root = corpus_store(GetParam()).string();
    store_ = must(Store::open({}, real_file_system(), {.layout = GetParam().name, .roots = {{"", root}}}));
  }

  std::shared_ptr<Store> store_;
};

TEST_P(CorpusHandoff, RoundTripKeepsThoughtsAndCalls) {
  const Context context;
  const auto list = must(store_->list(context, {.inner = true}));
  const Layout& own = *find_layout(GetParam().name);
  int carried = 0;
  for (const Session& session : list.sessions) {
    const auto source = store_->read(context, session.id, {.raw = true, .data = true});
    if (!source) continue;
    for (const char* const to : kTargets) {
      SCOPED_TRACE(session.id + " to " + to);
      const auto there = hand_off(*source, to, {.project = "/srv/p"});
      if (!there) {
        EXPECT_EQ(there.error().code, Code::invalid_argument) << there.error().text();  // nothing was said
        continue;
      }
      ++carried;
      const auto names = find_layout(to)->tool_names();
      expect_same(there->sent, there->read, names);
      if (own.new_sessions() == nullptr || !own.new_sessions()->traits().import_command.empty()) continue;
      const auto back = hand_off(there->read, own.name(), {});
      ASSERT_TRUE(back) << back.error().text();
      Conversation first = conversation_of(*source);
      must(cut(first, {}));
      const Essence before = essence_of(first, own.tool_names());
      const Essence after = essence_of(conversation_of(back->read), own.tool_names());
      EXPECT_EQ(after.thoughts, before.thoughts);
      EXPECT_EQ(after.calls, before.calls);
    }
  }
  EXPECT_GT(carried, 0);
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusHandoff, testing::ValuesIn(kCorpusAgents), [](const auto& one) {
  std::string name = one.param.name;
  std::erase(name, '-');
  return name;
});

TEST(Handoff, ImportFileIsOneJsonDocument) {
  const Context context;
  SimFileSystem disk;
  const Layout& to = *find_layout("opencode");
  const Transcript source = everything();
  RereadableTranscript told(source);
  const HandoffPlan plan = must(plan_handoff(told, to, {}));
  const auto directory = must(disk.open_directory("/s", true));
  const WrittenHandoff written = must(write_handoff(context, disk, *directory, told, plan));
  EXPECT_EQ(written.import_command, "opencode import");
  const std::string text = must(disk.read_file("/s/" + written.file));
  const JsonView document(text);
  EXPECT_EQ(document.find("info").find("directory").as_string(), "/srv/proj");
  std::size_t messages = 0, tools = 0;
  for (const JsonItem& message : document.find("messages").elements()) {
    ++messages;
    for (const JsonItem& part : message.value.find("parts").elements())
      tools += part.value.find("type").is_string("tool") ? 1 : 0;
  }
  EXPECT_EQ(messages, written.carried.turns);
  EXPECT_EQ(tools, 4u);
}

// In opencode, only a successful call can have attachments.
TEST(Handoff, ImportFileCarriesImagesOfSuccessfulCalls) {
  const Context context;
  for (const bool failed : {false, true}) {
    SimFileSystem disk;
    Transcript source = pictures();
    source.messages[2].blocks[0].is_error = failed;
    RereadableTranscript told(source);
    const HandoffPlan plan = must(plan_handoff(told, *find_layout("opencode"), {}));
    const auto directory = must(disk.open_directory("/s", true));
    const std::string text =
        must(disk.read_file("/s/" + must(write_handoff(context, disk, *directory, told, plan)).file));
    EXPECT_EQ(text.contains(R"("attachments":[{"id":"prt_)"), !failed) << text;
    EXPECT_EQ(text.contains(R"("type":"file","mime":"image/png","url":"data:image/png;base64,iVBORyAy"}])"), !failed);
    EXPECT_EQ(text.contains("[an image, image/png, 6 bytes: not carried]"), failed) << text;
  }
}

TEST(Handoff, TitleIsRedacted) {
  Transcript source = everything();
  source.session.title = "use ghp_" + std::string("a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
  const auto conversation = must(prepare_handoff(source, *find_layout("claude-code"), {.redact = true}));
  EXPECT_FALSE(conversation.head.title.contains("a1B2c3")) << conversation.head.title;
}

// Walking twice without holding turns gives the same as holding all of them.
TEST(Handoff, LateResultIsAttachedToItsCall) {
  Transcript source = transcript({said(Role::user, "go"), asks({call("late", "Bash", "{}")}), said(Role::user, "and?"),
                                  asks({call("never", "Bash", "{}")}), said(Role::assistant, "waiting"),
                                  gives("late", "it came"), gives("late", "again"), said(Role::assistant, "done")});
  RereadableTranscript told(source);
  const CarriedPart part = must(carried_part(told, {}));
  HandoffReport report;
  std::vector<Turn> turns;
  must(visit_turns(told, part, report, [&](Turn turn) { turns.push_back(std::move(turn)); }));
  const Conversation whole = conversation_of(source);
  ASSERT_EQ(turns.size(), whole.turns.size());
  for (std::size_t n = 0; n < turns.size(); ++n) {
    EXPECT_EQ(turns[n].blocks, whole.turns[n].blocks);
    EXPECT_EQ(turns[n].results, whole.turns[n].results);
  }
  EXPECT_EQ(turns[1].results[0].text, "it came");
  EXPECT_EQ(turns[3].results[0].text, kNoResult);
}

// Reports one message fewer each time.
class Shrinking final : public RereadableSession {
 public:
  explicit Shrinking(Transcript all) : all_(std::move(all)) {}
  Result<bool> tell(const Take& take) override {
    for (const Message& message : all_.messages) take(message);
    all_.messages.pop_back();
    return true;
  }
  const Session& session() const override { return all_.session; }
  const std::vector<Finding>& findings() const override { return all_.findings; }

 private:
  Transcript all_;
};

TEST(Handoff, ChangedSessionIsAConflictAndWritesNothing) {
  const Layout& to = *find_layout("codex");
  const auto files = make_memory_file_system();
  const auto directory = must(files->open_directory("/s", true));
  Shrinking source(everything());
  const HandoffPlan plan = must(plan_handoff(source, to, {}));
  const auto written = write_handoff({}, *files, *directory, source, plan);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Code::conflict);
  StoreOptions store;
  store.layout = "codex";
  store.roots[""] = "/s";
  EXPECT_TRUE(must(must(Store::open({}, *files, store))->list({}, {})).sessions.empty());
}

TEST(Handoff, CutReportsOnlyEarlierTurns) {
  const Transcript source =
      transcript({said(Role::user, "<context>", Origin::injected), said(Role::user, "one"),
                  asks({call("a", "Bash", "{}")}), said(Role::user, "two"), said(Role::assistant, "2")});
  const auto all = must(prepare_handoff(source, *find_layout("claude-code"), {}));
  EXPECT_FALSE(all.report.left_behind.empty());
  EXPECT_FALSE(all.report.changed.empty());
  const auto last = must(prepare_handoff(source, *find_layout("claude-code"), {.cut = {.last = 1}}));
  ASSERT_EQ(last.report.left_behind.size(), 1u);
  EXPECT_EQ(last.report.left_behind[0].kind, "earlier turns");
  EXPECT_EQ(last.report.left_behind[0].count, 2u);
  EXPECT_TRUE(last.report.changed.empty());
}

TEST(Handoff, RefusesUnsupportedTargetAndEmptySession) {
  EXPECT_EQ(prepare_handoff(everything(), *find_layout("openclaw"), {}).error().code, Code::unsupported);
  EXPECT_EQ(prepare_handoff(transcript({}), *find_layout("codex"), {}).error().code, Code::invalid_argument);
  Transcript nowhere = everything();
  nowhere.session.project.clear();
  EXPECT_EQ(prepare_handoff(nowhere, *find_layout("codex"), {}).error().code, Code::invalid_argument);
}

TEST(Brief, ListsGoalLastRequestTasksAndFiles) {
  Transcript source = everything();
  source.messages.push_back(asks({call("w", "Write", R"({"file_path":"/srv/new.cc","content":""})")}));
  const Conversation conversation = conversation_of(source);
  Brief page(find_layout("claude-code")->tool_names());
  for (const Turn& turn : conversation.turns) page.take(turn);
  const std::string text = page.text(source.session, conversation.head);
  for (const std::string_view wanted : {"# A title", "## Goal\n> look at", "## Asked last\n> go on", "> done",
                                        "- [ ] A", "- `/srv/new.cc`", "- `/srv/a`"})
    EXPECT_TRUE(text.contains(wanted)) << wanted << " in\n" << text;
}

}  // namespace
}  // namespace holdfast::inline v1
