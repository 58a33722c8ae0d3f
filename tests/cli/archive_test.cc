// The archive on the command line: captured, deleted, restored, byte for byte.
#include <map>
#include <random>

#include "base/corpus_testing.h"
#include "store/small_disk_testing.h"
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;

struct ArchiveCommand : CliHome {
  static Files files_below(const fs::path& root) {
    Files files;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (!entry.is_regular_file() || entry.is_symlink()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      files[fs::relative(entry.path(), root).string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return files;
  }
  std::string number(std::string_view key) { return field({key}); }
  // The printed list, by session: all members that come from files that are restored. The times of Continue are in
  // sessions.json, and the metadata of Copilot are its locks.
  Files listed_rows(const std::string& layout) const {
    Files rows;
    for (const JsonItem& session : JsonView(out).find("sessions").elements()) {
      std::string& row = rows[session.value.find("id").as_string().value_or("")];
      for (const JsonItem& member : session.value.fields())
        if (!(layout == "continue" && member.key().ends_with("_at")) && member.key() != "metadata")
          row.append(member.key()).append(":").append(member.value.raw()) += ' ';
    }
    return rows;
  }
  void write(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string log = ".claude/projects/-desk/" + id + ".jsonl";
};

TEST_F(ArchiveCommand, RestoresWhatTheAgentDeleted) {
  claude(id, "\"a prompt\"");
  write(".claude/projects/-desk/" + id + "/tool-results/x.txt", "output");
  write(".claude/projects/-desk/" + id + "/secret.key", "never");
  write(".claude/settings.json", "{}");
  const Files before = files_below(home + "/.claude");
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(number("captured"), "1") << out;
  EXPECT_EQ(number("files"), "2") << out;
  EXPECT_EQ(files_below(home + "/.claude"), before);
  fs::remove_all(home + "/.claude");
  ASSERT_EQ(sh("$H archive status --json"), 0) << err;
  EXPECT_EQ(number("only_in_archive"), "1") << out;
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  const Files after = files_below(home + "/.claude");
  EXPECT_EQ(after.size(), 2U);
  for (const auto& [name, bytes] : after) EXPECT_EQ(bytes, before.at(name)) << name;
  EXPECT_EQ(fs::status(home + "/" + log).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_EQ(sh("$H show aaaaaaaa"), 0) << err;
  EXPECT_NE(out.find("a prompt"), std::string::npos) << out;
  EXPECT_EQ(sh("$H archive verify"), 0) << out << err;
}

TEST_F(ArchiveCommand, CapturesOnlyChanges) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(number("captured"), "0") << out;
  EXPECT_EQ(number("added_bytes"), "0") << out;
  ASSERT_EQ(sh("echo '{\"type\":\"mode\"}' >> $HOME/" + log + "; $H archive run --json"), 0) << err;
  EXPECT_EQ(number("captured"), "1") << out;
}

TEST_F(ArchiveCommand, RestoreNeverOverwritesFiles) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  ASSERT_EQ(sh("$H restore aaaaaaaa --json"), 0) << err;
  EXPECT_EQ(number("already_there"), "1") << out;
  write(log, "{\"other\":1}\n");
  EXPECT_EQ(sh("$H restore aaaaaaaa"), 2) << "already_exists, as out of the trash";
  EXPECT_NE(err.find("different from byte 2 on"), std::string::npos) << err;
  EXPECT_EQ(text(log), "{\"other\":1}\n");
  ASSERT_EQ(sh("$H restore aaaaaaaa --to $HOME/elsewhere"), 0) << err;
  EXPECT_TRUE(fs::exists(home + "/elsewhere/projects/-desk/" + id + ".jsonl"));
  EXPECT_EQ(sh("$H restore bbbbbbbb"), 3) << out;
}

TEST_F(ArchiveCommand, RestoredFilesGetCurrentTimeByDefault) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("touch -d 2020-01-02T03:04:05Z $HOME/" + log + " && $H archive run && rm $HOME/" + log), 0) << err;
  ASSERT_EQ(sh("$H restore aaaaaaaa >/dev/null && find $HOME/.claude -newermt 2025-01-01 -name '*.jsonl'"), 0) << err;
  EXPECT_NE(out.find(id + ".jsonl"), std::string::npos) << out;
  ASSERT_EQ(sh("rm $HOME/" + log + " && $H restore aaaaaaaa --exact-times >/dev/null && stat -c %Y $HOME/" + log), 0)
      << err;
  EXPECT_NE(out.find("1577934245"), std::string::npos) << out;
}

