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

}  // namespace
}  // namespace holdfast::inline v1
