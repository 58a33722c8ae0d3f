// A home with a project and one session of Claude Code, for tests of hand-offs on the command line.
#pragma once

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {

struct HandoffHome : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    std::filesystem::create_directories(home + "/proj");
  }
  void put(const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories(std::filesystem::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
  // A record of Claude Code that follows the record `parent`; `more` are further members, each after a comma.
  std::string record(const std::string& name, const std::string& parent, const std::string& role,
                     const std::string& content, const std::string& more = "") {
    return R"({"type":")" + role + R"(","uuid":")" + name + R"(","parentUuid":)" +
           (parent.empty() ? "null" : "\"" + parent + "\"") + more + R"(,"sessionId":")" + id + R"(","cwd":")" + home +
           R"(/proj","timestamp":"2026-01-01T00:00:00Z","message":{"role":")" + role + R"(","content":)" + content +
           "}}\n";
  }
  std::string answer(const std::string& name, const std::string& parent, const std::string& text) {
    return record(name, parent, "assistant", R"([{"type":"text","text":")" + text + "\"}]");
  }
  void put_session(const std::string& log) { put(".claude/projects/-proj/" + id + ".jsonl", log); }
  // Hands off to `to` and returns the written files; `out` is the report.
  std::string written(const std::string& session, const std::string& to, const std::string& more = "") {
    const std::string folder = home + "/o-" + to + std::to_string(made_++);
    EXPECT_EQ(sh("$H handoff " + session + " --to " + to + " --project $HOME/proj -o " + folder + more), 0) << err;
    const std::string report = out;
    EXPECT_EQ(sh("find " + folder + " -type f -exec cat {} +"), 0) << err;
    std::string files = out;
    out = report;
    return files;
  }
  const std::string id = "bbbbbbbb-0000-4000-8000-000000000001";

 private:
  int made_ = 0;
};

}  // namespace holdfast::inline v1
