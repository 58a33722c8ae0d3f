// A repository written by somebody else contains a .holdfast/config.toml.
#include <sys/stat.h>

#include <filesystem>

#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct HostileConfiguration : Shell {
  HostileConfiguration() : Shell("desk") {}
  std::string config() const { return home + "/desk/.holdfast/config.toml"; }
  void write_project_config(const std::string& toml) {
    fs::create_directories(home + "/desk/.holdfast");
    std::ofstream(config()) << toml;
  }
  void mine(const std::string& toml) {
    fs::create_directories(home + "/.config/holdfast");
    std::ofstream(home + "/.config/holdfast/config.toml") << toml;
  }
  // Expects that every door refuses, and names the key and the file.
  void expect_refused(const std::string& key) {
    for (const std::string line : {"$H session create --title x", "$H ls", "$H call session.create '{}'",
                                   "echo '{}' | $H rpc", "$H store settings"}) {
      EXPECT_EQ(sh("timeout 20 " + std::string(line.starts_with("echo") ? "sh -c \"" + line + "\"" : line)), 2)
          << line << out << err;
      EXPECT_NE(err.find(key), std::string::npos) << line << ": " << err;
      EXPECT_NE(err.find(".holdfast/config.toml"), std::string::npos) << line << ": " << err;
    }
  }
};

// Else a person who looks at the configuration believes that it is in effect.
TEST_F(HostileConfiguration, InvalidVariableIsRefusedByConfigToo) {
  for (const std::string line : {"ls", "config get redact_inputs", "config list"}) {
    EXPECT_EQ(sh("HOLDFAST_REDACT_INPUTS=yes $H " + line), 2) << line << out;
    EXPECT_TRUE(err.contains("redact_inputs must be true or false, not \"yes\"")) << line << err;
    EXPECT_TRUE(err.contains("HOLDFAST_REDACT_INPUTS")) << line << err;
  }
  EXPECT_EQ(sh("HOLDFAST_REDACT_INPUTS=true $H config get redact_inputs"), 0) << err;
}

TEST_F(HostileConfiguration, LogFileCannotBeBashrc) {
  std::ofstream(home + "/.bashrc") << "# mine\n";
  write_project_config("log_file = \"~/.bashrc\"\nstore = \"holdfast:$(touch ran)\"\n");
  expect_refused("log_file");
  EXPECT_EQ(text(".bashrc"), "# mine\n");
}

// A value that would be refused when read is not written.
TEST_F(HostileConfiguration, ConfigSetRefusesWhatReadingWouldRefuse) {
  ASSERT_EQ(sh("$H session create --title x --store holdfast:.holdfast"), 0) << err;
  for (const std::string values : {R"({"log_file":"~/.bashrc"})", R"({"redact_inputs":false})",
                                   R"({"workflow":{"memory":"/etc"}})", R"({"store":"holdfast:/srv"})"}) {
    EXPECT_EQ(sh("$H call config.set --store holdfast:.holdfast '{\"values\":" + values + "}'"), 2)
        << values << out << err;
    EXPECT_NE(err.find("a project's configuration may not set"), std::string::npos) << err;
    EXPECT_NE(err.find(".holdfast/config.toml"), std::string::npos) << err;
    ASSERT_EQ(sh("$H ls"), 0) << err;
  }
  EXPECT_EQ(sh("$H call config.set --store holdfast:.holdfast '{\"values\":{\"redact_inputs\":true}}'"), 0) << err;
  EXPECT_EQ(sh("$H ls"), 0) << err;
  EXPECT_NE(text("desk/.holdfast/config.toml").find("redact_inputs = true"), std::string::npos);
}

TEST_F(HostileConfiguration, RefusesPathsOutsideProject) {
  fs::create_directory(home + "/.ssh");
  for (const std::string key : {"log_file", "spans_file"}) {
    write_project_config(key + " = \"../../.ssh/x.jsonl\"\n");
    expect_refused(key);
  }
  write_project_config("store = \"holdfast:~/.ssh\"\n");
  expect_refused("store");
  fs::create_directory_symlink(home + "/.ssh", home + "/desk/out");
  write_project_config("spans_file = \"../out/x.jsonl\"\n");
  expect_refused("spans_file");
  EXPECT_TRUE(fs::is_empty(home + "/.ssh"));
}

TEST_F(HostileConfiguration, MemoryStaysInTheProject) {
  fs::create_directory(home + "/.ssh");
  fs::create_directory(home + "/desk/.claude");
  write_project_config("[workflow]\nmemory = \"~/.ssh\"\n");
  EXPECT_EQ(sh("$H memory learn 'a line' --store workflow:."), 2) << out;
  EXPECT_NE(err.find("workflow.memory"), std::string::npos) << err;
  // From another directory, the file still belongs to the project and is ignored.
  (void)sh("cd / && $H memory learn 'a line' --store workflow:$HOME/desk");
  EXPECT_TRUE(fs::is_empty(home + "/.ssh"));
}

TEST_F(HostileConfiguration, ProjectCannotDisableRedaction) {
  mine("redact_inputs = true\n");
  for (const std::string value : {"false", "\"false\"", "0", "\"\"", "\" \"", "[]", "{}"}) {
    write_project_config("redact_inputs = " + value + "\n");
    expect_refused("redact_inputs");
  }
}

TEST_F(HostileConfiguration, RefusesSpecialAndOversizedFiles) {
  fs::create_directories(home + "/desk/.holdfast");
  fs::create_symlink("/dev/zero", config());
  expect_refused("symbolic link");
  fs::remove(config());
  ASSERT_EQ(::mkfifo(config().c_str(), 0600), 0);
  expect_refused("FIFO");
  fs::remove(config());
  fs::create_directory(config());
  expect_refused("directory");
  fs::remove(config());
  write_project_config("#" + std::string(2 << 20, 'x'));
  expect_refused("1 MiB");
}

TEST_F(HostileConfiguration, UserConfigAllowsLinksButNotDevices) {
  fs::create_directories(home + "/.config/holdfast");
  const std::string path = home + "/.config/holdfast/config.toml";
  fs::create_symlink("/dev/zero", path);
  EXPECT_EQ(sh("timeout 20 $H ls"), 2) << err;
  fs::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(sh("timeout 20 $H ls"), 2) << err;
  fs::remove(path);
  std::ofstream(home + "/real.toml") << "store = \"holdfast:~/kept\"\n";
  fs::create_symlink(home + "/real.toml", path);
  EXPECT_EQ(sh("$H session create --title x"), 0) << "a link of one's own is followed: " << err;
  EXPECT_TRUE(fs::exists(home + "/kept/FORMAT"));
}

TEST_F(HostileConfiguration, AllowsPathsInsideProject) {
  write_project_config("store = \"holdfast:kept\"\nlog_file = \"log.jsonl\"\nredact_inputs = true\nmetrics = false\n");
  ASSERT_EQ(sh("$H session create --title x"), 0) << err;
  EXPECT_TRUE(fs::exists(home + "/desk/kept/FORMAT"));
  ASSERT_EQ(sh("$H session create --title y"), 0) << "its own log is there now: " << err;
  EXPECT_TRUE(text("desk/.holdfast/log.jsonl").starts_with("{\"time\":")) << text("desk/.holdfast/log.jsonl");
}

}  // namespace
}  // namespace holdfast::inline v1
