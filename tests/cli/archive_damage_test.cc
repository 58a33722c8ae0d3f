// An archive with a damaged byte: forgetting works, and a run repairs what the agent still has.
#include <sstream>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveDamage : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    claude(id, "\"the password is hunter2Zebra\"");
    claude(other, "\"another prompt\"");
    claude(third, "\"a third prompt\"");
    ASSERT_EQ(sh("$H archive run"), 0) << err;
  }
  // Damages the last byte of the chunk with this file, or a byte of its header.
  void damage(const std::string& file, bool header = false) {
    ASSERT_EQ(sh("sha256sum $HOME/" + file), 0) << err;
    damage_chunk(out.substr(0, 64), header);
  }
  // The same for one whole block of a file.
  void damage_block(const std::string& file, std::size_t number) {
    ASSERT_EQ(
        sh("dd if=$HOME/" + file + " bs=262144 count=1 skip=" + std::to_string(number) + " 2>/dev/null | sha256sum"), 0)
        << err;
    damage_chunk(out.substr(0, 64));
  }
  void damage_chunk(const std::string& name, bool header = false) {
    ASSERT_EQ(sh("cat $HOME/" + pack + " >/dev/null; grep -h " + name + " $HOME/" + data + "/packs/000001.idx"), 0);
    std::size_t offset = 0, packed = 0;
    std::istringstream(out.substr(65)) >> offset >> packed;
    std::string bytes = text(pack);
    char& byte = bytes[header ? offset - 50 : offset + packed - 6];
    byte = static_cast<char>(byte ^ 1);
    std::ofstream(home + "/" + pack, std::ios::binary) << bytes;
  }
  // Replaces the file of a session by one with so many messages, some 1 KiB each.
  void write_long(const std::string& session, int messages, const std::string& word = "prompt") {
    std::ofstream log(home + "/" + folder + session + ".jsonl");
    for (int n = 0; n < messages; ++n)
      log << R"({"type":"user","uuid":"u)" << n << R"(","parentUuid":)"
          << (n == 0 ? "null" : "\"u" + std::to_string(n - 1) + "\"") << R"(,"sessionId":")" << session
          << R"(","cwd":"/srv/proj","timestamp":"2026-01-01T)" << 10 + n / 3600 << ":" << 10 + n / 60 % 60 % 50 << ":"
          << 10 + n % 50 << R"(Z","message":{"role":"user","content":")" << word << " " << n << " "
          << std::string(900, static_cast<char>('a' + n % 26)) << "\"}}\n";
  }
  static constexpr std::string_view kFolder = ".claude/projects/-desk/";
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string other = "bbbbbbbb-0000-4000-8000-000000000002";
  const std::string third = "cccccccc-0000-4000-8000-000000000003";
  const std::string folder = std::string(kFolder);
  const std::string data = ".local/share/holdfast/archive";
  const std::string pack = data + "/packs/000001.zst";
};

// Nobody named the folder, so the command line is not to blame.
TEST_F(ArchiveDamage, FileInPlaceOfArchiveMakesItUnavailable) {
  fs::remove_all(home + "/" + data);
  std::ofstream(home + "/" + data) << "x";
  for (const std::string command :
       {"archive run", "archive status", "archive verify", "archive versions aaaaaaaa", "archive compact",
        "archive prune --yes", "forget aaaaaaaa --yes", "restore aaaaaaaa"}) {
    EXPECT_EQ(sh("$H " + command), 5) << command << out << err;
    EXPECT_TRUE(err.contains("something else is in the place of this folder")) << command << err;
  }
  EXPECT_EQ(sh("$H show aaaaaaaa"), 0) << err;
}

