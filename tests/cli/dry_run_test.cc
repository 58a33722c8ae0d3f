// --dry-run reports what the real run would, including its errors.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct DryRun : CliHome {
  // Every directory, and every file with the hash of its contents; caches excepted.
  std::string files() {
    EXPECT_EQ(sh("cd $HOME && find . -path ./.cache -prune -o -type d -print | sort; "
                 "find . -path ./.cache -prune -o -type f -exec sha256sum {} + | sort"),
              0);
    return out;
  }
  // Expects the same exit code and error with and without --dry-run, and no new files after the dry run.
  void refused(const std::string& command, int code) {
    const std::string before = files();
    EXPECT_EQ(sh("$H " + command + " --dry-run"), code) << command << out;
    const std::string looked = err.substr(0, err.find(" ("));
    EXPECT_EQ(files(), before) << command;
    EXPECT_EQ(sh("$H " + command), code) << command << out;
    EXPECT_EQ(err.substr(0, looked.size()), looked) << command;
  }
};

TEST_F(DryRun, ImportMatchesRealRun) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"hello\"");
  ASSERT_EQ(sh("$H export aaaa --format json > whole.json && head -c 300 whole.json > half.json"), 0) << err;
  const std::string before = files();
  ASSERT_EQ(sh("$H import whole.json --dry-run"), 0) << err;
  EXPECT_EQ(out, "would create a session of 1 message, aaaaaaaa-0000-4000-8000-000000000001\n");
  EXPECT_EQ(files(), before);
  refused("import half.json", 2);
  EXPECT_EQ(sh("$H import whole.json"), 0) << err;
  EXPECT_EQ(sh("$H import whole.json --dry-run"), 2) << out;
  EXPECT_EQ(sh("$H import whole.json"), 2) << out;
}

struct DryRunInProject : DryRun {
  void SetUp() override {
    DryRun::SetUp();
    ASSERT_EQ(sh("mkdir p && cd p && git init -q . && $H init . && $H session start --module auth --no-resume"), 0)
        << err;
  }
};

TEST_F(DryRunInProject, RefusesWhatTheCallRefuses) {
  const std::string before = files();
  for (const auto& [command, code] : std::vector<std::pair<std::string, int>>{{"workflow advance @last Bogus", 2},
                                                                              {"workflow complete @last", 2},
                                                                              {"task set @last nosuch Complete", 3},
                                                                              {"initiative start M1 --project .", 3},
                                                                              {"memory put --body x", 2},
                                                                              {"memory learn x", 2},
                                                                              {"queue run --directory q", 2}}) {
    EXPECT_EQ(sh("cd p && $H " + command + " --dry-run"), code) << command << out << err;
    const std::string looked = err;
    EXPECT_EQ(files(), before) << command;
    EXPECT_EQ(sh("cd p && $H " + command), code) << command << out << err;
    EXPECT_EQ(err, looked) << command;
  }
}

TEST_F(DryRunInProject, ArchiveRefusesNewInitiative) {
  ASSERT_EQ(sh("cd p && $H initiative create login --milestones '[\"M1\"]' --project ."), 0) << err;
  for (const std::string how : {"--dry-run", "--yes"}) {
    EXPECT_EQ(sh("cd p && $H initiative archive --project . " + how), 2) << how << out;
    EXPECT_TRUE(err.contains("created → archived is refused")) << how << err;
  }
}

TEST_F(DryRunInProject, ChangesNothing) {
  const std::string before = files();
  for (const std::string command :
       {"task add @last build", "workflow pause @last", "session create --title x",
        "initiative create login --milestones '[\"M1\"]' --project .", "memory learn x --project .",
        "history append hello", "session update @last --title y", "run start --agent coder --project .",
        "workflow advance @last SpecApproved", "session create --store maestro:$PWD/new"}) {
    EXPECT_EQ(sh("cd p && $H " + command + " --dry-run"), 0) << command << err;
    EXPECT_TRUE(out.starts_with("would ")) << command << out;
    EXPECT_EQ(files(), before) << command;
  }
}

TEST_F(DryRun, SessionCreateMatchesRealRun) {
  EXPECT_EQ(sh("$H session create --title x --dry-run"), 0) << err;
  EXPECT_TRUE(out.starts_with("would create ")) << out;
  refused("session create --id ../x", 2);
  EXPECT_EQ(sh("$H session create --id ses-one && $H session create --id ses-one --dry-run"), 2) << out;
  EXPECT_EQ(sh("$H session create --id ses-one"), 2) << out;
}

