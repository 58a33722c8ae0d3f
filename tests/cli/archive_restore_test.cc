// `holdfast restore` from the archive: with an agent's memory, and for a project that has moved.
#include <map>

#include "tests/cli/cli_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveRestore : CliHome {
  void write(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
  std::map<std::string, std::string> files_below(const std::string& root) {
    std::map<std::string, std::string> files;
    if (!fs::exists(home + "/" + root)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/" + root)) {
      const std::string name = fs::relative(entry.path(), home).string();
      if (entry.is_regular_file()) files[name] = text(name);
    }
    return files;
  }
  // The folder that Claude Code and Qwen Code use for a directory below the home.
  std::string dashed(const std::string& directory) const {
    std::string name = home + "/" + directory;
    for (char& letter : name) letter = std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '-';
    return name;
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string other = "bbbbbbbb-0000-4000-8000-000000000002";
  const std::string folder = ".claude/projects/-desk/";
};

TEST_F(ArchiveRestore, RestoresMemoryOnlyOnRequest) {
  claude(id, "\"a prompt\"");
  write(folder + "memory/MEMORY.md", "- likes tabs\n");
  write(folder + "memory/topics/build.md", "use ninja\n");
  write(folder + "memory/CLAUDE.md", "never kept");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  fs::remove_all(home + "/.claude");
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  EXPECT_EQ(files_below(".claude").size(), 1U);
  ASSERT_EQ(sh("$H restore aaaaaaaa --memory --json"), 0) << err;
  EXPECT_EQ(field({"memory"}), "2") << out;
  EXPECT_EQ(field({"written"}), "2") << out;
  EXPECT_EQ(files_below(".claude").size(), 3U);
  EXPECT_EQ(text(folder + "memory/MEMORY.md"), "- likes tabs\n");
  EXPECT_EQ(text(folder + "memory/topics/build.md"), "use ninja\n");
  EXPECT_EQ(fs::status(home + "/" + folder + "memory/MEMORY.md").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  // A memory file with other contents stays, and nothing is written beside it.
  write(folder + "memory/MEMORY.md", "- likes spaces\n");
  fs::remove(home + "/" + folder + "memory/topics/build.md");
  EXPECT_NE(sh("$H restore aaaaaaaa --memory"), 0) << out;
  EXPECT_NE(err.find("memory/MEMORY.md: 15 bytes there"), std::string::npos) << err;
  EXPECT_EQ(text(folder + "memory/MEMORY.md"), "- likes spaces\n");
  EXPECT_FALSE(fs::exists(home + "/" + folder + "memory/topics/build.md"));
  EXPECT_EQ(sh("$H archive verify"), 0) << out << err;
}

// Only the last session of a project captures the memory; restoring any of them brings back the newest.
TEST_F(ArchiveRestore, MemoryChangeIsCapturedOnceForAllSessions) {
  for (int n = 1; n <= 5; ++n) claude("aaaaaaaa-0000-4000-8000-00000000000" + std::to_string(n), "\"a prompt\"");
  write(folder + "memory/MEMORY.md", "first\n");
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "5") << out;
  EXPECT_EQ(field({"files"}), "6") << out;
  // Old enough that no file is read again because its time is too recent.
  ASSERT_EQ(sh("find $HOME/.claude -type f -exec touch -d '1 hour ago' {} +; $H archive run"), 0) << err;
  write(folder + "memory/MEMORY.md", "the second\n");
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "1") << out;
  // Now another session is the last one.
  claude(other, "\"later\"");
  std::string later = text(folder + other + ".jsonl");
  later.replace(later.find("2026-01-01"), 10, "2026-02-02");
  write(folder + other + ".jsonl", later);
  write(folder + "memory/MEMORY.md", "the third one\n");
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "1") << "the one that kept it has not lost it: " << out;
  fs::remove_all(home + "/.claude");
  ASSERT_EQ(sh("$H restore aaaaaaaa-0000-4000-8000-000000000002 --memory --json"), 0) << err;
  EXPECT_EQ(text(folder + "memory/MEMORY.md"), "the third one\n");
}

