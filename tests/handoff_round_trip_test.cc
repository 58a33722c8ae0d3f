// A session goes from one agent to another and back, through the api: what was said, called and returned stays, and
// the report of each hand-off says exactly what a comparison of the two sessions finds. Over generated sessions, and
// over the corpus.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "api/dispatch.h"
#include "disk/memory_file_system.h"
#include "layout/layout.h"
#include "store/off_branch.h"
#include "store/whole_session.h"
#include "tests/corpus_testing.h"
#include "tests/handoff_comparison_testing.h"

namespace holdfast::inline v1 {
namespace {

// Agents whose files our readers read back; opencode imports its document itself.
constexpr const char* kTargets[] = {"claude-code", "codex", "pi", "qwen", "gemini", "copilot", "holdfast"};

// Stores below one directory, and calls on them.
class Desk {
 public:
  Desk(FileSystem& files, const std::string& home) : files_(files), home_(home), stores_(settings(files, home)) {}

  struct Made {
    std::string store, id;
    Transcript read;
    OffBranch off_branch;  // of the source
    KindCounts carried, changed, left;
  };
  // Hands off everything, from the first message on, into a new store. nullopt if the session says nothing.
  std::optional<Made> hand_off(const std::string& store, const std::string& id, const std::string& to) {
    EXPECT_TRUE(files_.open_directory(home_, true));  // the project
    JsonWriter json;
    json.begin_object().key("store").string(store).key("id").string(id).key("to").string(to).key("from").string("0");
    json.key("project").string(home_).key("output").string(home_ + "/" + std::to_string(++made_)).end_object();
    const auto answer = dispatch({}, stores_, "session.handoff", json.take());
    if (!answer) {
      EXPECT_EQ(answer.error().code, Code::invalid_argument) << answer.error().text();
      return std::nullopt;
    }
    const JsonView told(*answer);
    Made made;
    made.store = told.find("store").as_string().value_or("");
    made.id = told.find("id").as_string().value_or("");
    made.carried = counts(told.find("carried"));
    made.changed = counts(told.find("changed"));
    made.left = counts(told.find("left_behind"));
    made.read = read(files_, made.store, made.id);
    made.off_branch = off_branch(read(files_, store, id, "all").messages, read(files_, store, id).messages);
    return made;
  }

  static Transcript read(FileSystem& files, const std::string& store, const std::string& id,
                         const std::string& branch = {}) {
    StoreOptions options;
    options.layout = store.substr(0, store.find(':'));
    options.roots[""] = store.substr(store.find(':') + 1);
    const auto opened = Store::open({}, files, options);
    EXPECT_TRUE(opened) << opened.error().text();
    auto transcript = (*opened)->read({}, id, {.raw = true, .branch = branch, .data = true});
    EXPECT_TRUE(transcript) << transcript.error().text();
    return transcript ? std::move(*transcript) : Transcript();
  }

 private:
  static StoreSettings settings(FileSystem& files, const std::string& home) {
    StoreSettings all;
    all.files = &files;
    all.home.layout = "holdfast";
    all.home.roots[""] = home + "/home";
    all.defaults = {all.home};
    return all;
  }
  static KindCounts counts(JsonView lines) {
    KindCounts all;
    for (const JsonItem& line : lines.elements())
      all[line.value.find("kind").as_string().value_or("")] +=
          static_cast<std::uint64_t>(line.value.find("count").as_int64().value_or(0));
    return all;
  }