TEST_F(DryRun, MessageAppendMatchesRealRun) {
  ASSERT_EQ(sh("$H session create --id ses-one"), 0) << err;
  EXPECT_EQ(sh("$H message append ses-one hello --dry-run"), 0) << err;
  EXPECT_TRUE(out.starts_with("would add a message to session ses-one of ")) << out;
  refused("message append ses-one", 2);
  refused("message append nobody hello", 3);
  const auto call = [&](const std::string& message, bool looks) {
    return sh("$H call message.append '{\"session\":\"ses-one\",\"message\":" + message +
              (looks ? ",\"dry_run\":true}'" : "}'"));
  };
  for (const std::string message : {R"({"role":"bogus","text":"x"})", R"({"role":"user","usage":{"input":-1}})"}) {
    EXPECT_EQ(call(message, true), 2) << message << out;
    const std::string looked = err;
    EXPECT_EQ(call(message, false), 2) << message << out;
    EXPECT_EQ(err, looked);
  }
  ASSERT_EQ(sh("$H call message.list '{\"session\":\"ses-one\"}'"), 0) << err;
  EXPECT_EQ(field({"total"}), "0") << out;
}

TEST_F(DryRun, EntryAppendMatchesRealRun) {
  const auto call = [&](const std::string& entries, const std::string& more) {
    return sh("$H call entry.append '{\"project\":\"p\",\"session\":\"s\",\"entries\":" + entries + more + "}'");
  };
  for (const std::string more : {",\"dry_run\":true", ""}) {
    EXPECT_EQ(call("[5]", more), 4) << out;
    EXPECT_TRUE(err.contains("an entry must be a JSON object")) << err;
  }
  ASSERT_EQ(call("[{}]", ",\"dry_run\":true"), 0) << err;
  EXPECT_EQ(field({"would"}), "add 1 entry to session s of p") << out;
  ASSERT_EQ(call("[{}]", ""), 0) << err;
  EXPECT_EQ(call("[{}]", ",\"after\":\"\",\"dry_run\":true"), 6) << out;
  EXPECT_EQ(call("[{}]", ",\"after\":\"\""), 6) << out;
}

// Covers all methods.
TEST_F(DryRun, AnswersMatchSchema) {
  ASSERT_EQ(sh("$H api --json"), 0) << err;
  const std::string api = out;
  EXPECT_EQ(JsonView(api).find("$defs").find("dry_run").find("required").raw().contains("would"), true);
  for (const JsonItem& method : JsonView(api).find("methods").elements()) {
    const bool takes = static_cast<bool>(method.value.find("params").find("properties").find("dry_run"));
    const bool own = method.value.find("method").is_string("session.handoff");  // it has its own answer
    EXPECT_EQ(static_cast<bool>(method.value.find("dry_run")), takes && !own) << method.value.raw();
    EXPECT_TRUE(takes || method.value.find("writes").as_bool() == false) << method.value.raw();
    EXPECT_TRUE(takes || !method.value.find("params").find("properties").find("output")) << method.value.raw();
  }
  ASSERT_EQ(sh("$H session create --id ses-one && $H call session.delete '{\"id\":\"ses-one\",\"dry_run\":true}'"), 0);
  const std::string answer = out.substr(out.rfind("{\"schema"));
  for (const JsonItem& name : JsonView(api).find("$defs").find("dry_run").find("required").elements())
    EXPECT_TRUE(JsonView(answer).find(name.value.as_string().value_or(""))) << answer;
}

