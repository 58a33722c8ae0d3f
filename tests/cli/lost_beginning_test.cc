// Sessions that lost their beginning, or everything: verify announces what rescue does.
#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

const std::string kGemini = "9617824d-1fb9-4a5f-af3a-8759e3218964";
const std::string kThread = "01a1dcc0-07b9-73b3-8a62-b637f0a9ebc9";

struct LostBeginning : CliHome {
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
    fs::last_write_time(home + "/" + name, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
};

std::string header() {
  return R"({"sessionId":")" + kGemini +
         R"(","projectHash":"34ef","startTime":"2026-01-01T00:00:00Z","lastUpdated":"2026-01-01T00:00:00Z","kind":"main"})"
         "\n";
}

// Ten records of a session of Gemini after its header.
std::string turns() {
  std::string log;
  for (int n = 0; n < 5; ++n) {
    const std::string number = std::to_string(n);
    log += R"({"id":"u)" + number + R"(","timestamp":"2026-01-01T00:0)" + number +
           R"(:00Z","type":"user","content":[{"text":"ask )" + number + "\"}]}\n";
    log += R"({"id":"g)" + number + R"(","timestamp":"2026-01-01T00:0)" + number +
           R"(:30Z","type":"gemini","content":"answer )" + number + R"(","model":"m"})" + "\n";
  }
  return log;
}

const std::string kChats = ".gemini/tmp/alpha/chats/", kLog = kChats + "session-2026-01-01T00-00-9617824d.jsonl";

TEST_F(LostBeginning, RescueRestoresHeaderOfResumedGeminiLog) {
  put(kLog, turns() + header() + R"({"$set":{"lastUpdated":"2026-01-01T01:00:00Z"}})" + "\n");
  EXPECT_EQ(sh("$H verify 9617824d"), 4) << out;
  EXPECT_TRUE(out.contains("no_header")) << out;
  // The header further down has the whole id.
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"id\":\"" + kGemini + "\"")) << out;
  ASSERT_EQ(sh("$H resume 9617824d --print"), 0) << err;
  EXPECT_TRUE(out.contains("gemini --resume " + kGemini)) << out;
  ASSERT_EQ(sh("$H rescue 9617824d -o $HOME/copy --json"), 0) << err;
  EXPECT_EQ(field({"headers"}), "1") << out;
  EXPECT_TRUE(text("copy").starts_with("{\"sessionId\":\"" + kGemini + "\",\"projectHash\":\"34ef\"")) << text("copy");
  ASSERT_EQ(sh("$H rescue 9617824d --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("Gemini CLI could load 0 of 10 messages, now 10")) << out;
  EXPECT_EQ(sh("$H verify 9617824d"), 0) << out;
}

TEST_F(LostBeginning, TakesGeminiIdFromSubAgentFolder) {
  put(kLog, turns());
  put(kChats + kGemini + "/abc.jsonl", header() + turns());
  ASSERT_EQ(sh("$H ls --json --no-subagents"), 0) << err;
  EXPECT_TRUE(out.contains("\"id\":\"" + kGemini + "\"") && out.contains("\"subagents\":1")) << out;
  ASSERT_EQ(sh("$H rescue " + kGemini + " --install --yes"), 0) << err;
  EXPECT_TRUE(text(kLog).starts_with("{\"sessionId\":\"" + kGemini + "\"")) << text(kLog);
  EXPECT_EQ(sh("$H verify " + kGemini), 0) << out;
}

// The name of the folder has lost the path; the sessions beside the log have it.
TEST_F(LostBeginning, TakesPiDirectoryFromSessionsBeside) {
  const std::string folder = ".pi/agent/sessions/--srv-my-app--/2026-01-0", id = "01a1dcca-0000-4000-8000-00000000000";
  const auto header_of = [&](int n, const std::string& cwd) {
    return R"({"type":"session","version":3,"id":")" + id + std::to_string(n) +
           R"(","timestamp":"2026-01-01T00:00:00Z","cwd":")" + cwd + "\"}\n";
  };
  const auto name = [&](int n) {
    return folder + std::to_string(n) + "T00-00-00-000Z_" + id + std::to_string(n) + ".jsonl";
  };
  const std::string entry =
      R"({"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"go"}})"
      "\n";
  const auto rebuilt_cwd = [&] {
    EXPECT_EQ(sh("rm -f $HOME/copy; $H rescue " + id + "1 -o $HOME/copy"), 0) << err;
    const std::string copy = text("copy");
    return JsonView(std::string_view(copy).substr(0, copy.find('\n'))).find("cwd").as_string().value_or("none");
  };
  put(name(1), entry);
  EXPECT_EQ(rebuilt_cwd(), "");
  put(name(2), header_of(2, "/moved/from/elsewhere") + entry);
  EXPECT_EQ(rebuilt_cwd(), "");
  put(name(3), header_of(3, "/srv/my-app") + entry);
  EXPECT_EQ(rebuilt_cwd(), "/srv/my-app");
  // Two projects can have one folder.
  put(name(4), header_of(4, "/srv/my/app") + entry);
  EXPECT_EQ(rebuilt_cwd(), "");
  fs::remove(home + "/" + name(4));
  ASSERT_EQ(sh("$H rescue " + id + "1 --install --yes"), 0) << err;
  ASSERT_EQ(sh("$H ls --json --project /srv/my-app"), 0) << err;
  EXPECT_EQ(field({"total"}), "2") << out;
}