TEST_F(ArchiveCommand, LinkIsReportedAndTheRestIsCaptured) {
  claude(id, "\"a prompt\"");
  write("elsewhere.txt", "not ours");
  fs::create_directories(home + "/.claude/projects/-desk/" + id + "/tool-results");
  fs::create_symlink(home + "/elsewhere.txt", home + "/.claude/projects/-desk/" + id + "/tool-results/link.txt");
  EXPECT_EQ(sh("$H archive run --json"), 5) << out << err;
  EXPECT_EQ(number("captured"), "1") << out;
  EXPECT_NE(out.find("links are not followed"), std::string::npos) << out;
  const std::string bytes = text(log);
  fs::remove_all(home + "/.claude");
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  EXPECT_EQ(files_below(home + "/.claude"), (Files{{"projects/-desk/" + id + ".jsonl", bytes}}));
}

// Only the link is reported, whatever is behind it, and nobody waits for a walk through it.
TEST_F(ArchiveCommand, DoesNotWalkThroughLinkedDirectories) {
  claude(id, "\"a prompt\"");
  const std::string folder = ".claude/projects/-desk/" + id;
  write(folder + "/tool-results/x.txt", "output");
  write(folder + "/old/y.txt", "kept");
  ASSERT_EQ(sh("$H archive run"), 0) << out << err;
  fs::create_symlink("/", home + "/" + folder + "/tool-results/all");
  fs::create_symlink("..", home + "/" + folder + "/up");
  fs::rename(home + "/" + folder + "/old", home + "/old");
  fs::create_symlink(home + "/old", home + "/" + folder + "/old");
  EXPECT_EQ(sh("timeout 60 $H archive run --json"), 5) << out << err;
  EXPECT_EQ(number("gone"), "0") << "what is behind a link is not gone: " << out;
  std::vector<std::string> files;
  for (const JsonItem& finding : JsonView(out).find("findings").elements())
    files.push_back(finding.value.find("file").as_string().value_or(""));
  const std::string below = folder.substr(folder.find('/') + 1);
  EXPECT_EQ(files, (std::vector<std::string>{below + "/old", below + "/tool-results/all", below + "/up"})) << out;
  EXPECT_EQ(sh("timeout 60 $H archive run 2>&1 | grep -c 'links are not followed'"), 0) << err;
  EXPECT_EQ(out, "3\n") << err;
  EXPECT_EQ(sh("timeout 60 $H forget aaaa --yes --json"), 0) << out << err;
}

TEST_F(ArchiveCommand, SessionThatDoesNotFitIsNamedAndOthersAreCaptured) {
  const SmallDisk disk(home + "/small");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small disk needs root";
  write(".config/holdfast/config.toml", "[archive]\nmin_free = \"0\"\n");
  const std::string large = "dddd0002-0000-4000-8000-000000000002", small = "dddd0003-0000-4000-8000-000000000003";
  const std::string in_small = "export XDG_DATA_HOME=$HOME/small; ";
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh(in_small + "$H archive run"), 0) << err;
  std::mt19937 random(7);
  std::string noise;
  while (noise.size() < 2'000'000) noise += static_cast<char>('A' + random() % 26U);
  claude(large, "\"" + noise + "\"");
  claude(small, "\"a small one\"");
  for (const char* const captured : {"captured changes in 1 of 3 sessions: 1 file", "captured nothing of 3 sessions"}) {
    EXPECT_EQ(sh(in_small + "$H archive run"), 5) << out << err;
    EXPECT_TRUE(out.contains(captured)) << out;
    EXPECT_TRUE(out.contains(", but 1 session does not fit on the disk of the archive\n")) << out;
    EXPECT_TRUE(err.contains("claude-code/" + large) && err.contains("what is new in this session is not captured"))
        << err;
    ASSERT_EQ(sh("cat $HOME/small/holdfast/archive/packs/*.zst | wc -c"), 0) << err;
    EXPECT_LT(std::stoul(out), 100'000U) << "the space is given back";
    ASSERT_EQ(sh(in_small + "$H archive status"), 0) << err;
    EXPECT_TRUE(out.contains("\nlast run 20") && out.contains("1 session does not fit") &&
                !out.contains("nothing was missed"))
        << out;
  }
  ASSERT_EQ(sh(in_small + "mkdir $HOME/share $HOME/shared && $H remote add nas dir:$HOME/share && $H remote share "
                          "$HOME/shared --with nas && $H sync"),
            0)
      << out << err;
  EXPECT_TRUE(err.contains("claude-code/" + large)) << "sync captures, too: " << err;
  // Nothing fits any more, and nobody says that nothing was missed.
  ASSERT_EQ(sh("head -c 1M /dev/zero > $HOME/small/filler; true"), 0) << err;
  EXPECT_EQ(sh(in_small + "$H archive run"), 5) << out << err;
  ASSERT_EQ(sh(in_small + "$H archive status"), 0) << err;
  EXPECT_FALSE(out.contains("nothing was missed")) << out;
  EXPECT_EQ(sh(in_small + "rm $HOME/small/filler; $H archive run"), 5) << out << err;
  ASSERT_EQ(sh(in_small + "rm -r $HOME/.claude && $H archive verify && $H restore " + small), 0) << out << err;
  EXPECT_EQ(sh(in_small + "$H restore " + large), 3) << out;
}