TEST_F(ArchiveRestore, RestoresIntoMovedProject) {
  fs::create_directories(home + "/new place");
  claude(id, "\"a prompt\"");
  write(folder + id + "/tool-results/x.txt", "output");
  write(folder + "memory/MEMORY.md", "remembered");
  write(".claude/file-history/" + id + "/1", "before");
  const auto before = files_below(".claude");
  ASSERT_EQ(sh("$H archive run && rm -r $HOME/.claude"), 0) << err;
  ASSERT_EQ(sh("$H restore aaaaaaaa --project '" + home + "/new place' --memory --json"), 0) << err;
  const auto after = files_below(".claude");
  ASSERT_EQ(after.size(), before.size()) << out;
  for (const auto& [name, bytes] : before) {
    std::string moved = name;
    if (name.starts_with(folder)) moved = ".claude/projects/" + dashed("new place") + "/" + name.substr(folder.size());
    ASSERT_TRUE(after.contains(moved)) << moved;
    EXPECT_EQ(after.at(moved), bytes) << moved;
  }
  EXPECT_NE(out.find(dashed("new place") + "/" + id + ".jsonl"), std::string::npos) << out;
  ASSERT_EQ(sh("$H show aaaaaaaa"), 0) << err;
  EXPECT_NE(out.find("a prompt"), std::string::npos) << out;
  // The second time, everything is there already.
  ASSERT_EQ(sh("$H restore aaaaaaaa --project '" + home + "/new place/' --json"), 0) << err;
  EXPECT_EQ(field({"already_there"}), "3") << out;
  EXPECT_EQ(sh("$H restore aaaaaaaa --project $HOME/nowhere"), 2) << out;
  EXPECT_NE(err.find("there is no directory"), std::string::npos) << err;
  EXPECT_EQ(files_below(".claude"), after);
}

TEST_F(ArchiveRestore, UsesProjectFolderNamesOfQwenAndPi) {
  fs::create_directories(home + "/moved.v2");
  write(
      ".qwen/projects/-srv-p/chats/" + id + ".jsonl",
      R"({"uuid":"u","parentUuid":null,"sessionId":")" + id +
          R"(","timestamp":"2026-01-01T00:00:00Z","type":"user","cwd":"/srv/p","message":{"role":"user","parts":[{"text":"hi"}]}})"
          "\n");
  write(".qwen/projects/-srv-p/memory/MEMORY.md", "remembered");
  write(".pi/agent/sessions/--srv-p--/2026-01-01T00-00-00-000Z_" + other + ".jsonl",
        R"({"type":"session","version":3,"id":")" + other +
            R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/srv/p"})"
            "\n");
  ASSERT_EQ(sh("$H archive run && rm -r $HOME/.qwen $HOME/.pi"), 0) << err;
  ASSERT_EQ(sh("$H restore qwen/" + id + " --project $HOME/moved.v2 --memory"), 0) << err;
  EXPECT_TRUE(fs::exists(home + "/.qwen/projects/" + dashed("moved.v2") + "/chats/" + id + ".jsonl"));
  EXPECT_TRUE(fs::exists(home + "/.qwen/projects/" + dashed("moved.v2") + "/memory/MEMORY.md"));
  EXPECT_EQ(files_below(".qwen").size(), 2U);
  ASSERT_EQ(sh("$H restore pi/" + other + " --project $HOME/moved.v2"), 0) << err;
  std::string name = "--" + home.substr(1) + "/moved.v2--";
  for (char& letter : name) letter = letter == '/' ? '-' : letter;
  EXPECT_TRUE(fs::exists(home + "/.pi/agent/sessions/" + name + "/2026-01-01T00-00-00-000Z_" + other + ".jsonl"));
  EXPECT_EQ(files_below(".pi").size(), 1U);
}