// As verify promises, the next run repairs the log, and so does compact.
TEST_F(ArchiveDamage, NextRunRepairsDamagedLog) {
  for (const char* const mend : {"archive run", "archive compact && $H archive run"}) {
    SCOPED_TRACE(mend);
    // A file that changed right before its capture is captured again, in a line that builds on the first.
    for (const std::string& one : {id, other, third}) claude(one, "\"said before " + std::string(mend) + "\"");
    ASSERT_EQ(sh("$H archive run && $H archive run"), 0) << err;
    ASSERT_EQ(sh("sed -i \"$(grep -n " + other + " $HOME/" + data +
                 "/log.jsonl | head -n1 | cut -d: -f1)s/claude-code/claude-codX/\" $HOME/" + data + "/log.jsonl"),
              0)
        << err;
    EXPECT_EQ(sh("$H archive verify"), 4) << out;
    ASSERT_EQ(sh("$H archive status"), 0) << err;
    EXPECT_TRUE(err.contains("log.jsonl")) << err;
    ASSERT_EQ(sh("$H " + std::string(mend)), 0) << err;
    EXPECT_TRUE(err.contains(" removed, with captures of ") && err.contains(other + "; what agents still have") &&
                err.contains("a copy is in "))
        << err;
    // What the agent had when the damaged line was written is lost.
    EXPECT_EQ(sh("$H archive verify"), 4) << out;
    ASSERT_EQ(sh("$H archive run && $H archive compact --drop-unnamed && $H archive verify"), 0) << out << err;
    ASSERT_EQ(sh("$H archive run"), 0) << err;
    EXPECT_EQ(err, "");
    for (const std::string& one : {id, other, third}) {
      ASSERT_EQ(sh("rm -rf $HOME/back && $H restore " + one + " --to $HOME/back"), 0) << err;
      EXPECT_EQ(text("back/projects/-desk/" + one + ".jsonl"), text(folder + one + ".jsonl"));
    }
  }
}

// The end of a file is cut into other pieces when the file has grown, or after 32 captures.
TEST_F(ArchiveDamage, HealsPiecesThatLaterCapturesCutDifferently) {
  for (const int later : {0, 34}) {
    SCOPED_TRACE(later);
    ASSERT_EQ(sh("rm -r $HOME/" + data + " && $H archive run"), 0) << err;
    const std::string file = folder + other + ".jsonl", first = text(file);
    const auto capture_more = [&] {
      std::ofstream(home + "/" + file, std::ios::app) << R"({"type":"mode","n":)" << text(file).size() << "}\n";
      ASSERT_EQ(sh("$H archive run"), 0) << err;
    };
    ASSERT_EQ(sh("sha256sum <$HOME/" + file), 0) << err;
    const std::string chunk = out.substr(0, 64);
    for (int n = 0; n < later; ++n) capture_more();
    damage_chunk(chunk);
    EXPECT_EQ(sh("$H archive verify"), 4) << out;
    // The newest version does not need the damaged piece any more, and the agent has deleted the file.
    const std::string whole = text(file);
    if (later > 0)
      ASSERT_EQ(sh("rm $HOME/" + file + "; $H archive run"), 0) << err;
    else
      capture_more();
    EXPECT_TRUE(out.contains("healed 1 damaged piece")) << out << err;
    EXPECT_EQ(sh("$H archive verify && $H archive status && $H doctor"), 0) << out << err;
    EXPECT_FALSE(err.contains("damaged")) << err;
    ASSERT_EQ(
        sh("rm -rf $HOME/back; $H restore bbbbbbbb --to $HOME/back --as-of $($H archive versions bbbbbbbb --json | "
           "jq -r '.versions[0].captured_at')"),
        0)
        << err;
    EXPECT_EQ(text("back/projects/-desk/" + other + ".jsonl"), first);
    if (later == 0) continue;
    ASSERT_EQ(sh("rm -r $HOME/back && $H restore bbbbbbbb --to $HOME/back"), 0) << err;
    EXPECT_EQ(text("back/projects/-desk/" + other + ".jsonl"), whole);
  }
}