TEST_F(ArchiveCommand, ReportsSessionWithUnsupportedName) {
  claude(id, "\"a prompt\"");
  claude("two\nlines", "\"another\"");
  EXPECT_EQ(sh("$H archive run"), 5) << out << err;
  EXPECT_TRUE((out + err).contains("its name has characters that the archive does not keep")) << out << err;
  ASSERT_EQ(sh("$H archive status"), 0) << err;
  EXPECT_FALSE(out.contains("nothing was missed")) << out;
}

// A link and a FIFO in the place of a session's file, and a FIFO beside one. `ls` does not list the FIFO at all.
TEST_F(ArchiveCommand, StatusGivesTheReasonOfTheRun) {
  claude(id, "\"a prompt\"");
  claude("two\nlines", "\"another\"");
  const std::string projects = home + "/.claude/projects/-desk/";
  write("elsewhere.jsonl", text(log));
  fs::create_symlink(home + "/elsewhere.jsonl", projects + "bbbbbbbb-0000-4000-8000-000000000002.jsonl");
  fs::create_directories(projects + id + "/tool-results");
  ASSERT_EQ(sh("mkfifo " + projects + "cccccccc-0000-4000-8000-000000000003.jsonl " + projects + id +
               "/tool-results/pipe.txt"),
            0)
      << err;
  const auto reasons = [&] {
    Files found;
    for (const JsonItem& finding : JsonView(out).find("findings").elements()) {
      const std::string file = finding.value.find("file").as_string().value_or("");
      found[file.substr(file.find("-desk/") + 6)] = finding.value.find("consequence").as_string().value_or("");
    }
    return found;
  };
  const std::string end = "; this file is not captured", plain = "not a plain file; links are not followed" + end;
  Files wanted{{"two\nlines.jsonl", "its name has characters that the archive does not keep" + end},
               {"bbbbbbbb-0000-4000-8000-000000000002.jsonl", plain},
               {"cccccccc-0000-4000-8000-000000000003.jsonl", plain}};
  ASSERT_EQ(sh("$H archive status --json"), 0) << err;
  EXPECT_EQ(reasons(), wanted) << out;
  EXPECT_EQ(number("left_out"), "[]") << out;
  wanted[id + "/tool-results/pipe.txt"] = plain;
  ASSERT_EQ(sh("timeout 60 $H archive run --json"), 5) << out << err;
  EXPECT_EQ(reasons(), wanted) << out;
  EXPECT_EQ(number("left_out"), "[]") << out;
  EXPECT_EQ(number("captured"), "1") << out;
  write(".config/holdfast/config.toml", "[archive]\nexclude = [\"/srv/proj\"]\n");
  ASSERT_EQ(sh("$H archive status --json"), 0) << err;
  // Nothing says which project the two others belong to.
  wanted.erase("bbbbbbbb-0000-4000-8000-000000000002.jsonl");
  wanted.erase(id + "/tool-results/pipe.txt");
  EXPECT_EQ(reasons(), wanted) << out;
}

