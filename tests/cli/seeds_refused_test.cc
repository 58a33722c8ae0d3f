// What the seeds' programs are refused, told and given back, each through its own door.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SeedsRefused : CliHome {
  int call(const std::string& method, const std::string& params, const std::string& store = {}) {
    std::ofstream(home + "/params") << params;
    return sh("$H call " + method + " @$HOME/params" + (store.empty() ? "" : " --store " + store));
  }
};

// ---- a refused request creates nothing

TEST_F(SeedsRefused, RejectedSessionCreatesNoStore) {
  EXPECT_EQ(call("session.create", R"({"id":"../x"})"), 2) << out;
  EXPECT_EQ(call("session.create", R"({"project":"relative"})"), 2) << out;
  EXPECT_EQ(call("session.create", R"({"parent":""})"), 2) << out;
  EXPECT_NE(call("session.import", R"({"text":"no session"})"), 0) << out;
  EXPECT_EQ(call("entry.append", R"({"project":"p","session":"s","entries":[5]})"), 4) << out;
  EXPECT_FALSE(std::filesystem::exists(home + "/.local/share/holdfast"));
  EXPECT_EQ(call("session.create", R"({"id":"s-1"})"), 0) << err;
  EXPECT_EQ(call("session.create", R"({"id":"../x"})"), 2) << out;
}

TEST_F(SeedsRefused, EmptyConfigurationCreatesNoStore) {
  EXPECT_EQ(sh("$H store configure '{}'"), 2) << out;
  EXPECT_TRUE(err.contains("settings is empty: there is nothing to set") ||
              err.contains("SETTINGS is empty: there is nothing to set"))
      << err;
  EXPECT_FALSE(std::filesystem::exists(home + "/.local/share/holdfast"));
}

// ---- settings

TEST_F(SeedsRefused, RejectsMisspelledSetting) {
  ASSERT_EQ(sh("mkdir .lopen"), 0);
  EXPECT_EQ(sh("$H store configure '{\"sesion_retention\":3}' --store lopen:."), 2) << out;
  EXPECT_TRUE(err.contains("there is no setting sesion_retention; did you mean session_retention?")) << err;
  EXPECT_EQ(text("desk/.lopen/config.json"), "");
  EXPECT_EQ(sh("$H store configure '{\"budget\":{\"warning_treshold\":0.5}}' --store lopen:."), 2) << out;
  EXPECT_TRUE(err.contains("did you mean budget.warning_threshold?")) << err;
  EXPECT_EQ(sh("$H store configure '{\"session_retention\":3,\"Session\":{\"AutoResume\":false}}' --store lopen:."), 0)
      << err;
  // An unknown setting in the file can be removed, whoever wrote it.
  ASSERT_EQ(sh("echo '{\"sesion_retention\": 3}' > .lopen/config.json && "
               "$H store configure '{\"sesion_retention\":null}' --store lopen:."),
            0)
      << err;
  EXPECT_FALSE(text("desk/.lopen/config.json").contains("sesion")) << text("desk/.lopen/config.json");
  // A native store also has Holdfast's own settings.
  const std::string native = " --store holdfast:$HOME/native";
  ASSERT_EQ(
      sh("$H store create" + native + " && $H store configure '{\"redact_inputs\":true,\"format\":\"yaml\"}'" + native),
      0)
      << err;
  EXPECT_EQ(sh("$H store configure '{\"redact_input\":true}'" + native), 2) << out;
}

// ---- specifications

TEST_F(SeedsRefused, DriftIgnoresCaseOfModule) {
  ASSERT_EQ(sh("mkdir -p .lopen docs/requirements/auth && printf '# A\\n\\n## B\\nx\\n' > "
               "docs/requirements/auth/SPECIFICATION.md && $H session start --module Auth --store lopen:. --json"),
            0)
      << err;
  const std::string id = field({"id"});
  ASSERT_EQ(sh("printf '# A\\n\\n## B\\ny\\n' > docs/requirements/auth/SPECIFICATION.md"), 0);
  for (const std::string module : {"auth", "Auth"}) {
    ASSERT_EQ(
        call("spec.drift", R"({"module":")" + module + R"(","session":")" + id + "\"}", "lopen:" + home + "/desk"), 0)
        << err;
    EXPECT_EQ(field({"drift", "known"}), "true") << module << out;
    EXPECT_TRUE(out.contains(R"("header":"B")")) << module << out;
  }
}