TEST_F(ArchiveDamage, ForgetsSessionInPackDamagedElsewhere) {
  for (const bool header : {false, true}) {
    ASSERT_EQ(sh("cp -r $HOME/" + data + " $HOME/before"), 0) << err;
    damage(folder + other + ".jsonl", header);
    ASSERT_EQ(sh("$H forget aaaaaaaa --yes --json"), 0) << out << err;
    EXPECT_FALSE(fs::exists(home + "/" + pack)) << "the pack with the text in it: " << out;
    EXPECT_NE(sh("grep -rl " + id + ".jsonl $HOME/" + data), 0) << out;
    // What can be read is whole, and what cannot be read did not get worse.
    EXPECT_EQ(sh("$H archive verify --json"), 4) << out << err;
    EXPECT_EQ(field({"broken_sessions"}), "1") << out;
    ASSERT_EQ(sh("$H restore cccccccc --to $HOME/back"), 0) << err;
    EXPECT_EQ(text("back/projects/-desk/" + third + ".jsonl"), text(folder + third + ".jsonl"));
    ASSERT_EQ(sh("rm -r $HOME/" + data + " $HOME/back && mv $HOME/before $HOME/" + data), 0) << err;
  }
}

TEST_F(ArchiveDamage, UnreadableSessionIsNotReportedAsForgotten) {
  damage(folder + other + ".jsonl");
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --dry-run"), 4) << err;
  EXPECT_TRUE(out.contains("could not read all of these") && out.contains("claude-code/" + other)) << out;
  EXPECT_EQ(sh("$H forget --match hunter2Zebra --yes"), 4) << out << err;
  EXPECT_TRUE(out.contains("forgot 1 line out of claude-code/" + id)) << out;
  EXPECT_TRUE(out.contains("could not read all of claude-code/" + other)) << out;
  EXPECT_TRUE(out.contains("the text may still be in there")) << out;
  EXPECT_FALSE(fs::exists(home + "/" + pack)) << "the pack with the text in it";
  EXPECT_EQ(sh("$H forget --match zzzz --yes"), 4) << out << err;
  EXPECT_EQ(sh("$H forget bbbbbbbb --yes && $H forget --match hunter2Zebra --yes && $H archive verify"), 0)
      << out << err;
}

// A run that could not even begin.
TEST_F(ArchiveDamage, StatusSaysWhyNothingIsCaptured) {
  ASSERT_EQ(sh("$H forget bbbbbbbb --yes && $H archive run && cp $HOME/" + data + "/forgotten.json $HOME/list && " +
               "truncate -s -5 $HOME/" + data + "/forgotten.json"),
            0)
      << err;
  const std::string why =
      "the list of what is forgotten is not JSON; put it back from a backup, or remove it if no forget was "
      "interrupted: "
      "the log repeats it";
  EXPECT_EQ(sh("$H archive run"), 4) << out;
  EXPECT_TRUE(err.contains(why) && err.contains("forgotten.json")) << err;
  ASSERT_EQ(sh("$H archive status"), 0) << err;
  EXPECT_TRUE(out.contains("failed: " + why + " (forgotten.json); not everything that is new is captured")) << out;
  EXPECT_TRUE(err.contains(why + "; nothing is captured until it can be read")) << err;
  EXPECT_EQ(sh("$H doctor"), 4) << out;
  EXPECT_TRUE(out.contains("forgotten.json") && out.contains("nothing is captured until it can be read")) << out;
  ASSERT_EQ(sh("mv $HOME/list $HOME/" + data + "/forgotten.json && $H archive run"), 0) << err;
  ASSERT_EQ(sh("$H archive status && $H doctor"), 0) << out << err;
  EXPECT_FALSE((out + err).contains("forgotten")) << out << err;
}