TEST_F(ArchiveRestore, RefusesOptionsTheAgentDoesNotSupport) {
  fs::create_directories(home + "/moved");
  write(".continue/sessions/" + id + ".json", "{\"sessionId\":\"" + id + "\",\"title\":\"t\",\"history\":[]}");
  write(".pi/agent/sessions/--srv-p--/2026-01-01T00-00-00-000Z_" + other + ".jsonl",
        R"({"type":"session","version":3,"id":")" + other +
            R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/srv/p"})"
            "\n");
  ASSERT_EQ(sh("$H archive run && rm -r $HOME/.continue $HOME/.pi"), 0) << err;
  EXPECT_NE(sh("$H restore aaaaaaaa --project $HOME/moved"), 0) << out;
  EXPECT_NE(err.find("a session of Continue cannot be restored for another project; restore without --project"),
            std::string::npos)
      << err;
  EXPECT_NE(sh("$H restore bbbbbbbb --memory"), 0) << out;
  EXPECT_NE(err.find("the archive keeps no memory of pi; restore without --memory"), std::string::npos) << err;
  EXPECT_TRUE(files_below(".continue").empty() && files_below(".pi").empty());
}

// Damage by a crash of the machine does not replace what was captured before.
TEST_F(ArchiveRestore, PrefersIntactLogOverDamagedOne) {
  const std::string log = folder + id + ".jsonl";
  claude(id, "\"a prompt\"");
  std::string sound = text(log);
  for (int n = 0; n < 40; ++n) sound += "{\"type\":\"mode\",\"n\":" + std::to_string(n) + "}\n";
  write(log, sound);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  std::string damaged = sound;
  damaged.replace(400, 600, std::string(600, '\0'));
  write(log, damaged);
  ASSERT_EQ(sh("$H archive run && rm $HOME/" + log + " && $H restore aaaaaaaa --json"), 0) << err;
  EXPECT_NE(out.find("this is the previous version"), std::string::npos) << out;
  EXPECT_EQ(text(log), sound);
  // A log that continues after the damage has something new: it is the one to restore.
  write(log, damaged + "{\"type\":\"mode\",\"n\":\"new\"}\n");
  const std::string more = text(log);
  ASSERT_EQ(sh("$H archive run && rm $HOME/" + log + " && $H restore aaaaaaaa"), 0) << err;
  EXPECT_EQ(text(log), more);
}

// A power cut leaves NULs in place of unwritten data, often up to the end.
TEST_F(ArchiveRestore, PrefersIntactLogOverNuls) {
  const std::string log = folder + id + ".jsonl", output = folder + id + "/tool-results/x.txt";
  claude(id, "\"a prompt\"");
  std::string sound = text(log);
  for (int n = 0; n < 40; ++n) sound += "{\"type\":\"mode\",\"n\":" + std::to_string(n) + "}\n";
  for (const std::size_t from : {std::size_t{0}, sound.size() / 2, sound.size() - 30}) {
    SCOPED_TRACE(from);
    write(log, sound);
    write(output, "what it printed\n");
    ASSERT_EQ(sh("$H archive run"), 0) << err;
    write(log, sound.substr(0, from) + std::string(sound.size() - from, '\0'));
    write(output, std::string(16, '\0'));
    ASSERT_EQ(sh("$H archive run && rm -r $HOME/.claude && $H restore aaaaaaaa --json"), 0) << err;
    EXPECT_NE(out.find("this is the previous version"), std::string::npos) << out;
    EXPECT_EQ(text(log), sound);
    EXPECT_EQ(text(output), "what it printed\n");
  }
}

