// Forgetting, compacting and pruning in an archive whose log has damage: what cannot be read is not removed with the
// rest, and a run captures what is new although an earlier forget cannot be finished.
#include <sstream>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveForgetDamage : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    for (const std::string& one : {id, other}) claude(one, "\"a prompt of " + one + "\"");
  }
  void capture_and_delete() {
    ASSERT_EQ(sh("$H archive run && cp -r $HOME/.claude $HOME/claude && rm -r $HOME/.claude && cp -r $HOME/" + archive +
                 " $HOME/whole"),
              0)
        << err;
  }
  void damage_line(const std::string& session) {
    ASSERT_EQ(sh("sed -i 's/" + session + ".jsonl/" + session + ".jsonX/' $HOME/" + log), 0) << err;
  }
  // Damages the last byte of the chunk.
  void damage_chunk(const std::string& name) {
    ASSERT_EQ(sh("grep -H " + name + " $HOME/" + archive + "/packs/*.idx"), 0) << err;
    const std::string pack = out.substr(0, out.find(".idx:")) + ".zst";
    std::size_t offset = 0, packed = 0;
    std::istringstream(out.substr(out.find(name) + 65)) >> offset >> packed;
    std::fstream file(pack, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(offset + packed - 6));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(offset + packed - 6));
    file.put(static_cast<char>(byte ^ 1));
  }
  // A session of so many files that their list is in a chunk.
  void capture_long_list_and_damage_it() {
    for (int n = 0; n < 90; ++n) {
      const fs::path file = home + "/.claude/projects/-desk/" + id + "/subagents/agent-" + std::to_string(n) + ".jsonl";
      fs::create_directories(file.parent_path());
      std::ofstream(file) << "{\"n\":" << n << "}\n";
    }
    capture_and_delete();
    const std::string lines = text(log), mark = R"("files_in":[")";
    ASSERT_NE(lines.find(mark), std::string::npos) << lines;
    damage_chunk(lines.substr(lines.find(mark) + mark.size(), 64));
  }
  // Everything that the archive has captured.
  std::string contents() {
    EXPECT_EQ(sh("cd $HOME/" + archive + " && cat log.jsonl packs/*.zst | sha256sum"), 0) << err;
    return out;
  }
  void expect_nothing_removed(const std::string& command) {
    const std::string before = contents();
    EXPECT_EQ(sh("$H " + command), 4) << command << out << err;
    const std::string told = err;
    EXPECT_EQ(contents(), before) << command;
    EXPECT_TRUE(told.contains("of the log cannot be read") && told.contains("--drop-unnamed")) << command << told;
    if (command.starts_with("forget")) {
      EXPECT_TRUE(told.contains("nothing was forgotten: ")) << told;
    }
  }
  // As if it had been killed before it removed anything.
  void forget_later(const std::string& session) {
    const std::string key =
        R"({"layout":"claude-code","store":")" + home + R"(/.claude","session":")" + session + "\"}";
    std::ofstream(home + "/" + archive + "/forgotten.json")
        << R"({"sessions":[)" << key << R"(],"unfinished":[)" << key << R"(],"lines":{"salt":"x","hashes":[]}})";
  }
  void expect_restored(const std::string& session) {
    ASSERT_EQ(sh("rm -rf $HOME/back && $H restore " + session + " --to $HOME/back"), 0) << err;
    EXPECT_EQ(text("back/projects/-desk/" + session + ".jsonl"), text("claude/projects/-desk/" + session + ".jsonl"));
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string other = "bbbbbbbb-0000-4000-8000-000000000002";
  const std::string archive = ".local/share/holdfast/archive";
  const std::string log = archive + "/log.jsonl";
};

TEST_F(ArchiveForgetDamage, DamagedLineOfAnotherSessionStays) {
  capture_and_delete();
  damage_line(other);
  for (const std::string command : {"forget aaaaaaaa --yes", "forget aaaaaaaa --dry-run", "forget --match prompt --yes",
                                    "forget --match prompt --dry-run"})
    expect_nothing_removed(command);
  ASSERT_EQ(sh("cp $HOME/whole/log.jsonl $HOME/" + log + " && $H archive verify && $H forget aaaaaaaa --yes"), 0)
      << out << err;
  expect_restored(other);
}