// Verify notes what it found, and the next run rewrites what the agent still has.
TEST_F(ArchiveDamage, RunRepairsPiecesTheAgentStillHas) {
  const std::string sound = text(folder + other + ".jsonl");
  for (const bool header : {false, true}) {
    ASSERT_EQ(sh("touch -d '2 hours ago' $HOME/" + folder + "*.jsonl && rm -r $HOME/" + data + " && $H archive run"),
              0);
    damage(folder + other + ".jsonl", header);
    EXPECT_EQ(sh("$H archive status"), 0) << err;
    EXPECT_FALSE(err.contains("damaged")) << "nobody knows yet: " << err;
    EXPECT_EQ(sh("$H archive verify"), 4) << out << err;
    EXPECT_TRUE(out.contains("the next holdfast archive run heals what agents still have")) << out;
    EXPECT_EQ(sh("$H archive status"), 0) << err;
    EXPECT_TRUE(err.contains("1 damaged piece is known")) << err;
    EXPECT_EQ(sh("$H doctor"), 4) << out << err;
    EXPECT_TRUE(out.contains("1 damaged piece in the archive; run holdfast archive verify to list")) << out;
    ASSERT_EQ(sh("$H archive run"), 0) << out << err;
    EXPECT_TRUE(out.contains("healed 1 damaged piece")) << out;
    EXPECT_EQ(sh("$H doctor"), 0) << out << err;
    EXPECT_EQ(sh("$H archive verify"), 0) << out << err;
    EXPECT_FALSE(fs::exists(home + "/" + data + "/damaged.json"));
    EXPECT_EQ(sh("$H archive status"), 0) << err;
    EXPECT_FALSE(err.contains("damaged")) << err;
    ASSERT_EQ(sh("$H archive compact && $H archive verify"), 0) << out << err;
    fs::remove_all(home + "/back");
    for (const std::string& one : {id, other, third}) {
      ASSERT_EQ(sh("$H restore " + one + " --to $HOME/back"), 0) << out << err;
      EXPECT_EQ(text("back/projects/-desk/" + one + ".jsonl"), text(folder + one + ".jsonl")) << one;
    }
    ASSERT_EQ(sh("$H archive run --json"), 0) << err;
    EXPECT_EQ(field({"captured"}), "0") << out;
  }
}

// Damage that nobody can repair stays recorded.
TEST_F(ArchiveDamage, DamageStaysRecordedIfAgentDeletedTheFile) {
  damage(folder + other + ".jsonl");
  EXPECT_EQ(sh("rm $HOME/" + folder + other + ".jsonl; $H archive verify"), 4) << out << err;
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(sh("$H archive run"), 0) << out << err;
    EXPECT_FALSE(out.contains("healed")) << out;
    ASSERT_EQ(sh("$H archive status"), 0) << err;
    EXPECT_TRUE(err.contains("1 damaged piece is known")) << err;
  }
  // Once its session is forgotten, nothing needs the chunk.
  ASSERT_EQ(sh("$H forget bbbbbbbb --yes && $H archive run && $H archive status"), 0) << out << err;
  EXPECT_FALSE(err.contains("damaged")) << err;
}