// The archive has what a rescue could not save: the rescued log contains less.
TEST_F(ArchiveRestore, PrefersCompleteLogOverRescuedOne) {
  const std::string log = folder + id + ".jsonl";
  ClaudeLog whole(home, id);
  for (int n = 0; n < 12; ++n) whole.turn();
  const std::string sound = text(log);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  std::size_t from = 0;
  for (int n = 0; n < 10; ++n) from = sound.find('\n', from) + 1;
  const std::size_t end = sound.find('\n', from);
  write(log, sound.substr(0, from) + sound.substr(from, (end - from) / 2) + sound.substr(end));
  ASSERT_EQ(sh("$H rescue aaaaaaaa --install --yes"), 0) << out << err;
  ASSERT_NE(text(log), sound);
  ASSERT_EQ(sh("$H archive run && rm $HOME/" + log + "* && $H restore aaaaaaaa --json"), 0) << out << err;
  EXPECT_NE(out.find("this is the previous version"), std::string::npos) << out;
  EXPECT_EQ(text(log), sound);
}

TEST_F(ArchiveRestore, DryRunFindsSameSessionsAsRealRun) {
  claude(id, "\"a prompt\"");
  for (int round = 0; round < 2; ++round) {
    for (const std::string& unknown : {std::string("zzzz"), id}) {
      EXPECT_EQ(sh("$H restore " + unknown), 3) << out;
      const std::string real = err;
      EXPECT_EQ(sh("$H restore " + unknown + " --dry-run"), 3) << out;
      EXPECT_EQ(err, real) << "what its agent has is not in the archive";
    }
    // First without an archive, then with one that has neither session.
    ASSERT_EQ(sh("mv $HOME/.claude $HOME/away && $H archive run && mv $HOME/away $HOME/.claude"), 0) << err;
  }
  ASSERT_EQ(sh("$H archive run >/dev/null && rm -r $HOME/.claude && $H restore aaaaaaaa --dry-run"), 0) << err;
  EXPECT_TRUE(out.starts_with("would restore claude-code/" + id + " from the archive, as it was captured 20")) << out;
  EXPECT_TRUE(out.ends_with(", to " + home + "/.claude\n")) << out;
  EXPECT_FALSE(fs::exists(home + "/.claude"));
  const std::string own = create("\"mine\"");
  ASSERT_EQ(sh("$H rm " + own + " --yes && $H restore " + own + " --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("would restore " + own + " from the trash, to holdfast:")) << out;
  ASSERT_EQ(sh("$H session trashed --json"), 0) << err;
  EXPECT_TRUE(out.contains(own)) << "it only looked: " << out;
}

TEST_F(ArchiveRestore, DryRunFailsLikeRealRun) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  write(folder + id + ".jsonl", "{\"other\":1}\n");
  const int real = sh("$H restore aaaaaaaa");
  EXPECT_NE(real, 0);
  const std::string why = err;
  EXPECT_EQ(sh("$H restore aaaaaaaa --dry-run"), real) << out;
  EXPECT_EQ(err, why);
}

TEST_F(ArchiveRestore, LinkInPlaceOfFolderIsNamed) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run && mkdir to beside && ln -s ../beside to/projects"), 0) << err;
  for (const char* const how : {"", " --dry-run"}) {
    EXPECT_EQ(sh("$H restore aaaaaaaa --to to" + std::string(how)), 2) << out;
    EXPECT_TRUE(err.contains("a symbolic link to ../beside is in the place of a folder") && err.contains("--to DIR") &&
                err.contains("(" + home + "/desk/to/projects)"))
        << how << err;
  }
  EXPECT_TRUE(fs::is_empty(home + "/desk/beside"));
  // A link in the place of the log, and a file in the place of a folder.
  ASSERT_EQ(sh("rm to/projects && mkdir -p to/projects/-desk && ln -s /etc/hostname to/projects/-desk/" + id +
               ".jsonl && mkdir file && touch file/projects"),
            0)
      << err;
  EXPECT_EQ(sh("$H restore aaaaaaaa --to to"), 2) << out;
  EXPECT_TRUE(err.contains(id + ".jsonl: a symbolic link there")) << err;
  EXPECT_EQ(sh("$H restore aaaaaaaa --to file"), 2) << out;
  EXPECT_TRUE(err.contains("a file is in the place of a folder") && err.contains("file/projects)")) << err;
}