// The second run knows the names from the cache.
TEST_F(ArchiveCommand, FileThatBecameALinkOrAPipeIsNamedByEveryRun) {
  claude(id, "\"a prompt\"");
  const std::string output = ".claude/projects/-desk/" + id + "/tool-results/x.txt";
  write(output, "an output");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  for (const std::string& file : {log, output}) {
    for (const std::string make : {"ln -s $HOME/kept", "mkfifo"}) {
      SCOPED_TRACE(make + " " + file);
      ASSERT_EQ(sh("mv $HOME/" + file + " $HOME/kept && " + make + " $HOME/" + file), 0) << err;
      for (int run = 0; run < 3; ++run) {
        EXPECT_EQ(sh("timeout 60 $H archive run --json"), 5) << out << err;
        EXPECT_TRUE(out.contains(file.substr(file.rfind('/'))) && out.contains("not a plain file")) << out;
      }
      ASSERT_EQ(sh("rm -rf $HOME/back; $H restore aaaaaaaa --to $HOME/back"), 0) << err;
      EXPECT_EQ(text("back/" + file.substr(file.find('/') + 1)), text("kept"));
      ASSERT_EQ(sh("rm $HOME/" + file + " && mv $HOME/kept $HOME/" + file + " && $H archive run"), 0) << out << err;
    }
  }
}

TEST_F(ArchiveCommand, SkipsExcludedAgentsAndProjects) {
  claude(id, "\"a prompt\"");
  write(".config/holdfast/config.toml", "[archive]\nexclude = [\"/srv/proj\"]\n");
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(number("excluded"), "1") << out;
  EXPECT_EQ(number("captured"), "0") << out;
  write(".config/holdfast/config.toml", "[archive]\nexclude = [\"claude-code\"]\n");
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(number("sessions"), "0") << out;
  write(".config/holdfast/config.toml", "[archive]\nexclude = [\"claud\"]\n");
  EXPECT_EQ(sh("$H archive run"), 2) << out;
  write(".config/holdfast/config.toml", "[archive]\nmin_free = \"1000000T\"\n");
  EXPECT_EQ(sh("$H archive run --json"), 5) << out;
  EXPECT_EQ(number("out_of_space"), "true") << out;
}

TEST_F(ArchiveCommand, ExcludesProjectsInEverySpelling) {
  fs::create_directories(home + "/data/jobs/secret/deep");
  fs::create_directory_symlink("data/jobs", home + "/jobs");
  const std::pair<std::string, std::string> cases[] = {
      {"~/jobs/secret", "/data/jobs/secret"},       // the setting goes through a link, the agent noted the real path
      {"~/data/jobs/secret", "/jobs/secret/deep"},  // the other way round
      {"~/jobs/secret/", "/data/x/../jobs/secret"},
      {"~/jobs/secret", "/data/jobs/secret/gone"}};
  for (const auto& [excluded, project] : cases) {
    write(log, R"({"type":"user","uuid":"u","parentUuid":null,"sessionId":")" + id + R"(","cwd":")" + home + project +
                   R"(","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"topsecret"}})" + "\n");
    write(".config/holdfast/config.toml", "[archive]\nexclude = [\"" + excluded + "\"]\n");
    ASSERT_EQ(sh("$H archive run"), 0) << err;
    EXPECT_TRUE(out.contains("1 session excluded by your settings")) << excluded << " " << project << "\n" << out;
    ASSERT_EQ(sh("$H archive status --json"), 0) << err;
    EXPECT_EQ(number("sessions"), "0") << excluded << " " << project << "\n" << out;
  }
  write(".config/holdfast/config.toml", "[archive]\nexclude = [\"~/jobs/sec\"]\n");
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(number("captured"), "1") << out;
}

TEST_F(ArchiveCommand, VerifyFindsDamage) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  const std::string pack = ".local/share/holdfast/archive/packs/000001.zst";
  std::string bytes = text(pack);
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);
  write(pack, bytes);
  EXPECT_EQ(sh("$H archive verify --json"), 4) << out << err;
  EXPECT_EQ(number("broken_sessions"), "1") << out;
  fs::remove(home + "/" + log);
  EXPECT_EQ(sh("$H restore aaaaaaaa"), 4) << out << err;
  EXPECT_FALSE(fs::exists(home + "/" + log));
}