TEST_F(LostBeginning, VerifyNotesEmptyLogAndDatabase) {
  put(".local/share/opencode/opencode.db", "");
  ASSERT_EQ(sh("$H verify"), 0) << out << err;
  EXPECT_TRUE(out.contains("the database is empty: there are no sessions in it, e.g. in opencode.db\n")) << out;
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + kThread + ".jsonl", "");
  ASSERT_EQ(sh("$H verify 01a1dcc0"), 0) << out << err;
  EXPECT_TRUE(out.contains("the file is empty: nothing of the session is in it, e.g. in " + kThread)) << out;
  ASSERT_EQ(sh("$H verify --json"), 0) << err;
  EXPECT_EQ(field({"notes_total"}), "2") << out;
  // A native session without messages is not odd.
  ASSERT_EQ(sh("$H session create --title new"), 0) << err;
  ASSERT_EQ(sh("$H verify @last --json"), 0) << err;
  EXPECT_EQ(field({"notes_total"}), "0") << out;
}

struct PackedLog : LostBeginning {
  // Writes a rollout of Codex whose end cannot be unpacked.
  void put_torn() {
    put_packed(400);
    ASSERT_EQ(sh("truncate -s -500 $HOME/" + name() + ".zst && touch -d '1 hour ago' $HOME/" + name() + ".zst"), 0)
        << err;
  }
  void put_packed(int turns) {
    const auto line = [](const std::string& type, const std::string& payload) {
      return R"({"timestamp":"2026-01-01T00:00:00Z","type":")" + type + R"(","payload":)" + payload + "}\n";
    };
    std::string log =
        line("session_meta", R"({"id":")" + kThread + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})");
    unsigned noise = 1;
    for (int n = 0; n < turns; ++n) {
      std::string text = "turn " + std::to_string(n) + " ";
      for (int i = 0; i < 1000; ++i)
        text += static_cast<char>('a' + ((noise = noise * 1664525 + 1013904223) >> 24) % 26);
      log += line("response_item",
                  R"({"type":"message","role":"user","content":[{"type":"input_text","text":")" + text + R"("}]})");
    }
    put(name(), log);
    ASSERT_EQ(sh("zstd -q --rm $HOME/" + name()), 0) << err;
  }
  // Flips one bit of the packed file, this many percent into it.
  void flip(int percent) {
    std::string bytes = text(name() + ".zst");
    const std::size_t at = bytes.size() * static_cast<std::size_t>(percent) / 100;
    bytes[at] = static_cast<char>(bytes[at] ^ 16);
    put(name() + ".zst", bytes);
  }
  static std::string name() { return ".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + kThread + ".jsonl"; }
};