TEST_F(ArchiveRestore, RestoresIntoStoreOfSameAgent) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run && $H restore aaaaaaaa --store claude-code:$HOME/elsewhere"), 0) << err;
  EXPECT_EQ(text("elsewhere/projects/-desk/" + id + ".jsonl"), text(folder + id + ".jsonl"));
  EXPECT_EQ(sh("$H restore aaaaaaaa --store codex:$HOME/elsewhere"), 2) << out;
  EXPECT_TRUE(err.contains("is a session of Claude Code")) << err;
  EXPECT_EQ(sh("$H restore zzzz --store claude-code:$HOME/elsewhere"), 3) << out;
}

TEST_F(ArchiveRestore, ConcurrentRestoresAllSucceed) {
  for (int n = 0; n < 20; ++n) {
    claude(id, "\"a prompt\"");
    write(folder + id + "/tool-results/" + std::to_string(n) + ".txt", std::string(100'000, 'x'));
  }
  const auto before = files_below(".claude");
  ASSERT_EQ(sh("$H archive run && rm -r $HOME/.claude"), 0) << err;
  ASSERT_EQ(sh("for n in 1 2 3 4 5 6 7 8; do { $H restore aaaaaaaa >/dev/null 2>$HOME/err$n || echo $n failed; } & "
               "done; wait"),
            0);
  EXPECT_EQ(out, "") << text("err1") << text("err2") << text("err3") << text("err4");
  EXPECT_EQ(files_below(".claude"), before);
}

TEST_F(ArchiveRestore, ListsAmbiguousMatchesOnePerLine) {
  for (int n = 11; n <= 22; ++n) claude("aaaaaaaa-0000-4000-8000-0000000000" + std::to_string(n), "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run && rm -r $HOME/.claude"), 0) << err;
  EXPECT_EQ(sh("$H restore aaaa"), 3) << out;
  EXPECT_TRUE(err.contains("12 sessions begin with it\n  claude-code/aaaaaaaa") && err.contains("\n  and 2 more"))
      << err;
}

// The output says when the restored version was captured.
TEST_F(ArchiveRestore, ReportsCaptureTimeOfRestoredVersion) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run && sleep 1.1"), 0) << err;
  const std::string log = text(".local/share/holdfast/archive/log.jsonl");
  const std::string at(JsonView(log.substr(0, log.find('\n'))).find("at").as_string().value_or("?"));
  write(folder + id + ".jsonl", std::string(300, '\0'));
  ASSERT_EQ(sh("$H archive run >/dev/null && rm -r $HOME/.claude && $H restore aaaaaaaa --json"), 0) << err;
  EXPECT_EQ(field({"captured_at"}), at) << out;
}

