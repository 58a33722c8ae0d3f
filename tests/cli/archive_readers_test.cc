// Sessions that only the archive still has, in the commands that read; and sessions in databases.
#include <map>
#include <random>

#include "base/corpus_testing.h"
#include "tests/cli/cli_testing.h"
#include "tests/cli/ordinary_user_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveReaders : CliHome {
  static std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void copy_store(const std::string& agent, const std::string& root) {
    fs::create_directories(fs::path(home + "/" + root).parent_path());
    fs::copy(corpus_place() / agent / root, home + "/" + root, fs::copy_options::recursive);
  }
  // id -> transcript
  std::map<std::string, std::string> transcripts(const std::string& layout) {
    EXPECT_EQ(sh("$H ls --json --limit 1000 --layout " + layout), 0) << err;
    const std::string listed = out;
    std::map<std::string, std::string> all;
    for (const JsonItem& session : JsonView(listed).find("sessions").elements()) {
      const std::string name = session.value.find("id").as_string().value_or("");
      EXPECT_EQ(sh("$H show --format json " + layout + "/" + name), 0) << name << err;
      all[name] = JsonView(out).find("messages").raw();
      statuses[name] = session.value.find("status").as_string().value_or("");
    }
    return all;
  }
  std::map<std::string, std::string> statuses;
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string log = ".claude/projects/-desk/" + id + ".jsonl";
};

TEST_F(ArchiveReaders, ReadingCommandsSeeDeletedSessions) {
  claude(id, "\"a prompt about walruses\"");
  claude("bbbbbbbb-0000-4000-8000-000000000002", "\"another\"");
  ASSERT_EQ(sh("$H archive run && rm $HOME/" + log), 0) << err;
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "2") << out;
  ASSERT_EQ(sh("$H ls --json --status archived"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  EXPECT_NE(out.find(id), std::string::npos) << out;
  ASSERT_EQ(sh("$H show aaaaaaaa"), 0) << err;
  EXPECT_NE(out.find("walruses"), std::string::npos) << out;
  ASSERT_EQ(sh("$H search walruses"), 0) << err;
  EXPECT_NE(out.find("walruses"), std::string::npos) << out;
  ASSERT_EQ(sh("$H export aaaaaaaa --format md"), 0) << err;
  EXPECT_NE(out.find("walruses"), std::string::npos) << out;
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_EQ(field({"total", "sessions"}), "2") << out;
  // Once restored, the session is no longer listed as archived.
  ASSERT_EQ(sh("$H restore aaaaaaaa >/dev/null && $H ls --json"), 0) << err;
  EXPECT_EQ(out.find("archived"), std::string::npos) << out;
  // A row that was read once is indexed, as in any store.
  ASSERT_EQ(sh("rm -r $HOME/.claude $HOME/.cache && $H ls && ls $HOME/.cache/holdfast/*.index"), 0) << out << err;
}

// Codex compresses old logs: the same session in another form, which is not restored twice.
TEST_F(ArchiveReaders, CompressedLogTakesThePlaceOfThePlainOne) {
  copy_store("codex", ".codex");
  ASSERT_EQ(sh("$H archive run && cp -r $HOME/.codex $HOME/plain && cd $HOME/.codex/sessions && find . -name "
               "'rollout-*.jsonl' | sort | head -n 1"),
            0)
      << err;
  const std::string name = out.substr(out.rfind("./") + 2, out.rfind('\n') - out.rfind("./") - 2);
  const std::string rollout = "$HOME/.codex/sessions/" + name;
  const std::string session = "codex/" + name.substr(name.rfind('/') + 29, 36);
  const auto restored = [&] {
    EXPECT_EQ(sh("rm -rf $HOME/back && $H restore " + session + " --to $HOME/back"), 0) << err;
    EXPECT_EQ(sh("cd $HOME/back && find . -type f"), 0);
    return out;
  };
  ASSERT_EQ(sh("zstd -q --rm " + rollout + " && $H archive run && $H archive versions " + session), 0) << err;
  EXPECT_FALSE(out.contains("lacks")) << out;
  EXPECT_TRUE(out.contains("shown and restored by default\nrun holdfast restore")) << out;
  EXPECT_EQ(restored(), "./sessions/" + name + ".zst\n");
  ASSERT_EQ(sh("$H archive status"), 0) << err;
  EXPECT_TRUE(out.contains("all of them are still where")) << out;
  ASSERT_EQ(sh("$H archive compact && $H archive verify"), 0) << err;
  EXPECT_EQ(restored(), "./sessions/" + name + ".zst\n");

  // One that was truncated before it was captured does not replace the log.
  ASSERT_EQ(sh("rm -r $HOME/.codex $HOME/.local/share/holdfast/archive && cp -r $HOME/plain $HOME/.codex && "
               "$H archive run && zstd -q --rm " +
               rollout + " && truncate -s -40 " + rollout +
               ".zst && $H archive run && "
               "$H archive versions " +
               session),
            0)
      << err;
  EXPECT_TRUE(out.contains("lacks data that an earlier version has")) << out;
  EXPECT_EQ(restored(), "./sessions/" + name + "\n");
  ASSERT_EQ(sh("$H archive status"), 0) << err;
  EXPECT_TRUE(err.contains(session + ": its agent still has the session, but not all of it")) << err;
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "0") << out;
  ASSERT_EQ(sh("rm -r $HOME/.codex && $H show " + session + " && $H restore " + session), 0) << err;
  ASSERT_EQ(sh("cmp $HOME/.codex/sessions/" + name + " $HOME/plain/sessions/" + name), 0) << err;
}

