// Two homes on one machine as two machines, a and b, with one repository in two places and a folder that both use.
#pragma once

#include "source/compressed.h"
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {

struct TwoMachines : CliHome {
  const std::string id = "cccccccc-0000-4000-8000-000000000001";
  const std::string secret = "a sentence that nobody else should read";

  void SetUp() override {
    CliHome::SetUp();
    for (const char* which : {"a", "b"}) {
      std::filesystem::create_directories(home + "/" + which);
      // The same repository in two places.
      const std::string project = home + "/" + which + "/" + (*which == 'a' ? "src/thing" : "src/copy");
      put(project + "/.git/config", *which == 'a' ? "[remote \"origin\"]\n\turl = git@example.org:me/thing.git\n"
                                                  : "[remote \"origin\"]\n\turl = https://example.org/me/thing\n");
    }
    std::filesystem::create_directories(home + "/share");
    std::filesystem::create_directories(home + "/b/.codex/sessions");
    record({"please list the files", "and now count them"});
  }
  static void put(const std::string& path, const std::string& bytes) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  // Writes a session of Claude Code on machine a.
  void record(const std::vector<std::string>& prompts) {
    std::string log, parent = "null";
    int n = 0;
    for (const std::string& prompt : prompts) {
      const std::string common = R"("sessionId":")" + id + R"(","cwd":")" + home +
                                 R"(/a/src/thing","timestamp":"2026-01-01T00:00:0)" + std::to_string(n % 10) + "Z\"";
      const std::string u = "u" + std::to_string(n++), v = "u" + std::to_string(n++);
      log += R"({"type":"user","uuid":")" + u + R"(","parentUuid":)" + parent + "," + common +
             R"(,"message":{"role":"user","content":")" + prompt + "\"}}\n";
      log += R"({"type":"assistant","uuid":")" + v + R"(","parentUuid":")" + u + "\"," + common +
             R"(,"message":{"id":"m)" + v +
             R"(","role":"assistant","model":"m","content":[{"type":"text","text":"Done )" + v + "\"}]}}\n";
      parent = "\"" + v + "\"";
    }
    put(home + "/a/.claude/projects/-thing/" + id + ".jsonl", log);
  }
  int on(const std::string& which, const std::string& line, const std::string& directory = "") {
    return sh("cd $HOME/" + which + directory + " && env HOME=$HOME/" + which + " $H " + line);
  }
  void share_from_a(const std::string& how = "") {
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop " + how + " --json"), 0) << err;
    phrase = field({"recovery_phrase"});
    ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
  }
  bool share_contains(const std::string& text) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(home + "/share")) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      if (bytes.find(text) != std::string::npos || entry.path().string().find(text) != std::string::npos) return true;
    }
    return false;
  }
  // Returns whether a file of the remote contains `wanted`, as it is or in one of its zstd frames.
  bool is_there(const std::string& wanted) const {
    static const std::string kMagic = "\x28\xB5\x2F\xFD";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(home + "/share")) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      bool found = bytes.contains(wanted);
      for (std::size_t at = bytes.find(kMagic); at != std::string::npos && !found; at = bytes.find(kMagic, at + 1))
        found = decompress_zstd(std::string_view(bytes).substr(at), 1 << 24).value_or("").contains(wanted);
      if (found) return true;
    }
    return false;
  }
  std::string phrase;
};

}  // namespace holdfast::inline v1
