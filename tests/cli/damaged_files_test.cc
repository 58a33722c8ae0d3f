// Files beside the messages, damaged by others, as the doors report them.
#include <sstream>

#include "base/hash.h"
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct DamagedFiles : CliHome {
  // Writes a file of the home, with a time so old that it does not look in use.
  void put(const std::string& name, const std::string& bytes) {
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
    ASSERT_EQ(sh("touch -d '1 hour ago' $HOME/" + name), 0);
  }
  // Expects that verify, store findings and doctor name the file.
  void expect_reported(const std::string& store, const std::string& file, const std::string& how) {
    SCOPED_TRACE(store + " " + file + " " + how);
    EXPECT_EQ(sh("$H verify --json --store " + store), 4);
    EXPECT_NE(out.find("\"file\":\"" + file + "\""), std::string::npos) << out;
    EXPECT_EQ(sh("$H store findings --json --store " + store), 0);
    EXPECT_NE(out.find("\"file\":\"" + file + "\""), std::string::npos) << out;
    EXPECT_EQ(sh("$H doctor --store " + store), 4) << out;
  }
  // Tries every kind of damage; text without structure shows no cut. Then restores the file.
  void try_every_damage(const std::string& store, const std::string& root, const std::string& file, bool structured) {
    ASSERT_EQ(sh("$H verify --store " + store), 0) << file << out << err;
    const std::string name = root + "/" + file, whole = text(name);
    ASSERT_GT(whole.size(), 4u) << name;
    put(name, std::string(whole.size(), '\0'));
    expect_reported(store, file, "NUL bytes");
    put(name, "\xff\xfe\x80\x81 garbage");
    expect_reported(store, file, "garbage");
    if (structured) {
      put(name, whole.substr(0, whole.size() - 3));
      expect_reported(store, file, "cut");
      put(name, "");
      expect_reported(store, file, "emptied");
    }
    put(name, whole);
    EXPECT_EQ(sh("$H verify --store " + store), 0) << file << out << err;
  }
};

TEST_F(DamagedFiles, VerifyAndListReportDamagedHistory) {
  for (const std::string layout : {"holdfast", "open-agent"}) {
    const std::string store = layout + ":$HOME/" + layout;
    ASSERT_EQ(sh("$H session create --title one --project ~/desk --store " + store), 0) << err;
    ASSERT_EQ(sh("$H history append one --project ~/desk --store " + store), 0) << err;
    ASSERT_EQ(sh("$H history append two --project ~/desk --store " + store), 0) << err;
    try_every_damage(store, layout, "history.jsonl", true);
    const std::string name = layout + "/history.jsonl", whole = text(name);
    for (const std::string& bytes : {whole.substr(0, whole.size() - 3), std::string(whole.size(), '\0')}) {
      put(name, bytes);
      EXPECT_EQ(sh("$H history list --json --store " + store), 0) << err;
      EXPECT_NE(out.find("\"file\":\"history.jsonl\""), std::string::npos) << layout << out;
    }
  }
}

TEST_F(DamagedFiles, VerifyReportsDamagedMetrics) {
  const std::string store = "holdfast:$HOME/s";
  ASSERT_EQ(sh("$H session create --title one --json --store " + store), 0) << err;
  const std::string id = field({"id"});
  ASSERT_EQ(sh("$H metrics record " + id + " --input-tokens 3 --store " + store), 0) << err;
  try_every_damage(store, "s", "projects/none/sessions/" + id + "/metrics.json", true);
}

TEST_F(DamagedFiles, VerifyReportsDamagedPlansAndMemory) {
  const std::string store = "holdfast:$HOME/s";
  ASSERT_EQ(sh("$H plan put 'Fix it' --id fix --project ~/desk --store " + store), 0) << err;
  ASSERT_EQ(sh("$H memory put MEMORY --body 'It is green' --project ~/desk --store " + store), 0) << err;
  ASSERT_EQ(sh("cd ~/s && ls -d projects/*/plans/*.md projects/*/memory/*.md"), 0) << err;
  std::istringstream names(out);
  int count = 0;
  for (std::string file; std::getline(names, file); ++count) try_every_damage(store, "s", file, false);
  EXPECT_EQ(count, 2);
}

TEST_F(DamagedFiles, DoesNotReadOrWriteBlobBehindLink) {
  const std::string store = "holdfast:$HOME/s", large(300'000, 'x');
  ASSERT_EQ(sh("$H session create --title one --json --store " + store), 0) << err;
  const std::string id = field({"id"});
  std::ofstream(home + "/message") << R"({"session":")" << id << R"(","text":")" << large << R"("})";
  ASSERT_EQ(sh("$H call message.append @$HOME/message --store " + store), 0) << err;
  const std::string sha = sha256_hex(large), folder = home + "/s/blobs/" + sha.substr(0, 2);
  fs::rename(folder, home + "/elsewhere");
  fs::create_directory_symlink(home + "/elsewhere", folder);
  EXPECT_EQ(sh("$H show " + id + " --json --store " + store), 0) << err;
  EXPECT_NE(out.find("\"kind\":\"unsafe_path\""), std::string::npos) << out.substr(0, 4000);
  EXPECT_EQ(out.find(large), std::string::npos);
  EXPECT_EQ(sh("$H verify --json --store " + store), 4);
  EXPECT_NE(out.find("\"kind\":\"unsafe_path\""), std::string::npos) << out;
  const auto size = fs::file_size(home + "/s/projects/none/sessions/" + id + "/messages.jsonl");
  EXPECT_NE(sh("$H call message.append @$HOME/message --store " + store), 0);
  EXPECT_NE(err.find("\"code\":\"unsafe_path\""), std::string::npos) << err;
  fs::remove(home + "/elsewhere/" + sha);
  EXPECT_NE(sh("$H call message.append @$HOME/message --store " + store), 0);
  EXPECT_NE(err.find("\"code\":\"unsafe_path\""), std::string::npos) << err;
  EXPECT_TRUE(fs::is_empty(home + "/elsewhere"));
  EXPECT_EQ(fs::file_size(home + "/s/projects/none/sessions/" + id + "/messages.jsonl"), size);
}

// Nobody can open a link to itself, not even root.
TEST_F(DamagedFiles, ListsSessionWithUnreadableLog) {
  const std::string store = "holdfast:$HOME/s";
  ASSERT_EQ(sh("$H session create --title one --json --store " + store), 0) << err;
  const std::string id = field({"id"});
  ASSERT_EQ(sh("$H call message.append '{\"session\":\"" + id + "\",\"text\":\"hi\"}' --store " + store), 0) << err;
  const std::string log = home + "/s/projects/none/sessions/" + id + "/messages.jsonl";
  fs::rename(log, home + "/log");
  fs::create_symlink("messages.jsonl", log);
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(sh("$H ls --json --store " + store), 0) << err;
    EXPECT_EQ(field({"total"}), "1") << out;
    EXPECT_NE(out.find("\"title\":\"one\""), std::string::npos) << out;
    EXPECT_NE(out.find("\"kind\":\"unsafe_path\""), std::string::npos) << out;
    EXPECT_NE(sh("$H show @last --store " + store), 0);
    EXPECT_NE(err.find(id + "/messages.jsonl"), std::string::npos) << err;
  }
  fs::remove(log);
  fs::rename(home + "/log", log);
  EXPECT_EQ(sh("$H ls --json --store " + store), 0) << err;
  EXPECT_NE(out.find("\"user\":1"), std::string::npos) << out;
  EXPECT_NE(out.find("\"findings\":[]"), std::string::npos) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
