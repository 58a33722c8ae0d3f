// What goes to a remote as `redacted`, through the command line: every byte there is checked, packed or not.
#include "archive/chunk.h"
#include "base/hash.h"
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct Redacted : TwoMachines {
  const std::string token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const std::string title = "Planted title of the session";
  const std::string picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJPLANTEDpicture";

  // A session with a secret, paths, a title and a picture in it.
  void SetUp() override {
    TwoMachines::SetUp();
    const std::string common = R"("sessionId":")" + id + R"(","cwd":")" + home +
                               R"(/a/src/thing","gitBranch":"planted-branch","timestamp":"2026-01-01T00:00:00Z")";
    put(home + "/a/.claude/projects/-thing/" + id + ".jsonl",
        R"({"type":"custom-title","customTitle":")" + title + R"(","sessionId":")" + id + "\"}\n" +
            R"({"type":"user","uuid":"u0","parentUuid":null,)" + common +
            R"(,"message":{"role":"user","content":[{"type":"text","text":"why does login fail with )" + token +
            " in " + home +
            R"(/a/src/thing/planted_file.cc"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":")" +
            picture + "\"}}]}}\n" + R"({"type":"assistant","uuid":"u1","parentUuid":"u0",)" + common +
            R"(,"message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_planted","name":"Read","input":{"file_path":"planted_file.cc"}}]}})"
            "\n" +
            R"({"type":"user","uuid":"u2","parentUuid":"u1",)" + common +
            R"(,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_planted","content":"12: the clock is wrong, see src/planted_dir"}]}})"
            "\n" +
            R"({"type":"assistant","uuid":"u3","parentUuid":"u2",)" + common +
            R"(,"message":{"id":"m3","role":"assistant","model":"m","content":[{"type":"text","text":"The clock is wrong."}]}})"
            "\n");
  }
  // Returns all bytes of the remote, as stored and unpacked.
  std::string everything() const {
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/share")) {
      all += entry.path().string().substr(home.size()) + "\n";
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      all += bytes + "\n";
      for (std::size_t at = 0; at < bytes.size(); ++at) {
        const auto header = read_chunk_header(std::string_view(bytes).substr(at));
        if (!header) continue;
        const auto plain = unpack_chunk(*header, std::string_view(bytes).substr(at + kChunkHeaderBytes));
        if (plain) all += *plain + "\n";
      }
    }
    return all;
  }
  void expect_clean(const std::string& all) const {
    for (const std::string& planted : {token, title, picture, id, home + "/a", std::string("planted"),
                                       std::string("Planted"), std::string("PLANTED"), std::string("src/thing"),
                                       std::string("me/thing"), std::string("-thing"), sha256_hex(picture)})
      EXPECT_FALSE(all.contains(planted)) << planted;
  }
};

TEST_F(Redacted, SharesTextWithoutSecretsPathsOrPictures) {
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session")) << out;
  const std::string all = everything();
  EXPECT_TRUE(all.contains("why does login fail with [redacted: GitHub token] in [path]")) << "it is looked at";
  EXPECT_TRUE(all.contains("The clock is wrong.")) << all.size();
  expect_clean(all);
  ASSERT_EQ(on("a", "sync --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("sent":{"sessions":0,)")) << "nothing new" << out;
  // A reader sees what was said.
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "ls --machine laptop --json"), 0) << err;
  const std::string alias =
      JsonView(out).find("sessions").elements().begin()->value.find("id").as_string().value_or("");
  ASSERT_TRUE(alias.starts_with("ses_")) << out;
  ASSERT_EQ(on("b", "show " + alias + " --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("why does login fail") && out.contains("[image left out]") &&
              out.contains("The clock is wrong"))
      << out;
  ASSERT_EQ(on("b", "search clock --machine laptop"), 0) << err;
}