// Nobody ran verify. What agents still have is captured again, and the pack can be put back.
TEST_F(ArchiveDamage, RunNoticesMissingAndCutPacks) {
  for (const std::string& loss : {"rm $HOME/" + pack, "truncate -s -1 $HOME/" + pack, "truncate -s 0 $HOME/" + pack}) {
    SCOPED_TRACE(loss);
    for (const std::string& one : {id, other, third}) claude(one, "\"a prompt of " + one + "\"");
    ASSERT_EQ(sh("touch -d '2 hours ago' $HOME/" + folder + "*.jsonl && rm -r $HOME/" + data +
                 " && $H archive run && " + "mkdir -p $HOME/kept && cp $HOME/" + pack + " $HOME/kept/ && mv $HOME/" +
                 folder + third + ".jsonl $HOME/kept/ && " + loss + " && $H archive status"),
              0)
        << err;
    EXPECT_TRUE(err.contains("are known; run holdfast archive verify") || err.contains("1 damaged piece is known"))
        << err;
    // One goes on where it was, the other is unchanged.
    const std::string grown = "$HOME/" + folder + other + ".jsonl";
    ASSERT_EQ(sh(R"(sed 's/"uuid":"u","parentUuid":null/"uuid":"v","parentUuid":"u"/' )" + grown + " | tail -n 1 >> " +
                 grown),
              0)
        << err;
    for (int run = 0; run < 2; ++run) {
      ASSERT_EQ(sh("$H archive run"), 0) << err;
      EXPECT_TRUE(err.contains("claude-code/" + third + ": 1 piece of it is damaged or missing in the archive")) << err;
      EXPECT_FALSE(err.contains(id) || err.contains(other)) << err;
    }
    EXPECT_EQ(sh("$H archive verify"), 4) << out;
    EXPECT_EQ(sh("$H doctor"), 4) << out;
    EXPECT_TRUE(out.contains("1 damaged piece in the archive")) << out;
    EXPECT_EQ(sh("$H restore cccccccc --to $HOME/back"), 4) << out;
    for (const std::string& one : {id, other}) {
      ASSERT_EQ(sh("$H restore " + one + " --to $HOME/back"), 0) << err;
      EXPECT_EQ(text("back/projects/-desk/" + one + ".jsonl"), text(folder + one + ".jsonl"));
    }
    ASSERT_EQ(sh("cp $HOME/kept/000001.zst $HOME/" + pack + " && rm -r $HOME/back && $H archive run"), 0) << err;
    EXPECT_EQ(err, "");
    ASSERT_EQ(sh("$H archive verify && $H doctor"), 0) << out << err;
    for (const std::string& one : {id, other, third}) ASSERT_EQ(sh("$H restore " + one + " --to $HOME/back"), 0) << err;
    EXPECT_EQ(text("back/projects/-desk/" + third + ".jsonl"), text("kept/" + third + ".jsonl"));
    ASSERT_EQ(sh("rm -r $HOME/back $HOME/kept"), 0) << err;
  }
}

// A version that cannot be read does not prevent the next capture.
TEST_F(ArchiveDamage, CapturesNewVersionDespiteDamagedOldOne) {
  damage(folder + other + ".jsonl");
  claude(other, "\"something else\"");
  ASSERT_EQ(sh("$H archive run"), 0) << out << err;
  ASSERT_EQ(sh("$H restore bbbbbbbb --to $HOME/back"), 0) << out << err;
  EXPECT_TRUE(text("back/projects/-desk/" + other + ".jsonl").contains("something else"));
}

// One damaged block costs what is in it, and nothing else.
TEST_F(ArchiveDamage, ReadsTheRestOfADamagedSession) {
  const std::string log = folder + other + ".jsonl";
  write_long(other, 1200);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  ASSERT_EQ(sh("$H ls --json --limit 1 && rm -r $HOME/.cache"), 0) << err;
  const std::string updated(JsonView(out).find("sessions").elements().begin()->value.find("updated_at").raw());
  damage_block(log, 2);
  ASSERT_EQ(sh("mkdir $HOME/kept && mv $HOME/" + log + " $HOME/kept/"), 0) << err;
  const std::string lost = "262144 bytes from byte 524288 on are lost in the archive: chunk ";
  ASSERT_EQ(sh("$H ls --json --limit 1"), 0) << err;
  EXPECT_TRUE(out.contains(other) && out.contains(updated) && out.contains("\"damage\":1") && out.contains(lost))
      << out;
  for (const char* command : {"show", "export --format md", "show --format json"}) {
    ASSERT_EQ(sh("$H " + std::string(command) + " bbbbbbbb"), 0) << command << err;
    EXPECT_TRUE(out.contains("prompt 0 ") && out.contains("prompt 1199 ")) << command;
    EXPECT_FALSE(out.contains("prompt 600 ")) << command;
    EXPECT_TRUE((out + err).contains(lost)) << command << err;
  }
  ASSERT_EQ(sh("$H tail -n 2 bbbbbbbb"), 0) << err;
  EXPECT_TRUE(out.contains("prompt 1199 ")) << out;
  ASSERT_EQ(sh("$H rescue bbbbbbbb -o $HOME/rescued.jsonl"), 0) << out << err;
  EXPECT_TRUE(text("rescued.jsonl").contains("prompt 1199 ") && text("rescued.jsonl").contains("prompt 0 "));
  EXPECT_EQ(sh("$H archive verify"), 4) << err;
  EXPECT_TRUE(out.contains(other + ".jsonl, byte 524288: 1 of its ")) << out;
  // What is there again is shown again, though no file has changed.
  ASSERT_EQ(sh("mv $HOME/kept/* $HOME/" + folder + " && $H archive run && rm $HOME/" + log), 0) << err;
  ASSERT_EQ(sh("$H show bbbbbbbb && $H ls --json --limit 1"), 0) << err;
  EXPECT_TRUE(out.contains("prompt 600 ")) << out;
  EXPECT_FALSE((out + err).contains("lost in the archive")) << err;
}

