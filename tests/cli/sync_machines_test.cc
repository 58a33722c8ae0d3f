// Two homes on one machine act as two machines, through the command line: what one records and shares, the other
// lists, shows and continues, in another directory and another agent.
#include "tests/cli/serve_testing.h"
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

TEST_F(TwoMachines, OtherMachineListsShowsAndContinuesSession) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("received 1 session") && out.contains("new here: laptop")) << out;
  // The list no longer needs the remote.
  fs::rename(home + "/share", home + "/away");
  ASSERT_EQ(on("b", "ls --json"), 1) << "nothing matches" << err;
  EXPECT_FALSE(out.contains(id)) << "only this machine's by default" << out;
  ASSERT_EQ(on("b", "ls --machine laptop --json"), 0) << err;
  EXPECT_TRUE(out.contains(id)) << out;
  EXPECT_TRUE(out.contains(R"("machine":"laptop","here":false)")) << out;
  EXPECT_TRUE(out.contains("please list the files")) << out;
  EXPECT_EQ(on("b", "search count --machine laptop"), 1);
  EXPECT_TRUE(err.contains("1 session of laptop is not here and left out")) << err;
  ASSERT_EQ(on("b", "ls --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("[laptop, not here] please list the files")) << out;
  EXPECT_EQ(on("b", "show cccccccc --machine laptop"), 7) << out;
  EXPECT_TRUE(err.contains("not here") && err.contains("laptop has it")) << err;
  fs::rename(home + "/away", home + "/share");
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("and now count them")) << out;
  // From now on the session is here.
  fs::rename(home + "/share", home + "/away");
  ASSERT_EQ(on("b", "show cccccccc --machine laptop --json"), 0) << err;
  EXPECT_TRUE(out.contains("Done u3")) << out;
  ASSERT_EQ(on("b", "ls --machine laptop --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("machine":"laptop","here":true)")) << out;
  ASSERT_EQ(on("b", "search count --machine laptop --json"), 0) << err;
  EXPECT_TRUE(out.contains(id)) << out;
  ASSERT_EQ(on("b", "stats --machine laptop --json"), 0) << err;
  ASSERT_EQ(on("b", "export cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("please list the files")) << out;
  // In b's own directory of the same repository.
  ASSERT_EQ(on("b", "handoff cccccccc --machine laptop --to codex --json", "/src/copy"), 0) << err;
  EXPECT_EQ(field({"project"}), home + "/b/src/copy") << out;
  const std::string made = field({"id"});
  ASSERT_EQ(on("b", "show " + made), 0) << err;
  EXPECT_TRUE(out.contains("and now count them")) << out;
  EXPECT_EQ(on("b", "resume cccccccc --machine laptop --in codex"), 2) << "it comes from elsewhere";
  EXPECT_TRUE(err.contains("--yes")) << err;
  ASSERT_EQ(on("b", "resume cccccccc --machine laptop --in codex --print", "/src/copy"), 2) << "nor is it written";
  const std::string resume = "$H resume cccccccc --machine laptop --in codex --yes";
  EXPECT_EQ(sh("cd $HOME/b/src/copy && env PATH=/nowhere HOME=$HOME/b " + resume), 2) << out;
  EXPECT_TRUE(err.contains("nothing was written; run holdfast handoff cccccccc --machine laptop --to codex ")) << err;
  ASSERT_EQ(on("b", "resume cccccccc --machine laptop --in codex --print --yes", "/src/copy"), 0) << err;
  EXPECT_TRUE(out.contains("codex resume")) << out;
  // Nothing of b went to a.
  ASSERT_FALSE(fs::exists(home + "/a/.codex"));
}

// Answers of a server name every machine, also this one.
TEST_F(TwoMachines, OwnNameMeansThisMachine) {
  share_from_a();
  ASSERT_EQ(on("a", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("and now count them")) << out;
  ASSERT_EQ(on("a", "ls --machine laptop --json"), 0) << err;
  EXPECT_TRUE(out.contains(id)) << out;
  EXPECT_EQ(on("a", "ls --machine tower"), 3) << out;
  EXPECT_TRUE(err.contains("there is no machine tower")) << err;
  // Somebody else has the same name.
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("b", "ls --machine laptop"), 1) << "nothing is here yet" << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "ls --machine laptop --json"), 0) << err;
  EXPECT_TRUE(out.contains(id)) << out;
}

