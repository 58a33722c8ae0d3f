// What one machine forgets is also gone from the person's other machines: from what they show and from every byte that
// Holdfast keeps there.
#include "source/compressed.h"
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncForget : TwoMachines {
  const std::string text = "SYNCSECRET55";

  void SetUp() override {
    TwoMachines::SetUp();
    record({"please list the files", "the password is " + text, "and now count them"});
  }
  void join_and_read() {
    ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
  }
  void pair() {
    ASSERT_EQ(on("a", "pair nas tower --json"), 0) << err;
    const std::string code = field({"code"});
    ASSERT_EQ(on("b", "pair nas laptop --code " + code), 0) << err;
    ASSERT_EQ(on("a", "pair nas tower --code " + code), 0) << err;
  }
  // Another session of the same project on machine a.
  const std::string other = "dddddddd-0000-4000-8000-000000000002";
  void record_other(const std::string& prompt) {
    put(home + "/a/.claude/projects/-thing/" + other + ".jsonl",
        R"({"type":"user","uuid":"o1","parentUuid":null,"sessionId":")" + other + R"(","cwd":")" + home +
            R"(/a/src/thing","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":")" + prompt +
            "\"}}\n");
  }
  void share_as(const std::string& policy) {
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share src/thing --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
  }
  std::string pending() const { return home + "/a/.local/share/holdfast/sync/remotes/nas/pending.json"; }
  // A first sync that saves its segment and cannot send it.
  void share_and_fail() {
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
    put(home + "/share/chunks", "not a folder");
    ASSERT_NE(on("a", "sync"), 0) << out;
    ASSERT_TRUE(fs::exists(pending())) << err;
    fs::remove(home + "/share/chunks");
  }
  // Returns the file below that contains `wanted`, as it is or in one of its zstd frames; empty if none.
  std::string file_containing(const std::string& below, const std::string& wanted) const {
    static const std::string kMagic = "\x28\xB5\x2F\xFD";
    if (!fs::exists(home + "/" + below)) return {};
    for (const auto& entry : fs::recursive_directory_iterator(home + "/" + below)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      bool found = bytes.contains(wanted);
      for (std::size_t at = bytes.find(kMagic); at != std::string::npos && !found; at = bytes.find(kMagic, at + 1))
        found = decompress_zstd(std::string_view(bytes).substr(at), 1 << 24).value_or("").contains(wanted);
      if (found) return entry.path().string();
    }
    return {};
  }
};

TEST_F(SyncForget, ForgottenLineIsErasedFromPairedMachineAndRemote) {
  share_from_a();
  join_and_read();
  pair();
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  ASSERT_TRUE(out.contains(text)) << out;
  ASSERT_NE(file_containing("b/.local", text), "");
  ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("already been read by: tower")) << out;
  EXPECT_EQ(file_containing("share", text), "");
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_EQ(file_containing("b/.local", text), "");
  EXPECT_EQ(file_containing("b/.cache", text), "");
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_FALSE(out.contains(text)) << out;
  EXPECT_TRUE(out.contains("and now count them")) << out;
  // The text stays away, and later messages arrive.
  ASSERT_EQ(on("a", "sync --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("sent":{"sessions":0,"withdrawn":0,"segments":0)")) << out;
  record({"please list the files", "the password is " + text, "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("one more thing") && !out.contains(text)) << out;
  EXPECT_EQ(file_containing("b/.local", text), "");
}

// The first words of a session are in the list, and so in what is published of it.
TEST_F(SyncForget, ForgottenTitleIsErasedFromSegmentsAndLists) {
  record({"the password is " + text, "and now count them"});
  share_from_a();
  join_and_read();
  pair();
  ASSERT_NE(file_containing("share/streams", text), "");
  ASSERT_EQ(on("b", "ls --machine laptop"), 0) << err;
  ASSERT_TRUE(out.contains(text)) << out;
  ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 0) << err;
  EXPECT_TRUE(out.contains("/sync/remotes/nas/published/1/log.jsonl, until the next holdfast sync\n")) << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_EQ(file_containing("share", text), "");
  EXPECT_EQ(file_containing("a/.local", text), "");
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_EQ(file_containing("b/.local", text), "");
  EXPECT_EQ(file_containing("b/.cache", text), "");
  ASSERT_EQ(on("b", "ls --machine laptop --json"), 0) << err;
  EXPECT_TRUE(out.contains(id) && !out.contains(text)) << out;
}

