// Compares every figure in EXPECTED.json for the stores of the corpus with what the
// readers report, and checks that reading changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "base/corpus_testing.h"
#include "tests/corpus/corpus_store.h"
#include "tests/corpus/expected.h"

namespace holdfast::corpus {
namespace {

namespace fs = std::filesystem;

struct Client {
  const char* name;    // in EXPECTED.json, and the directory of the corpus
  const char* layout;  // its reader
  const char* root;    // of the store, below that directory
  const char* files;   // regular expression for the files of a session
  // Sessions that were killed but whose files do not show it.
  std::vector<std::string> looks_finished;
  bool gives_reasoning = true;  // whether EXPECTED.json has reasoning tokens where there are any
};

const Client kClients[] = {
    {"claude-code", "claude-code", ".claude", ".*\\.jsonl", {}},
    {"codex", "codex", ".codex", ".*/rollout-.*", {}},
    // ca05c927: "the running tool call was not on disk yet": the file ends with a whole answer.
    {"gemini", "gemini", ".gemini", ".*/chats/.*\\.jsonl?", {"ca05c927-0ae3-4a62-b1a1-80a5693b632e"}},
    {"opencode", "opencode", ".local/share/opencode", "opencode\\.db", {}},
    {"copilot", "copilot", ".copilot", ".*/events\\.jsonl", {}},
    {"continue", "continue", ".continue", "sessions/.*\\.json", {}},
    // 0a573109 has 17 tokens of thoughts, which EXPECTED.json omits.
    {"qwen", "qwen", ".qwen", ".*\\.jsonl", {}, false},
    {"pi", "pi", ".pi/agent", ".*\\.jsonl", {}},
    {"openclaw", "openclaw", ".openclaw", ".*\\.sqlite", {}},
};

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string& expected_text() {
  static const std::string text = read_text(corpus_place() / "EXPECTED.json");
  return text;
}

// Counts by the response of each answer, so that copies count once.
struct Sum {
  std::map<std::string, std::int64_t> tokens;
  std::set<std::string> prompts, answers, calls, results;
  std::set<std::string> priced;

  std::size_t nameless = 0;

  void add(const Message& message, bool typed_by_a_person) {
    std::string key = message.response.empty() ? message.id : message.response;
    if (key.empty()) key = "#" + std::to_string(++nameless);
    if (message.role == Role::user && message.origin == Origin::typed && typed_by_a_person && !message.side) {
      prompts.insert(message.timestamp + message.text());
    }
    if (message.role == Role::assistant && !message.failed) {
      if (message.origin == Origin::model) answers.insert(key);
      if (message.usage) tokens[key] = std::max(tokens[key], message.usage->output);
      if (message.usage) priced.insert(key);
    }
    for (const Block& block : message.blocks) {
      if (block.kind == BlockKind::tool_call) calls.insert(block.id);
      if (block.kind == BlockKind::tool_result) results.insert(block.id);
    }
  }
  Figures figures() const {
    Figures sum{std::ssize(prompts), std::ssize(answers), std::ssize(calls), std::ssize(results), 0};
    for (const auto& [key, output] : tokens) sum.output_tokens += output;
    return sum;
  }
};

Figures figures_of(const Session& session) {
  return {session.counts.user, session.counts.assistant, session.counts.tool_calls, session.counts.tool_results,
          session.usage.output};
}

std::int64_t count(const Reading& reading, Role role, Origin origin) {
  return std::ranges::count_if(
      reading.messages, [&](const Message& message) { return message.role == role && message.origin == origin; });
}

class CorpusTest : public testing::TestWithParam<Client> {
 protected:
  void SetUp() override {
    const Layout* layout = find_layout(GetParam().layout);
    ASSERT_NE(layout, nullptr);
    expected_ = read_expected(JsonView(expected_text()).find("clients").find(GetParam().name));
    ASSERT_FALSE(expected_.sessions.empty());
    store_ = std::make_unique<Store>(*layout, corpus_place() / GetParam().name / GetParam().root);
  }

  void TearDown() override {
    if (!store_) return;
    for (const std::string& error : store_->errors()) ADD_FAILURE() << error;
  }