// Somebody removed the damaged file and restored the log.
TEST_F(ArchiveReaders, RunsGoOnOnceADamagedCompressedLogIsGone) {
  copy_store("codex", ".codex");
  ASSERT_EQ(sh("cd $HOME/.codex/sessions && find . -name 'rollout-*.jsonl' | sort | head -n 1"), 0) << err;
  const std::string name = out.substr(2, out.find('\n') - 2);
  const std::string rollout = "$HOME/.codex/sessions/" + name;
  const std::string session = "codex/" + name.substr(name.rfind('/') + 29, 36);
  ASSERT_EQ(sh("cp " + rollout + " $HOME/plain && $H archive run && zstd -q --rm " + rollout + " && truncate -s -40 " +
               rollout + ".zst && $H archive run && rm " + rollout + ".zst && $H restore " + session),
            0)
      << err;
  claude("bbbbbbbb-0000-4000-8000-000000000002", "\"another agent\"");
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "2") << out;
  EXPECT_EQ(field({"gone"}), "1") << out;
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "0") << out;
  ASSERT_EQ(sh("$H archive verify && rm -r $HOME/.codex && $H restore " + session + " && find $HOME/.codex -type f"), 0)
      << err;
  EXPECT_TRUE(out.ends_with("/" + name + "\n")) << out;
  EXPECT_EQ(sh("cmp " + rollout + " $HOME/plain && ls " + rollout + ".zst"), 2) << out;
}

// However large the log is, and whenever the compressed one was captured.
TEST_F(ArchiveReaders, DamagedCompressedLogDoesNotReplaceTheLog) {
  copy_store("codex", ".codex");
  ASSERT_EQ(sh("cd $HOME/.codex/sessions && find . -name 'rollout-*.jsonl' | sort | head -n 1"), 0) << err;
  const std::string name = out.substr(2, out.find('\n') - 2);
  const std::string rollout = "$HOME/.codex/sessions/" + name;
  const std::string session = "codex/" + name.substr(name.rfind('/') + 29, 36);
  ASSERT_EQ(sh("cp -r $HOME/.codex $HOME/small"), 0) << err;
  for (const bool large : {false, true}) {
    for (const bool together : {false, true}) {
      SCOPED_TRACE(std::string(large ? "large " : "small ") + (together ? "together" : "one after the other"));
      ASSERT_EQ(sh("rm -rf $HOME/.codex $HOME/.local/share/holdfast/archive && cp -r $HOME/small $HOME/.codex"), 0);
      if (large) {
        std::mt19937_64 random(7);
        std::ofstream appended(home + "/.codex/sessions/" + name, std::ios::app);
        for (int record = 0; record < 70; ++record) {
          std::string noise(std::size_t{1} << 20, ' ');
          for (char& one : noise) one = static_cast<char>('A' + random() % 26U);
          appended << R"({"timestamp":"2026-01-01T00:00:00Z","type":"event_msg","payload":{"type":"noise","text":")"
                   << noise << "\"}}\n";
        }
      }
      const std::string cut = "zstd -q " + rollout + " && truncate -s -40 " + rollout + ".zst";
      const std::string gone = "mv " + rollout + " $HOME/plain";
      ASSERT_EQ(sh(together ? cut + " && $H archive run && " + gone + " && $H archive run"
                            : "$H archive run && " + cut + " && " + gone + " && $H archive run"),
                0)
          << err;
      ASSERT_EQ(sh("rm -rf $HOME/back; $H restore " + session + " --to $HOME/back && cd $HOME/back && find . -type f"),
                0)
          << err;
      EXPECT_TRUE(out.ends_with("/" + name + "\n") && !out.contains(".zst")) << out;
      EXPECT_EQ(sh("cmp $HOME/plain $HOME/back/sessions/" + name), 0) << out;
      ASSERT_EQ(sh("$H archive run --json"), 0) << err;
      EXPECT_EQ(field({"captured"}), "0") << out;
      // Once it is whole, it takes the place of the log.
      ASSERT_EQ(
          sh("zstd -q -f $HOME/plain -o " + rollout + ".zst && $H archive run && rm -r $HOME/back && $H restore " +
             session + " --to $HOME/back && cd $HOME/back && find . -type f"),
          0)
          << err;
      EXPECT_TRUE(out.ends_with("/" + name + ".zst\n")) << out;
    }
  }
}