  FileSystem& files_;
  const std::string home_;
  Stores stores_;
  int made_ = 0;
};

std::string words(const KindCounts& counts) {
  std::string all;
  for (const auto& [kind, count] : counts) all += "\n    " + std::to_string(count) + " " + kind;
  return all;
}

// Removes a line from the report; returns its count.
std::uint64_t taken(KindCounts& counts, std::string_view kind) {
  const auto found = counts.find(kind);
  if (found == counts.end()) return 0;
  const std::uint64_t count = found->second;
  counts.erase(found);
  return count;
}

// Returns what is wrong with the report, empty if nothing.
std::string fault(const Transcript& source, const Desk::Made& made, const std::string& from, const std::string& to) {
  const Layout &before = *find_layout(from), &after = *find_layout(to);
  Comparing compared(source, made.read, {&before}, after);
  std::string faults;
  for (const std::string& one : compared.found.unexplained) faults += one + "\n";
  if (!made.read.findings.empty()) faults += "the new session has findings\n";
  KindCounts carried = made.carried, changed = made.changed, left = made.left;
  if (taken(left, "messages of other branches") != made.off_branch.own) faults += "messages of other branches\n";
  // Values of the session as a whole.
  const Session &was = source.session, &is = made.read.session;
  const auto as_a_whole = [&](std::string_view what, bool had, bool has) {
    const bool kept = taken(carried, what) > 0, stayed = taken(left, what) > 0;
    if (had && (has ? false : !stayed)) faults += "it lost, and does not say so: " + std::string(what) + "\n";
    if (!had && (kept || stayed)) faults += "there is no " + std::string(what) + "\n";
    if (kept && !has) faults += "it is said to be carried, and is not: " + std::string(what) + "\n";
  };
  as_a_whole("title", !was.title.empty(), is.title == was.title);
  as_a_whole("git branch", !was.git_branch.empty(), is.git_branch == was.git_branch);
  const std::set<std::string>&models = compared.source().models, &kept = compared.result().models;
  as_a_whole("names of models", !models.empty(), std::ranges::includes(kept, models));
  // Turns.
  const std::uint64_t prompts = compared.source().prompts + (compared.begun() ? 1 : 0);
  const std::uint64_t split = taken(changed, "prompts of several texts");
  const std::uint64_t joined = taken(changed, "consecutive turns of one side");
  if (compared.result().prompts > prompts + split || compared.result().prompts + joined < prompts + split)
    faults += "prompts were joined or split, and the report does not say so\n";
  if (joined > 0 && compared.result().prompts + compared.result().answers >= prompts + compared.source().answers)
    faults += "turns are said to be joined, and are not\n";
  taken(changed, "answers of several texts");
  taken(carried, "answers");
  taken(carried, "calls to tools that the next agent does not have");
  const NewSessions* const power = after.new_sessions();
  if (power != nullptr && taken(changed, "summaries of what came before") != compared.source().summaries)
    faults += "summaries\n";
  for (const auto& [name, told, found] : {std::tuple("carried", &carried, &compared.found.carried),
                                          std::tuple("changed", &changed, &compared.found.changed),
                                          std::tuple("left behind", &left, &compared.found.left)})
    if (*told != *found)
      faults += std::string(name) + "; the report:" + words(*told) + "\n  a comparison:" + words(*found) + "\n";
  return faults.empty() ? faults : from + " to " + to + ": " + faults;
}

// Returns what differs after the way there and back but must be the same: all that was said, each call with its output.
// A call that only the other agent's table knows comes back under its own agent's name for it.
std::string lost(const Transcript& source, const Transcript& back, const std::string& own, const std::string& other) {
  Comparing compared(source, back, {find_layout(own), find_layout(other)}, *find_layout(own));
  std::string faults;
  // Agents that keep the outputs of one answer together have one time for them.
  for (const std::string& one : compared.found.unexplained)
    if (!one.starts_with("when an output came")) faults += one + "\n";
  KindCounts changed = compared.found.changed;
  // Each of these was in a report. A call may have another name of the same tool; an input that is no object became
  // one on the way and stays one; and the output made for a call without one may have a mark.
  for (const std::string_view kind :
       {"tool calls", "thoughts", "images", "documents", "audio recordings", "results of web searches",
        "images of answers", "the beginning", "ids of calls", "names of tools", "texts after calls",
        "outputs that came later", "tool outputs whose call is missing", "texts that are not UTF-8"})
    (void)taken(changed, kind);
  // A command or a summary that became a prompt stays one, and may look like what it was. A prompt that lost its mark
  // is what was typed.
  const std::uint64_t became = taken(changed, "commands that the model answered") + compared.source().summaries;
  if (compared.found.marked <= became) (void)taken(changed, "prompts that look like commands or context");
  const std::uint64_t made = taken(changed, "tool calls without a result");
  if (changed["failed tool calls"] <= made) changed.erase("failed tool calls");
  const auto is_odd = [](const ConversationItem& one) {
    return JsonView(one.block.json).kind() != JsonKind::object || one.block.name == "apply_patch";
  };
  const auto odd = static_cast<std::uint64_t>(std::ranges::count_if(compared.source().calls, is_odd));
  if (changed["arguments of tools"] <= odd) changed.erase("arguments of tools");
  return changed.empty() ? faults : faults + words(changed);
}

// ---- generated sessions

std::string pick(const std::vector<std::string>& choices) { return *rc::gen::elementOf(choices); }

std::string any_text() {
  return pick({"yes",
               "two\nlines\n",
               "  spaces  ",
               "\"quoted\" \\ back",
               "{\"type\":\"user\"}",
               "ünï 代码 🎯",
               "</thinking> x",
               "a\x01\x1b[31mred\x1b[0m\x7f",
               std::string("nul \0 in it", 11),
               "--flag",
               "$(id) `id`",
               "../../etc/passwd",
               "/etc",
               " ? what",
               "<state_snapshot> is what",
               "[Request interrupted by user]",
               "<bash-input>ls</bash-input>",
               "<task-notification> here",
               "[The user typed:]\n/etc",
               "\xE2\x80\xA8 line separator",
               std::string(70000, 'x'),
               "'; drop table x; --"});
}
std::string any_output() { return *rc::gen::inRange(0, 4) == 0 ? std::string() : any_text(); }

Block any_call(const std::string& id) {
  static const std::vector<std::pair<std::string, std::string>> kCalls = {
      {"Bash", R"({"command":"ls -l","description":"List"})"},
      {"Bash", R"({"command":"printf '\u0000\n' \"$HOME\""})"},
      {"Read", R"({"file_path":"/srv/a b","offset":3,"limit":10})"},
      {"Edit", R"({"file_path":"a","old_string":"x\ny","new_string":"","replace_all":true})"},
      {"TodoWrite", R"({"todos":[{"content":"A","status":"pending"},{"content":"B","status":"completed"}]})"},
      {"Agent", R"({"prompt":"look","description":"d","subagent_type":"general"})"},
      {"mcp__files__list", R"({"deep":{"list":[1,2.50,null,{"a":[]}]},"e":1e400})"},
      {"exec_command", R"({"cmd":"ls"})"},
      {"shell", R"({"command":["bash","-lc","ls | wc"]})"},
      {"apply_patch", R"({"input":"*** Begin Patch\n*** End Patch"})"},
      {"apply_patch", R"("*** Begin Patch\n*** End Patch")"},
      {"odd name/with:signs", "{}"},
      {"run_shell_command", R"({"command":"ls","dir_path":"/srv"})"},
      {"a", "[1,2]"}};
  const auto& [name, json] = kCalls[*rc::gen::inRange<std::size_t>(0, kCalls.size())];
  return {.kind = BlockKind::tool_call, .id = id, .name = name, .json = json};
}

Block picture() {
  return {.kind = BlockKind::image, .media_type = "image/png", .data = std::string("\x89PNG\r\n\0\x01", 8), .bytes = 8};
}
Block text_block(std::string text) { return {.kind = BlockKind::text, .text = std::move(text)}; }

class Generator {
 public:
  std::vector<Message> session() {
    for (int left = *rc::gen::inRange(1, 8); left > 0; --left) step();
    return std::move(messages_);
  }

