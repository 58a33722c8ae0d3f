// examples/workflow_hooks.sh, run as an agent's hooks would run it, on a real project.
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/paths_testing.h"
#include "disk/real_testing.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct Hooks : testing::Test {
  TemporaryDirectory scratch;
  const std::string project = scratch.path("project");

  Hooks() { fs::create_directories(project + "/.claude"); }

  // Returns the standard output of the script, or "exit N" if it failed.
  std::string run(const std::string& words) const {
    const std::string command = "HOME=" + scratch.path() + " HOLDFAST=" + paths::binary() +
                                " CLAUDE_PROJECT_DIR=" + project + " bash " + paths::source() +
                                "/examples/workflow_hooks.sh " + words;
    FILE* out = ::popen(command.c_str(), "r");
    std::string text;
    char buffer[4096];
    for (std::size_t count = 0; (count = ::fread(buffer, 1, sizeof buffer, out)) > 0;) text.append(buffer, count);
    const int status = ::pclose(out);
    if (status == 0) return text;
    return "exit " + std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }
  std::string bytes(const std::string& path) const {
    std::ifstream file(project + "/" + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(Hooks, RunWorkflowFromStartToArchive) {
  const std::string started = run("start login M1 M2");
  EXPECT_TRUE(JsonView(started).find("initiative").find("status").is_string("in_progress")) << started;
  EXPECT_EQ(JsonView(started).find("persisted").as_bool(), true);
  run("phase analyze plan 'login form'");
  const std::string phase = run("phase plan implement 'login form'");
  EXPECT_TRUE(JsonView(phase).find("line").is_string("Active APEX workflow: plan approved, implementing login form"))
      << phase;
  EXPECT_EQ(bytes(".claude/MEMORY.md"),
            "## Workflow State\n\n- Active APEX workflow: plan approved, implementing login form\n");
  EXPECT_NE(bytes("documentation/milestones/_active/login/WORKFLOW-STATUS.yaml").find("status: in_progress"),
            std::string::npos);
  const std::string status = bytes("documentation/milestones/_active/login/WORKFLOW-STATUS.yaml");
  run("task 'tests written' 'review them'");
  EXPECT_EQ(bytes("documentation/milestones/_active/login/WORKFLOW-STATUS.yaml"), status) << "the table's NO-OP";
  EXPECT_NE(bytes(".claude/initiative.json").find("tests written"), std::string::npos);
  run("learn 'Ask about limits'");
  run("learn 'Ask about limits'");
  const std::string resumed = run("resume");
  EXPECT_TRUE(JsonView(resumed).find("initiative").find("next_action").is_string("review them")) << resumed;
  run("commit 'all green'");
  EXPECT_EQ(bytes(".claude/MEMORY.md"),
            "## Workflow State\n\n- Completed APEX for login form: all green\n\n"
            "## Initiative Patterns\n\n- Ask about limits\n");
  run("finish shipped");
  EXPECT_FALSE(fs::exists(project + "/.claude/initiative.json"));
  EXPECT_FALSE(fs::exists(project + "/documentation/milestones/_active/login"));
  EXPECT_NE(bytes("documentation/milestones/_archived/login.md").find("Outcome: shipped"), std::string::npos);
  EXPECT_NE(bytes(".claude/MEMORY.md").find("- Completed INITIATIVE for login: shipped\n"), std::string::npos);
}

// Runs as a user who may not write the directory; root could.
TEST_F(Hooks, W10_CallExitsWith5AndRpcContinuesInMemory) {
  fs::copy_file(paths::binary(), scratch.path("holdfast"));
  for (const auto& entry : fs::recursive_directory_iterator(scratch.path()))
    (void)!::chown(entry.path().c_str(), 65534, 65534);
  (void)!::chown(scratch.path().c_str(), 65534, 65534);
  const auto output = [&](const std::string& command) {
    const std::string all = "cd " + project + " && HOME=" + scratch.path() + " " + command + " 2>&1; echo \" exit $?\"";
    FILE* out = ::popen(all.c_str(), "r");
    std::string text;
    char buffer[4096];
    for (std::size_t count = 0; (count = ::fread(buffer, 1, sizeof buffer, out)) > 0;) text.append(buffer, count);
    ::pclose(out);
    return text;
  };
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(3);
    ::chmod((project + "/.claude").c_str(), 0500);
    const std::string warning = "Cannot write state files — workflow state will not persist";
    const std::string params = R"({"name":"login","store":"workflow:)" + project + "\"}";
    const std::string called = output(scratch.path("holdfast") + " call initiative.create '" + params + "'");
    EXPECT_NE(called.find(warning), std::string::npos) << called;
    EXPECT_TRUE(called.ends_with(" exit 5\n")) << called;
    std::ofstream(scratch.path("first")) << R"({"jsonrpc":"2.0","id":0,"method":"hello"})"
                                         << "\n"
                                         << R"({"jsonrpc":"2.0","id":1,"method":"initiative.create","params":)"
                                         << params << "}\n";
    std::ofstream(scratch.path("second"))
        << R"({"jsonrpc":"2.0","id":2,"method":"initiative.get","params":{"store":"workflow:)" << project << "\"}}\n";
    // The second request is sent when the first is answered: requests about no session have no order.
    const std::string answers = scratch.path("answers");
    output(
        "bash -c '{ cat ../first; for i in {1..600}; do grep -qs persisted ../answers && break; sleep 0.05; done; "
        "cat ../second; } | ../holdfast rpc > ../answers'");
    std::ifstream file(answers, std::ios::binary);
    const std::string answered{std::istreambuf_iterator<char>(file), {}};
    EXPECT_NE(answered.find("\"persisted\":false,\"warnings\":[\"" + warning + "\"]"), std::string::npos) << answered;
    EXPECT_NE(answered.find("\"source\":\"initiative.json\""), std::string::npos) << answered;
    EXPECT_FALSE(fs::exists(project + "/.claude/initiative.json"));
    ::chmod((project + "/.claude").c_str(), 0700);
    ::_exit(HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "see above";
}

TEST_F(Hooks, RejectionsSetTheExitCode) {
  run("start login M1");
  EXPECT_EQ(run("start other M1 2>/dev/null"), "exit 2");
  EXPECT_EQ(run("nonsense 2>/dev/null"), "exit 2");
}

}  // namespace
}  // namespace holdfast::inline v1