// Commands that open no store for writing, but still leave files behind.
TEST_F(DryRun, CreatesNoFiles) {
  ASSERT_EQ(sh("$H session create --id s-1 && $H message append s-1 hello && mkdir seen && $H ls"), 0) << err;
  const auto looks = [&](const std::string& command, const std::string& would) {
    EXPECT_EQ(sh("ls -A . > $HOME/before; $H " + command + " --dry-run"), 0) << command << err;
    EXPECT_TRUE(out.starts_with("would " + would)) << command << out;
    EXPECT_EQ(sh("ls -A . | diff $HOME/before -"), 0) << command << out;
  };
  const std::string desk = home + "/desk", own = "session s-1 of holdfast:" + home;
  looks("share s-1 -o a.html", "write a page of " + own);
  looks("share s-1", "print a page of " + own);
  looks("rescue s-1 -o b", "write a copy of s-1 with 2 records to " + desk + "/b\n");
  looks("export s-1", "print " + own);
  looks("queue init --directory qd", "prepare " + desk + "/qd for queue run\n");
  looks("archive enable", "");
  looks("archive disable", "do nothing: the timer is off\n");
  looks("init", "create the store holdfast:" + desk + "/.holdfast\n");
  looks("config set redact_inputs true", "set redact_inputs to true in ");
  EXPECT_EQ(sh("$H config get redact_inputs"), 1) << out;
  EXPECT_EQ(sh("$H queue init --directory qd && $H queue init --directory qd --dry-run"), 0) << err;
  EXPECT_TRUE(out.ends_with("would do nothing: " + desk + "/qd is a sync directory already\n")) << out;
  // What the real run refuses.
  refused("share s-1 -o seen", 2);
  refused("share s-1 -o no/such/file", 2);
  EXPECT_TRUE(err.contains("there is no directory for the new file (" + desk + "/no/such)")) << err;
  refused("share s-1 -o ''", 2);
  EXPECT_TRUE(err.contains("--output needs a path, but is empty")) << err;
  refused("share nobody -o a.html", 3);
  refused("config set no_such_key 1", 2);
  refused("config set redact_inputs maybe", 2);
  EXPECT_EQ(sh("$H call queue.init '{\"directory\":\"'$PWD'/other\",\"dry_run\":true}' && ! test -e other"), 0) << err;
}

// Also if the method deletes or copies sessions, or writes only outside of all stores.
TEST_F(DryRun, RefusesWhatTheCallRefuses) {
  ASSERT_EQ(sh("$H session create --id s-1 && $H message append s-1 hello && touch seen.md"), 0) << err;
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"hello\"");
  refused("session fork s-1 nosuch", 3);
  refused("session regroup s-1 --project .", 2);
  refused("credential remove nosuch --yes", 3);
  refused("project remove /nope --yes", 3);
  refused("export s-1 --branch nosuch", 3);
  refused("share s-1 --branch nosuch -o a.html", 3);
  refused("handoff aaaa --to codex --project $HOME", 3);
  EXPECT_TRUE(err.contains("there is no directory for Codex here")) << err;
  refused("handoff aaaa --brief -o no/such.md", 3);
  refused("handoff aaaa --brief -o seen.md", 2);
  refused("archive compact", 3);
  refused("remote check nosuch", 3);
  refused("remote migrate nosuch", 3);
  const std::string store = " --store open-agent:$HOME/oa";
  ASSERT_EQ(sh("$H store create" + store + " && $H session create" + store + " && $H message append @last hi" + store),
            0)
      << err;
  for (const std::string how : {" --dry-run", " --yes"}) {
    EXPECT_EQ(sh("$H session clear @last" + how + store), 2) << how << out;
    EXPECT_TRUE(err.contains("layout open-agent cannot hold: a session without messages")) << how << err;
  }
}

TEST_F(DryRun, RefusesStoreThatCannotBeCreated) {
  const int looked = sh("$H store create --store holdfast:/proc/x --dry-run");
  const std::string why = err;
  EXPECT_NE(looked, 0) << out;
  EXPECT_TRUE(why.contains("cannot create the directory")) << why;
  EXPECT_EQ(sh("$H store create --store holdfast:/proc/x"), looked) << out;
  EXPECT_EQ(err, why);
}

TEST_F(DryRun, DeletesAndCopiesNothing) {
  ASSERT_EQ(sh("$H session create --id s-1 && $H message append s-1 hello && $H session end s-1"), 0) << err;
  const std::string before = files();
  for (const std::string command : {"rm s-1", "session clear s-1", "session delete s-1", "session fork s-1",
                                    "prune --keep 0", "export s-1 --format html", "share s-1 -o a.html"}) {
    EXPECT_EQ(sh("$H " + command + " --dry-run"), 0) << command << err;
    EXPECT_TRUE(out.starts_with("would ")) << command << out;
    EXPECT_EQ(files(), before) << command;
  }
}

TEST_F(DryRun, ForkNamesTheSessionItContinues) {
  ASSERT_EQ(sh("$H session create --id s-1"), 0) << err;
  ASSERT_EQ(sh("$H message append s-1 hello --json"), 0) << err;
  const std::string message = field({"id"});
  EXPECT_EQ(sh("$H session fork s-1 --dry-run"), 0) << err;
  EXPECT_TRUE(out.starts_with("would create a session that continues session s-1 of holdfast:" + home)) << out;
  EXPECT_EQ(sh("$H session fork s-1 " + message + " --dry-run"), 0) << err;
  EXPECT_TRUE(out.ends_with(" from message " + message + "\n")) << out;
}