// The same if a run finishes a forget: it sets the damage aside first.
TEST_F(ArchiveForgetDamage, RunThatFinishesForgetKeepsWhatDamagedLineNames) {
  capture_and_delete();
  damage_line(other);
  forget_later(id);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_TRUE(err.contains("with captures of claude-code/" + other) &&
              err.contains("what was forgotten is still in the archive: it cannot be told from"))
      << err;
  EXPECT_NE(sh("grep -rl " + other + " $HOME/" + archive + "/.side/corrupt"), 1) << "the copy that was promised";
  ASSERT_EQ(sh("cp $HOME/whole/log.jsonl $HOME/" + log + " && $H archive run"), 0) << err;
  EXPECT_TRUE(err.contains("what was left of an interrupted forget is removed")) << err;
  expect_restored(other);
  EXPECT_EQ(sh("$H restore aaaaaaaa"), 3) << out;
}

// The list of a session's files is in a chunk if it is long. Without it nobody knows which chunks are the session's.
TEST_F(ArchiveForgetDamage, UnreadableListOfFilesStays) {
  capture_long_list_and_damage_it();
  for (const bool line : {false, true}) {
    if (line) damage_line(other);
    for (const std::string command :
         {"archive compact", "archive prune --keep-days 1 --yes", "forget bbbbbbbb --yes", "forget --match zzz --yes"})
      expect_nothing_removed(command);
  }
  forget_later(other);
  const std::string before = contents();
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_TRUE(err.contains("what was forgotten is still in the archive until a run can finish that")) << err;
  EXPECT_EQ(contents(), before);
  ASSERT_EQ(sh("rm -r $HOME/" + archive + " && cp -r $HOME/whole $HOME/" + archive + " && $H archive compact"), 0)
      << err;
  expect_restored(other);
  expect_restored(id);
  EXPECT_EQ(text("back/projects/-desk/" + id + "/subagents/agent-89.jsonl"), "{\"n\":89}\n");
}

// What the pack that is away has of the session would come back with it.
TEST_F(ArchiveForgetDamage, PackThatIsAwayIsWaitedFor) {
  capture_and_delete();
  for (const bool index : {false, true}) {
    ASSERT_EQ(
        sh("mkdir -p $HOME/away && mv $HOME/" + archive + "/packs/000001." + (index ? "*" : "zst") + " $HOME/away/"), 0)
        << err;
    const std::string lines = text(log);
    for (const std::string how : {" --dry-run", " --yes"}) {
      EXPECT_EQ(sh("$H forget aaaaaaaa" + how), 4) << out << err;
      EXPECT_TRUE(err.contains("nothing was forgotten: 1 piece of claude-code/" + id + " is in no pack") &&
                  err.contains("--drop-unnamed"))
          << err;
    }
    EXPECT_EQ(text(log), lines);
    ASSERT_EQ(sh("cp $HOME/away/* $HOME/" + archive + "/packs/ && rm -r $HOME/away"), 0) << err;
  }
  EXPECT_EQ(sh("$H forget aaaaaaaa --yes && $H archive verify"), 0) << out << err;
  expect_restored(other);
}

