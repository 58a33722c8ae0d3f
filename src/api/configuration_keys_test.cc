// What a project's configuration may set, key by key.
#include "api/configuration_keys.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "api/configuration.h"
#include "base/paths_testing.h"
#include "crash/disk/sim_file_system.h"

namespace holdfast::inline v1 {
namespace {

struct ProjectConfiguration : testing::Test {
  SimFileSystem disk;

  void put(const std::string& path, const std::string& text) { ASSERT_TRUE(disk.put_file(path, text)); }
  void link(const std::string& target, const std::string& name) {
    auto project = disk.open_directory("/home/me/p", true);
    ASSERT_TRUE(project);
    ASSERT_TRUE((*project)->make_symlink(target, name));
  }
  Result<Configuration> read() {
    Environment env;
    env.directory = "/home/me/p";
    env.variable = [](std::string_view name) { return std::string(name == "HOME" ? "/home/me" : ""); };
    env.exists = [this](const std::string& path) { return disk.exists(path); };
    env.files = &disk;
    return Configuration::read(env, configuration_files(env));
  }
  // "" if the file is accepted; else the error, which must name the file and the key.
  std::string refusal(const std::string& key, const std::string& toml) {
    put("/home/me/p/.holdfast/config.toml", toml);
    const auto answer = read();
    if (answer) return "";
    EXPECT_EQ(answer.error().path, "/home/me/p/.holdfast/config.toml") << toml;
    EXPECT_NE(answer.error().message.find(key), std::string::npos) << answer.error().message;
    return answer.error().message;
  }
};

TEST_F(ProjectConfiguration, RefusesPathsOutsideTheProject) {
  put("/home/me/.ssh/config", "");
  put("/home/me/p/real/x", "");
  put("/home/me/p/.git/HEAD", "");
  link("/home/me/.ssh", "out");
  link("real", "in");
  for (const std::string key : {"sync_directory", "workflow.memory", "store", "log_file", "spans_file"}) {
    const std::string name = key == "workflow.memory" ? "[workflow]\nmemory" : key;
    const std::string before = key == "store" ? "holdfast:" : "", after = key.ends_with("_file") ? "/x.jsonl" : "";
    const auto says = [&](const std::string& place) {
      return refusal(key, name + " = \"" + before + place + after + "\"\n");
    };
    EXPECT_EQ(says("here"), "") << key;
    EXPECT_EQ(says(key == "store" ? "there/deep" : "../there/deep"), "") << key;  // a store starts at the project
    EXPECT_EQ(says("/home/me/p/real"), "") << key;
    for (const std::string place :
         {"~", "~/.ssh", "/etc", "../..", "../../other", "../../pp", "/home/me/p/../.ssh", "../out", "../out/deep"})
      EXPECT_NE(says(place), "") << key << " " << place;
    EXPECT_NE(says("../in"), "") << "a link is a link: " << key;
    EXPECT_NE(says("../.git/hooks"), "") << key;
    EXPECT_NE(says("../sub/.GIT/hooks"), "") << key;
  }
}

TEST_F(ProjectConfiguration, CanOnlyTightenSwitches) {
  for (const std::string key : {"redact_inputs", "redact_outputs", "sync_redact"}) {
    EXPECT_EQ(refusal(key, key + " = true\n"), "");
    EXPECT_NE(refusal(key, key + " = false\n"), "");
    EXPECT_NE(refusal(key, key + " = \"0\"\n"), "");
  }
  for (const std::string key : {"metrics", "sync_enabled"}) {
    EXPECT_EQ(refusal(key, key + " = false\n"), "");
    EXPECT_NE(refusal(key, key + " = true\n"), "");
    EXPECT_NE(refusal(key, key + " = \"1\"\n"), "");
  }
}

TEST_F(ProjectConfiguration, RefusesLogFilesThatAreNotLogs) {
  for (const std::string key : {"log_file", "spans_file"}) {
    EXPECT_NE(refusal(key, key + " = \"../Makefile\"\n"), "");
    EXPECT_NE(refusal(key, key + " = \"../.envrc\"\n"), "");
    put("/home/me/p/.holdfast/sessions/s.jsonl", "{\"role\":\"user\"}\n");
    EXPECT_NE(refusal(key, key + " = \"sessions/s.jsonl\"\n"), "") << "somebody's session is no log";
    put("/home/me/p/old.log", "{\"time\":\"2026-01-01T00:00:00Z\"}\n");
    EXPECT_EQ(refusal(key, key + " = \"../old.log\"\n"), "");
    put("/home/me/p/empty.log", "");
    EXPECT_EQ(refusal(key, key + " = \"../empty.log\"\n"), "");
  }
}

TEST_F(ProjectConfiguration, RefusesLinkedOrLargeFile) {
  put("/home/me/p/.holdfast/config.toml", "#" + std::string(1 << 20, 'x') + "\n");
  ASSERT_FALSE(read());
  EXPECT_EQ(read().error().code, Code::too_large);
  put("/home/me/p/.holdfast/config.toml", "#" + std::string((1 << 20) - 2, 'x') + "\n");
  EXPECT_TRUE(read());
  auto project = disk.open_directory("/home/me/p", true);
  ASSERT_TRUE((*project)->remove(".holdfast/config.toml"));
  put("/home/me/elsewhere.toml", "metrics = false\n");
  ASSERT_TRUE((*project)->make_symlink("/home/me/elsewhere.toml", ".holdfast/config.toml"));
  ASSERT_FALSE(read());
  EXPECT_EQ(read().error().code, Code::unsafe_path);
}

TEST_F(ProjectConfiguration, UserConfigurationIsUnrestricted) {
  put("/home/me/.config/holdfast/config.toml",
      "redact_inputs = false\nmetrics = true\nlog_file = \"~/anything\"\nstore = \"holdfast:/srv/x\"\n");
  const auto configuration = read();
  ASSERT_TRUE(configuration) << configuration.error().message;
  EXPECT_EQ(configuration->path("log_file").value_or(""), "/home/me/anything");
  EXPECT_EQ(configuration->find("not_in_the_table").error().code, Code::internal);
}

TEST_F(ProjectConfiguration, GuideListsEveryKey) {
  std::ifstream file(paths::source() + "/docs/guides/configuration.md");
  const std::string guide{std::istreambuf_iterator<char>(file), {}};
  for (const ConfigurationKey& key : configuration_keys())
    EXPECT_NE(guide.find("| `" + std::string(key.name) + "` | " + std::string(key.help) + " |"), std::string::npos)
        << key.name;
}

}  // namespace
}  // namespace holdfast::inline v1