TEST_F(PackedLog, RescuesReadablePartAsPlainLog) {
  if (sh("command -v zstd") != 0) GTEST_SKIP() << "no zstd";
  put_torn();
  const std::string before = text(name() + ".zst");
  EXPECT_EQ(sh("$H verify 01a1dcc0"), 4) << out;
  EXPECT_TRUE(err.contains("-o FILE to write a copy of what can be unpacked")) << err;
  EXPECT_FALSE(err.contains("--install")) << err;
  ASSERT_EQ(sh("$H rescue 01a1dcc0 -o $HOME/copy.jsonl --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"kind\":\"torn\"")) << out;
  const std::string copy = text("copy.jsonl");
  EXPECT_TRUE(copy.starts_with("{\"timestamp\"") && copy.contains("turn 100 ") && copy.ends_with("}\n"));
  // By its path too.
  ASSERT_EQ(sh("$H rescue $HOME/" + name() + ".zst -o $HOME/again.jsonl"), 0) << err;
  EXPECT_EQ(text("again.jsonl"), copy);
  ASSERT_EQ(sh("cd $HOME && cp " + name() + ".zst x.jsonl.zst && $H rescue x.jsonl.zst -o third.jsonl"), 0) << err;
  EXPECT_EQ(text("third.jsonl"), copy);
  for (const char* how : {"--dry-run", "--yes"}) {
    EXPECT_NE(sh(std::string("$H rescue 01a1dcc0 --install ") + how), 0) << out;
    EXPECT_TRUE(err.contains("a compressed session cannot be repaired in place; run holdfast rescue codex/" + kThread +
                             " -o FILE to write a copy of what can be unpacked"))
        << how << err;
  }
  EXPECT_EQ(text(name() + ".zst"), before);
}

TEST_F(PackedLog, ReportsDataWithFlippedBitAsUnconfirmed) {
  if (sh("command -v zstd") != 0) GTEST_SKIP() << "no zstd";
  put_packed(4000);
  flip(50);
  EXPECT_EQ(sh("$H verify 01a1dcc0"), 4) << out;
  EXPECT_TRUE(out.contains("unconfirmed") && out.contains("may be wrong") && out.contains("at 0 ")) << out;
  EXPECT_EQ(sh("$H show 01a1dcc0 > $HOME/shown"), 0) << err;
  EXPECT_TRUE(err.contains("may be wrong")) << err;
  ASSERT_EQ(sh("$H rescue 01a1dcc0 -o $HOME/copy.jsonl"), 0) << err;
  EXPECT_TRUE((out + err).contains("what the copy has from there may be wrong")) << out << err;
  ASSERT_EQ(sh("$H rescue 01a1dcc0 -o $HOME/again.jsonl --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"kind\":\"unconfirmed\"")) << out;
}

TEST_F(PackedLog, UnreadableLogIsListedWithoutRescueAdvice) {
  if (sh("command -v zstd") != 0) GTEST_SKIP() << "no zstd";
  for (const int percent : {2, 30, 50, 90}) {
    put_packed(3);
    flip(percent);
    ASSERT_EQ(sh("$H ls --json"), 0) << err;
    EXPECT_TRUE(out.contains("\"id\":\"" + kThread + "\"")) << percent << out;
    EXPECT_FALSE(out.contains("\"damage\":0")) << percent << out;
    for (const std::string what : {"verify 01a1dcc0", "verify"}) {
      EXPECT_EQ(sh("$H " + what), 4) << percent << out;
      EXPECT_TRUE(out.contains("damaged place") && out.contains(kThread)) << percent << out << err;
      const bool unpacked = out.contains("unconfirmed");
      EXPECT_EQ(err.contains("rescue"), unpacked) << percent << what << out << err;
    }
    fs::remove(home + "/" + name() + ".zst");
  }
  // Cut so short that it contains no whole record.
  put_packed(3);
  fs::resize_file(home + "/" + name() + ".zst", 60);
  put(name() + ".zst", text(name() + ".zst"));
  EXPECT_EQ(sh("$H verify 01a1dcc0"), 4) << out;
  EXPECT_TRUE(out.contains("no record of it can be unpacked")) << out;
  EXPECT_FALSE(err.contains("rescue")) << err;
  EXPECT_EQ(sh("$H rescue 01a1dcc0 -o $HOME/copy.jsonl"), 4) << out;
  EXPECT_TRUE(err.contains("no record of it can be unpacked")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