// A client that rewrites a session (a compaction, an edit of its history) leaves another whole version.
TEST_F(ArchiveRestore, ListsAndRestoresEarlierVersions) {
  claude(id, "\"the first words\"");
  const std::string first = text(folder + id + ".jsonl");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  claude(id, "\"other words, and more\"");
  const std::string second = text(folder + id + ".jsonl");
  ASSERT_EQ(sh("sleep 0.01; $H archive run"), 0) << err;
  ASSERT_EQ(sh("$H archive run"), 0) << err;  // finds no change

  ASSERT_EQ(sh("$H archive versions aaaaaaaa --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "2") << out;
  std::vector<std::string> times;
  for (const JsonItem& version : JsonView(out).find("versions").elements())
    times.push_back(version.value.find("captured_at").as_string().value_or("?"));
  ASSERT_EQ(times.size(), 2U) << out;
  const std::string &then = times[0], &now = times[1];
  ASSERT_EQ(sh("$H archive versions aaaaaaaa"), 0) << err;
  EXPECT_NE(out.find("claude-code/" + id + "\n  " + then), std::string::npos) << out;
  EXPECT_NE(out.find("\n  " + now + "  "), std::string::npos) << out;
  EXPECT_NE(out.find("1 file  shown and restored by default\nrun holdfast restore claude-code/" + id +
                     " --as-of TIME --to DIR"),
            std::string::npos)
      << out;

  ASSERT_EQ(sh("$H restore aaaaaaaa --as-of " + then + " --to $HOME/then"), 0) << err;
  ASSERT_EQ(sh("$H restore aaaaaaaa --as-of " + now + " --to $HOME/now"), 0) << err;
  EXPECT_EQ(text("then/projects/-desk/" + id + ".jsonl"), first);
  EXPECT_EQ(text("now/projects/-desk/" + id + ".jsonl"), second);
  // The agent's own file has changed since.
  EXPECT_NE(sh("$H restore aaaaaaaa --as-of " + then), 0) << out;
  EXPECT_EQ(text(folder + id + ".jsonl"), second);
  // A time before the first capture.
  EXPECT_EQ(sh("$H restore aaaaaaaa --as-of 2020-01-01 --to $HOME/never"), 3) << out;
  EXPECT_NE(err.find("the earliest one is from " + then), std::string::npos) << err;
  EXPECT_EQ(sh("$H restore aaaaaaaa --as-of yesterday"), 2) << err;
  EXPECT_EQ(sh("$H archive versions zzzz"), 3) << err;
  // A damaged version is kept, but is not the default.
  write(folder + id + ".jsonl", std::string(300, '\0'));
  ASSERT_EQ(sh("$H archive run; $H archive versions aaaaaaaa"), 0) << err;
  EXPECT_NE(out.find("  shown and restored by default\n"), std::string::npos) << out;
  EXPECT_NE(out.find("1 file  lacks data that an earlier version has\n"), std::string::npos) << out;
}

// A forged capture cannot make a restore write outside of the memory of the session's project.
// The newest version is restored, but nobody has to find out alone that an earlier one has more.
TEST_F(ArchiveRestore, ReportsLinesThatOnlyAnEarlierVersionHas) {
  const auto record = [&](const std::string& uuid, const std::string& prompt) {
    return R"({"type":"user","uuid":")" + uuid + R"(","parentUuid":null,"sessionId":")" + id +
           R"(","cwd":"/srv/proj","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":")" + prompt +
           "\"}}\n";
  };
  std::string all;
  for (int n = 0; n < 40; ++n) all += record("u" + std::to_string(n), "prompt " + std::to_string(n));
  write(folder + id + ".jsonl", all);
  ASSERT_EQ(sh("$H archive run && $H archive status"), 0) << err;
  EXPECT_TRUE(out.contains("all of them are still where their agents keep them")) << out;
  const std::string cut = all.substr(0, all.find("prompt 8") + 4) + record("new", "a new prompt");
  write(folder + id + ".jsonl", cut);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  const std::string words =
      "an earlier version in the archive has 32 lines that the newest one lacks; holdfast archive "
      "versions claude-code/" +
      id;
  for (const char* grown : {"", "and more"}) {
    if (*grown != 0) {
      write(folder + id + ".jsonl", cut + record("newer", grown));
      ASSERT_EQ(sh("$H archive run"), 0) << err;
    }
    ASSERT_EQ(sh("$H archive status"), 0) << err;
    EXPECT_TRUE(out.contains("1 session only in the archive, 1 of them in part")) << out;
    EXPECT_TRUE(err.contains(words)) << err;
    ASSERT_EQ(sh("$H archive versions aaaaaaaa"), 0) << err;
    EXPECT_TRUE(out.contains("lacks 32 lines of an earlier version")) << out;
    ASSERT_EQ(sh("$H restore aaaaaaaa --to $HOME/back"), 0) << err;
    EXPECT_TRUE((out + err).contains(words)) << out << err;
    fs::remove_all(home + "/back");
  }
  fs::remove(home + "/" + folder + id + ".jsonl");
  ASSERT_EQ(sh("$H show aaaaaaaa"), 0) << err;
  EXPECT_TRUE(err.contains(words)) << err;
  ASSERT_EQ(sh("$H export aaaaaaaa --format md"), 0) << err;
  EXPECT_TRUE(err.contains(words)) << err;
  // A log that only grew, and whose first line was written anew, lacks nothing.
  write(folder + other + ".jsonl", "{\"type\":\"header\",\"turns\":1}\n" + all);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  write(folder + other + ".jsonl", "{\"type\":\"header\",\"turns\":2}\n" + all + record("more", "more"));
  ASSERT_EQ(sh("$H archive run && $H archive versions bbbbbbbb"), 0) << err;
  EXPECT_FALSE(out.contains("lacks")) << out;
}

TEST_F(ArchiveRestore, ForgedMemoryPathIsNotWritten) {
  claude(id, "\"a prompt\"");
  write(folder + "memory/MEMORY.md", "remembered");
  ASSERT_EQ(sh("$H archive run && rm -r $HOME/.claude"), 0) << err;
  const std::string captures = ".local/share/holdfast/archive/log.jsonl";
  std::string line = text(captures);
  line.replace(line.find(",\"crc\":"), 17, "");  // a forger leaves out the checksum
  const std::string path = "projects/-desk/memory/MEMORY.md";
  for (const std::string bad : {"CLAUDE.md", "projects/-other/memory/MEMORY.md", "projects/-desk/memory/../../../x",
                                "projects/-desk/memory/CLAUDE.md", "projects/-desk/memory/x.key"}) {
    std::string changed = line;
    changed.replace(changed.find(path), path.size(), bad);
    write(captures, changed);
    sh("$H restore aaaaaaaa --memory");
    for (const auto& [name, bytes] : files_below(".claude")) EXPECT_EQ(name, folder + id + ".jsonl") << bad;
    EXPECT_FALSE(fs::exists(home + "/x"));
  }
}

// Gemini CLI deletes a session by the time in its records, not by that of its file.
struct GeminiRestore : ArchiveRestore {
  const std::string chats = ".gemini/tmp/desk/chats/";
  const std::string log = chats + "session-2026-01-01T00-10-aaaaaaaa.jsonl";
  const std::string head = R"({"sessionId":")" + id +
                           R"(","projectHash":"0","startTime":"2026-01-01T00:10:00.000Z",)"
                           R"("lastUpdated":"2026-01-01T00:10:00.000Z","kind":"main"})"
                           "\n";
  const std::string said =
      R"({"id":"u1","timestamp":"2026-01-01T00:10:00.000Z","type":"user","content":[{"text":"hello"}]})"
      "\n";
  void archive_and_delete(const std::string& age) {
    write(".gemini/tmp/desk/.project_root", home + "/desk");
    ASSERT_EQ(sh("find $HOME/.gemini -type f -exec touch -d '" + age + "' {} +; $H archive run"), 0) << err;
    fs::remove_all(home + "/.gemini");
  }
};