TEST_F(ArchiveDamage, ListsSessionWithoutAnyReadableBlock) {
  damage(folder + other + ".jsonl");
  ASSERT_EQ(sh("rm $HOME/" + folder + other + ".jsonl && $H ls --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "3") << out;
  EXPECT_TRUE(out.contains(other) && out.contains("another prompt") && out.contains("lost in the archive")) << out;
  EXPECT_EQ(sh("$H restore bbbbbbbb"), 4) << out;
  EXPECT_TRUE(err.contains("session " + other + " cannot be restored in full") &&
              err.contains("no earlier version is whole"))
      << err;
}

TEST_F(ArchiveDamage, RestoreOfADamagedSessionNamesTheNewestWholeVersion) {
  const std::string log = folder + other + ".jsonl";
  write_long(other, 300);
  const std::string before = text(log);
  ASSERT_EQ(sh("$H archive run && $H archive versions bbbbbbbb --json"), 0) << err;
  write_long(other, 1200, "rewritten");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  damage_block(log, 2);
  ASSERT_EQ(sh("rm $HOME/" + log), 0) << err;
  ASSERT_EQ(sh("$H restore bbbbbbbb"), 4) << out;
  EXPECT_TRUE(err.contains("session " + other + " cannot be restored in full; projects/-desk/" + other +
                           ".jsonl lacks 262144 of its ") &&
              err.contains(" bytes, from byte 524288 on: chunk "))
      << err;
  EXPECT_FALSE(fs::exists(home + "/" + log));
  const std::string hint = "(holdfast restore ";
  const std::size_t at = err.find(hint);
  ASSERT_NE(at, std::string::npos) << err;
  const std::string command = err.substr(at + hint.size(), err.find(')', at) - at - hint.size());
  ASSERT_EQ(sh("$H restore " + command), 0) << err;
  EXPECT_EQ(text(log), before);
}

// Its bytes are read when they are written beside its place, and a dry run holds no more than 192 MiB.
TEST_F(ArchiveDamage, RestoreWithADamagedLargestFileLeavesNothingBehind) {
  const std::string output = folder + other + "/tool-results/x.txt";
  fs::create_directories((home + "/" + output).substr(0, home.size() + 1 + output.rfind('/')));
  fs::create_directories(home + "/there");
  for (const std::string size : {"3000000", "203000000"}) {
    SCOPED_TRACE(size);
    ASSERT_EQ(sh("rm -r $HOME/" + data + "; yes output | head -c " + size + " >$HOME/" + output + "; $H archive run"),
              0)
        << err;
    ASSERT_EQ(sh("tail -c $((" + size + " % 262144)) $HOME/" + output + " | sha256sum"), 0) << err;
    damage_chunk(out.substr(0, 64));
    for (const std::string to : {"new", "there"}) {
      for (const std::string how : {"", " --dry-run"}) {
        EXPECT_EQ(sh("$H restore bbbbbbbb --to $HOME/" + to + how), 4) << to << how << out;
        EXPECT_TRUE(err.contains("cannot be restored in full")) << to << how << err;
      }
    }
    EXPECT_FALSE(fs::exists(home + "/new"));
    EXPECT_TRUE(fs::is_empty(home + "/there"));
  }
}

}  // namespace
}  // namespace holdfast::inline v1
