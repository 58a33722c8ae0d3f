// Cached documents and assessments of a project (rows L10, L11, L14), and the workflow state saved in Holdfast's
// own sessions (L13, L19), as a user of the command line finds them.
#include "tests/cli/cli_testing.h"
#include "tests/cli/ordinary_user_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Caches : CliHome, testing::WithParamInterface<const char*> {
  void SetUp() override {
    CliHome::SetUp();
    ASSERT_EQ(sh("mkdir -p docs/requirements/auth src/auth && echo one > src/auth/a.c && echo two > src/auth/b.c && " +
                 (lopen() ? std::string("mkdir .lopen") : "$H store create" + store())),
              0)
        << err;
    write("short lives");
  }
  bool lopen() const { return std::string_view(GetParam()) == "lopen"; }
  std::string store() const { return lopen() ? " --store lopen:." : " --store holdfast:" + home + "/hf"; }
  std::string place() const { return store() + " --project ."; }
  std::string folder(const std::string& kind) const { return (lopen() ? "desk/.lopen/cache/" : "hf/cache/") + kind; }
  void write(const std::string& tokens) const {
    std::ofstream(specification()) << "---\nname: auth\n---\n# Auth\n\n## Tokens\n"
                                   << tokens << "\n\n### Keys\nmany\n\n## Other\nx\n";
  }
  std::string specification() const { return home + "/desk/docs/requirements/auth/SPECIFICATION.md"; }
  int section(const std::string& more = {}) { return sh("$H cache section tokens --module auth" + more + place()); }
  int assessment(const std::string& more = {}) {
    return sh("$H cache assessment auth-code --paths '[\"src/auth\"]'" + more + place());
  }
  // The name that Lopen gives an entry.
  std::string entry(const std::string& kind, const std::string& key) {
    EXPECT_EQ(sh("printf %s '" + key + "' | sha256sum | cut -c1-16 | tr a-f A-F"), 0) << err;
    return folder(kind) + "/" + out.substr(0, 16) + ".json";
  }
};