TEST_F(TwoMachines, MissingDirectoryIsNotAddedAsRemote) {
  for (const std::string where : {"/nosuchdir", "/nosuchdir/deeper"}) {
    EXPECT_EQ(on("a", "remote add nas dir:" + home + where), 3) << out;
    EXPECT_TRUE(err.contains("there is no such directory") && err.contains(home + where) && err.contains("mounted"))
        << err;
    EXPECT_FALSE(fs::exists(home + "/nosuchdir"));
  }
  ASSERT_EQ(on("a", "remote list"), 1) << err;
  EXPECT_TRUE(err.contains("no remotes")) << err;
  fs::create_directory(home + "/nosuchdir");
  EXPECT_EQ(on("a", "remote add nas dir:" + home + "/nosuchdir"), 0) << err;
  EXPECT_TRUE(fs::exists(home + "/nosuchdir/holdfast-remote.json"));
}

TEST_F(TwoMachines, RemoteAddPrintsOneSentence) {
  const std::string place = "dir:" + home + "/share";
  ASSERT_EQ(on("a", "remote add nas " + place + " --as laptop"), 0) << err;
  EXPECT_TRUE(out.starts_with("created nas, a remote at " + place + "; this machine is called laptop there\n")) << out;
  EXPECT_TRUE(out.contains("\nnothing is shared yet; ")) << out;
  EXPECT_FALSE(out.contains("made") || out.contains("true")) << out;
  ASSERT_EQ(on("b", "remote add nas " + place + " --as tower"), 0) << err;
  EXPECT_TRUE(out.starts_with("joined nas, a remote at " + place + "; this machine is called tower there\n")) << out;
  fs::create_directory(home + "/vault");
  ASSERT_EQ(on("a", "remote add vault dir:" + home + "/vault --as laptop --encrypt"), 0) << err;
  EXPECT_TRUE(out.starts_with("created vault, an encrypted remote at ")) << out;
  EXPECT_TRUE(out.contains("\n  recovery phrase: ") && out.contains("\nwrite the recovery phrase down now")) << out;
}

// The error names the machine; whether to read the session there is up to the caller.
TEST_F(TwoMachines, NotFoundErrorNamesTheMachineThatHasTheSession) {
  share_from_a();
  ASSERT_EQ(on("b", "show cccccccc"), 3) << out;
  EXPECT_FALSE(err.contains("--machine")) << "nobody has told b yet: " << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  for (const std::string& name : {std::string("cccccccc"), id, "claude-code/" + id}) {
    ASSERT_EQ(on("b", "show " + name), 3) << out;
    EXPECT_TRUE(err.contains("laptop has it") && err.contains("--machine laptop")) << err;
  }
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "show cccccccc"), 3) << "here, and still of another machine: " << out;
  EXPECT_TRUE(err.contains("--machine laptop")) << err;
  ASSERT_EQ(on("b", "export cccccccc"), 3) << out;
  EXPECT_TRUE(err.contains("--machine laptop")) << err;
  for (const char* const line : {"show nobody", "show codex/cccccccc", "show @last"}) {
    EXPECT_EQ(on("b", line), 3) << line << out;
    EXPECT_FALSE(err.contains("laptop")) << line << ": " << err;
  }
}