 private:
  void step() {
    switch (*rc::gen::inRange(0, 11)) {
      case 0: return person({text_block(any_text())});
      case 1: return person({text_block(any_text()), text_block("and " + any_text())});
      case 2: return person({text_block("look"), picture()});
      case 3: return model({{.kind = BlockKind::thinking, .text = any_text()}, text_block(any_text())});
      case 4: return model({text_block(any_text())});
      case 5: return notice();
      case 6: return person({text_block("said"), text_block(" \n")});
      case 7: return void(add(Role::user, Origin::summary, {text_block(any_text())}));
      case 8: return void(add(Role::user, Origin::command, {text_block("<command-name>/review</command-name>")}));
      default: return works();
    }
  }
  Message& add(Role role, Origin origin, std::vector<Block> blocks) {
    Message message;
    message.role = role;
    message.origin = origin;
    message.blocks = std::move(blocks);
    minute_ += 1;
    message.timestamp = "2026-11-15T03:" + std::string(minute_ < 10 ? "0" : "") + std::to_string(minute_) + ":00.000Z";
    if (role == Role::assistant) message.model = pick({"model-a", "model-b"});
    if (role == Role::assistant && *rc::gen::inRange(0, 3) == 0) message.usage = Usage{.input = 5, .output = 7};
    messages_.push_back(std::move(message));
    return messages_.back();
  }
  void person(std::vector<Block> blocks) { add(Role::user, Origin::typed, std::move(blocks)); }
  void model(std::vector<Block> blocks) { add(Role::assistant, Origin::model, std::move(blocks)); }
  void notice() {
    add(Role::user, pick({"a", "b"}) == "a" ? Origin::injected : Origin::notice, {text_block("<context>")});
  }
  // One to three calls with texts around them; outputs in any order, late, failed, with pictures, or never.
  void works() {
    std::vector<Block> blocks;
    std::vector<std::string> ids;
    for (int left = *rc::gen::inRange(1, 4); left > 0; --left) {
      if (*rc::gen::inRange(0, 3) == 0) blocks.push_back(text_block(any_text()));
      ids.push_back(*rc::gen::inRange(0, 8) == 0 ? "odd/" + std::to_string(calls_) : "call_" + std::to_string(calls_));
      ++calls_;
      blocks.push_back(any_call(ids.back()));
    }
    model(std::move(blocks));
    if (*rc::gen::inRange(0, 6) == 0) std::ranges::reverse(ids);
    for (const std::string& id : ids) {
      if (*rc::gen::inRange(0, 10) == 0) continue;  // never
      if (*rc::gen::inRange(0, 10) == 0) person({text_block("meanwhile")});
      Block result{.kind = BlockKind::tool_result, .text = any_output(), .id = id};
      result.is_error = *rc::gen::inRange(0, 4) == 0;
      std::vector<Block> given = {result};
      if (*rc::gen::inRange(0, 6) == 0) given.push_back(picture());
      add(Role::tool, Origin::tool, std::move(given));
    }
  }