TEST_F(GeminiRestore, OldSessionGetsCurrentLastUpdated) {
  write(log, head + said);
  archive_and_delete("60 days ago");
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  const std::string now = text(log);
  ASSERT_TRUE(now.starts_with(head + said)) << now;
  const std::string line = now.substr(head.size() + said.size());
  EXPECT_TRUE(line.starts_with(R"({"$set":{"lastUpdated":"2)") && line.ends_with("Z\"}}\n")) << line;
  ASSERT_EQ(sh("$H show aaaaaaaa --json"), 0) << err;
  EXPECT_EQ(field({"messages"}).find("lastUpdated"), std::string::npos) << out;
  EXPECT_NE(field({"messages"}).find("hello"), std::string::npos) << out;
  // A restore recognizes the line that it added, but not lines that others added.
  ASSERT_EQ(sh("$H restore aaaaaaaa --json"), 0) << err;
  EXPECT_EQ(field({"already_there"}), "2") << out;
  EXPECT_EQ(text(log), now);
  write(log, head + said + R"({"$set":{"summary":"2026-01-01T00:10:00.000Z....."}})" + "\n");
  EXPECT_NE(sh("$H restore aaaaaaaa"), 0) << out;
  // Unchanged, if the user asks for it.
  fs::remove_all(home + "/.gemini");
  ASSERT_EQ(sh("$H restore aaaaaaaa --exact-times"), 0) << err;
  EXPECT_EQ(text(log), head + said);
  ASSERT_EQ(sh("$H restore aaaaaaaa --to $HOME/elsewhere"), 0) << err;
  EXPECT_EQ(text("elsewhere" + log.substr(7)), head + said);
}

