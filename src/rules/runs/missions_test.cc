#include "rules/runs/missions.h"

#include <algorithm>
#include <array>
#include <latch>
#include <thread>

#include "rules/rules_testing.h"
#include "store/projects.h"

namespace holdfast::inline v1 {
namespace {

std::vector<std::string> texts(const Listed<Mission>& list) {
  std::vector<std::string> all;
  for (const Mission& mission : list.records) all.push_back(mission.text);
  return all;
}

std::size_t active(const Listed<Mission>& list) {
  return static_cast<std::size_t>(std::ranges::count_if(list.records, &Mission::active));
}

TEST_P(SeedRules, G05_SettingMissionDeactivatesPreviousOne) {
  must(set_mission(context, store,
                   {project, "first", R"([{"id":"ling","idle_prompt":"Check","idle_interval_secs":60}])"}));
  files.clock.step(std::chrono::seconds(5));
  must(set_mission(context, store, {project, "second", ""}));
  const Listed<Mission> all = must(list_missions(context, store, project));
  EXPECT_EQ(texts(all), (std::vector<std::string>{"second", "first"}));
  EXPECT_EQ(active(all), 1u);
  EXPECT_EQ(must(get_mission(context, store, project)).text, "second");
}

TEST_P(SeedRules, RecordEditCannotActivateSecondMission) {
  const Mission one = must(set_mission(context, store, {project, "one", {}}));
  const auto put = [&](const std::string& id, const std::string& json) {
    return store.edit_records(context, [&](const Store::Look&) -> Result<Edits> {
      return Edits{{RecordEdit::Kind::put, {"mission", project, id}, json}};
    });
  };
  const std::string other = R"({"text":"two","created_at":"2030-01-01T00:00:00Z","active":)";
  EXPECT_EQ(put("1900000000", other + "true}").error().code, Code::invalid_argument);
  must(put("1900000000", other + "false}"));
  must(put(one.id, R"({"active":false})"));
  must(put("1900000000", R"({"active":true})"));
  EXPECT_EQ(must(get_mission(context, store, project)).text, "two");
}

TEST_P(SeedRules, G05_ClearingMissionKeepsHistory) {
  must(set_mission(context, store, {project, "first", ""}));
  EXPECT_TRUE(must(clear_mission(context, store, project)));
  EXPECT_FALSE(must(clear_mission(context, store, project)));
  EXPECT_EQ(get_mission(context, store, project).error().code, Code::not_found);
  EXPECT_EQ(texts(must(list_missions(context, store, project))), std::vector<std::string>{"first"});
}

TEST_P(SeedRules, G05_MissionsOfSameSecondKeepTheirOrder) {
  for (const char* text : {"one", "two", "three"}) must(set_mission(context, store, {project, text, ""}));
  const Listed<Mission> all = must(list_missions(context, store, project));
  EXPECT_EQ(texts(all), (std::vector<std::string>{"three", "two", "one"}));
  EXPECT_EQ(must(get_mission(context, store, project)).text, "three");
}

TEST_P(SeedRules, G05_ConcurrentThreadsLeaveOneActiveMission) {
  for (int round = 0; round < 20; ++round) {
    const std::string where = project + std::to_string(round);
    must(add_project(context, store, where));
    // Each in a different second, so no two of them need the same name.
    std::array<TestClock, 8> clocks;
    std::latch start(8);
    std::vector<std::thread> setters;
    for (int i = 0; i < 8; ++i) {
      setters.emplace_back([&, i] {
        TestClock& clock = clocks.at(static_cast<std::size_t>(i));
        clock.step(std::chrono::seconds(100 * i));
        Context own;
        own.clock = &clock;
        start.arrive_and_wait();
        must(set_mission(own, store, {where, "m" + std::to_string(i), ""}));
      });
    }
    for (std::thread& setter : setters) setter.join();
    const Listed<Mission> all = must(list_missions(context, store, where));
    ASSERT_EQ(all.records.size(), 8u);
    ASSERT_EQ(active(all), 1u);
  }
}

TEST_P(SeedRules, G05_OrderSurvivesClockSetBack) {
  must(set_mission(context, store, {project, "old", ""}));
  files.clock.now_ -= std::chrono::hours(1);
  must(set_mission(context, store, {project, "new", ""}));
  EXPECT_EQ(texts(must(list_missions(context, store, project))), (std::vector<std::string>{"new", "old"}));
}

}  // namespace
}  // namespace holdfast::inline v1
