#include "find/stats.h"

#include <gtest/gtest.h>

#include "find/stats_csv.h"

namespace holdfast::inline v1 {
namespace {

struct StatsTest : testing::Test {
  void SetUp() override {
    store = *Store::in_memory({});
    SessionDraft draft;
    draft.project = "/home/dev/alpha";
    session = *store->create({}, draft);
    writer = *store->write({}, session);
  }
  void say(Role role, const std::string& day, const std::string& model = {}, std::int64_t output = 0) {
    Message message;
    message.role = role;
    message.origin = role == Role::user ? Origin::typed : Origin::model;
    message.timestamp = day + "T08:00:00Z";
    message.model = model;
    message.blocks.push_back({.text = "text"});
    if (output != 0) message.usage = Usage{.input = 1, .output = output, .cache_read = 1'000'000};
    ASSERT_TRUE(writer->append({}, message));
  }
  Statistics by(StatsBy by, PriceTable prices = {}) {
    Statistics statistics(by, std::move(prices));
    statistics.add(count_store({}, *store, {}).value());
    return statistics;
  }

  std::shared_ptr<Store> store;
  std::string session;
  std::unique_ptr<SessionWriter> writer;
};

TEST_F(StatsTest, CountsOnlyMessagesInThePeriod) {
  say(Role::user, "2026-11-14");
  say(Role::assistant, "2026-11-14", "m1", 10);
  say(Role::user, "2026-11-16");
  say(Role::assistant, "2026-11-16", "m2", 5);
  const auto within = [&](const StatsPeriod& period) {
    Statistics statistics(StatsBy::day, {}, period);
    statistics.add(count_store({}, *store, {}, period).value());
    return statistics.total();
  };
  EXPECT_EQ(within({.since = "2026-11-15T00:00:00.000Z"}).usage.output, 5);
  EXPECT_EQ(within({.until = "2026-11-15T00:00:00.000Z"}).usage.output, 10);
  EXPECT_EQ(within({.since = "2026-11-14T08:00:00.000Z", .until = "2026-11-16T08:00:00.000Z"}).usage.output, 10);
  EXPECT_EQ(within({.since = "2026-11-14T08:07:00.000Z", .until = "2026-11-16T08:00:00.000Z"}).usage.output, 0);
  EXPECT_EQ(within({.since = "2026-11-14T07:59:59.999Z", .until = "2026-11-16T08:00:00.001Z"}).usage.output, 15);
  EXPECT_EQ(within({.since = "2026-11-16T08:15:00.000Z"}).sessions, 0);
  EXPECT_EQ(within({}).usage.output, 15);
}

TEST_F(StatsTest, UsesLocalDays) {
  say(Role::assistant, "2026-11-14", "m1", 10);
  Statistics statistics(StatsBy::day, {}, {}, [](std::string_view time) {
    EXPECT_EQ(time, "2026-11-14T08:00");
    return std::string("2026-11-13");
  });
  statistics.add(count_store({}, *store, {}).value());
  EXPECT_EQ(statistics.rows().begin()->first, "2026-11-13");
}

TEST_F(StatsTest, CountsByDayWeekMonthModelProjectSessionAndAgent) {
  say(Role::user, "2026-11-14");
  say(Role::assistant, "2026-11-14", "m1", 10);
  say(Role::user, "2026-11-16");
  say(Role::assistant, "2026-11-16", "m2", 5);
  say(Role::assistant, "2026-12-01", "m2", 7);
  const auto output = [](const Statistics& statistics, std::string_view key) {
    const auto row = statistics.rows().find(key);
    return row == statistics.rows().end() ? -1 : row->second.usage.output;
  };
  EXPECT_EQ(output(by(StatsBy::day), "2026-11-16"), 5);
  EXPECT_EQ(output(by(StatsBy::week), "2026-11-09"), 10);  // the Monday before that Saturday
  EXPECT_EQ(output(by(StatsBy::month), "2026-11"), 15);
  EXPECT_EQ(output(by(StatsBy::model), "m2"), 12);
  EXPECT_EQ(output(by(StatsBy::project), "/home/dev/alpha"), 22);
  EXPECT_EQ(output(by(StatsBy::session), session), 22);
  EXPECT_EQ(output(by(StatsBy::agent), "holdfast"), 22);
  const StatsFigures total = by(StatsBy::day).total();
  EXPECT_EQ(total.sessions, 1);
  EXPECT_EQ(total.prompts, 2);
  EXPECT_EQ(total.answers, 3);
  EXPECT_EQ(by(StatsBy::day).rows().size(), 3u);
}

TEST_F(StatsTest, EmptySessionIsCounted) {
  say(Role::user, "2026-11-14");
  SessionDraft draft;
  draft.project = "/home/dev/beta";
  ASSERT_TRUE(store->create({}, draft));
  for (const StatsBy key : {StatsBy::day, StatsBy::project, StatsBy::session, StatsBy::agent}) {
    const Statistics statistics = by(key);
    std::int64_t sessions = 0;
    for (const auto& [name, figures] : statistics.rows()) sessions += figures.sessions;
    EXPECT_EQ(sessions, 2);
    EXPECT_EQ(statistics.total().sessions, 2);
  }
  EXPECT_EQ(by(StatsBy::project).rows().count("/home/dev/beta"), 1U);
  EXPECT_EQ(by(StatsBy::model).rows().size(), 1U) << "it used no model";
}

TEST_F(StatsTest, EstimatesCostsOfPricedModels) {
  say(Role::assistant, "2026-11-14", "big-model-20260101", 1'000'000);
  say(Role::assistant, "2026-11-14", "other", 1'000'000);
  const PriceTable prices = {{"big", {.output = 99}}, {"big-model", {.output = 15, .cache_read = 0.5}}};
  EXPECT_DOUBLE_EQ(by(StatsBy::day, prices).total().estimated_usd, 15.5);
  EXPECT_DOUBLE_EQ(by(StatsBy::day, prices).total().cost_usd, 0);
  EXPECT_DOUBLE_EQ(by(StatsBy::day).total().estimated_usd, 0);
}

TEST_F(StatsTest, CsvIsQuotedAndFormulaSafe) {
  say(Role::assistant, "2026-11-14", "=cmd \"x\",y", 5);
  say(Role::assistant, "2026-11-14", "plain", 7);
  const std::string csv = stats_csv("model", by(StatsBy::model));
  EXPECT_EQ(csv,
            "model,sessions,prompts,answers,tool_calls,tool_results,input,output,cache_read,cache_write,cost_usd,"
            "estimated_usd\r\n"
            "\"'=cmd \"\"x\"\",y\",1,0,1,0,0,1,5,1000000,0,0,0\r\n"
            "plain,1,0,1,0,0,1,7,1000000,0,0,0\r\n");
}

}  // namespace
}  // namespace holdfast::inline v1