TEST_F(GeminiRestore, AddedLineIsSeparateFromCutRecord) {
  write(log, head + said + R"({"id":"u2","type":"us)");
  archive_and_delete("60 days ago");
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  EXPECT_NE(text(log).find("\"us\n{\"$set\""), std::string::npos) << text(log);
  ASSERT_EQ(sh("$H restore aaaaaaaa --json"), 0) << err;
  EXPECT_EQ(field({"written"}), "0") << out;
}

TEST_F(GeminiRestore, RecentSessionIsRestoredUnchanged) {
  ASSERT_EQ(sh("date -u +%Y-%m-%dT%H:%M:%S.000Z"), 0) << err;
  const std::string now = R"({"$set":{"lastUpdated":")" + out.substr(0, out.find('\n')) + "\"}}\n";
  write(log, head + said + now);
  archive_and_delete("60 days ago");
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  EXPECT_EQ(text(log), head + said + now);
}

// A home that was moved or copied has recent files with old times inside.
TEST_F(GeminiRestore, AgeIsTakenFromRecordsNotFileTime) {
  write(log, head + said);
  archive_and_delete("1 hour ago");
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  EXPECT_TRUE(text(log).starts_with(head + said + R"({"$set":{"lastUpdated":"2)")) << text(log);
}

// A resume leaves such a file behind, and the client then deletes both.
TEST_F(GeminiRestore, SkipsFileWithoutConversation) {
  const std::string twin = chats + "session-2026-01-02T00-10-aaaaaaaa.jsonl";
  const std::string context = R"({"$set":{"messages":[{"id":"c","timestamp":"2026-01-02T00:10:00.000Z","type":"user",)"
                              R"("content":[{"text":"<session_context>\nThis is the Gemini CLI."}]}]}})"
                              "\n";
  write(log, head + said);
  write(twin, head + context);
  archive_and_delete("1 hour ago");
  ASSERT_EQ(sh("$H restore aaaaaaaa --json"), 0) << err;
  EXPECT_TRUE(text(log).starts_with(head + said)) << text(log);
  EXPECT_FALSE(fs::exists(home + "/" + twin));
  EXPECT_NE(field({"findings"}).find("holds no conversation"), std::string::npos) << out;
  fs::remove_all(home + "/.gemini");
  ASSERT_EQ(sh("$H restore aaaaaaaa --exact-times"), 0) << err;
  EXPECT_EQ(text(twin), head + context);
}

TEST_F(GeminiRestore, WarnsThatAgentDeletesOldDocument) {
  write(chats + "session-2026-01-01T00-10-aaaaaaaa.json",
        R"({"sessionId":")" + id + R"(","projectHash":"0","startTime":"2026-01-01T00:10:00.000Z",)" +
            R"("lastUpdated":"2026-01-01T00:10:00.000Z","messages":[)" + said.substr(0, said.size() - 1) + "]}");
  archive_and_delete("60 days ago");
  ASSERT_EQ(sh("$H restore aaaaaaaa --json"), 0) << err;
  EXPECT_NE(field({"findings"}).find("continue it before"), std::string::npos) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
