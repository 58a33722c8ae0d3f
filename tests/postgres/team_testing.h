// Homes as the machines of a team with a server, through the command line. Each has the project `thing`, a checkout of
// the same repository.
#pragma once

#include "tests/cli/cli_testing.h"
#include "tests/postgres/server_testing.h"

namespace holdfast::inline v1 {

struct TeamHomes : CliHome {
  void make_home(const std::string& which, const std::string& repository = "thing") {
    std::filesystem::create_directories(home + "/" + which + "/thing/.git");
    std::ofstream(home + "/" + which + "/thing/.git/config")
        << "[remote \"origin\"]\n\turl = git@example.org:me/" << repository << ".git\n";
  }
  int on(const std::string& which, const std::string& line) {
    return sh("cd $HOME/" + which + " && env HOME=$HOME/" + which + " $H " + line);
  }
  // Begins a session of Claude Code in the project.
  void say(const std::string& which, const std::string& id, const std::string& prompt) const {
    const std::string folder = home + "/" + which + "/.claude/projects/-thing";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/" + id + ".jsonl")
        << R"({"type":"user","uuid":"u0","parentUuid":null,"sessionId":")" << id << R"(","cwd":")" << home << "/"
        << which << R"(/thing","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":")" << prompt
        << "\"}}\n";
  }
  static std::string quoted(const std::string& text) { return "'" + text + "'"; }
};

}  // namespace holdfast::inline v1