TEST_F(SeedsRefused, MissingSpecificationIsNotFound) {
  ASSERT_EQ(sh("mkdir -p .lopen docs/requirements && $H spec get nope --store lopen:."), 3) << out;
  EXPECT_TRUE(err.contains("module nope has no specification")) << err;
}

// ---- projects

TEST_F(SeedsRefused, ProjectAddChangesTheName) {
  for (const std::string layout : {"linggen", "holdfast"}) {
    const std::string store = " --store " + layout + ":$HOME/" + layout;
    ASSERT_EQ(sh("mkdir -p p && $H store create" + store + " && $H project add $PWD/p --name first" + store +
                 " && $H project add $PWD/p --name second" + store),
              0)
        << err;
    ASSERT_EQ(sh("$H project list --json" + store), 0) << err;
    EXPECT_TRUE(out.contains("\"second\"")) << layout << out;
    EXPECT_FALSE(out.contains("\"first\"")) << layout << out;
    ASSERT_EQ(sh("$H project add $PWD/p" + store + " && $H project list --json" + store), 0) << err;
    EXPECT_TRUE(out.contains("\"second\"")) << "a name that is not given changes nothing: " << layout << out;
  }
}

// ---- two layers

struct SeedsLayers : SeedsRefused {
  void SetUp() override {
    SeedsRefused::SetUp();
    ASSERT_EQ(sh("mkdir .git .claude && $H store create --store workflow:."), 0) << err;
  }
};

TEST_F(SeedsLayers, LearningWithListMarkIsNotDuplicated) {
  for (const std::string learning : {"- a thing", "a thing", "* a thing", "-x stays"})
    ASSERT_EQ(sh("$H memory learn --store workflow:. -- '" + learning + "'"), 0) << err;
  const std::string memory = text("desk/.claude/MEMORY.md");
  EXPECT_TRUE(memory.ends_with("\n\n- a thing\n- -x stays\n")) << memory;
}

TEST_F(SeedsLayers, RejectsUnknownProgress) {
  ASSERT_EQ(sh("$H initiative create foo --milestones '[\"M1\"]' --store workflow:."), 0) << err;
  const std::string before = text("desk/.claude/initiative.json");
  EXPECT_EQ(call("initiative.update", R"({"fields":{"progress":{"M1":"bogus"}}})", "workflow:" + home + "/desk"), 2)
      << out;
  EXPECT_TRUE(err.contains("the progress of M1 must be pending, in_progress or completed")) << err;
  EXPECT_EQ(text("desk/.claude/initiative.json"), before);
  EXPECT_EQ(call("initiative.update", R"({"fields":{"progress":{"M1":"completed"}}})", "workflow:" + home + "/desk"), 0)
      << err;
}

TEST_F(SeedsLayers, InitiativeIsReplacedOnlyWithForce) {
  ASSERT_EQ(sh("$H initiative create foo --milestones '[\"M1\"]' --store workflow:."), 0) << err;
  EXPECT_EQ(sh("$H initiative create bar --store workflow:."), 2) << out;
  EXPECT_TRUE(err.contains("an initiative is in progress: foo; use --force to replace it")) << err;
  ASSERT_EQ(sh("$H initiative create bar --force --store workflow:."), 0) << err;
  EXPECT_TRUE(
      err.contains("warning: the folder of the initiative foo stays, without a summary: "
                   "documentation/milestones/_active/foo\n"))
      << err;
  ASSERT_EQ(sh("$H initiative create bar --force --store workflow:."), 0) << err;
  EXPECT_FALSE(err.contains("stays")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