// The home is a copy and has an epoch of its own. What it published before it was copied is in a second log.
TEST_F(SyncForget, ForgottenTitleIsErasedFromLogsOfEarlierEpochs) {
  record({"the password is " + text, "and now count them"});
  share_from_a();
  ASSERT_EQ(sh("cp -a $HOME/a $HOME/c"), 0) << err;
  record({"the password is " + text, "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("c", "sync"), 0) << err;
  ASSERT_TRUE(err.contains("epoch 2 follows epoch 1")) << err;
  ASSERT_TRUE(file_containing("c/.local", text).contains("/c/.local/share/holdfast/")) << file_containing("c", text);
  ASSERT_EQ(on("c", "forget --match " + text + " --yes"), 0) << err;
  ASSERT_EQ(on("c", "sync"), 0) << err;
  EXPECT_EQ(file_containing("c/.local", text), "");
  EXPECT_EQ(file_containing("share/streams", text), "");
}

// The remote has fewer segments than this home published, so nothing can be published in that epoch any more.
TEST_F(SyncForget, ForgottenTitleIsErasedFromLogOfEpochThatWasRestored) {
  for (const std::string& what : {id, "--match " + text}) {
    record({"the password is " + text, "and now count them"});
    record_other("something else");
    share_as("full");
    ASSERT_EQ(sh("cp -a $HOME/share $HOME/snapshot"), 0) << err;
    record({"the password is " + text, "and now count them", "one more thing"});
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_EQ(sh("rm -rf $HOME/share && mv $HOME/snapshot $HOME/share"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_TRUE(err.contains("epoch 2 follows epoch 1")) << err;
    ASSERT_EQ(on("a", "forget " + what + " --yes"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_EQ(file_containing("a/.local", text), "") << what;
    EXPECT_FALSE(is_there(text)) << what;
    ASSERT_EQ(sh("rm -rf $HOME/a/.local $HOME/share && mkdir $HOME/share"), 0) << err;
  }
}

TEST_F(SyncForget, ForgottenLineIsErasedFromRedactedCopy) {
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy redacted"), 0) << err;
  record({"please list the files", "a word like " + text + " that is no secret by its shape", "and now count them"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  join_and_read();
  pair();
  ASSERT_NE(file_containing("b/.local", text), "");
  ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("already been read by: tower")) << out;
  EXPECT_EQ(file_containing("a/.local", text), "");
  EXPECT_EQ(file_containing("share", text), "");
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_EQ(file_containing("b/.local", text), "");
  ASSERT_EQ(on("a", "sync --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("sent":{"sessions":0,"withdrawn":0,"segments":0)")) << out;
}

// A sync was interrupted after it had stored a redacted copy, and before a line named it.
TEST_F(SyncForget, ForgottenLineIsErasedFromInterruptedRedactedCopy) {
  share_as("redacted");
  const std::string redacted = home + "/a/.local/share/holdfast/sync/remotes/nas/redacted";
  ASSERT_EQ(sh("cp " + redacted + "/log.jsonl $HOME/before.jsonl"), 0) << err;
  record({"please list the files", "a word like " + text + " that is no secret by its shape", "and now count them"});
  ASSERT_EQ(sh("mv $HOME/share/chunks $HOME/chunks"), 0) << err;
  put(home + "/share/chunks", "not a folder");
  ASSERT_NE(on("a", "sync"), 0) << out;
  ASSERT_EQ(sh("rm $HOME/share/chunks && mv $HOME/chunks $HOME/share/chunks"), 0) << err;
  ASSERT_EQ(sh("cp $HOME/before.jsonl " + redacted + "/log.jsonl"), 0) << err;
  ASSERT_TRUE(file_containing("a/.local/share/holdfast/sync", text).contains("/redacted/packs/"));
  ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_EQ(file_containing("a/.local", text), "");
  EXPECT_FALSE(is_there(text));
}

// A sync that withdraws one session publishes those in the same segment again, and what they replace is erased then or
// later with the rest, however it was replaced.
TEST_F(SyncForget, ReplacedChunksAreErasedAlthoughAnotherSessionIsWithdrawn) {
  const std::string words = "a word like " + text + " that is no secret by its shape";
  for (const std::string policy : {"redacted", "full"}) {
    record({words, "and now count them"});
    record_other("something else");
    share_as(policy);
    ASSERT_TRUE(is_there(text));
    // A redacted copy is always written again as a whole; of a full one, only a file that its agent has rewritten.
    record(policy == "full" ? std::vector<std::string>{"the agent rewrote " + words}
                            : std::vector<std::string>{words, "and now count them", "one more thing"});
    ASSERT_EQ(on("a", "forget " + other + " --yes"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_TRUE(is_there(text)) << policy;
    ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_TRUE(out.contains("withdrew 1")) << out;
    EXPECT_FALSE(is_there(text)) << policy;
    ASSERT_EQ(sh("rm -rf $HOME/a/.local $HOME/share && mkdir $HOME/share"), 0) << err;
  }
}

// The project's path is in the rows, which are lines of segments.
TEST_F(SyncForget, ForgottenProjectIsErasedFromSegments) {
  share_from_a();
  ASSERT_TRUE(is_there("a/src/thing"));
  ASSERT_EQ(on("a", "forget --match a/src/thing --yes"), 0) << out << err;
  ASSERT_EQ(on("a", "sync"), 0) << out << err;
  EXPECT_FALSE(is_there("a/src/thing"));
}

// What an interrupted sync was about to send is not sent by the next one without asking again.
TEST_F(SyncForget, UnsharedMeanwhileIsNeverSent) {
  share_and_fail();
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_FALSE(out.contains("sent 1") || out.contains("withdrew")) << out;
  EXPECT_NE(sh("find $HOME/share/streams -type f | grep ."), 0) << out;
  EXPECT_FALSE(is_there("list the files"));
  EXPECT_FALSE(fs::exists(pending()));
}

TEST_F(SyncForget, ForgottenMeanwhileIsNeverSent) {
  record({"the password is " + text, "and now count them"});
  share_and_fail();
  ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session")) << out;
  EXPECT_FALSE(out.contains("erased")) << out << "it never was there";
  EXPECT_FALSE(is_there(text));
  EXPECT_TRUE(is_there("count them"));
  EXPECT_EQ(file_containing("a/.local", text), "");
  // The one segment that was sent is the one without the text.
  EXPECT_NE(sh("find $HOME/share/streams -name '*.stub' | grep ."), 0) << out;
  EXPECT_FALSE(fs::exists(pending()));
}

// On the machine that read the session, without an archive.
TEST_F(SyncForget, ReceivedSessionCanBeForgottenHere) {
  share_from_a();
  join_and_read();
  ASSERT_FALSE(fs::exists(home + "/b/.local/share/holdfast/archive"));
  for (const char* const how : {" --dry-run", " --yes"})
    EXPECT_EQ(on("b", std::string("forget --match zzzz") + how), 1) << out;
  ASSERT_EQ(on("b", "forget --match " + text + " --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("of laptop")) << out;
  ASSERT_NE(file_containing("b/.local", text), "");
  ASSERT_EQ(on("b", "forget --match " + text + " --yes"), 0) << err;
  EXPECT_TRUE(out.contains("removed here: claude-code/" + id + " of laptop\n")) << out;
  EXPECT_TRUE(out.contains("still on laptop")) << out;
  EXPECT_FALSE(out.contains("/packs/")) << out;
  EXPECT_EQ(file_containing("b/.local", text), "");
  EXPECT_EQ(file_containing("b/.cache", text), "");
  // The text does not come back, whatever is added there.
  record({"please list the files", "the password is " + text, "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_EQ(file_containing("b/.local", text), "");
  EXPECT_EQ(on("b", "ls --machine laptop --json"), 1) << out;
  // The same with an archive.
  put(home + "/b/.claude/projects/-copy/x.jsonl", "");
  on("b", "archive run");
  ASSERT_TRUE(fs::exists(home + "/b/.local/share/holdfast/archive")) << err;
  EXPECT_EQ(on("b", "forget --match " + text + " --yes"), 1) << err;
  EXPECT_FALSE(out.contains("/packs/")) << out;
}

// The machine has the session itself, and another copy of it from a machine that shares it.
TEST_F(SyncForget, ReceivedCopyOfForgottenSessionIsForgottenToo) {
  share_from_a();
  join_and_read();
  put(home + "/b/.claude/projects/-copy/" + id + ".jsonl",
      R"({"type":"user","uuid":"u0","parentUuid":null,"sessionId":")" + id +
          R"(","cwd":"/p","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"mine"}})"
          "\n");
  ASSERT_EQ(on("b", "archive run"), 0) << err;
  ASSERT_NE(file_containing("b/.local", text), "");
  ASSERT_EQ(on("b", "forget cccccccc --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("came from other machines: claude-code/" + id + " of laptop")) << out;
  ASSERT_NE(file_containing("b/.local", text), "");
  ASSERT_EQ(on("b", "forget cccccccc --yes"), 0) << err;
  EXPECT_TRUE(out.contains("removed here: claude-code/" + id + " of laptop\n")) << out;
  EXPECT_TRUE(out.contains("still on laptop")) << out;
  record({"please list the files", "the password is " + text, "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(file_containing("b/.local", text), "");
    EXPECT_EQ(file_containing("b/.cache", text), "");
    EXPECT_EQ(on("b", "ls --machine laptop --json"), 1) << out;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  }
}

// What is erased before it was withdrawn is not said to be forgotten.
TEST_F(SyncForget, ErasureNamesPairedMachinesThatLearnNothing) {
  share_from_a();
  join_and_read();
  pair();
  ASSERT_EQ(on("a", "remote remove nas --erase --dry-run"), 0) << err;
  EXPECT_FALSE(out.contains("paired")) << out;
  ASSERT_EQ(on("a", "forget cccccccc --yes"), 0) << err;
  ASSERT_EQ(on("a", "remote remove nas --erase --dry-run"), 0) << err;
  EXPECT_TRUE(
      out.contains("paired machines (tower) do not learn that 1 session is forgotten or no longer shared here: "
                   "to tell them, run holdfast sync nas first, and then on them"))
      << out;
  ASSERT_EQ(on("a", "remote remove nas --erase --yes"), 0) << err;
  EXPECT_TRUE((out + err).contains("to tell them, add the remote again and run holdfast sync")) << out << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_NE(file_containing("b/.local", text), "");
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_EQ(file_containing("b/.local", text), "");
}

// What says that it is gone is erased before the other machine has read it.
TEST_F(SyncForget, ErasureNamesPairedMachinesThatHaveNotReadYet) {
  share_from_a();
  join_and_read();
  pair();
  ASSERT_EQ(on("a", "forget cccccccc --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const std::string warning =
      "paired machines (tower) may not have read yet what is forgotten or no longer shared here";
  ASSERT_EQ(on("a", "remote remove nas --erase --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains(warning)) << out;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote remove nas --erase --dry-run"), 0) << err;
  EXPECT_FALSE(out.contains("paired")) << out;
  EXPECT_EQ(file_containing("b/.local", text), "");
}

// What cannot be found out is not said to be nothing.
TEST_F(SyncForget, ErasureSaysThatItIsNotKnownWhatPairedMachinesLearn) {
  share_from_a();
  join_and_read();
  pair();
  put(home + "/a/.local/share/holdfast/archive/forgotten.json", "{");
  ASSERT_EQ(on("a", "remote remove nas --erase --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("paired machines (tower) may not learn what is forgotten or no longer shared here")) << out;
}

// An unset variable in a script. An empty text is in everything.
TEST_F(SyncForget, EmptyTextForgetsNothing) {
  share_from_a();
  join_and_read();
  ASSERT_EQ(on("b", "session create --id mine-1 --title plain"), 0) << err;
  ASSERT_EQ(on("b", "rename mine-1 kept"), 0) << err;
  const auto refused = [&](const std::string& command, const std::string& message) {
    EXPECT_EQ(on("b", command), 2) << command << out << err;
    EXPECT_TRUE(err.contains(message)) << command << err;
    ASSERT_EQ(on("b", "ls"), 0) << err;
    EXPECT_TRUE(out.contains("kept")) << command << out;
    ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
    EXPECT_TRUE(out.contains(text)) << command << out;
  };
  for (const bool archive : {false, true}) {
    if (archive) {
      put(home + "/b/.claude/projects/-copy/" + other + ".jsonl",
          R"({"type":"user","uuid":"o1","parentUuid":null,"sessionId":")" + other +
              R"(","cwd":"/p","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"mine"}})"
              "\n");
      ASSERT_EQ(on("b", "archive run"), 0) << err;
    }
    for (const std::string how : {" --yes", " --dry-run"}) {
      refused("forget --match ''" + how, "--match must not be empty");
      refused("forget ''" + how, "ID must not be empty");
      refused("forget" + how, "name a session, or a text with --match");
      refused("forget claude-code/" + how, "name a session, or a text with --match");
    }
    refused(R"(call session.forget '{"id":"dddddddd","match":""}')", "match must not be empty");
    refused(R"(call session.forget '{"id":"","match":"x"}')", "id must not be empty");
    refused(R"(call session.forget '{"id":"dddddddd","match":"x"}')", "name a session, or a text with --match");
  }
  ASSERT_EQ(on("b", "show dddddddd"), 0) << err;
  EXPECT_FALSE(Shell::text("b/.local/share/holdfast/archive/forgotten.json").contains(other));
}

}  // namespace
}  // namespace holdfast::inline v1