// Nothing can be read in its place, so the archive's copy is used; every run names it.
TEST_F(ArchiveReaders, FallsBackToTheArchiveForReplacedFile) {
  claude(id, "\"a prompt about walruses\"");
  claude("bbbbbbbb-0000-4000-8000-000000000002", "\"another\"");
  ASSERT_EQ(sh("$H archive run && rm $HOME/" + log), 0) << err;
  for (const char* make : {"mkdir", "mkfifo"}) {
    SCOPED_TRACE(make);
    ASSERT_EQ(sh(std::string(make) + " $HOME/" + log), 0) << err;
    ASSERT_EQ(sh("$H ls --json"), 0) << err;
    EXPECT_EQ(field({"total"}), "2") << out;
    ASSERT_EQ(sh("timeout 60 $H show aaaaaaaa"), 0) << err;
    EXPECT_TRUE(out.contains("walruses")) << out;
    for (const char* command : {"archive run", "archive status"}) {
      EXPECT_EQ(sh("timeout 60 $H " + std::string(command)), command == std::string("archive run") ? 5 : 0) << out;
      const std::string all = out + err;
      const std::size_t named = all.find(id + ".jsonl: not a plain file");
      EXPECT_NE(named, std::string::npos) << command << all;
      EXPECT_EQ(all.find(id + ".jsonl: not a plain file", named + 1), std::string::npos) << command << all;
    }
    ASSERT_EQ(sh("rm -r $HOME/" + log), 0) << err;
  }
}

