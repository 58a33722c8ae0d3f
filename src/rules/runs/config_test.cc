#include "rules/runs/config.h"

#include <algorithm>

#include "rules/rules_testing.h"
#include "rules/runs/logs.h"

namespace holdfast::inline v1 {
namespace {

TEST_P(SeedRules, G10_SavingConfigurationKeepsComments) {
  EXPECT_EQ(must(load_config(context, store)), "{}");
  must(save_config(context, store, R"({"server":{"port":1},"name":"x"})"));
  const std::string path =
      store.layout_name() == "linggen" ? "/store/config/linggen-agent.runtime.toml" : "/store/config.toml";
  must(files.disk.put_file(path, "# mine\nname = \"a\"  # who\n\n[server]\nport = 9 # why\nhost = \"h\"\n"));
  must(save_config(context, store, R"({"name":"b","server":{"port":10}})"));
  EXPECT_EQ(files.bytes(path), "# mine\nname = \"b\"  # who\n\n[server]\nport = 10 # why\nhost = \"h\"\n");
  EXPECT_EQ(JsonView(must(load_config(context, store))).find("server").find("host").as_string(), "h");
}

TEST(LinggenConfig, G10_SearchesSeedAndProgramPathsInOrder) {
  const std::vector<std::string> all = config_candidates({"/n.toml", "/w", "/h/.linggen", "/h"});
  const std::vector<std::string> seed = {"/n.toml", "/w/linggen-agent.toml",
                                         "/h/.config/linggen-agent/linggen-agent.toml",
                                         "/h/.local/share/linggen-agent/linggen-agent.toml"};
  const std::vector<std::string> program = {"/n.toml", "/w/linggen-agent.runtime.toml", "/w/linggen-agent.toml",
                                            "/h/.linggen/config/linggen-agent.runtime.toml",
                                            "/h/.linggen/config/linggen-agent.toml"};
  for (const auto& list : {seed, program}) {
    auto at = all.begin();
    for (const std::string& path : list) {
      at = std::find(at, all.end(), path);
      ASSERT_NE(at, all.end()) << path;
    }
  }
  SimFileSystem disk;
  EXPECT_FALSE(must(find_config({}, disk, all)));
  must(disk.put_file("/h/.local/share/linggen-agent/linggen-agent.toml", "a = 1\n"));
  must(disk.put_file("/h/.linggen/config/linggen-agent.toml", "a = 2\n"));
  EXPECT_EQ(must(find_config({}, disk, all))->json, R"({"a":2})");
  must(disk.put_file("/w/linggen-agent.toml", "a = \n"));
  EXPECT_EQ(find_config({}, disk, all).error().path, "/w/linggen-agent.toml");
  must(disk.put_file("/n.toml", "a = 3\n"));
  EXPECT_EQ(must(find_config({}, disk, all))->path, "/n.toml");
}

TEST_P(SeedRules, G11_DailyLogsAreKeptForSevenDays) {
  must(write_log(context, store, "hello"));
  must(write_log(context, store, "again\n"));
  const std::string today = log_name(store.layout_name(), files.clock.now_);
  EXPECT_EQ(files.bytes("/store/logs/" + today), "hello\nagain\n");
  EXPECT_EQ(log_name("linggen", std::chrono::system_clock::time_point(std::chrono::seconds(1700000000))),
            "linggen-agent-2023-11-14.log");
  must(files.disk.put_file("/store/logs/linggen-agent.2023-11-14", "as the program names it\n"));
  must(files.disk.put_file("/store/logs/notes.txt", "somebody's\n"));
  const FileStat stat = must(must(files.disk.open_directory("/store/logs", false))->stat(today));
  files.clock.now_ = std::chrono::system_clock::time_point(std::chrono::microseconds(stat.mtime_ns / 1000));
  files.clock.step(std::chrono::days(6));
  EXPECT_TRUE(must(prune_logs(context, store)).empty());
  files.clock.step(std::chrono::days(2));
  EXPECT_EQ(must(prune_logs(context, store)).size(), 2u);
  EXPECT_EQ(files.bytes("/store/logs/notes.txt"), "somebody's\n");
  EXPECT_EQ(files.bytes("/store/logs/" + today), "<none>");
}

TEST(LogName, G11_RecognizesOnlySeedAndProgramNames) {
  EXPECT_TRUE(is_log_name("linggen-agent-2026-02-28.log"));
  EXPECT_TRUE(is_log_name("linggen-agent.2026-02-28"));
  for (const char* other : {"linggen-agent-2026-02-30.log", "linggen-agent.log", "linggen-agent-2026-02-28.log.gz",
                            "ling.log", "x-2026-02-28.log"})
    EXPECT_FALSE(is_log_name(other)) << other;
}

}  // namespace
}  // namespace holdfast::inline v1