  // The files of a reading as EXPECTED names them.
  static std::vector<std::string> session_files(const Reading& reading) {
    const std::regex pattern(GetParam().files);
    std::vector<std::string> files;
    for (const std::string& file : reading.files) {
      if (std::regex_match(file, pattern)) files.push_back(std::string(GetParam().root) + "/" + file);
    }
    return files;
  }

  static void compare(const Reading& reading, const ExpectedSession& expected) {
    SCOPED_TRACE(expected.id);
    const Session& session = reading.session;
    EXPECT_EQ(session_files(reading), expected.files);
    EXPECT_EQ(figures_of(session), expected.figures);
    EXPECT_EQ(session.models, expected.models);
    if (!expected.cwd.empty()) {
      EXPECT_EQ(session.project, expected.cwd);
    }
    EXPECT_EQ(session.parent ? session.parent->id : "", expected.parent);
    EXPECT_EQ(session.parent ? parent_kind_name(session.parent->kind) : "", expected.parent_kind);
    EXPECT_EQ(session.subagents, expected.subagents);
    EXPECT_EQ(session.archived, expected.archived);
    EXPECT_EQ(session.metadata.find("\"inuse.") != std::string::npos, expected.stale_lock);
    if (GetParam().gives_reasoning) {
      EXPECT_EQ(session.usage.reasoning, expected.reasoning);
    }
    if (!expected.first_prompt.empty()) {
      EXPECT_EQ(session.first_prompt, expected.first_prompt);
    }
    if (expected.title) {
      EXPECT_EQ(session.title, *expected.title);
    }
    EXPECT_EQ(count(reading, Role::user, Origin::summary), expected.compactions);
    EXPECT_EQ(count(reading, Role::user, Origin::notice), expected.interrupted);
    EXPECT_EQ(std::ranges::count(reading.messages, true, &Message::failed), expected.failed);
    EXPECT_TRUE(reading.findings.empty());
    EXPECT_FALSE(session.created_at.empty());
    EXPECT_GE(session.updated_at, session.created_at);
    compare_end(session, expected);
    compare_parts(reading, expected);
  }

  static void compare_end(const Session& session, const ExpectedSession& expected) {
    if (std::ranges::count(GetParam().looks_finished, expected.id) > 0) return;
    EXPECT_EQ(status_name(session.status), expected.archived         ? "archived"
                                           : expected.killed.empty() ? "active"
                                                                     : "interrupted");
    if (expected.killed == "mid-stream") {
      EXPECT_EQ(session.pending, Pending::answer);
    }
    if (expected.killed == "mid-tool") {
      EXPECT_EQ(session.pending, Pending::tool);
    }
  }

  // A sub-agent whose messages are in its parent's file, counted as a separate session.
  static void compare_inside(const Reading& parent, const ExpectedSession& agent) {
    SCOPED_TRACE(agent.id);
    Tally tally;
    for (Message message : parent.messages) {
      if (message.agent != agent.id) continue;
      EXPECT_TRUE(message.side);
      message.side = false;
      tally.count(message);
    }
    Session session;
    tally.finish(session);
    EXPECT_EQ(figures_of(session), agent.figures);
    EXPECT_EQ(session.models, agent.models);
  }

  static void compare_parts(const Reading& reading, const ExpectedSession& expected) {
    Sum all, left;
    for (const Message& message : reading.messages) {
      all.add(message, true);
      if (message.abandoned) left.add(message, true);
    }
    EXPECT_EQ(left.figures(), expected.abandoned.value_or(Figures{}));
    if (expected.model_responses) {
      EXPECT_EQ(std::ssize(all.priced), *expected.model_responses);
    }
  }