// A file that the user may not read is not gone, but the archive is the only place where its session can be read.
TEST_F(ArchiveReaders, FallsBackToTheArchiveForUnreadableFile) {
  const std::string as = ordinary_holdfast();
  claude(id, "\"a prompt about walruses\"");
  claude("bbbbbbbb-0000-4000-8000-000000000002", "\"another\"");
  ASSERT_EQ(sh(give_home() + " && " + as + "archive run"), 0) << err;
  ASSERT_EQ(sh("chmod 000 $HOME/" + log), 0) << err;
  ASSERT_EQ(sh(as + "ls"), 0) << err;
  EXPECT_TRUE(out.contains(id) && out.contains("archived") && out.contains("another")) << out;
  EXPECT_TRUE(err.contains(id + ".jsonl: cannot open for reading: Permission denied")) << err;
  ASSERT_EQ(sh(as + "ls --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "2") << out;
  for (const std::string& command : {"show " + id, std::string("show aaaaaaaa"), "export " + id + " --format md"}) {
    ASSERT_EQ(sh(as + command), 0) << command << err;
    EXPECT_TRUE(out.contains("walruses")) << command << out;
    EXPECT_TRUE(err.contains("Permission denied; the copy in the archive is used")) << command << err;
  }
  ASSERT_EQ(sh(as + "message list " + id), 0) << err;
  EXPECT_TRUE(out.contains("walruses")) << out;
  ASSERT_EQ(sh(as + "search walruses"), 0) << err;
  EXPECT_TRUE(out.contains("walruses") && err.contains("Permission denied")) << out << err;
  EXPECT_EQ(sh(as + "verify"), 5) << "it is still unreadable" << out;
  EXPECT_EQ(sh(as + "show " + id + " --store claude-code:$HOME/.claude"), 5) << out;
  ASSERT_EQ(sh("chmod 600 $HOME/" + log), 0) << err;
  ASSERT_EQ(sh(as + "ls --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "2") << out;
  EXPECT_FALSE(out.contains("archived")) << out;
}

TEST_F(ArchiveReaders, FallsBackToTheArchiveForUnreadableDatabase) {
  const std::string as = ordinary_holdfast(), file = ".local/share/opencode/opencode.db";
  copy_store("opencode", ".local/share/opencode");
  ASSERT_EQ(sh(give_home() + " && " + as + "ls --json --limit 1000"), 0) << err;
  const std::string total = field({"total"});
  std::string first;
  for (const JsonItem& session : JsonView(out).find("sessions").elements())
    if (first.empty()) first = session.value.find("id").as_string().value_or("");
  ASSERT_EQ(sh(as + "archive run && " + as + "show " + first), 0) << err;
  ASSERT_EQ(sh("chmod 000 $HOME/" + file), 0) << err;
  ASSERT_EQ(sh(as + "ls --json --limit 1000"), 0) << err;
  EXPECT_EQ(field({"total"}), total) << out;
  EXPECT_TRUE(out.contains("Permission denied") && out.contains("\"archived\"")) << out;
  ASSERT_EQ(sh(as + "show " + first), 0) << err;
  EXPECT_TRUE(err.contains("Permission denied; the copy in the archive is used") && err.contains(file)) << err;
  EXPECT_EQ(sh(as + "verify"), 5) << out;
  EXPECT_TRUE(out.contains("Permission denied")) << out;
}

TEST_F(ArchiveReaders, ListsSessionInStoreAndArchiveOnce) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run >/dev/null && mkdir $HOME/.claude/projects/-other && mv $HOME/" + log +
               " $HOME/.claude/projects/-other/ && $H ls --json"),
            0)
      << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  fs::remove_all(home + "/.claude");
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  EXPECT_EQ(sh("$H show aaaaaaaa"), 0) << err;
  EXPECT_EQ(sh("$H show cccccccc"), 3) << out;
}

TEST_F(ArchiveReaders, RestoresEmptyLog) {
  claude(id, "\"a prompt\"");
  const std::string empty = ".claude/projects/-desk/cccccccc-0000-4000-8000-000000000003.jsonl";
  std::ofstream(home + "/" + empty).close();
  ASSERT_EQ(sh("$H archive run && rm -r $HOME/.claude && $H restore cccccccc"), 0) << out << err;
  EXPECT_TRUE(fs::exists(home + "/" + empty));
  EXPECT_EQ(fs::file_size(home + "/" + empty), 0U);
}

TEST_F(ArchiveReaders, FollowsProjectsLinkButNotLinksBesideLog) {
  claude(id, "\"a prompt\"");
  fs::rename(home + "/.claude/projects", home + "/elsewhere");
  fs::create_symlink(home + "/elsewhere", home + "/.claude/projects");
  ASSERT_EQ(sh("$H archive run --json"), 0) << out << err;
  EXPECT_EQ(field({"captured"}), "1") << out;
  fs::create_directories(home + "/secrets");
  std::ofstream(home + "/secrets/note.txt") << "secret";
  fs::create_directories(home + "/elsewhere/-desk/" + id);
  fs::create_symlink(home + "/secrets", home + "/elsewhere/-desk/" + id + "/tool-results");
  ASSERT_EQ(sh("$H archive run --json"), 5) << out << err;
  EXPECT_NE(out.find("not captured"), std::string::npos) << out;
  fs::remove_all(home + "/.claude");
  const std::string bytes = bytes_of(home + "/elsewhere/-desk/" + id + ".jsonl");
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  EXPECT_EQ(text(log), bytes);
}

TEST_F(ArchiveReaders, RestoresNativeSessions) {
  const std::string own = create("\"Fix the tide table\"");
  ASSERT_EQ(sh("$H message append " + own + " 'low water'"), 0) << err;
  ASSERT_EQ(sh("$H show --format json " + own), 0) << err;
  const std::string before(JsonView(out).find("messages").raw());
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "1") << out;
  // A session in the trash is not gone.
  ASSERT_EQ(sh("$H rm " + own + " --yes"), 0) << err;
  EXPECT_EQ(sh("$H ls --json"), 1) << "there is none: " << out;
  EXPECT_EQ(field({"total"}), "0") << out;
  ASSERT_EQ(sh("$H restore " + own), 0) << err;
  ASSERT_EQ(sh("cd $HOME/.local/share/holdfast && rm -r FORMAT projects"), 0) << err;
  ASSERT_EQ(sh("$H restore " + own), 0) << err;
  ASSERT_EQ(sh("$H show --format json " + own), 0) << err;
  EXPECT_EQ(JsonView(out).find("messages").raw(), before);
  EXPECT_EQ(sh("$H verify"), 0) << out << err;
}

