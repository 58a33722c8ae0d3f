// Lists and statistics over the stores of the corpus equal EXPECTED.json: each
// answer, prompt and call counts once, however often forks and copies repeat it.
#include <fstream>
#include <iterator>
#include <set>

#include "find/stats.h"
#include "tests/corpus_testing.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

class FindCorpus : public OpenCorpus {
 protected:
  void SetUp() override {
    OpenCorpus::SetUp();
    if (HasFatalFailure()) return;
    std::ifstream file(corpus_place() / "EXPECTED.json", std::ios::binary);
    text_.assign(std::istreambuf_iterator<char>(file), {});
    expected_ = JsonView(text_).find("clients").find(GetParam().name);
    ASSERT_EQ(expected_.kind(), JsonKind::object);
  }
  std::int64_t total(std::string_view name) const {
    return expected_.find("totals").find(name).as_int64().value_or(-1);
  }

  std::string text_;
  JsonView expected_;
};

TEST_P(FindCorpus, ListsExactlyTheExpectedSessions) {
  std::set<std::string> wanted, listed;
  for (const JsonItem& session : expected_.find("sessions").elements())
    wanted.insert(session.value.find("id").as_string().value_or(""));
  const auto list = store_->list({});
  ASSERT_TRUE(list);
  for (const Session& session : list->sessions) listed.insert(session.id);
  EXPECT_EQ(listed, wanted);
  EXPECT_EQ(list->sessions.size(), wanted.size());
}

TEST_P(FindCorpus, CountsEverythingOnce) {
  for (const StatsBy by : {StatsBy::day, StatsBy::model, StatsBy::session}) {
    Statistics statistics(by);
    statistics.add(count_store({}, *store_, {}).value());
    const StatsFigures& all = statistics.total();
    EXPECT_EQ(all.sessions, total("sessions"));
    EXPECT_EQ(all.prompts, total("user_prompts"));
    EXPECT_EQ(all.answers, total("assistant_messages"));
    EXPECT_EQ(all.tool_calls, total("tool_calls"));
    EXPECT_EQ(all.tool_results, total("tool_results"));
    EXPECT_EQ(all.usage.output, total("output_tokens"));
    StatsFigures rows;
    for (const auto& [key, row] : statistics.rows()) {
      rows.answers += row.answers;
      rows.usage += row.usage;
    }
    EXPECT_EQ(rows.answers, all.answers);
    EXPECT_EQ(rows.usage, all.usage);
  }
}

INSTANTIATE_TEST_SUITE_P(Agents, FindCorpus, testing::ValuesIn(kCorpusAgents), [](const auto& agent) {
  std::string name = agent.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace holdfast::inline v1