TEST_P(Caches, L10_SectionAndSubtreeEndAtTheRightHeading) {
  EXPECT_EQ(section(), 0) << err;
  EXPECT_EQ(out, "short lives\n");
  EXPECT_EQ(section(" --subtree"), 0) << err;
  EXPECT_EQ(out, "short lives\n\n### Keys\nmany\n");
  const std::string whole = text(entry("sections", specification() + "::tokens::subtree"));
  EXPECT_TRUE(whole.starts_with(R"({"content":"short lives\n\n### Keys\nmany","file_modified_utc":")")) << whole;
  const std::string one = text(entry("sections", specification() + "::tokens"));
  EXPECT_TRUE(one.starts_with(R"({"content":"short lives","file_modified_utc":")")) << one;
  std::string keys;
  for (const JsonItem& item : JsonView(one).fields()) keys += item.key() + " ";
  EXPECT_TRUE(keys.starts_with("content file_modified_utc cached_at_utc ")) << keys;
  EXPECT_EQ(sh("$H cache section Nothing --module auth" + place()), 3) << out;
  EXPECT_TRUE(err.contains("there is no section \"Nothing\"")) << err;
}

TEST_P(Caches, L10_HitRequiresSameTimeSizeAndBytes) {
  const auto looked = [&](const std::string& cached, const std::string& content) {
    EXPECT_EQ(section(" --json"), 0) << err;
    EXPECT_EQ(field({"cached"}), cached) << out;
    EXPECT_EQ(field({"content"}), content) << out;
  };
  looked("false", "short lives");
  looked("true", "short lives");
  // Other bytes of the same size with the same time.
  ASSERT_EQ(sh("touch -r " + specification() + " $HOME/then"), 0);
  write("shirt lives");
  ASSERT_EQ(sh("touch -r $HOME/then " + specification()), 0);
  looked("false", "shirt lives");
  looked("true", "shirt lives");
  // The same bytes with another time.
  ASSERT_EQ(sh("touch -d 2026-01-02 " + specification()), 0);
  looked("false", "shirt lives");
  looked("true", "shirt lives");
  write("long lives");
  looked("false", "long lives");
}

TEST_P(Caches, L11_AnyFileChangeIsAMiss) {
  const auto assessed = [&] {
    EXPECT_EQ(sh("$H cache assess auth-code '3 of 5 hold' --paths '[\"src/auth\"]'" + place()), 0) << err;
    EXPECT_EQ(assessment(), 0) << err;
    EXPECT_EQ(out, "3 of 5 hold\n");
  };
  const auto missed = [&](const std::string& what) {
    EXPECT_EQ(assessment(), 0) << err;
    EXPECT_TRUE(out.starts_with("hit: false\nstate: ")) << what << out;
    EXPECT_FALSE(out.contains("3 of 5")) << what << out;
  };
  missed("nobody has looked yet");
  for (const char* const change :
       {"echo three > src/auth/c.c", "rm src/auth/c.c", "echo zwo > src/auth/b.c",
        "touch -r src/auth/a.c $HOME/then; echo eno > src/auth/a.c; touch -r $HOME/then src/auth/a.c",
        "mkdir src/auth/deep", "echo x > src/auth/deep/new.c", "mv src/auth/a.c src/auth/z.c"}) {
    assessed();
    ASSERT_EQ(sh(change), 0) << err;
    missed(change);
  }
  assessed();
  ASSERT_EQ(sh("echo elsewhere > src/other.c"), 0);
  EXPECT_EQ(assessment(), 0);
  EXPECT_EQ(out, "3 of 5 hold\n") << "out of the scope";
}

TEST_P(Caches, L11_ChangeDuringAssessmentIsRejected) {
  EXPECT_EQ(assessment(" --json"), 0) << err;
  const std::string state = field({"state"});
  ASSERT_EQ(sh("echo more >> src/auth/a.c"), 0);
  EXPECT_EQ(sh("$H cache assess auth-code stale --paths '[\"src/auth\"]' --state " + state + place()), 6) << out;
  EXPECT_TRUE(err.contains("files of this scope changed while it was assessed: nothing was stored")) << err;
  EXPECT_EQ(assessment(" --json"), 0) << err;
  EXPECT_EQ(field({"hit"}), "false") << out;
  EXPECT_EQ(sh("$H cache assess auth-code fresh --paths '[\"src/auth\"]' --state " + field({"state"}) + place()), 0)
      << err;
  if (!lopen()) return;  // the name of a native entry contains the project
  const std::string kept = text(entry("assessments", "auth-code"));
  EXPECT_TRUE(kept.starts_with(R"({"content":"fresh","cached_at_utc":")")) << kept;
  EXPECT_TRUE(JsonView(kept).find("file_timestamps").find(home + "/desk/src/auth/a.c").as_string()) << kept;
}

TEST_P(Caches, L14_DamagedEntryIsRebuiltAndReportedAfterThree) {
  EXPECT_EQ(section(), 0) << err;
  const std::string name = entry("sections", specification() + "::tokens");
  const std::string told = "warning: " + name.substr(lopen() ? 5 : 3) + ": could not be stored ";
  int damaged = 0;
  for (const std::string bad : {"{\"content\":\"a lie", "", "\xff\xfe", "{\"content\":\"a lie\""}) {
    ++damaged;
    std::ofstream(home + "/" + name) << bad;
    EXPECT_EQ(section(), 0) << err;
    EXPECT_EQ(out, "short lives\n") << bad;
    if (damaged < 3)
      EXPECT_EQ(err, "") << "the time number " << damaged;
    else
      EXPECT_TRUE(err.contains(told + std::to_string(damaged) + " times in a row: the entry was damaged\n")) << err;
    EXPECT_TRUE(text(name).contains("\"content\":\"short lives\"")) << "it was made again: " << text(name);
  }
  EXPECT_EQ(section(), 0) << err;
  EXPECT_EQ(err, "") << "a good one is nothing to tell";
  std::ofstream(home + "/" + name) << "{";
  EXPECT_EQ(section(), 0) << err;
  EXPECT_EQ(err, "") << "and the count begins again";
}

TEST_P(Caches, L14_DamagedAssessmentIsAMiss) {
  ASSERT_EQ(sh("$H cache assess auth-code '3 of 5 hold' --paths '[\"src/auth\"]'" + place()), 0) << err;
  ASSERT_EQ(sh("for entry in $HOME/" + folder("assessments") + "/*; do printf '{\"content\":\"a lie\"' > $entry; done"),
            0);
  EXPECT_EQ(assessment(), 0) << err;
  EXPECT_TRUE(out.starts_with("hit: false\n")) << out;
  EXPECT_EQ(err, "");
}

INSTANTIATE_TEST_SUITE_P(Rows, Caches, testing::Values("lopen", "holdfast"),
                         [](const auto& test) { return std::string(test.param); });

struct RowsNativeSteps : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    store = " --store holdfast:" + home + "/hf";
    ASSERT_EQ(sh("mkdir -p docs/requirements/auth && echo '# Auth' > docs/requirements/auth/SPECIFICATION.md && "
                 "$H store create" +
                 store + " >/dev/null && $H session start --module auth --project . --json" + store),
              0)
        << err;
    id = field({"id"});
    ASSERT_EQ(sh("ls -d $HOME/hf/projects/*/sessions/" + id), 0) << err;
    folder = out.substr(0, out.find('\n'));
  }
  std::string store, id, folder;
};

TEST_F(RowsNativeSteps, L13_FailedSavePausesUntilResumeSucceeds) {
  ASSERT_EQ(sh(give_home()), 0) << err;
  const auto hf = [&](const std::string& words) { return sh(ordinary_holdfast() + words + store); };
  ASSERT_EQ(sh("chmod 0500 " + folder), 0);
  EXPECT_EQ(hf("workflow advance " + id + " SpecApproved"), 5) << out;
  EXPECT_TRUE(err.contains("the workflow is paused: its state cannot be saved | Path: " + folder +
                           "/session.json | "
                           "OS Error: Permission denied (0x0000000d)"))
      << err;
  EXPECT_EQ(hf("session resume " + id), 5) << out;
  EXPECT_TRUE(err.contains(" | OS Error: Permission denied (0x0000000d)")) << err;
  ASSERT_EQ(sh("chmod 0700 " + folder), 0);
  EXPECT_EQ(hf("task add " + id + " api"), 5) << out;
  EXPECT_TRUE(err.contains("session " + id + " is paused until it is resumed, because a save failed: ")) << err;
  // As the message asks.
  EXPECT_EQ(hf("session resume " + id), 0) << err;
  EXPECT_EQ(hf("task add " + id + " api"), 0) << err;
  EXPECT_TRUE(out.contains("tasks:\n  Pending     api\n")) << out;
}

TEST_F(RowsNativeSteps, L19_SettingSavesSnapshotOfEachIteration) {
  ASSERT_EQ(sh("$H metrics record " + id + " --input-tokens 5" + store), 0) << err;
  EXPECT_EQ(sh("test -e " + folder + "/history"), 1) << "it is off unless it is asked for";
  ASSERT_EQ(sh("$H store configure '{\"save_iteration_history\":true}'" + store + " && $H metrics record " + id +
               " --input-tokens 6" + store + " && cat " + folder + "/session.json"),
            0)
      << err;
  EXPECT_EQ(sh("printf '{\"state\":%s,\"metrics\":%s}' \"$(cat " + folder + "/session.json)\" \"$(cat " + folder +
               "/metrics.json)\" | cmp - " + folder + "/history/2.json"),
            0)
      << out << err;
  EXPECT_EQ(sh("ls " + folder + "/history"), 0);
  EXPECT_EQ(out, "2.json\n");
}

}  // namespace
}  // namespace holdfast::inline v1