TEST_F(ArchiveCommand, CapturesEveryStepOfGrowingLog) {
  claude(id, "\"a prompt\"");
  std::string bytes = text(log);
  std::mt19937 dice(1);
  std::size_t added = 0;
  for (int i = 0; i < 12; ++i) {
    bytes += "{\"type\":\"mode\",\"n\":" + std::to_string(i) + ",\"text\":\"";
    for (int n = 0; n < i * 20'000; ++n) bytes += "0123456789abcdef"[dice() % 16];
    bytes += "\"}\n";
    std::ofstream(home + "/" + log, std::ios::binary | std::ios::app) << bytes.substr(fs::file_size(home + "/" + log));
    ASSERT_EQ(sh("$H archive run --json"), 0) << out << err;
    EXPECT_EQ(number("captured"), "1") << out;
    added += std::stoul(number("added_bytes"));
  }
  // A step stores what is new, packed to half its size. Each byte is stored at most twice: once as part of a step, and
  // once in a whole block. The whole file in every step would be almost twice as much.
  EXPECT_LT(added, bytes.size());
  fs::remove_all(home + "/.claude");
  ASSERT_EQ(sh("$H restore aaaaaaaa && $H archive verify"), 0) << out << err;
  EXPECT_EQ(text(log), bytes);
}

TEST_F(ArchiveCommand, RestoresLastIntactDocument) {
  const std::string document = ".continue/sessions/" + id + ".json";
  const std::string whole = "{\"sessionId\":\"" + id + "\",\"title\":\"t\",\"history\":[]}";
  write(document, whole);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  for (const std::string& torn : {whole.substr(0, 40), std::string(), std::string("{\"other\":[")}) {
    write(document, torn);
    ASSERT_EQ(sh("$H archive run"), 0) << err;
  }
  fs::remove(home + "/" + document);
  ASSERT_EQ(sh("$H restore continue/" + id), 0) << err;
  EXPECT_EQ(text(document), whole);
  const std::string newer = "{\"sessionId\":\"" + id + "\",\"title\":\"u\",\"history\":[]}";
  write(document, newer);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  fs::remove(home + "/" + document);
  ASSERT_EQ(sh("$H restore continue/" + id), 0) << err;
  EXPECT_EQ(text(document), newer);
}

TEST_F(ArchiveCommand, ForgedCaptureCannotWriteOtherFiles) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  const std::string captures = ".local/share/holdfast/archive/log.jsonl";
  std::string line = text(captures);
  line.replace(line.find(",\"crc\":"), 17, "");  // a forger leaves out the checksum
  const std::string path = "projects/-desk/" + id + ".jsonl";
  fs::remove_all(home + "/.claude");
  for (const std::string other : {"settings.json", "../escaped.jsonl", "CLAUDE.md", "hooks/x.jsonl", "/etc/x"}) {
    std::string changed = line;
    changed.replace(changed.find(path), path.size(), other);
    write(captures, changed);
    EXPECT_NE(sh("$H restore aaaaaaaa"), 0) << other << out;
    EXPECT_FALSE(fs::exists(home + "/.claude/" + other)) << other;
    EXPECT_FALSE(fs::exists(home + "/escaped.jsonl"));
  }
}

// A native store is in the same directory, created before or after.
TEST_F(ArchiveCommand, CoexistsWithNativeStore) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  const std::string own = create("\"Fix it\"");
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(number("captured"), "1") << out;
  EXPECT_EQ(number("left_out"), "[]") << out;
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_NE(out.find(own), std::string::npos) << out;
  ASSERT_EQ(sh("$H verify"), 0) << out << err;
}