  ExpectedClient expected_;
  std::unique_ptr<Store> store_;
};

TEST_P(CorpusTest, SessionsMatchExpected) {
  EXPECT_TRUE(store_->recognised());
  const auto readings = store_->read_all();
  std::map<std::string, const Reading*> by_id;
  for (const auto& reading : readings) EXPECT_TRUE(by_id.emplace(reading->ref.id, reading.get()).second);
  std::size_t transcripts = 0;
  for (const ExpectedSession& expected : expected_.sessions) {
    ASSERT_TRUE(by_id.contains(expected.id)) << expected.id;
    compare(*by_id[expected.id], expected);
    for (const ExpectedSession& agent : expected.subagent_list) {
      if (agent.in_line) {
        compare_inside(*by_id[expected.id], agent);
        continue;
      }
      ++transcripts;
      ASSERT_TRUE(by_id.contains(agent.id)) << agent.id;
      compare(*by_id[agent.id], agent);
    }
  }
  EXPECT_EQ(expected_.sessions.size(), static_cast<std::size_t>(expected_.total_sessions));
  EXPECT_EQ(readings.size(), expected_.sessions.size() + transcripts);
}

TEST_P(CorpusTest, TotalsMatchExpected) {
  Sum sum;
  for (const auto& reading : store_->read_all()) {
    const bool person = !reading->session.parent || reading->session.parent->kind != ParentKind::subagent;
    for (const Message& message : reading->messages) sum.add(message, person);
  }
  EXPECT_EQ(sum.figures(), expected_.totals);
}

TEST_P(CorpusTest, ForkHistoryMatchesExpected) {
  const auto readings = store_->read_all({.history = true});
  const auto by_id = [&](const std::string& id) -> const Reading& {
    return **std::ranges::find(readings, id, [](const auto& reading) { return reading->ref.id; });
  };
  for (const ExpectedSession& expected : expected_.sessions) {
    SCOPED_TRACE(expected.id);
    const Reading& reading = by_id(expected.id);
    EXPECT_EQ(figures_of(reading.session), expected.with_history.value_or(expected.figures));
    if (expected.with_history) {
      EXPECT_EQ(reading.session.first_prompt, expected.first_prompt_with_history);
    }
    if (!expected.copied) continue;
    // What the fork copied is also in the parent.
    Sum parent, both, own;
    for (const Message& message : by_id(expected.parent).messages) {
      parent.add(message, true);
      both.add(message, true);
    }
    for (const Message& message : reading.messages) {
      own.add(message, true);
      both.add(message, true);
    }
    const Figures a = parent.figures(), b = own.figures(), c = both.figures();
    const Figures copied{a.user_prompts + b.user_prompts - c.user_prompts,
                         a.assistant_messages + b.assistant_messages - c.assistant_messages,
                         a.tool_calls + b.tool_calls - c.tool_calls, a.tool_results + b.tool_results - c.tool_results,
                         a.output_tokens + b.output_tokens - c.output_tokens};
    EXPECT_EQ(copied, *expected.copied);
  }
}

TEST_P(CorpusTest, ReadingChangesNothing) {
  const auto before = snapshot(store_->path());
  store_->read_all({.history = true, .raw = true});
  store_->recognised();
  EXPECT_EQ(snapshot(store_->path()), before);
}

TEST_P(CorpusTest, RawRecordsAreStoredBytesReadOnRequest) {
  std::string stored;
  for (const auto& entry : fs::recursive_directory_iterator(store_->path())) {
    if (entry.is_regular_file()) stored += read_text(entry.path()) + "\n";
  }
  // A database may split a longer record between pages.
  const std::string_view files = GetParam().files;
  const std::size_t compared = files.ends_with("db") || files.ends_with("sqlite") ? 200 : std::string::npos;
  std::size_t records = 0;
  for (const auto& reading : store_->read_all({.raw = true})) {
    for (const Message& message : reading->messages) {
      EXPECT_FALSE(message.raw.empty()) << reading->ref.id;
      std::istringstream lines(message.raw);  // a message may have several records, one per line
      for (std::string line; std::getline(lines, line); ++records)
        EXPECT_NE(stored.find(line.substr(0, compared)), std::string::npos) << reading->ref.id << " " << line;
    }
  }
  EXPECT_GT(records, 0u);
  for (const auto& reading : store_->read_all()) {
    for (const Message& message : reading->messages) EXPECT_TRUE(message.raw.empty()) << reading->ref.id;
  }
}

INSTANTIATE_TEST_SUITE_P(Clients, CorpusTest, testing::ValuesIn(kClients), [](const auto& client) {
  std::string name = client.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace holdfast::corpus