TEST_F(TwoMachines, DryRunFailsLikeTheRealCommand) {
  const std::string gone = home + "/not/there";
  const auto fails_alike = [&](const std::string& line) {
    const int code = on("a", line + " --dry-run");
    EXPECT_NE(code, 0) << line << out;
    const std::string looked = err;
    EXPECT_EQ(on("a", line + " --yes"), code) << line << out;
    EXPECT_EQ(looked, err) << line;
  };
  EXPECT_EQ(on("a", "sync --dry-run"), 3) << out;
  EXPECT_EQ(on("a", "remote add nas dir:" + gone + " --dry-run"), 3) << out;
  EXPECT_EQ(on("a", "remote add nas dir:" + home + "/share --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("create a new remote")) << out;
  EXPECT_FALSE(fs::exists(home + "/share/holdfast-remote.json"));
  share_from_a();
  for (const std::string& line : {"remote share " + gone + " --with nas", std::string("remote share . --with other"),
                                  "remote unshare " + gone + " --with nas", std::string("remote remove other"),
                                  std::string("remote trust nas nobody"), std::string("remote revoke nas nobody"),
                                  std::string("pair nas nobody"), std::string("sync other")}) {
    EXPECT_EQ(on("a", line + " --dry-run"), 3) << line << out;
    const std::string looked = err;
    EXPECT_EQ(on("a", line + " --yes"), 3) << line << out;
    EXPECT_EQ(looked, err) << line;
  }
  EXPECT_EQ(on("a", "remote add nas dir:" + home + "/share --dry-run"), 2) << out << err;
  ASSERT_EQ(on("a", "remote share src --with nas --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains(home + "/a/src") && out.contains("in full")) << out;
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas --dry-run"), 0) << err;
  ASSERT_EQ(on("a", "sync --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("send new data of " + home + "/a/src/thing") && !out.contains("/a/src,")) << out;
  EXPECT_EQ(on("a", "remote check nas --dry-run"), 0) << err;
  for (const std::string& line :
       {std::string("remote migrate nas"), std::string("remote migrate ''"), std::string("remote index nas"),
        "remote add twice dir:" + home + "/share", "remote add sealed dir:" + home + "/share --encrypt"})
    fails_alike(line);
  EXPECT_TRUE(err.contains("already exists and is not encrypted")) << err;
  fs::rename(home + "/share", home + "/away");
  EXPECT_EQ(on("a", "sync --dry-run"), 7) << out;
  fails_alike("remote check nas");
  fails_alike("remote remove nas --erase");
}

// Whoever types a recovery phrase believes that the remote is encrypted.
TEST_F(TwoMachines, RecoveryPhraseIsRefusedWhereNothingIsEncrypted) {
  share_from_a();
  for (const char* const how : {" --dry-run", ""}) {
    EXPECT_EQ(sh("cd $HOME/b && echo 0000-0000-0000-0000-0000-0000-0000 | env HOME=$HOME/b $H remote add nas dir:" +
                 home + "/share --recover -" + how),
              6)
        << out;
    EXPECT_TRUE(err.contains("this remote is not encrypted, so no recovery phrase belongs to it")) << err;
  }
  EXPECT_EQ(on("b", "remote list"), 1) << "nothing was added: " << out;
  EXPECT_EQ(on("b", "remote add nas dir:" + home + "/share"), 0) << err;
}

// A directory that several people write to may be a remote, also in a dry run.
TEST_F(TwoMachines, DryRunAcceptsSharedDirectory) {
  fs::permissions(home + "/share", fs::perms::all);
  EXPECT_EQ(on("a", "remote add nas dir:" + home + "/share --dry-run"), 0) << err;
  EXPECT_TRUE(fs::is_empty(home + "/share"));
  EXPECT_EQ(on("a", "remote add nas dir:" + home + "/share"), 0) << err;
  EXPECT_EQ(on("a", "remote remove nas --erase --dry-run"), 0) << err;
  EXPECT_TRUE(fs::exists(home + "/share/holdfast-remote.json"));
}

TEST_F(TwoMachines, FetchedSessionsAreCounted) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_TRUE(out.contains("received 0 sessions, fetched 1 (")) << out;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_FALSE(out.contains("fetched")) << out;
}

TEST_F(TwoMachines, SyncHelpNamesItsOptions) {
  for (const char* const line : {"sync --help", "help sync"}) {
    ASSERT_EQ(on("a", line), 0) << err;
    for (const char* const word : {"[NAME]", "--fetch", "--no-capture", "status"})
      EXPECT_TRUE(out.contains(word)) << word << out;
  }
}

TEST_F(TwoMachines, ServeListsMachinesAndReadsTheirSessions) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "machine list --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"({"machine":"laptop","sessions":1,"here":0,)")) << out;
  const ServeProcess server(home + "/b");
  EXPECT_TRUE(server.call("machine.list").body.contains("\"laptop\""));
  const std::string listed = server.call("session.list", R"({"machine":"all","tree":true})").body;
  EXPECT_TRUE(listed.contains(R"("machine":"laptop")") && listed.contains(R"("here":false)")) << listed;
  const std::string page = server.call("message.list", R"({"session":")" + id + R"(","machine":"laptop"})").body;
  EXPECT_TRUE(page.contains("and now count them")) << page;
  const std::string hits = server.call("session.search", R"({"words":["count"],"machine":"all"})").body;
  EXPECT_TRUE(hits.contains(R"("machine":"laptop")")) << hits;
}

TEST_F(TwoMachines, OnlyChangedSessionsAreSent) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all --json"), 0) << err;
  ASSERT_EQ(on("a", "sync --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("sent":{"sessions":0,"withdrawn":0,"segments":0)")) << out;
  record({"please list the files", "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("sent":{"sessions":1)")) << out;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("one more thing")) << out;
  ASSERT_EQ(on("b", "sync status"), 0) << err;
  EXPECT_TRUE(out.contains("laptop  1 session, 1 here")) << out;
  ASSERT_EQ(on("b", "sync status --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("sessions":1,"here":1)")) << out;
  ASSERT_EQ(on("b", "remote check nas --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("machine":"laptop")")) << out;
}

TEST_F(TwoMachines, OnlyNamedProjectsAreShared) {
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share"), 0) << err;
  ASSERT_EQ(on("a", "archive run"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_FALSE(fs::exists(home + "/share/streams"));
  EXPECT_FALSE(fs::exists(home + "/share/chunks"));
  EXPECT_EQ(on("a", "remote share /no/such/project --with nas"), 3) << err;
  EXPECT_EQ(on("a", "remote share src/thing --with nobody"), 3) << err;
  EXPECT_EQ(on("a", "ls --machine nobody"), 3) << err;
}

TEST_F(TwoMachines, EncryptedRemoteNeedsItsPhrase) {
  record({secret});
  share_from_a("--encrypt");
  ASSERT_EQ(phrase.size(), 34u) << out;
  EXPECT_FALSE(share_contains(id));
  EXPECT_FALSE(share_contains("thing"));
  EXPECT_FALSE(share_contains("laptop"));
  EXPECT_FALSE(share_contains(secret));
  EXPECT_EQ(on("b", "remote add nas dir:" + home + "/share"), 2);
  EXPECT_TRUE(err.contains("recovery phrase")) << err;
  std::string wrong = phrase;
  wrong[0] = wrong[0] == 'a' ? 'b' : 'a';
  EXPECT_EQ(
      sh("cd $HOME/b && echo " + wrong + " | env HOME=$HOME/b $H remote add nas dir:" + home + "/share --recover -"),
      2);
  // A changed phrase may have a matching check sum by chance.
  EXPECT_TRUE(err.contains("recovery phrase is wrong") || err.contains("recovery phrase of another remote")) << err;
  ASSERT_EQ(
      sh("cd $HOME/b && echo " + phrase + " | env HOME=$HOME/b $H remote add nas dir:" + home + "/share --recover -"),
      0)
      << err;
  EXPECT_FALSE((out + err).contains(phrase)) << "shown once, where it was made";
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains(secret)) << out;
  ASSERT_EQ(on("a", "remote list --json"), 0) << err;
  EXPECT_FALSE(out.contains(phrase) || out.contains("secret")) << out;
}

TEST_F(TwoMachines, UnshareErasesAndNamesReaders) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const std::string kept = "versions and backups kept by the storage";
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  EXPECT_TRUE(out.contains(kept + " are out of reach")) << out;
  ASSERT_EQ(on("a", "sync --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("already_read_by":["tower"],"out_of_reach":")" + kept)) << out;
  for (const auto& entry : fs::recursive_directory_iterator(home + "/share/chunks"))
    EXPECT_FALSE(entry.is_regular_file()) << entry.path();
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "ls --machine laptop --json"), 1) << "nothing matches" << err;
  EXPECT_FALSE(out.contains(id)) << out;
}

TEST_F(TwoMachines, PairedDevicesForgetTogether) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "pair nas tower --json"), 0) << err;
  const std::string code = field({"code"});
  ASSERT_EQ(on("b", "pair nas laptop --json"), 0) << err;
  EXPECT_EQ(field({"code"}), code);
  EXPECT_EQ(field({"paired"}), "false");
  EXPECT_EQ(on("b", "pair nas laptop --code aaaa-aaaa-aaaa"), 2);
  ASSERT_EQ(on("b", "pair nas laptop --code " + code), 0) << err;
  ASSERT_EQ(on("a", "forget cccccccc --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "ls --machine laptop --json"), 1) << "nothing matches" << err;
  EXPECT_FALSE(out.contains(id)) << out;
}

TEST_F(TwoMachines, ForgottenSessionIsErasedFromRemote) {
  share_from_a();
  ASSERT_EQ(on("a", "forget cccccccc --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  for (const auto& entry : fs::recursive_directory_iterator(home + "/share/chunks"))
    EXPECT_FALSE(entry.is_regular_file()) << entry.path();
}

TEST_F(TwoMachines, MissingRemoteExitsWith7AndLosesNothing) {
  share_from_a();
  fs::rename(home + "/share", home + "/away");
  EXPECT_EQ(on("a", "sync"), 7);
  EXPECT_TRUE(err.contains("not there")) << err;
  EXPECT_EQ(on("a", "remote check nas"), 7);
  fs::create_directories(home + "/share");  // the mount point
  EXPECT_EQ(on("a", "sync"), 7);
  EXPECT_TRUE(err.contains("mounted")) << err;
  EXPECT_TRUE(fs::is_empty(home + "/share"));
  fs::remove(home + "/share");
  fs::rename(home + "/away", home + "/share");
  EXPECT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote remove nas --erase --yes"), 0) << err;
  EXPECT_TRUE(out.contains("versions and backups kept by the storage are out of reach")) << out;
  EXPECT_TRUE(fs::is_empty(home + "/share/streams"));
  ASSERT_EQ(on("a", "remote list --json"), 1) << err;
  EXPECT_TRUE(out.contains(R"("remotes":[])")) << out;
}

TEST_F(TwoMachines, SyncStateIsPrivate) {
  share_from_a();
  for (const auto& entry : fs::recursive_directory_iterator(home + "/a/.local/share/holdfast/sync")) {
    const auto mode = fs::status(entry.path()).permissions() & fs::perms::mask;
    EXPECT_EQ(mode & (fs::perms::group_all | fs::perms::others_all), fs::perms::none) << entry.path();
  }
}

}  // namespace
}  // namespace holdfast::inline v1
