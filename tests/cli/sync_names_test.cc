// Projects in projects, machines of the same name, and which session or machine was meant.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncNames : TwoMachines {
  const std::string inner = "dddddddd-0000-4000-8000-000000000002";

  // Creates a session of a folder and one of a folder inside it; neither is a repository.
  void SetUp() override {
    TwoMachines::SetUp();
    put_session("cccccccc-0000-4000-8000-000000000003", "p", "text of the outer one");
    put_session(inner, "p/sub", secret);
    fs::create_directories(home + "/a/p/sub");
  }
  void put_session(const std::string& session, const std::string& project, const std::string& text) const {
    put(home + "/a/.claude/projects/-p/" + session + ".jsonl",
        R"({"type":"user","uuid":")" + session + R"(","parentUuid":null,"sessionId":")" + session + R"(","cwd":")" +
            home + "/a/" + project + R"(","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":")" +
            text + "\"}}\n");
  }
  void put_session_of_b() const {
    put(home + "/b/.claude/projects/-copy/" + inner + ".jsonl",
        R"({"type":"user","uuid":"n0","parentUuid":null,"sessionId":"s","cwd":")" + home +
            R"(/b/src/copy","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"said by b"}})" +
            "\n");
  }
  std::string seen_by_b() {
    EXPECT_EQ(on("b", "sync --fetch all"), 0) << err;
    on("b", "ls --machine laptop --json");
    return out;
  }
};

