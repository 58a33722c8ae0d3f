// Runs the real binary as a person or a script does.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "base/paths_testing.h"
#include "base/version.h"
#include "text/json_scan.h"
#include "text/json_value.h"

extern char** environ;

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

class Binary : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/holdfast_binary_XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder_ = name;
    fs::create_directory(folder_ + "/tmp");
    ::setenv("TMPDIR", (folder_ + "/tmp").c_str(), 1);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  int run(const std::string& arguments) { return exit_code(std::system(command(arguments).c_str())); }
  std::string command(const std::string& arguments) const {
    return paths::binary() + " " + arguments + " >" + folder_ + "/out 2>" + folder_ + "/err";
  }
  static int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status); }
  std::string text(const std::string& name) const {
    std::ifstream file(folder_ + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool nothing_left() const { return fs::is_empty(folder_ + "/tmp"); }

  std::string folder_;
};

TEST_F(Binary, PrintsOverviewVersionAndHelp) {
  EXPECT_EQ(run(""), 0);
  EXPECT_NE(text("out").find("holdfast demo"), std::string::npos);
  EXPECT_EQ(run("--version"), 0);
  EXPECT_EQ(text("out"), "holdfast " HOLDFAST_VERSION "\n");
  EXPECT_EQ(run("help demo"), 0);
  EXPECT_NE(text("out").find("--seconds N"), std::string::npos);
  EXPECT_EQ(text("err"), "");
}

// A session of more than 8 MiB is printed while it is read; a reader that goes away is not an error.
TEST_F(Binary, PrintsALargeSessionAndStopsWithItsReader) {
  const std::string project = folder_ + "/claude/projects/-p";
  fs::create_directories(project);
  {
    std::ofstream log(project + "/0abc-1.jsonl");
    for (int i = 0; i < 9000; ++i)
      log << R"({"type":"user","message":{"role":"user","content":"prompt )" << i << ' ' << std::string(1000, 'x')
          << R"("},"uuid":"m)" << i << R"(","parentUuid":)" << (i == 0 ? "null" : "\"m" + std::to_string(i - 1) + "\"")
          << "}\n";
  }
  const std::string show = "show 0abc --store claude-code:" + folder_ + "/claude";
  EXPECT_EQ(run(show), 0);
  const std::string all = text("out");
  EXPECT_NE(all.find("\n> you  [8999]\n    prompt 8999 xx"), std::string::npos);
  EXPECT_TRUE(all.ends_with("\ninterrupted · 9000 prompts, 0 answers · 0 tokens out\n"))
      << all.substr(all.size() - 200);
  const std::string piped =
      "sh -c '" + paths::binary() + " " + show + "; echo $? >" + folder_ + "/code' | head -c 20 >" + folder_ + "/out";
  EXPECT_EQ(exit_code(std::system(piped.c_str())), 0);
  EXPECT_EQ(text("out"), all.substr(0, 20));
  EXPECT_EQ(text("code"), "0\n");
}

TEST_F(Binary, RejectsUnknownCommand) {
  EXPECT_EQ(run("dmeo"), 2);
  EXPECT_EQ(text("out"), "");
  EXPECT_EQ(text("err"), "holdfast: unknown command dmeo; did you mean demo?\n");
  EXPECT_EQ(run("dmeo --json"), 2);
  const std::string error = text("err");
  EXPECT_EQ(JsonView(error).find("error").find("code").as_string(), "invalid_argument");
}

TEST_F(Binary, DemoLosesNothingAndCleansUp) {
  ASSERT_EQ(run("demo --seconds 1 --json"), 0) << text("err") << text("out");
  const std::string out = text("out");
  ASSERT_TRUE(check_json(out).ok()) << out;
  const JsonView json(out);
  EXPECT_EQ(json.find("schema_version").as_int64(), 1);
  EXPECT_GT(json.find("acknowledged").as_int64().value_or(0), 0);
  EXPECT_GT(json.find("kills").as_int64().value_or(0), 0);
  EXPECT_EQ(json.find("lost").as_int64(), 0);
  EXPECT_EQ(json.find("altered").as_int64(), 0);
  EXPECT_EQ(json.find("kept").as_bool(), false);
  EXPECT_TRUE(json.find("directory").as_string().value_or("").starts_with(folder_ + "/tmp/"));
  EXPECT_TRUE(nothing_left());
}

TEST_F(Binary, DemoKeepsItsFilesWhenAsked) {
  ASSERT_EQ(run("demo --seconds 1 --keep --color=never"), 0) << text("err");
  EXPECT_NE(text("out").find("Nothing that was acknowledged is lost."), std::string::npos);
  const auto directory = fs::directory_iterator(folder_ + "/tmp")->path();
  EXPECT_NE(text("out").find(directory.string()), std::string::npos);
  EXPECT_GT(fs::file_size(directory / "sessions/ses_1/messages.jsonl"), 0U);
}

TEST_F(Binary, DemoFailsWithoutTemporaryDirectory) {
  ::setenv("TMPDIR", (folder_ + "/nowhere").c_str(), 1);
  EXPECT_EQ(run("demo --seconds 1"), 5);
  EXPECT_NE(text("err").find("nowhere"), std::string::npos);
}

TEST_F(Binary, DemoSurvivesAClosedPipe) {
  EXPECT_EQ(exit_code(std::system((paths::binary() + " demo --seconds 1 2>/dev/null | true").c_str())), 0);
  for (int i = 0; i < 100 && !nothing_left(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE(nothing_left());
}

TEST_F(Binary, CtrlCEndsTheDemoAndCleansUp) {
  std::vector<std::string> words{paths::binary(), "demo", "--seconds", "60", "--json"};
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  ::posix_spawn_file_actions_init(&quiet);
  ::posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  pid_t pid = 0;
  ASSERT_EQ(::posix_spawn(&pid, paths::binary().c_str(), &quiet, nullptr, arguments.data(), environ), 0);
  ::posix_spawn_file_actions_destroy(&quiet);
  for (int i = 0; i < 200 && nothing_left(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  ::kill(pid, SIGINT);
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(exit_code(status), 130);
  EXPECT_TRUE(nothing_left());
}

}  // namespace
}  // namespace holdfast::inline v1