// Nobody said what an agent adds by itself.
TEST_F(Redacted, ContextAddedByTheAgentIsNotShared) {
  const std::string common =
      R"(,"sessionId":")" + id + R"(","cwd":")" + home + R"(/a/src/thing","timestamp":"2026-01-01T00:00:09Z")";
  std::ofstream(home + "/a/.claude/projects/-thing/" + id + ".jsonl", std::ios::app)
      << R"({"type":"user","isMeta":true,"uuid":"u4","parentUuid":"u3")" + common +
             R"(,"message":{"role":"user","content":"<system-reminder>Contents of CLAUDE.md: planted</system-reminder>"}})"
             "\n"
      << R"({"type":"user","uuid":"u5","parentUuid":"u4")" + common +
             R"(,"message":{"role":"user","content":"the last question"}})"
             "\n";
  std::ofstream(home + "/a/.claude/projects/-thing/" + id + ".jsonl", std::ios::app)
      << R"({"type":"user","uuid":"u6","parentUuid":"u5")" + common +
             R"(,"message":{"role":"user","content":[{"type":"text","text":"<ide_selection>planted lines</ide_selection>"},)"
             R"({"type":"text","text":"<system-reminder>\nplanted note\n</system-reminder>\nasked after all\n<system-reminder>planted"}]}})"
             "\n"
      << R"({"type":"assistant","uuid":"u7","parentUuid":"u6")" + common +
             R"(,"message":{"id":"m7","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_7","name":"Bash","input":{"command":"date"}}]}})"
             "\n"
      << R"({"type":"user","uuid":"u8","parentUuid":"u7")" + common +
             R"(,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_7","content":"Thursday\n\n<system-reminder>planted rules</system-reminder>\n"}]}})"
             "\n";
  put(home + "/a/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-eeeeeeee-0000-4000-8000-000000000005.jsonl",
      R"({"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"eeeeeeee-0000-4000-8000-000000000005","timestamp":"2026-01-01T00:00:00Z","cwd":")" +
          home + R"(/a/src/thing"}})" + "\n" +
          R"({"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>planted tree</environment_context>"}]}})" +
          "\n" +
          R"({"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"asked of the other agent"}]}})" +
          "\n");
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 2 sessions")) << out;
  const std::string all = everything();
  EXPECT_TRUE(all.contains("the last question") && all.contains("asked of the other agent"));
  EXPECT_TRUE(all.contains(R"("text":"asked after all")") && all.contains("Thursday"));
  expect_clean(all);
  EXPECT_FALSE(all.contains("ide_selection"));
  EXPECT_FALSE(all.contains("environment_context") || all.contains("system-reminder"));
}

TEST_F(Redacted, EncryptedRemoteContainsNothingMore) {
  share_from_a("--encrypt");
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  expect_clean(everything());
  // Decrypted, on a machine that has the key and everything that is there.
  ASSERT_EQ(
      sh("cd $HOME/b && echo " + phrase + " | env HOME=$HOME/b $H remote add nas dir:" + home + "/share --recover -"),
      0)
      << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(sh("cd $HOME/b && env HOME=$HOME/b $H export $(env HOME=$HOME/b $H ls --machine all --json | grep -o "
               "'ses_[0-9a-f]*' "
               "| head -1) --machine all --format json"),
            0)
      << err;
  EXPECT_TRUE(out.contains("The clock is wrong.")) << out;
  for (const std::string& planted : {token, title, std::string("planted"), std::string("PLANTED")})
    EXPECT_FALSE(out.contains(planted)) << planted;
}

TEST_F(Redacted, NarrowingPolicyErasesFullDataAndNamesReaders) {
  share_from_a();
  EXPECT_TRUE(everything().contains(token));
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy redacted"), 0) << err;
  EXPECT_TRUE(out.contains("erases what was shared in full")) << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("erased data had already been read by: tower")) << out;
  expect_clean(everything());
  EXPECT_TRUE(everything().contains("The clock is wrong."));
  // Unsharing removes the rest.
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_FALSE(everything().contains("clock"));
}