TEST_F(SyncNames, UnsharingSubprojectWithholdsIt) {
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share p --with nas"), 0) << err;
  ASSERT_EQ(on("a", "remote share p/sub --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const std::string part = "it is part of " + home + "/a/p, which stays shared without it";
  ASSERT_EQ(on("a", "remote unshare p/sub --with nas --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains(part)) << out;
  ASSERT_EQ(on("a", "remote unshare p/sub --with nas"), 0) << err;
  EXPECT_TRUE(out.contains("erases what was shared there") && out.contains(part)) << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("withdrew 1")) << out;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  std::string there = seen_by_b();
  EXPECT_TRUE(there.contains("text of the outer one") && !there.contains(secret) && !there.contains("redacted"))
      << there;
  ASSERT_EQ(on("a", "remote list"), 0) << err;
  EXPECT_TRUE(out.contains("withholds " + home + "/a/p/sub")) << out;
  ASSERT_EQ(on("a", "sync status"), 0) << err;
  EXPECT_TRUE(out.contains("1 project shared")) << out;
  // The inner project is not shared, so it cannot be unshared again.
  EXPECT_EQ(on("a", "remote unshare p/sub --with nas"), 3) << out;
  EXPECT_TRUE(err.contains("this project is not shared with nas")) << err;
  // Naming it shares it.
  ASSERT_EQ(on("a", "remote share p/sub --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(seen_by_b().contains(secret)) << out;
}

TEST_F(SyncNames, PathsThroughLinksAreTheSameProject) {
  fs::create_directory_symlink("p", home + "/a/link");
  put_session(inner, "link/sub", secret);  // the agent noted the path with the link
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("a", "remote share link --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 2 sessions")) << out;
  const std::string there = seen_by_b();
  EXPECT_TRUE(there.contains("text of the outer one") && there.contains(secret)) << there;
  // A link that leads elsewhere later shares nothing else.
  fs::create_directories(home + "/a/other");
  fs::remove(home + "/a/link");
  fs::create_directory_symlink("other", home + "/a/link");
  put_session("eeeeeeee-0000-4000-8000-000000000005", "other", "text of another project");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_FALSE(seen_by_b().contains("text of another project")) << out;
  fs::remove(home + "/a/link");
  fs::create_directory_symlink("p", home + "/a/link");
  ASSERT_EQ(on("a", "remote share p --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "remote list --json"), 0) << err;
  EXPECT_EQ(out.find("\"policy\":\"redacted\""), out.rfind("\"policy\"")) << out;  // it replaced the share
  ASSERT_EQ(on("a", "remote unshare link --with nas"), 0) << err;
  EXPECT_EQ(on("a", "remote unshare p --with nas"), 3) << out;
}

TEST_F(SyncNames, SubprojectIsWithheldUntilSharedByName) {
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share p --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote unshare p/sub --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("withdrew 1")) << out;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  EXPECT_FALSE(seen_by_b().contains(secret)) << out;
  ASSERT_EQ(on("a", "remote unshare p --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote share p --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote list"), 0) << err;
  EXPECT_TRUE(out.contains("withholds " + home + "/a/p/sub")) << out;
  EXPECT_FALSE(seen_by_b().contains(secret)) << "whoever shares the whole again may not think of the part";
  ASSERT_EQ(on("a", "remote share p/sub --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(seen_by_b().contains(secret)) << out;
}

TEST_F(SyncNames, SubprojectStaysWithheldFromRemoteThatIsAddedAgain) {
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  EXPECT_FALSE(out.contains("withheld")) << out;
  ASSERT_EQ(on("a", "remote share p --with nas"), 0) << err;
  ASSERT_EQ(on("a", "remote unshare p/sub --with nas"), 0) << err;
  // Whether or not anything was published before.
  for (const bool published : {false, true}) {
    ASSERT_EQ(published ? on("a", "sync") : 0, 0) << err;
    ASSERT_EQ(on("a", "remote remove nas --yes"), 0) << err;
    ASSERT_EQ(on("a", "remote add again dir:" + home + "/share --as laptop"), 0) << err;
    EXPECT_TRUE(out.contains("nothing is shared yet") &&
                out.contains("as before, this is withheld until it is shared by name: " + home + "/a/p/sub"))
        << out;
    ASSERT_EQ(on("a", "remote list"), 0) << err;
    EXPECT_TRUE(out.contains("withholds " + home + "/a/p/sub") && out.contains("shares nothing")) << out;
    ASSERT_EQ(on("a", "remote remove again --yes"), 0) << err;
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share p --with nas"), 0) << err;
  }
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  const std::string there = seen_by_b();
  EXPECT_TRUE(there.contains("text of the outer one") && !there.contains(secret)) << there;
  ASSERT_EQ(on("a", "remote share p/sub --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(seen_by_b().contains(secret)) << out;
}

// The length of a repository's name does not matter.
TEST_F(SyncNames, RepositoryInSharedFolderKeepsItsPolicy) {
  put(home + "/a/p/sub/.git/config", "[remote \"origin\"]\n\turl = git@g.io:a/b.git\n");
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share p/sub --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "remote share p --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  const std::string there = seen_by_b();
  EXPECT_TRUE(there.contains("text of the outer one") && there.contains("\"ses_") && !there.contains(inner)) << there;
}

TEST_F(SyncNames, RejectsReservedMachineNames) {
  for (const std::string name : {"here", "all"}) {
    EXPECT_EQ(on("a", "remote add nas dir:" + home + "/share --as " + name), 2) << out;
    EXPECT_TRUE(err.contains("not a valid name for a machine: " + name)) << err;
  }
}

TEST_F(SyncNames, MachinesWithTheSameNameAreDistinguished) {
  share_from_a();
  fs::create_directories(home + "/c/src/copy");
  for (const std::string which : {"b", "c"}) {
    put(home + "/" + which + "/.claude/projects/-copy/" + (which == "b" ? inner : id) + ".jsonl",
        R"({"type":"user","uuid":"n0","parentUuid":null,"sessionId":"s","cwd":")" + home + "/" + which +
            R"(/src/copy","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"on )" + which +
            "\"}}\n");
    ASSERT_EQ(on(which, "remote add nas dir:" + home + "/share --as tower"), 0) << err;
    ASSERT_EQ(on(which, "remote share src/copy --with nas"), 0) << err;
    ASSERT_EQ(on(which, "sync"), 0) << err;
  }
  EXPECT_TRUE(err.contains("this machine is called tower too; that one is device ")) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("two machines are called tower: device ")) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("this machine is called tower too")) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_FALSE(err.contains("tower")) << "once: " << err;
  ASSERT_EQ(on("a", "machine list --json"), 0) << err;
  std::set<std::string> devices;
  for (const JsonItem& item : JsonView(out).find("machines").elements()) {
    EXPECT_EQ(item.value.find("machine").as_string(), "tower") << out;
    EXPECT_EQ(item.value.find("sessions").raw(), "1") << out;
    devices.insert(item.value.find("device").as_string().value_or(""));
  }
  ASSERT_EQ(devices.size(), 2u) << out;
  std::string said;
  for (const std::string& device : devices) {
    ASSERT_EQ(on("a", "show @last --machine " + device.substr(0, 8)), 0) << err;
    said += out;
  }
  EXPECT_TRUE(said.contains("on b") && said.contains("on c")) << said;
}

std::size_t times(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// b has the name of a and follows the advice. It is one machine for a, which knows it under its old name, and for c,
// which comes later and gets what b published before last.
TEST_F(SyncNames, RenamedMachineIsListedOnceWithItsNewName) {
  share_from_a();
  put_session_of_b();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as laptop --json"), 0) << err;
  const std::string device = field({"device"});
  ASSERT_EQ(on("b", "remote share src/copy --with nas"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("then remote add with --as, and then remote share again for every project")) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("new here: laptop;")) << out;
  ASSERT_EQ(on("b", "remote remove nas --yes"), 0) << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as wasp"), 0) << err;
  ASSERT_EQ(on("b", "remote share src/copy --with nas"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync --fetch all"), 0) << err;
  for (const std::string command : {"machine list", "ls --machine all", "search 'said by b' --machine all"}) {
    ASSERT_EQ(on("a", command), 0) << command << err;
    EXPECT_EQ(times(out, "wasp"), 1u) << command << out;
    EXPECT_FALSE(out.contains("laptop")) << command << out;
  }
  ASSERT_EQ(on("a", "search 'said by b' --machine laptop"), 1) << "the name means a alone again" << out << err;
  EXPECT_EQ(on("a", "ls --machine lap"), 3) << out;
  EXPECT_TRUE(err.contains("known machines: wasp")) << err;
  fs::create_directories(home + "/c");
  const std::string earlier = home + "/share/streams/" + device + "/1";
  ASSERT_EQ(on("c", "remote add nas dir:" + home + "/share --as cat"), 0) << err;
  for (const bool complete : {false, true}) {
    fs::rename(complete ? home + "/aside" : earlier, complete ? earlier : home + "/aside");
    ASSERT_EQ(on("c", "sync"), 0) << err;
    EXPECT_FALSE(err.contains("two machines")) << err;
    ASSERT_EQ(on("c", "machine list"), 0) << err;
    EXPECT_TRUE(times(out, "wasp") == 1 && times(out, "laptop") == 1 && times(out, device.substr(0, 8)) == 1) << out;
  }
  fs::create_directories(home + "/d");
  ASSERT_EQ(on("d", "remote add nas dir:" + home + "/share --as dog"), 0) << err;
  ASSERT_EQ(on("d", "sync"), 0) << err;
  EXPECT_TRUE(times(out, "wasp") == 1 && times(out, "laptop") == 1) << out;
  EXPECT_FALSE(err.contains("two machines")) << err;
}

TEST_F(SyncNames, NewerOfTwoNamesIsShownAndBothAreAccepted) {
  put_session_of_b();
  for (const auto& [remote, name] : {std::pair("usb", "cub"), std::pair("nas", "wasp")}) {
    const std::string folder = home + "/" + remote;
    fs::create_directories(folder);
    for (const std::string which : {"b", "a"}) {
      ASSERT_EQ(on(which, std::string("remote add ") + remote + " dir:" + folder + " --as " +
                              (which == "b" ? name : "laptop")),
                0)
          << err;
      ASSERT_TRUE(which == "a" || on("b", std::string("remote share src/copy --with ") + remote) == 0) << err;
      ASSERT_EQ(on(which, std::string("sync ") + remote), 0) << err;
    }
  }
  ASSERT_EQ(on("a", "machine list"), 0) << err;
  EXPECT_TRUE(out.contains("wasp") && !out.contains("cub")) << out;
  for (const std::string name : {"all", "wasp", "cub"}) {
    ASSERT_EQ(on("a", "ls --machine " + name), 0) << err;
    EXPECT_TRUE(times(out, inner) == 1 && !out.contains("cub")) << name << out;
  }
}

TEST_F(SyncNames, RejectsPairingWithItself) {
  share_from_a();
  ASSERT_EQ(on("a", "remote check nas --json"), 0) << err;
  const std::string device = JsonView(out).find("streams").elements().begin()->value.find("device").as_string().value();
  for (const std::string& name : {std::string("laptop"), device.substr(0, 6)})
    for (const std::string how : {"pair", "remote trust", "remote revoke", "--dry-run pair"}) {
      EXPECT_EQ(on("a", how + " nas " + name), 2) << how << out;
      EXPECT_TRUE(err.contains(name + " is this machine; name the other one")) << err;
    }
  EXPECT_EQ(on("a", "pair nas nobody"), 3) << out;
  EXPECT_TRUE(err.contains("no device nobody was seen at nas")) << err;
}

TEST_F(SyncNames, ForgetNamesTheMachineThatHasTheSession) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_FALSE(fs::exists(home + "/b/.local/share/holdfast/archive"));
  for (const std::string how : {" --dry-run", " --yes"}) {
    EXPECT_EQ(on("b", "forget " + id + how), 3) << out;
    EXPECT_TRUE(err.contains("laptop has it")) << err;
    EXPECT_FALSE(err.contains("archive")) << err;
  }
  // To forget a session of this machine creates the archive, to record that it must not be captured.
  put(home + "/b/.claude/projects/-copy/" + inner + ".jsonl",
      R"({"type":"user","uuid":"n0","parentUuid":null,"sessionId":"s","cwd":"/w","timestamp":"2026-01-01T00:00:00Z",)"
      R"("message":{"role":"user","content":"on b"}})"
      "\n");
  EXPECT_EQ(on("b", "forget " + inner + " --yes"), 0) << err;
  EXPECT_EQ(on("b", "archive run"), 0) << err;
  EXPECT_EQ(on("b", "archive versions " + inner), 3) << out;
}

TEST_F(SyncNames, ForgetNamesBlobsButNotSharedStoreFiles) {
  const std::string png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  ASSERT_EQ(on("a", R"(call session.create '{"id":"own1"}')"), 0) << err;
  ASSERT_EQ(on("a", R"(call message.append '{"session":"own1","message":{"role":"user","blocks":[{"type":"image",)"
                    R"("media_type":"image/png","data":")" +
                        png + R"("}]}}')"),
            0)
      << err;
  ASSERT_EQ(on("a", "archive run"), 0) << err;
  ASSERT_EQ(on("a", "forget own1 --yes --json"), 0) << err;
  const std::string named(JsonView(out).find("out_of_reach").raw());
  EXPECT_TRUE(named.contains("/messages.jsonl") && named.contains("/blobs/")) << named;
  EXPECT_FALSE(named.contains("/FORMAT") || named.contains("project.json")) << named;
}

}  // namespace
}  // namespace holdfast::inline v1