// The message is about the named thing, not about the method.
TEST_F(DryRun, NamesTheSession) {
  ASSERT_EQ(sh("$H session create --id s-1"), 0) << err;
  const auto says = [&](const std::string& command, const std::string& would) {
    EXPECT_EQ(sh("$H " + command + " --dry-run"), 0) << command << err;
    EXPECT_TRUE(out.starts_with("would " + would)) << command << out;
    EXPECT_FALSE(out.contains("a session")) << out;
  };
  const std::string own = "session s-1 of holdfast:" + home;
  says("star s-1", "mark " + own);
  EXPECT_TRUE(out.ends_with(" with a star\n")) << out;
  says("tag s-1 x", "tag " + own);
  says("rename s-1 x", "give " + own);
  says("session resume s-1", "continue " + own);
  says("session end s-1", "end " + own);
  EXPECT_TRUE(out.ends_with(" with the status complete\n")) << out;
  says("session update s-1 --title x", "change title of " + own);
}

// Which is not 0 if something cannot be captured.
TEST_F(DryRun, ArchiveRunHasExitCodeOfRealRun) {
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001", but = ", but not everything could be read\n";
  claude(id, "\"hello\"");
  const auto looks = [&](int code, const std::string& would) {
    const std::string before = files();
    EXPECT_EQ(sh("$H archive run --dry-run"), code) << out << err;
    EXPECT_EQ(out, "would " + would);
    const std::string said = err;
    EXPECT_EQ(files(), before);
    EXPECT_EQ(sh("$H archive run"), code) << out << err;
    EXPECT_EQ(err, said);
  };
  looks(0, "capture changes in 1 of 1 session: 1 file\n");
  looks(0, "capture nothing: there is nothing new in 1 session\n");
  ASSERT_EQ(sh("cd $HOME/.claude/projects/-desk && mkdir -p " + id + "/tool-results && ln -s /etc/hostname " + id +
               "/tool-results/link.txt"),
            0)
      << err;
  looks(5, "capture nothing: there is nothing new in 1 session" + but);
  EXPECT_TRUE(err.contains("links are not followed")) << err;
  claude("bbbbbbbb-0000-4000-8000-000000000002", "\"hi\"");
  EXPECT_EQ(sh("$H archive run --dry-run --json"), 5) << out << err;
  EXPECT_EQ(field({"missed"}), "true") << out;
  EXPECT_TRUE(field({"findings"}).contains("link.txt")) << out;
  looks(5, "capture changes in 1 of 2 sessions: 1 file" + but);
  ASSERT_EQ(sh("$H config set archive.min_free 1000000T"), 0) << err;
  EXPECT_EQ(sh("$H archive run --dry-run"), 5) << out << err;
  EXPECT_TRUE(out.ends_with("and stop because too little space is free (archive.min_free)\n")) << out;
  EXPECT_EQ(sh("$H archive run"), 5) << out << err;
}

TEST_F(DryRun, ArchiveRunReadsMoreFilesThanMayBeOpen) {
  for (int n = 100; n < 250; ++n) claude("aaaaaaaa-0000-4000-8000-000000000" + std::to_string(n), "\"hello\"");
  EXPECT_EQ(sh("ulimit -n 64; $H archive run --dry-run"), 0) << out << err;
  EXPECT_EQ(out, "would capture changes in 150 of 150 sessions: 150 files\n");
}

// A dry run knows what the layout cannot do.
TEST_F(DryRun, SessionEndKnowsThatLayoutHasNoStatus) {
  const std::string store = " --store linggen:$HOME/g";
  ASSERT_EQ(
      sh("$H store create" + store + " && $H call session.create '{\"id\":\"s-1\",\"project\":\"'$PWD'\"}'" + store), 0)
      << err;
  for (int messages = 0; messages < 2; ++messages) {
    for (const std::string looks : {" --dry-run", ""}) {
      EXPECT_EQ(sh("$H session end s-1 --status complete" + looks + store), 2) << out;
      EXPECT_TRUE(err.contains("layout linggen cannot hold: the status of a session")) << err;
    }
    EXPECT_EQ(sh("$H session end s-1 --dry-run" + store), 0) << err;
    EXPECT_TRUE(out.starts_with("would release the lease of session s-1 of linggen:")) << out;
    ASSERT_EQ(sh("$H message append s-1 hello" + store), 0) << err;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
