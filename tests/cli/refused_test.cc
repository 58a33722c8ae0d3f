// What a door refuses is not done, and what it does is not reported as refused (I-11). Runs as an ordinary user,
// with folders and files that are not writable.
#include "tests/cli/refused_testing.h"

namespace holdfast::inline v1 {
namespace {

using Refused = OrdinaryUser;

TEST_F(Refused, SessionEndWarnsIfHeaderCannotBeWritten) {
  const std::string where = store_of("open-agent");
  ASSERT_EQ(user("chmod 500 $HOME/open-agent/projects/*"), 0);
  EXPECT_EQ(user(where + "$H session end @last --summary OVER --json $S"), 0) << err;
  EXPECT_TRUE(out.contains("\"warnings\":[\"other programs cannot see yet")) << out;
  EXPECT_EQ(field_of(where, "summary"), "OVER");
  EXPECT_EQ(field_of(where, "status"), "complete");
  ASSERT_EQ(user("chmod 700 $HOME/open-agent/projects/*"), 0);
  EXPECT_EQ(user(where + "$H session end @last --json $S && cat $HOME/open-agent/projects/*/*.jsonl"), 0) << err;
  EXPECT_FALSE(out.contains("warnings")) << out;
  EXPECT_TRUE(out.contains("\"summary\":\"OVER\",\"status\":\"complete\"}\n")) << out;
}

TEST_F(Refused, UpdateThatCannotBeWrittenKeepsTheTitle) {
  const std::string where = store_of("open-agent");
  ASSERT_EQ(user(where + "$H session update @last --title KEPT $S >/dev/null && $H message list @last --json $S"), 0)
      << err;
  const std::string leaf(JsonView(out).find("messages").elements().begin()->value.find("id").as_string().value_or(""));
  ASSERT_NE(leaf, "") << out;
  ASSERT_EQ(user("chmod 400 $HOME/open-agent/projects/*/*.jsonl"), 0);
  EXPECT_EQ(user(where + "$H session update @last --title GHOST --leaf " + leaf + " $S"), 5) << out << err;
  EXPECT_EQ(field_of(where, "title"), "KEPT");
}

TEST_F(Refused, FailedDeletionRemovesNothing) {
  for (const std::string layout : {"open-agent", "holdfast", "linggen"}) {
    const std::string where = store_of(layout);
    ASSERT_EQ(user(where + "$H session update @last --title KEPT $S"), 0) << layout << err;
    ASSERT_EQ(user(where + "$H session show @last $S"), 0) << layout << err;
    const std::string shown = out;
    // Makes every folder read-only except for the side folder.
    ASSERT_EQ(user("cd $HOME/" + layout +
                   " && find . \\( -name .holdfast -o -name .side \\) -prune -o -type d -print | xargs chmod 500"),
              0);
    for (const char* verb : {"session delete @last --yes", "rm @last --yes"}) {
      EXPECT_EQ(user(where + "$H " + verb + " $S"), 5) << layout << verb << out << err;
      EXPECT_EQ(field_of(where, "title"), "KEPT") << layout << verb;
      EXPECT_EQ(user(where + "$H session show @last $S"), 0) << layout << verb << err;
      EXPECT_EQ(out, shown) << layout << verb;
    }
  }
}

TEST_F(Refused, CreateWarnsIfOwnerCannotBeRecorded) {
  const std::string where = store_of("holdfast");
  ASSERT_EQ(user("mkdir -p $HOME/holdfast/.side/leases && chmod 500 $HOME/holdfast/.side/leases"), 0);
  EXPECT_EQ(user(where + "$H call session.create '{\"title\":\"OWNED\"}' --owner-pid $$ $S"), 0) << err;
  EXPECT_TRUE(out.contains("\"warnings\":[\"the session has no owner: ")) << out;
  EXPECT_EQ(field_of(where, "title"), "OWNED");
}

// $$ is the shell that runs the line: an owner that lives until its end.
TEST_F(Refused, AppendTakesNoSession) {
  const std::string where = store_of("holdfast");
  const auto append = [](const std::string& message) {
    return "$H call message.append '{\"session\":\"@last\",\"message\":" + message + "}' --owner-pid $$ $S; ";
  };
  const std::string odd = R"({"role":"bogus","text":"x"})";
  for (const std::string& message : {odd, std::string(R"({"role":"user","text":"x","parent":"nobody"})")}) {
    EXPECT_EQ(user(where + append(message) + "test $? = 2 && $H message append @last theirs $S"), 0) << message << err;
  }
  // An owner that has the session keeps it.
  EXPECT_EQ(user(where + append(R"({"role":"user","text":"mine"})") + append(odd) + "$H message append @last x $S"), 6)
      << out << err;
}

TEST_F(Refused, ResumeTakesNoSession) {
  const std::string where = "S='--store lopen:" + home + "/desk/p'\n", folder = "p/.lopen/sessions/auth*";
  ASSERT_EQ(user(where + "mkdir -p p/.git && $H session start --module auth $S"), 0) << err;
  for (const std::string call : {"session.resume", "session.start '{\"module\":\"auth\"}'"}) {
    // A save that failed pauses the workflow, so resuming it has to write.
    EXPECT_EQ(
        user(where + "chmod 500 " + folder + "; $H workflow advance @last SpecApproved $S; $H call " + call +
             " --owner-pid $$ $S; code=$?; chmod 700 " + folder + "; test $code = 5 && $H session resume @last $S"),
        0)
        << call << out << err;
  }
}

TEST_F(Refused, TakeoverOfUnreadableSessionLeavesItToItsOwner) {
  const std::string where = store_of("holdfast"), id = field_of(where, "id");
  const std::string log = "$HOME/holdfast/projects/*/sessions/*/messages.jsonl";
  EXPECT_EQ(user(where + "$H call session.resume '{\"id\":\"" + id + "\"}' --owner-pid $$ $S && chmod 000 " + log +
                 "; $H call session.resume '{\"id\":\"" + id + "\",\"takeover\":true}' --owner-pid $PPID $S; " +
                 "code=$?; chmod 600 " + log + "; test $code = 5 && $H call message.append '{\"session\":\"" + id +
                 "\",\"text\":\"mine\"}' --owner-pid $$ $S"),
            0)
      << out << err;
}

TEST_F(Refused, DryRunOfRestoreFailsWhereTheFilesCannotBeWritten) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"a prompt\"");
  ASSERT_EQ(user("$H archive run && rm -r $HOME/.claude/projects && mkdir $HOME/there"), 0) << err;
  const std::string restore = "$H restore aaaaaaaa ";
  ASSERT_EQ(user("chmod 500 $HOME/.claude $HOME/there"), 0) << err;
  for (const std::string options : {"", "--exact-times ", "--to $HOME/there ", "--to $HOME/there/new "}) {
    EXPECT_EQ(user(restore + options), 5) << options << out;
    EXPECT_TRUE(err.contains("Permission denied")) << options << err;
    EXPECT_EQ(user(restore + options + "--dry-run"), 5) << options << out;
    EXPECT_TRUE(err.contains("Permission denied")) << options << err;
  }
  ASSERT_EQ(user("chmod 700 $HOME/.claude $HOME/there"), 0) << err;
  for (const std::string options : {"", "--exact-times ", "--to $HOME/there ", "--to $HOME/there/new "}) {
    EXPECT_EQ(user(restore + options + "--dry-run"), 0) << options << err;
    EXPECT_TRUE(out.contains("would restore claude-code/aaaaaaaa")) << out;
  }
  EXPECT_EQ(user("test ! -e $HOME/.claude/projects && test -z \"$(ls $HOME/there)\""), 0) << "something was written";
}

}  // namespace
}  // namespace holdfast::inline v1