  std::vector<Message> messages_;
  int minute_ = 0, calls_ = 0;
};

// Creates a native session with these messages.
std::string stored(FileSystem& files, const std::string& root, const std::vector<Message>& messages) {
  StoreOptions options;
  options.layout = "holdfast";
  options.roots[""] = root;
  options.write = options.create = true;
  const auto store = Store::open({}, files, options);
  RC_ASSERT(bool(store));
  SessionDraft draft;
  draft.project = "/srv/p";
  draft.title = pick({"", "A title", "'; rm -rf ~ #\n../../evil: [x]\""});
  draft.git_branch = pick({"", "main", "$(x)\n- y: z"});
  const auto made = create_whole({}, **store, draft, {}, messages);
  if (!made) RC_FAIL(made.error().text());
  return made->id;
}

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, KeepsMessagesAndToolCalls) {
  const std::string own = GetParam();
  const bool held = rc::check(own + " to others and back", [&] {
    const auto files = make_memory_file_system();
    Desk desk(*files, "/stores");
    const std::string store = "holdfast:/generated";
    const std::string id = stored(*files, "/generated", Generator().session());
    const Transcript generated = Desk::read(*files, store, id);
    const auto here = desk.hand_off(store, id, own);
    if (!here) return;
    if (const std::string wrong = fault(generated, *here, "holdfast", own); !wrong.empty()) RC_FAIL(wrong);
    const std::string other = pick({std::begin(kTargets), std::end(kTargets)});
    const auto there = desk.hand_off(here->store, here->id, other);
    RC_ASSERT(there.has_value());
    if (const std::string wrong = fault(here->read, *there, own, other); !wrong.empty()) RC_FAIL(wrong);
    const auto back = desk.hand_off(there->store, there->id, own);
    RC_ASSERT(back.has_value());
    if (const std::string wrong = fault(there->read, *back, other, own); !wrong.empty()) RC_FAIL(wrong);
    const std::string gone = lost(here->read, back->read, own, other);
    if (!gone.empty()) RC_FAIL(own + " to " + other + " and back: " + gone);
  });
  EXPECT_TRUE(held);
}