// The full copy takes the place of the redacted one, also on a machine that is not paired.
TEST_F(Redacted, WideningPolicyReplacesTheRedactedCopy) {
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "search clock --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains("ses_")) << out;
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy full"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_TRUE(out.contains("received 1 session") && !out.contains("no longer shared")) << out;
  ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"total\":1,") && out.contains(id) && !out.contains("ses_")) << out;
  ASSERT_EQ(on("b", "stats --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("total":{"sessions":1,)") && !out.contains(R"("prompts":2)")) << out;
}

// A machine that is not paired keeps the full copy that it has read. It is the same session.
TEST_F(Redacted, NarrowedSessionIsListedOnce) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"total\":1,") && out.contains(id) && !out.contains("ses_")) << out;
  ASSERT_EQ(on("b", "stats --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("total":{"sessions":1,)")) << out;
  ASSERT_EQ(on("b", "search clock --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("sessions":1,)") && !out.contains("ses_")) << out;
  // What is said since then is only in the redacted copy, which now represents it.
  std::ofstream(home + "/a/.claude/projects/-thing/" + id + ".jsonl", std::ios::app)
      << R"({"type":"user","uuid":"u9","parentUuid":"u3","sessionId":")" << id << R"(","cwd":")" << home
      << R"(/a/src/thing","timestamp":"2026-02-01T00:00:09Z","message":{"role":"user","content":"said afterwards"}})"
      << "\n";
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"total\":1,") && out.contains("ses_") && !out.contains(id)) << out;
  ASSERT_EQ(on("b", "search afterwards --machine all"), 0) << out << err;
  // The full copy is still here, for whoever asks for it.
  for (const char* const machine : {"laptop", "all"}) {
    ASSERT_EQ(on("b", "show cccccccc --machine " + std::string(machine)), 0) << err;
    EXPECT_TRUE(out.contains(token) && !out.contains("said afterwards")) << out;
    EXPECT_TRUE(err.contains("its machine shares this session in another form by now")) << err;
  }
  ASSERT_EQ(on("b", "ls --machine laptop --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"total\":1,") && !out.contains(id)) << "lists stay as they are" << out;
}