TEST_F(ArchiveCommand, DocumentedCommandsRestoreFile) {
  if (sh("command -v jq && command -v zstd") != 0) GTEST_SKIP() << "jq or zstd is not installed";
  std::ifstream document(paths::source() + "/docs/formats/archive.md");
  std::string page{std::istreambuf_iterator<char>(document), {}};
  ASSERT_NE(page.find("```sh\n"), std::string::npos);
  const std::size_t from = page.find("```sh\n") + 6;
  write("by_hand", page.substr(from, page.find("```", from) - from));
  claude(id, "\"" + std::string(700'000, 'x') + "\"");
  ASSERT_EQ(sh("$H archive run && echo '{\"type\":\"mode\"}' >> $HOME/" + log + " && $H archive run"), 0) << err;
  const std::string by_hand = "ARCHIVE=$HOME/.local/share/holdfast/archive ID=" + id + " FILE=projects/-desk/" + id +
                              ".jsonl OUT=$HOME/got sh $HOME/by_hand";
  ASSERT_EQ(sh("zstd -t $HOME/.local/share/holdfast/archive/packs/*.zst && " + by_hand), 0) << err;
  const std::string whole = text(log);
  EXPECT_EQ(text("got"), whole);
  // What is worse is kept, and not restored. What follows builds on it.
  ASSERT_EQ(sh(": > $HOME/" + log + " && $H archive run && " + by_hand), 0) << err;
  EXPECT_EQ(text("got"), whole);
  write(log, whole + "{\"type\":\"mode\"}\n");
  ASSERT_EQ(sh("$H archive run && " + by_hand), 0) << err;
  EXPECT_EQ(text("got"), text(log));
  // A killed writer leaves no index: the commands fail, and the next run writes it.
  EXPECT_NE(sh("rm $HOME/.local/share/holdfast/archive/packs/*.idx; " + by_hand), 0);
  EXPECT_TRUE(err.contains("no index leads to chunk")) << err;
  ASSERT_EQ(sh("$H archive run && " + by_hand), 0) << err;
  EXPECT_EQ(text("got"), text(log));
  // The log also repeats what is forgotten.
  claude("bbbbbbbb-0000-4000-8000-000000000002", "\"another prompt\"");
  ASSERT_EQ(sh("$H archive run && $H forget bbbbbbbb --yes && " + by_hand), 0) << err;
  EXPECT_TRUE(out.contains("forgot 1 session") && out.contains("\n" + id + "\t20")) << out;
  EXPECT_FALSE(out.contains("\n\t")) << out;
  EXPECT_EQ(text("got"), text(log));
}

// Every agent of the corpus whose sessions are files.
TEST_F(ArchiveCommand, RestoresCorpusByteForByte) {
  struct Agent {
    std::string layout, root;
    std::vector<std::string> folders;  // where everything except locks must come back
  };
  const std::vector<Agent> agents{
      {"claude-code", ".claude", {"projects"}}, {"codex", ".codex", {"sessions", "archived_sessions"}},
      {"gemini", ".gemini", {"tmp"}},           {"qwen", ".qwen", {"projects"}},
      {"pi", ".pi/agent", {"sessions"}},        {"copilot", ".copilot", {"session-state"}},
      {"continue", ".continue", {"sessions"}}};
  for (const Agent& agent : agents) {
    fs::create_directories(fs::path(home + "/" + agent.root).parent_path());
    fs::copy(corpus_place() / agent.layout / agent.root, home + "/" + agent.root, fs::copy_options::recursive);
  }
  ASSERT_EQ(sh("$H archive run --json"), 0) << out << err;
  ASSERT_EQ(sh("$H archive verify"), 0) << out << err;
  for (const Agent& agent : agents) {
    SCOPED_TRACE(agent.layout);
    const std::string store = agent.layout + ":$HOME/" + agent.root;
    ASSERT_EQ(sh("$H ls --json --store " + store), 0) << err;
    std::vector<std::string> ids;
    for (const JsonItem& session : JsonView(out).find("sessions").elements())
      ids.push_back(session.value.find("id").as_string().value_or(""));
    ASSERT_FALSE(ids.empty());
    const Files before = files_below(home + "/" + agent.root);
    fs::remove_all(home + "/" + agent.root);
    const auto rows = listed_rows(agent.layout);
    // Without --exact-times, sessions whose time is that of their file get the current time.
    const std::string exact = agent.layout == "gemini" || agent.layout == "qwen" ? " --exact-times" : "";
    for (const std::string& one : ids) EXPECT_EQ(sh("$H restore " + agent.layout + "/" + one + exact), 0) << one << err;
    const Files after = files_below(home + "/" + agent.root);
    for (const auto& [name, bytes] : after) {
      ASSERT_TRUE(before.contains(name)) << name;
      if (name == "session_index.jsonl") continue;  // generated from the titles, which are compared below
      EXPECT_EQ(bytes, before.at(name)) << name;
    }
    for (const auto& [name, bytes] : before) {
      bool inside = false;
      for (const std::string& folder : agent.folders) inside = inside || name.starts_with(folder + "/");
      const std::string last = name.substr(name.rfind('/') + 1);
      const bool of_project =
          last == "sessions.json" || last == "meta.json" || last == "extract-cursor.json" || last == "MEMORY.md";
      if (!inside || of_project || last.ends_with(".lock")) continue;
      EXPECT_TRUE(after.contains(name)) << name << " did not come back";
    }
    // The sessions are listed with the same values as before.
    ASSERT_EQ(sh("$H ls --json --store " + store), 0) << err;
    EXPECT_EQ(listed_rows(agent.layout), rows);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