INSTANTIATE_TEST_SUITE_P(Agents, RoundTrip, testing::ValuesIn(kTargets), [](const auto& one) {
  std::string name = one.param;
  std::erase(name, '-');
  return name;
});

// ---- the corpus

class CorpusRoundTrip : public OpenCorpus {
 protected:
  // Copies the files under the same names.
  static void copy_into(FileSystem& files, const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      const auto directory = files.open_directory(entry.path().parent_path().string(), true);
      ASSERT_TRUE(directory) << directory.error().text();
      std::ifstream in(entry.path(), std::ios::binary);
      const auto file = (*directory)->open(entry.path().filename().string(), OpenMode::create_update);
      ASSERT_TRUE(file) << file.error().text();
      const auto written = (*file)->write_at(0, std::string{std::istreambuf_iterator<char>(in), {}});
      ASSERT_TRUE(written) << written.error().text();
    }
  }
};

TEST_P(CorpusRoundTrip, KeepsMessagesAndToolCallsWithExactReport) {
  const std::string own = GetParam().name;
  const auto list = store_->list({}, {.inner = true});
  ASSERT_TRUE(list) << list.error().text();
  // In memory unless its reader needs a real file.
  const bool real = own == "opencode";
  const auto memory = make_memory_file_system();
  FileSystem& files = real ? real_file_system() : *memory;
  const std::string home = testing::TempDir() + "holdfast-round-trip-" + own + "-" + std::to_string(::getpid());
  std::filesystem::remove_all(home);
  const auto root = corpus_store(GetParam());
  if (!real) copy_into(files, root);
  const std::string store = own + ":" + root.string();
  const Layout& layout = *find_layout(own);
  const bool returns = layout.new_sessions() != nullptr && layout.new_sessions()->traits().import_command.empty();
  Desk desk(files, home);
  std::size_t carried = 0;
  for (const Session& session : list->sessions) {
    const auto source = store_->read({}, session.id, {.raw = true, .data = true});
    if (!source) continue;
    for (const std::string to : kTargets) {
      SCOPED_TRACE(session.id + " to " + to);
      const auto there = desk.hand_off(store, session.id, to);
      if (!there) continue;
      ++carried;
      EXPECT_EQ(fault(*source, *there, own, to), "");
      if (!returns) continue;
      const auto back = desk.hand_off(there->store, there->id, own);
      ASSERT_TRUE(back);
      EXPECT_EQ(fault(there->read, *back, to, own), "");
      EXPECT_EQ(lost(*source, back->read, own, to), "");
    }
  }
  EXPECT_GT(carried, 0u);
  std::filesystem::remove_all(home);
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusRoundTrip, testing::ValuesIn(kCorpusAgents), [](const auto& one) {
  std::string name = one.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace holdfast::inline v1