// A copy that lists leave out is meant only if no listed one is, or by its whole id.
TEST_F(Redacted, CopyThatListsLeaveOutMakesNoIdAmbiguous) {
  int said = 0;
  const auto say = [&](const std::string& machine, const std::string& session, const std::string& project,
                       const std::string& prompt) {
    const std::string path = home + "/" + machine + "/.claude/projects/-" + project + "/" + session + ".jsonl";
    fs::create_directories(fs::path(path).parent_path());
    fs::create_directories(home + "/" + machine + "/src/" + project);
    std::ofstream log(path, std::ios::app);
    log << R"({"type":"user","uuid":")" << prompt << R"(","parentUuid":null,"sessionId":")" << session;
    log << R"(","cwd":")" << home << "/" << machine << "/src/" << project;
    log << R"(","timestamp":"2026-03-01T00:00:0)" << said++ << R"(Z","message":{"role":"user","content":")";
    log << prompt << "\"}}\n";
  };
  const auto share = [&](const std::string& machine, const std::string& project, const std::string& policy) {
    ASSERT_EQ(on(machine, "remote share src/" + project + " --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on(machine, "sync"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  };
  const std::string beside = "cccccccd-0000-4000-8000-000000000002";
  say("c", id, "mine", "another-beginning");
  say("c", beside, "beside", "listed-beside-it");
  for (const auto& [which, name] : {std::pair("a", "laptop"), std::pair("b", "tower"), std::pair("c", "third")})
    ASSERT_EQ(on(which, "remote add nas dir:" + home + "/share --as " + name), 0) << err;
  share("c", "mine", "full");
  share("c", "beside", "full");
  say("c", id, "mine", "said-afterwards");
  share("c", "mine", "redacted");
  // Before another machine lists a session of that id, a part of it is enough.
  ASSERT_EQ(on("b", "show cccccccc --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("another-beginning") && err.contains("in another form by now")) << out << err;
  ASSERT_EQ(on("b", "show ccccccc --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("listed-beside-it") && !err.contains("in another form by now")) << out << err;
  share("a", "thing", "full");
  for (const std::string& name : {id, std::string("cccccccc")}) {
    ASSERT_EQ(on("b", "show " + name + " --machine all"), 0) << err;
    EXPECT_TRUE(out.contains("The clock is wrong") && !err.contains("in another form by now")) << out << err;
  }
  ASSERT_EQ(on("b", "show " + id + " --machine third"), 0) << err;
  EXPECT_TRUE(out.contains("another-beginning") && err.contains("in another form by now")) << out << err;
}

// The copy that is kept is in an earlier epoch than the one that represents it.
TEST_F(Redacted, SessionInTwoFormsOfTwoEpochsIsListedOnce) {
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  std::string forms[] = {"full", "redacted", "full"};
  for (const std::string& policy : forms) {
    (void)on("a", "remote remove nas --yes");
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share src/thing --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
    EXPECT_TRUE(out.contains("\"total\":1,") && out.contains(id) && !out.contains("ses_")) << policy << out;
    ASSERT_EQ(on("b", "machine list --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("sessions":1,"here":1,)")) << policy << out;
    ASSERT_EQ(on("b", "sync status"), 0) << err;
    EXPECT_TRUE(out.contains("laptop  1 session, 1 here")) << policy << out;
  }
}

TEST_F(Redacted, NewerRedactedCopyOfAnotherEpochIsListed) {
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  for (const std::string policy : {"full", "redacted"}) {
    (void)on("a", "remote remove nas --yes");
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share src/thing --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
    EXPECT_TRUE(out.contains("\"total\":1,") && out.contains("ses_") == (policy == "redacted")) << policy << out;
    std::ofstream(home + "/a/.claude/projects/-thing/" + id + ".jsonl", std::ios::app)
        << R"({"type":"user","uuid":"u9","parentUuid":"u3","sessionId":")" << id << R"(","cwd":")" << home
        << R"(/a/src/thing","timestamp":"2026-02-01T00:00:09Z","message":{"role":"user","content":"said afterwards"}})"
        << "\n";
  }
  ASSERT_EQ(on("b", "show " + id + " --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains(token) && !out.contains("said afterwards")) << out;
  EXPECT_TRUE(err.contains("its machine shares this session in another form by now")) << err;
}

// A machine that joins when the full copy is gone has only the redacted one, and then both again.
TEST_F(Redacted, WidenedInAnotherEpochIsListedOnce) {
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  for (const std::string policy : {"redacted", "full"}) {
    (void)on("a", "remote remove nas --yes");
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share src/thing --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
    EXPECT_TRUE(out.contains("\"total\":1,") && out.contains("ses_") == (policy == "redacted")) << policy << out;
  }
}

TEST_F(Redacted, UnshareErasesEarlierEpochs) {
  share_from_a();
  fs::copy(home + "/a/.local", home + "/backup", fs::copy_options::recursive);
  const std::string log = home + "/a/.claude/projects/-thing/" + id + ".jsonl";
  std::ofstream(log, std::ios::app)
      << R"({"type":"user","uuid":"u4","parentUuid":"u3","sessionId":")" << id << R"(","cwd":")" << home
      << R"(/a/src/thing","timestamp":"2026-01-01T00:00:09Z","message":{"role":"user","content":"the second epoch"}})"
      << "\n";
  ASSERT_EQ(on("a", "sync"), 0) << err;
  fs::remove_all(home + "/a/.local");
  fs::rename(home + "/backup", home + "/a/.local");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("epoch 2 follows epoch 1")) << err;
  EXPECT_TRUE(everything().contains("the second epoch"));
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const std::string all = everything();
  expect_clean(all);
  EXPECT_FALSE(all.contains("clock") || all.contains("second epoch"));
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "ls --machine all --json"), 1) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