// Nobody has the pack any more. If it appears all the same, it has what was forgotten.
TEST_F(ArchiveForgetDamage, PackThatIsAwayIsGivenUpAndPutBack) {
  capture_and_delete();
  ASSERT_EQ(sh("mv $HOME/" + archive + "/packs $HOME/away && mkdir $HOME/" + archive + "/packs"), 0) << err;
  ASSERT_EQ(sh("$H archive compact --drop-unnamed && $H archive run && $H forget aaaaaaaa --yes"), 0) << out << err;
  const std::string captures = "grep -v '^{\"forgot\":' $HOME/" + std::string(log) + " | grep -c ";
  EXPECT_EQ(sh(captures + id), 1) << out;
  EXPECT_EQ(sh(captures + other), 0) << out;
  ASSERT_EQ(sh("mkdir -p $HOME/" + archive + "/packs && cp $HOME/away/* $HOME/" + archive + "/packs/"), 0) << err;
  const std::string words =
      "1 piece in the packs belongs to no session, as after an old pack was put back, and may hold what was forgotten; "
      "holdfast archive compact removes it";
  EXPECT_EQ(sh("$H archive verify"), 4) << out;
  EXPECT_TRUE(out.contains(words)) << out;
  ASSERT_EQ(sh("$H archive compact && $H archive verify && $H archive run"), 0) << out << err;
  expect_restored(other);
}

TEST_F(ArchiveForgetDamage, UnreadableListOfFilesCanBeGivenUp) {
  capture_long_list_and_damage_it();
  ASSERT_EQ(sh("$H archive compact --drop-unnamed"), 0) << err;
  EXPECT_TRUE(err.contains("with captures of claude-code/" + id + ";") && err.contains("a copy is in ")) << err;
  ASSERT_EQ(sh("$H archive verify"), 0) << out;
  expect_restored(other);
  EXPECT_EQ(sh("$H restore aaaaaaaa"), 3) << out;
  EXPECT_EQ(sh("$H forget bbbbbbbb --yes"), 0) << out << err;
}

// A line of an archive from before 0.3, which has no checksum. It is read all the same, and then mended.
TEST_F(ArchiveForgetDamage, LineThatIsNotUtf8IsMendedOnce) {
  capture_and_delete();
  ASSERT_EQ(
      sh("LC_ALL=C sed -i -e 's/,\"crc\":\"[0-9a-f]*\"}$/}/' -e 's/a prompt of bbbb/a pr\\xffmpt of bbbb/' $HOME/" +
         log),
      0)
      << err;
  ASSERT_TRUE(text(log).contains("a pr\xffmpt of bbbb") && !text(log).contains("crc")) << text(log);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_TRUE(err.contains("1 damaged place of the log")) << err;
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_EQ(err, "");
  ASSERT_EQ(sh("$H archive verify"), 0) << out << err;
  EXPECT_TRUE(text(log).contains("a pr\xEF\xBF\xBDmpt of bbbb")) << text(log);
  expect_restored(other);
  EXPECT_EQ(sh("$H forget aaaaaaaa --yes"), 0) << out << err;
}

// The notes cannot be written: what else is to be forgotten waits, and what is new is captured.
TEST_F(ArchiveForgetDamage, RunGoesOnWithoutTheNotes) {
  ASSERT_EQ(sh("$H archive run && $H rename aaaa secret && rm -r $HOME/.local/share/holdfast/notes/.holdfast && touch "
               "$HOME/.local/share/holdfast/notes/.holdfast"),
            0)
      << err;
  EXPECT_EQ(sh("$H forget bbbbbbbb --yes"), 0) << "it has no notes: " << out << err;
  EXPECT_NE(sh("$H forget aaaaaaaa --yes"), 0) << out;
  const std::string third = "cccccccc-0000-4000-8000-000000000003";
  claude(third, "\"something new\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_TRUE(err.contains("what was forgotten is still in the archive until a run can finish that")) << err;
  EXPECT_TRUE(out.contains("captured changes in 1 of 3 sessions")) << out;
  ASSERT_EQ(sh("rm $HOME/.local/share/holdfast/notes/.holdfast && $H archive run"), 0) << err;
  EXPECT_TRUE(err.contains("what was left of an interrupted forget is removed")) << err;
  EXPECT_FALSE(text(".local/share/holdfast/notes/notes.json").contains("secret"));
  EXPECT_EQ(sh("rm -r $HOME/.claude; $H restore aaaaaaaa"), 3) << out;
  EXPECT_EQ(sh("$H restore " + third), 0) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