// The corpus: the transcript of each session, before and after the store is gone.
TEST_F(ArchiveReaders, ReadsCorpusFromArchive) {
  std::map<std::string, std::map<std::string, std::string>> before;
  for (const auto& [layout, root] : kCorpusAgents) {
    copy_store(layout, root);
    before[layout] = transcripts(layout);
    ASSERT_FALSE(before[layout].empty()) << layout;
  }
  ASSERT_EQ(sh("$H archive run --json"), 0) << out << err;
  EXPECT_EQ(field({"left_out"}), "[]") << out;
  for (const auto& [layout, root] : kCorpusAgents) {
    SCOPED_TRACE(layout);
    fs::remove_all(home + "/" + root);
    statuses.clear();
    const auto after = transcripts(layout);
    EXPECT_EQ(after.size(), before[layout].size());
    for (const auto& [session, messages] : before[layout]) {
      ASSERT_TRUE(after.contains(session)) << session;
      EXPECT_EQ(after.at(session), messages) << session;
      EXPECT_EQ(statuses[session], "archived") << session;
    }
  }
}

// As rows: what opencode imports is what rescue reads from its database.
TEST_F(ArchiveReaders, RestoresDatabaseSessionsInImportableForm) {
  copy_store("opencode", ".local/share/opencode");
  copy_store("openclaw", ".openclaw");
  const auto opencode = transcripts("opencode"), openclaw = transcripts("openclaw");
  std::map<std::string, std::string> rescued;
  for (const auto& [session, messages] : opencode) {
    ASSERT_EQ(sh("$H rescue opencode/" + session + " -o $HOME/rescued"), 0) << session << err;
    rescued[session] = text("rescued");
    fs::remove(home + "/rescued");
  }
  std::map<std::string, std::string> outputs;
  for (const auto& entry : fs::directory_iterator(home + "/.local/share/opencode/tool-output"))
    outputs[entry.path().filename().string()] = bytes_of(entry.path());
  ASSERT_FALSE(outputs.empty());
  ASSERT_EQ(sh("$H archive run --json"), 0) << out << err;
  ASSERT_EQ(sh("$H archive run --json"), 0) << out << err;
  EXPECT_EQ(field({"captured"}), "0") << out;
  // A session that still exists is not overwritten.
  EXPECT_NE(sh("$H restore opencode/" + opencode.begin()->first), 0) << out;
  fs::remove_all(home + "/.local/share/opencode");
  fs::remove_all(home + "/.openclaw");
  for (const auto& [session, document] : rescued) {
    ASSERT_EQ(sh("$H restore --json opencode/" + session), 0) << session << err;
    const std::string next = field({"next"});
    ASSERT_NE(next.find("opencode import /"), std::string::npos) << out;
    const std::string file = next.substr(next.find('/'));
    EXPECT_EQ(bytes_of(file.substr(0, file.find('"'))), document) << session;
  }
  for (const auto& [name, bytes] : outputs)
    EXPECT_EQ(bytes_of(home + "/.local/share/opencode/tool-output/" + name), bytes) << name;
  for (const auto& [session, messages] : openclaw) ASSERT_EQ(sh("$H restore openclaw/" + session), 0) << session << err;
  EXPECT_EQ(transcripts("openclaw"), openclaw);
  for (const auto& [session, status] : statuses)
    EXPECT_NE(status, openclaw.contains(session) ? "archived" : "") << status;
}

}  // namespace
}  // namespace holdfast::inline v1
