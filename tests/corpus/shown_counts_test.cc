// What is shown is what is counted: for every session of the corpus, the prompts, answers, calls and results that the
// binary prints are as many as it says in its list.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "base/corpus_testing.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct Counts {
  std::size_t prompts = 0, answers = 0, calls = 0, results = 0;
  bool operator==(const Counts&) const = default;
  friend void PrintTo(const Counts& counts, std::ostream* out) {
    *out << counts.prompts << " prompts, " << counts.answers << " answers, " << counts.calls << " calls, "
         << counts.results << " results";
  }
};

enum class Which { all, not_abandoned };

// Counts messages as EXPECTED.json of the corpus defines it, without the code that lists do it with.
Counts counts_in(JsonView messages, Which which = Which::all) {
  Counts shown;
  std::set<std::string> answers, calls, results;
  for (const JsonItem& item : messages.elements()) {
    const JsonView message = item.value;
    if (message.find("side").as_bool().value_or(false)) continue;  // counted with the sub-agent that said it
    if (which == Which::not_abandoned && message.find("abandoned").as_bool().value_or(false)) continue;
    const std::string role = message.find("role").as_string().value_or(""),
                      origin = message.find("origin").as_string().value_or("");
    if (role == "user" && (origin.empty() || origin == "typed")) ++shown.prompts;
    if (role == "assistant" && (origin.empty() || origin == "model") &&
        !message.find("failed").as_bool().value_or(false)) {
      // A response may be several messages.
      std::string name = message.find("response").as_string().value_or("");
      if (name.empty()) name = message.find("id").as_string().value_or("");
      if (name.empty()) name = "#" + std::to_string(answers.size());
      answers.insert(name);
    }
    for (const JsonItem& block : message.find("blocks").elements()) {
      const std::string id = block.value.find("id").as_string().value_or("");
      if (block.value.find("type").is_string("tool_call")) calls.insert(id);
      if (block.value.find("type").is_string("tool_result")) results.insert(id);
    }
  }
  shown.answers = answers.size();
  shown.calls = calls.size();
  shown.results = results.size();
  return shown;
}

// How many messages of this kind an HTML page has.
std::size_t articles_in(const std::string& page, const std::string& kind) {
  const std::string mark = "class=\"" + kind + "\"><h3>";
  std::size_t count = 0;
  for (auto at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) ++count;
  return count;
}

Counts counts_of(JsonView session) {
  const auto number = [&](std::string_view name) {
    return static_cast<std::size_t>(session.find("counts").find(name).as_int64().value_or(-1));
  };
  return {number("user"), number("assistant"), number("tool_calls"), number("tool_results")};
}

class ShownCounts : public testing::TestWithParam<CorpusAgent> {
 protected:
  void SetUp() override {
    char name[] = "/tmp/holdfast_shown_XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    home_ = name;
    fs::copy(corpus_store(GetParam()), home_ / "store", fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }
  void TearDown() override { fs::remove_all(home_); }

  // Returns what the binary prints; fails the test unless it exits with 0.
  std::string run(const std::string& words) const {
    const std::string line = "env -i HOLDFAST_LOCK_ORDER=abort PATH=/usr/bin:/bin HOME=" + home_.string() + " " +
                             paths::binary() + " " + words + " --store " + GetParam().name + ":" +
                             (home_ / "store").string() + " 2>&1";
    std::FILE* const pipe = ::popen(line.c_str(), "r");
    if (pipe == nullptr) return {};
    std::string text;
    std::array<char, 1 << 16> part{};
    for (std::size_t size = 1; size > 0;) {
      size = std::fread(part.data(), 1, part.size(), pipe);
      text.append(part.data(), size);
    }
    EXPECT_EQ(::pclose(pipe), 0) << line << "\n" << text.substr(0, 1000);
    return text;
  }

  fs::path home_;
};

TEST_P(ShownCounts, EqualListedCountsInEverySession) {
  const std::string list = run("ls --all -n 100000 --json");
  std::size_t sessions = 0;
  for (const JsonItem& item : JsonView(list).find("sessions").elements()) {
    const JsonView session = item.value;
    const std::string id = session.find("id").as_string().value_or("");
    SCOPED_TRACE(id);
    const Counts listed = counts_of(session);
    // A fork may refer to its beginning in another session, which counts it.
    const std::string own = run("message list " + id + " --branch all --no-history -n 1000000 --json");
    EXPECT_EQ(counts_in(JsonView(own).find("messages")), listed);
    const std::string exported = run("export " + id + " --branch all --format json");
    EXPECT_EQ(counts_of(JsonView(exported).find("session")), listed);
    if (!session.find("parent").find("id")) {
      EXPECT_EQ(counts_in(JsonView(exported).find("messages")), listed);
      const std::string shown = run("show " + id + " --json"), page = run("export " + id + " --format html");
      const Counts active = counts_in(JsonView(exported).find("messages"), Which::not_abandoned);
      EXPECT_EQ(counts_in(JsonView(shown).find("messages")), active);
      EXPECT_EQ(articles_in(page, "prompt"), active.prompts);
    }
    ++sessions;
  }
  EXPECT_GT(sessions, 0U);
  EXPECT_EQ(JsonView(list).find("total").as_int64().value_or(-1), static_cast<std::int64_t>(sessions));
}

INSTANTIATE_TEST_SUITE_P(Agents, ShownCounts, testing::ValuesIn(kCorpusAgents), [](const auto& agent) {
  std::string name = agent.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace holdfast::inline v1
