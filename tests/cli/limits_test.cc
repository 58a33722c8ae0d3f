// The binary on a machine with few resources: no threads, little memory, and endless files.
#include <unistd.h>

#include <fstream>

#include "tests/cli/cli_testing.h"
#include "tests/cli/ordinary_user_testing.h"
#include "tests/sanitized_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Limits : CliHome {
  // Returns whether a signal ended the program, or its shell's child.
  static bool died(int code) { return code >= 128; }

  // Counted in the log: the texts themselves may be large.
  std::size_t messages(const std::string& id) {
    sh("cat $HOME/.local/share/holdfast/projects/*/sessions/" + id + "/messages.jsonl | grep -c 'type.:.message'");
    return static_cast<std::size_t>(std::atoi(out.c_str()));
  }
};

TEST_F(Limits, RefusesEndlessInputAndDirectories) {
  for (const char* line :
       {"$H import /dev/zero", "$H call session.import @/dev/zero", "$H call session.import - </dev/zero"}) {
    EXPECT_EQ(sh(line), 2) << line << err;
    EXPECT_TRUE(err.contains("larger than a request") || out.contains("too_large") || err.contains("too_large"))
        << line << out << err;
  }
  for (const char* line : {"$H import /tmp", "$H call session.import @/tmp"}) {
    const int code = sh(line);
    EXPECT_FALSE(died(code)) << line << err;
    EXPECT_NE(code, 0) << line;
    EXPECT_TRUE(err.contains("directory")) << line << err;
  }
}

// A large line (these layouts have no blobs) is not refused for lack of memory once it is written.
TEST_F(Limits, LargeLineUnderLowMemoryIsRefusedOrStored) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer needs the address space";
  std::ofstream(home + "/big") << "{\"session\":\"@last\",\"text\":\"" << std::string(8 << 20, 'x') << "\"}";
  for (const std::string layout : {"linggen", "open-agent"}) {
    const std::string store = " --store " + layout + ":$HOME/" + layout;
    ASSERT_EQ(sh("mkdir $HOME/" + layout + " && $H call store.create" + store), 0) << err;
    ASSERT_EQ(sh("$H call session.create '{\"project\":\"/srv/p\"}'" + store), 0) << err;
    std::size_t there = 0;
    for (int megabytes = 78; megabytes <= 138; megabytes += 6) {
      const int code =
          sh("ulimit -v " + std::to_string(megabytes * 1024) + " && exec $H call message.append @$HOME/big" + store);
      ASSERT_TRUE(code == 0 || code == 5) << layout << " with " << megabytes << " MB: " << code << err;
      there += code == 0 ? 1 : 0;
    }
    ASSERT_EQ(sh("$H message list @last --json" + store + " | grep -o '.total.:[0-9]*'"), 0) << err;
    EXPECT_EQ(out, "\"total\":" + std::to_string(there) + "\n") << layout;
  }
}

// Under every limit there is an answer, and it is true.
TEST_F(Limits, AppendRefusedForLowMemoryIsNotWritten) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer needs the address space";
  const std::string id = create("\"big\"");
  std::ofstream(home + "/big") << "{\"session\":\"" << id << "\",\"text\":\"" << std::string(30 << 20, 'x') << "\"}";
  std::size_t there = 0;
  std::size_t refused = 0;
  for (const int megabytes : {60, 90, 120, 150, 200, 300, 400, 600}) {
    const int code = sh("ulimit -v " + std::to_string(megabytes * 1024) + " && exec $H call message.append @$HOME/big");
    ASSERT_FALSE(died(code)) << megabytes << " MB: " << code << err;
    const std::string said = out + err;
    (code == 0 ? there : refused) += 1;
    EXPECT_TRUE(code == 0 || said.contains("memory")) << megabytes << said.substr(0, 500);
    ASSERT_EQ(messages(id), there) << megabytes << " MB: " << said.substr(0, 500);
  }
  EXPECT_GT(there, 0u);
  EXPECT_GT(refused, 0u);
  std::ofstream(home + "/asked")
      << "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\"}\n"
      << "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"message.list\",\"params\":{\"session\":\"" << id << "\"}}\n";
  for (const int megabytes : {100, 200, 300, 350, 400, 500}) {
    const int code =
        sh("ulimit -v " + std::to_string(megabytes * 1024) + " && $H rpc <$HOME/asked | grep -c '\"id\":2'");
    EXPECT_EQ(code, 0) << megabytes << " MB: " << err;
    EXPECT_EQ(out, "1\n") << megabytes << " MB: " << err;
  }
}

// Runs as its own user, so that a limit on that user's processes limits our threads.
TEST_F(Limits, WorksIfThreadsCannotBeStarted) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be a user without other processes";
  const std::string id = create("\"alone\"");
  constexpr int kAlone = 64999;
  ASSERT_EQ(sh(give_home(kAlone)), 0) << err;
  const auto limited = [&](int threads, const std::string& words) {
    // Leak detection needs a thread.
    return "env ASAN_OPTIONS=detect_leaks=0 " + as_ordinary_user(kAlone) +
           "prlimit --nproc=" + std::to_string(threads) + " " + public_binary() + " " + words;
  };
  const auto as = [&](int threads, const std::string& words) { return sh("exec " + limited(threads, words)); };
  if (as(50, "--version") != 0) GTEST_SKIP() << "the binary cannot be run by another user: " << err;
  std::size_t there = 0;
  for (const int threads : {1, 2, 3}) {
    for (const char* durability : {"process", "power", "none"}) {
      const int code = as(threads, "call message.append '{\"session\":\"" + id +
                                       "\",\"text\":\"one\",\"durability\":\"" + durability + "\"}'");
      EXPECT_EQ(code, 0) << threads << durability << out << err;
      ++there;
    }
    EXPECT_EQ(messages(id), there) << threads;
    for (const char* words : {"ls", "search one", "stats", "verify", "doctor", "show @last"})
      EXPECT_EQ(as(threads, words), 0) << threads << " " << words << out << err;
    EXPECT_EQ(
        sh("printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.list\"}' | " + limited(threads, "rpc")),
        0)
        << err;
    EXPECT_TRUE(out.contains("\"jsonrpc\"")) << threads << out;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
