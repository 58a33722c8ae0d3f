// A device that is revoked at an encrypted remote keeps all it has, including its keys, and reads nothing that follows.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct Revoked : TwoMachines {
  void SetUp() override {
    TwoMachines::SetUp();
    fs::create_directories(home + "/c");
    share_from_a("--encrypt");
    for (const auto& [which, name] : {std::pair("b", "tower"), std::pair("c", "third")}) {
      ASSERT_EQ(join(which, name, phrase), 0) << err;
      ASSERT_EQ(on(which, "sync --fetch all"), 0) << err;
    }
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_EQ(on("b", "sync"), 0) << err;
  }
  int join(const std::string& which, const std::string& name, const std::string& with) {
    return sh("cd $HOME/" + which + " && echo " + with + " | env HOME=$HOME/" + which +
              " $H remote add nas dir:" + home + "/share --recover - --as " + name);
  }
};

TEST_F(Revoked, ReadsNothingPublishedLater) {
  ASSERT_EQ(on("a", "remote revoke nas third"), 0) << err;
  EXPECT_TRUE(out.contains("third is revoked\n  it had read:\n    cccccccc  please list the files\n")) << out;
  EXPECT_TRUE(out.contains("from now on readable by: tower\n")) << out;
  const std::size_t at = out.find("new recovery phrase: ");
  ASSERT_NE(at, std::string::npos) << out;
  const std::string later = out.substr(at + 21, 34);
  record({"please list the files", "and now count them", secret});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_TRUE(err.contains("has revoked third; run holdfast remote revoke nas ")) << err;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains(secret)) << out;
  ASSERT_EQ(on("c", "sync --fetch all"), 0) << err;
  EXPECT_TRUE(err.contains("it changed its key and has not given it to this device")) << err;
  ASSERT_EQ(on("c", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("and now count them")) << "what it has it keeps" << out;
  EXPECT_FALSE(out.contains(secret)) << out;
  // Nor as a new device with the old phrase; with the new one, it reads everything.
  fs::create_directories(home + "/d");
  fs::create_directories(home + "/e");
  ASSERT_EQ(join("d", "phone", phrase), 0) << err;
  ASSERT_EQ(on("d", "sync --fetch all"), 0) << err;
  EXPECT_TRUE(err.contains("it changed its key and has not given it to this device")) << err;
  ASSERT_EQ(on("d", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("and now count them")) << "from before" << out;
  EXPECT_FALSE(out.contains(secret)) << out;
  ASSERT_EQ(join("e", "desk", later), 0) << err;
  ASSERT_EQ(on("e", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("e", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains(secret) && out.contains("please list the files")) << out;
  EXPECT_FALSE(share_contains(secret) || share_contains("laptop"));
  // The person's own device, once they confirm it.
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("it joined after the key changed")) << err;
  ASSERT_EQ(on("a", "remote trust nas phone"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("d", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("d", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains(secret)) << out;
  // Later output contains no secret.
  ASSERT_EQ(on("a", "remote list --json"), 0) << err;
  EXPECT_FALSE(out.contains(later) || out.contains("secret")) << out;
}

TEST_F(Revoked, HintOfMachineWithoutKeyCanBePasted) {
  ASSERT_EQ(on("a", "remote revoke nas third"), 0) << err;
  record({"please list the files", "and now count them", secret});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  fs::create_directories(home + "/d");
  ASSERT_EQ(join("d", "phone", phrase), 0) << err;
  ASSERT_EQ(on("d", "sync"), 0) << err;
  const std::string before = "to let this device read, run on laptop: ";
  ASSERT_TRUE(err.contains(before)) << err;
  std::string command = err.substr(err.find(before) + before.size());
  command = command.substr(0, command.find('\n'));
  for (std::size_t at = 0; (at = command.find("holdfast ", at)) != std::string::npos;) command.replace(at, 8, "$H");
  ASSERT_EQ(sh("cd $HOME/a && export HOME=$HOME/a && " + command), 0) << command << err;
  ASSERT_EQ(on("d", "sync --fetch all"), 0) << err;
  EXPECT_FALSE(err.contains("changed its key")) << err;
  ASSERT_EQ(on("d", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains(secret)) << out;
}

// What is erased is not remembered here either, so nothing can be said about it.
TEST_F(Revoked, DoesNotDenyWhatWasErasedSince) {
  ASSERT_EQ(on("a", "forget " + id + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("already been read by: ") && out.contains("third")) << out;
  ASSERT_EQ(on("a", "remote revoke nas third"), 0) << err;
  EXPECT_TRUE(out.contains("reading nothing of what is published from here now; what was erased is not recorded\n"))
      << out;
}

// Pasting such a hint would give the key to the one machine that must not have it.
TEST_F(Revoked, TrustIsNotSuggestedForRevokedMachine) {
  ASSERT_EQ(on("a", "remote revoke nas third"), 0) << err;
  const std::string later = out.substr(out.find("new recovery phrase: ") + 21, 34);
  ASSERT_EQ(on("a", "sync"), 0) << err;
  fs::create_directories(home + "/e");
  ASSERT_EQ(join("e", "desk", later), 0) << err;
  ASSERT_EQ(on("e", "sync --fetch all"), 0) << err;
  EXPECT_TRUE(err.contains("it has revoked ")) << err;
  EXPECT_FALSE(err.contains("to allow it, run holdfast remote trust")) << err;
  for (const char* const which : {"a", "b", "e"}) {
    ASSERT_EQ(on(which, "sync --fetch all"), 0) << err;
    EXPECT_FALSE(err.contains("to allow it, run holdfast remote trust")) << which << err;
  }
  // A device that joined with the old phrase has no key, but is not revoked.
  fs::create_directories(home + "/d");
  ASSERT_EQ(join("d", "phone", phrase), 0) << err;
  ASSERT_EQ(on("d", "sync"), 0) << err;
  ASSERT_EQ(on("e", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("phone: it joined after the key changed")) << err;
}

// The guide renames a machine that way.
TEST_F(Revoked, StaysRevokedWhenRemoteIsRemovedAndAddedAgain) {
  ASSERT_EQ(on("a", "remote revoke nas third"), 0) << err;
  const std::string newest = out.substr(out.find("new recovery phrase: ") + 21, 34);
  ASSERT_EQ(on("a", "sync"), 0) << err;
  for (const std::string how : {"", " --erase"}) {
    ASSERT_EQ(on("a", "remote remove nas --yes" + how), 0) << err;
    ASSERT_EQ(join("a", "renamed", newest), 0) << err;
    ASSERT_EQ(on("a", "remote list"), 0) << err;
    EXPECT_TRUE(out.contains("third") && out.contains("revoked")) << out;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_FALSE(out.contains("third") || err.contains("third")) << out << err;
    // tower was given the key in what is erased.
    EXPECT_EQ(err.contains("to allow it, run holdfast remote trust"), !how.empty()) << err;
  }
  // Until somebody says otherwise.
  ASSERT_EQ(on("a", "remote trust nas third"), 0) << err;
  ASSERT_EQ(on("a", "remote remove nas --yes"), 0) << err;
  ASSERT_EQ(join("a", "renamed", newest), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("third")) << out;
}

// The revoked machine has the key of the first phrase.
TEST_F(Revoked, NothingIsSharedUnderTheKeyThatItHas) {
  ASSERT_EQ(on("a", "remote revoke nas third"), 0) << err;
  std::string newest = out.substr(out.find("new recovery phrase: ") + 21, 34);
  ASSERT_EQ(on("a", "sync"), 0) << err;
  record({"please list the files", "and now count them", secret});
  const auto expect_secret_from_third = [&] {
    ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_EQ(on("c", "sync --fetch all"), 0) << err;
    ASSERT_EQ(on("c", "search 'nobody else' --machine all"), 1) << out;
    ASSERT_EQ(on("a", "remote remove nas --yes --erase"), 0) << err;
  };
  for (const std::string how : {"", " --erase"}) {
    ASSERT_EQ(on("a", "remote remove nas --yes" + how), 0) << err;
    ASSERT_EQ(join("a", "laptop", phrase), 0) << err;
    EXPECT_TRUE(out.contains("nothing can be shared yet: third was revoked, and may have the key")) << out;
    for (const char* const dry : {"", " --dry-run"}) {
      EXPECT_EQ(on("a", std::string("remote share src/thing --with nas") + dry), 6) << out;
      EXPECT_TRUE(err.contains("add it again with its newest phrase, or change the key once more")) << err;
    }
    ASSERT_EQ(on("a", "sync"), 0) << err;
  }
  // Also if it is removed and added once more.
  ASSERT_EQ(on("a", "remote remove nas --yes"), 0) << err;
  ASSERT_EQ(join("a", "laptop", phrase), 0) << err;
  EXPECT_EQ(on("a", "remote share src/thing --with nas"), 6) << out;
  // The newest phrase opens the remote, although the earlier keys were erased there with the rest.
  ASSERT_EQ(on("a", "remote remove nas --yes"), 0) << err;
  ASSERT_EQ(join("a", "laptop", newest), 0) << err;
  EXPECT_FALSE(out.contains("revoked")) << out;
  expect_secret_from_third();
  // Or a key is made again.
  ASSERT_EQ(join("a", "laptop", phrase), 0) << err;
  EXPECT_EQ(on("a", "remote share src/thing --with nas"), 6) << out;
  ASSERT_EQ(on("a", "remote revoke nas third"), 0) << err;
  EXPECT_TRUE(out.contains("new recovery phrase: ")) << out;
  expect_secret_from_third();
}

// Another machine changes the key once more, and this one adds the remote again with the newest phrase.
struct NewerKey : Revoked {
  int share_again() {
    EXPECT_EQ(on("a", "remote revoke nas third"), 0) << err;
    EXPECT_EQ(on("a", "sync"), 0) << err;
    fs::create_directories(home + "/d");
    EXPECT_EQ(join("d", "phone", phrase), 0) << err;
    EXPECT_EQ(on("d", "sync"), 0) << err;
    EXPECT_EQ(on("b", "sync"), 0) << err;
    EXPECT_EQ(on("b", "remote revoke nas phone"), 0) << err;
    const std::string newest = out.substr(out.find("new recovery phrase: ") + 21, 34);
    EXPECT_EQ(on("b", "sync"), 0) << err;
    EXPECT_EQ(on("a", "remote remove nas --yes"), 0) << err;
    EXPECT_EQ(join("a", "laptop", newest), 0) << err;
    return on("a", "remote share src/thing --with nas");
  }
};

TEST_F(NewerKey, OfPairedMachineIsSafe) {
  ASSERT_EQ(on("b", "remote trust nas laptop"), 0) << err;
  EXPECT_EQ(share_again(), 0) << err;
}

TEST_F(NewerKey, OfMachineThatGaveItToRevokedOneIsNot) {
  EXPECT_EQ(share_again(), 6) << out;
  EXPECT_TRUE(err.contains("third was revoked, and may have the key")) << err;
}

TEST_F(Revoked, TrustingMachineRevokesItAsWell) {
  ASSERT_EQ(on("b", "remote trust nas laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote revoke nas third --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("had_read":[{"agent":"claude-code","id":"cccccccc-)")) << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("it has revoked third, so this device has too")) << err;
  put(home + "/b/.claude/projects/-copy/dddddddd-0000-4000-8000-000000000002.jsonl",
      R"({"type":"user","uuid":"u0","parentUuid":null,"sessionId":"dddddddd-0000-4000-8000-000000000002","cwd":")" +
          home +
          R"(/b/src/copy","timestamp":"2026-01-02T00:00:00Z","message":{"role":"user","content":"of the tower"}})" +
          "\n");
  ASSERT_EQ(on("b", "remote share src/copy --with nas"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("a", "show dddddddd --machine tower"), 0) << err;
  EXPECT_TRUE(out.contains("of the tower")) << out;
  ASSERT_EQ(on("c", "sync"), 0) << err;
  EXPECT_NE(on("c", "show dddddddd --machine tower"), 0) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
