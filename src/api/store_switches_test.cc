#include "api/store_switches.h"

#include <gtest/gtest.h>

#include <map>

#include "crash/disk/sim_file_system.h"

namespace holdfast::inline v1 {
namespace {

struct Made {
  std::map<std::string, std::string, std::less<>> variables{{"HOME", "/home/u"}};
  std::map<std::string, std::string, std::less<>> files;

  Result<StoreSettings> read() const {
    Environment env;
    env.directory = "/srv/p/src";
    env.variable = [this](std::string_view name) {
      const auto found = variables.find(name);
      return found == variables.end() ? std::string() : found->second;
    };
    env.exists = [this](const std::string& path) { return files.contains(path); };
    SimFileSystem disk;
    for (const auto& [path, text] : files) EXPECT_TRUE(disk.put_file(path, text));
    env.files = &disk;
    StoreSettings settings;
    HOLDFAST_LET(configuration, Configuration::read(env, configuration_files(env)));
    HOLDFAST_TRY(read_store_switches(configuration, settings));
    return settings;
  }
};

TEST(StoreSwitches, AllAreOffByDefault) {
  const auto settings = Made().read();
  ASSERT_TRUE(settings);
  EXPECT_FALSE(settings->redact_inputs || settings->redact_outputs || settings->metrics);
  EXPECT_EQ("", settings->log_file + settings->spans_file);
}

TEST(StoreSwitches, VariablesOverrideProjectAndProjectOverridesUser) {
  Made made;
  made.files["/home/u/.config/holdfast/config.toml"] =
      "redact_inputs = false\nredact_outputs = true\nmetrics = true\nlog_file = \"/home/u/log.jsonl\"\n";
  made.files["/srv/p/.holdfast/config.toml"] =
      "redact_inputs = true\nlog_file = \"log.jsonl\"\nspans_file = \"spans.jsonl\"\n";
  made.variables["HOLDFAST_REDACT_OUTPUTS"] = "0";
  made.variables["HOLDFAST_SPANS_FILE"] = "spans.jsonl";
  const auto settings = made.read();
  ASSERT_TRUE(settings) << settings.error().text();
  EXPECT_TRUE(settings->redact_inputs);
  EXPECT_FALSE(settings->redact_outputs);
  EXPECT_TRUE(settings->metrics);
  EXPECT_EQ("/srv/p/.holdfast/log.jsonl", settings->log_file);
  EXPECT_EQ("/srv/p/src/spans.jsonl", settings->spans_file);
}

TEST(StoreSwitches, M06_SyncIsOffUnlessConfigured) {
  const auto none = Made().read();
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->sync || none->sync_redact);
  EXPECT_EQ("", none->sync_directory);
  Made made;
  made.files["/home/u/.config/holdfast/config.toml"] =
      "sync_enabled = true\nsync_redact = true\nsync_directory = \"/mnt/share\"\n";
  const auto user = made.read();
  ASSERT_TRUE(user) << user.error().text();
  EXPECT_TRUE(user->sync && user->sync_redact);
  EXPECT_EQ("/mnt/share", user->sync_directory);
  made.files["/srv/p/.holdfast/config.toml"] = "sync_directory = \"out\"\n";
  made.variables["HOLDFAST_SYNC_ENABLED"] = "false";
  made.variables["HOLDFAST_SYNC_REDACT"] = "0";
  const auto project = made.read();
  ASSERT_TRUE(project) << project.error().text();
  EXPECT_FALSE(project->sync || project->sync_redact);
  EXPECT_EQ("/srv/p/.holdfast/out", project->sync_directory) << "beside the file that says so";
  made.variables["HOLDFAST_SYNC_DIRECTORY"] = "there";
  made.variables["HOLDFAST_SYNC_REDACT"] = "1";
  const auto variables = made.read();
  ASSERT_TRUE(variables) << variables.error().text();
  EXPECT_EQ("/srv/p/src/there", variables->sync_directory);
  EXPECT_TRUE(variables->sync_redact);
  made.variables["HOLDFAST_SYNC_ENABLED"] = "yes please";
  const auto wrong = made.read();
  ASSERT_FALSE(wrong);
  EXPECT_EQ("HOLDFAST_SYNC_ENABLED", wrong.error().path);
}

TEST(StoreSwitches, InvalidValueErrorNamesFileAndKey) {
  Made made;
  made.files["/srv/p/.holdfast/config.toml"] = "redact_inputs = \"perhaps\"\n";
  const auto settings = made.read();
  ASSERT_FALSE(settings);
  EXPECT_EQ(Code::invalid_argument, settings.error().code);
  EXPECT_EQ("/srv/p/.holdfast/config.toml", settings.error().path);
  EXPECT_NE(std::string::npos, settings.error().message.find("redact_inputs"));
}

TEST(StoreSwitches, ProjectPricesOverrideUserPrices) {
  Made made;
  made.files["/home/u/.config/holdfast/config.toml"] =
      "[prices]\n\"a\" = { input = 1, output = 2 }\n\"b\" = { output = 0.5, cache_read = 0.25 }\n";
  made.files["/srv/p/.holdfast/config.toml"] = "[prices]\n\"a\" = { input = 9 }\n";
  const auto settings = made.read();
  ASSERT_TRUE(settings) << settings.error().text();
  ASSERT_EQ(settings->prices.size(), 2u);
  EXPECT_EQ(settings->prices.at("a").input, 9);
  EXPECT_EQ(settings->prices.at("a").output, 2);
  EXPECT_EQ(settings->prices.at("b").of({.input = 5, .output = 2'000'000, .cache_read = 4'000'000}), 2);
  for (const char* const price : {"{ input = \"much\" }", "{ input = -1 }", "9", "{ inputt = 9 }"}) {
    made.files["/srv/p/.holdfast/config.toml"] = "[prices]\n\"a\" = " + std::string(price) + "\n";
    const auto refused = made.read();
    ASSERT_FALSE(refused) << price;
    EXPECT_EQ(refused.error().code, Code::invalid_argument) << price;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
