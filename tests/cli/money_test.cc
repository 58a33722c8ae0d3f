// What stats, ls -l and show print about tokens and money.
#include <sqlite3.h>

#include <filesystem>

#include "tests/cli/cli_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFirst = "0a0a0a0a-0000-4000-8000-00000000000a";
constexpr const char* kSecond = "0b0b0b0b-0000-4000-8000-00000000000b";

struct Money : CliHome {
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name) << bytes;
  }
  // A prompt and one answer of a model, written as two records that repeat its tokens.
  void claude_session(const std::string& id, const std::string& prompt, const std::string& model,
                      const std::string& usage) const {
    const auto line = [&](const std::string& uuid, const std::string& parent, const std::string& type,
                          const std::string& message) {
      return R"({"parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"") +
             R"(,"isSidechain":false,"cwd":"/p","sessionId":")" + id + R"(","type":")" + type + R"(","message":)" +
             message + R"(,"uuid":")" + id.substr(0, 2) + uuid + R"(","timestamp":"2026-01-05T12:00:00Z"})" + "\n";
    };
    const auto answer = [&](const std::string& block) {
      return R"({"id":"msg_)" + id + R"(","role":"assistant","model":")" + model + R"(","content":[)" + block +
             R"(],"usage":)" + usage + "}";
    };
    put(".claude/projects/-p/" + id + ".jsonl",
        line("a", "", "user", R"({"role":"user","content":")" + prompt + "\"}") +
            line("b", id.substr(0, 2) + "a", "assistant", answer(R"({"type":"thinking","thinking":"hm"})")) +
            line("c", id.substr(0, 2) + "b", "assistant", answer(R"({"type":"text","text":"done"})")));
  }
  double number(std::initializer_list<std::string_view> path) const {
    JsonView view(out);
    for (const auto key : path) view = view.find(key);
    return view.as_double().value_or(-1);
  }
};

constexpr const char* kUsage =
    R"({"input_tokens":1000000,"output_tokens":100000,"cache_read_input_tokens":2000000,"cache_creation_input_tokens":400000})";

// Prices of claude-opus-5-5 on 2026-09-23, per million tokens: 4 in, 20 out, 0.2 read, 5 written.
constexpr double kCost = 4 + 2 + 0.4 + 2;

TEST_F(Money, CsvHasNoFloatingPointNoise) {
  claude_session(kFirst, "one", "m1", R"({"input_tokens":1000000,"output_tokens":0})");
  claude_session(kSecond, "two", "m2", R"({"input_tokens":1000000,"output_tokens":0})");
  ASSERT_EQ(sh("$H config set prices.m1.input 0.1 && $H config set prices.m2.input 0.2"), 0) << err;
  ASSERT_EQ(sh("$H stats --by agent --csv"), 0) << err;
  EXPECT_TRUE(out.ends_with(",2000000,0,0,0,0,0.3\r\n")) << out;
}

TEST_F(Money, UserPricesOverrideListPrices) {
  claude_session(kFirst, "first prompt", "claude-opus-5-5", kUsage);
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_NEAR(number({"total", "cost"}), kCost, 1e-9) << out;
  EXPECT_NEAR(number({"total", "estimated_usd"}), kCost, 1e-9) << out;
  EXPECT_FALSE(JsonView(out).find("warnings")) << out;
  // The cost of one answer is reported once, however many records repeat it.
  ASSERT_EQ(sh(std::string("$H call message.list '{\"session\":\"") + kFirst + "\"}'"), 0) << err;
  const std::size_t at = out.find("\"estimated_usd\":");
  ASSERT_NE(at, std::string::npos) << out;
  EXPECT_EQ(out.rfind("\"estimated_usd\":"), at) << out;
  EXPECT_NEAR(std::stod(out.substr(at + 16)), kCost, 1e-9) << out;
  // A name with a date, a provider or a longer window is the same model.
  for (const char* model : {"claude-opus-5-5-20260701", "anthropic/claude-opus-5-5", "claude-opus-5-5[1m]",
                            "us.anthropic.claude-opus-5-5-20260701-v1:0"}) {
    claude_session(kFirst, "first prompt", model, kUsage);
    ASSERT_EQ(sh("$H stats --json"), 0) << err;
    EXPECT_NEAR(number({"total", "cost"}), kCost, 1e-9) << model;
  }
  put(".config/holdfast/config.toml", "[prices.claude-opus-5-5]\ninput = 1\noutput = 1\n");
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_NEAR(number({"total", "cost"}), 1.1 + 0.4 + 2, 1e-9) << "with the list prices of what was not set" << out;
  EXPECT_FALSE(JsonView(out).find("warnings")) << out;
}

// A shorter name completes a longer one.
TEST_F(Money, OnePriceLeavesTheOthers) {
  claude_session(kFirst, "first prompt", "claude-opus-5-5", kUsage);
  ASSERT_EQ(sh("$H config set prices.claude-opus-5-5.output 30 && $H stats --json"), 0) << err;
  EXPECT_NEAR(number({"total", "cost"}), kCost + 1, 1e-9) << out;
  ASSERT_EQ(sh("$H config set prices.claude.input 5 && $H config set prices.claude.output 1 && $H stats --json"), 0)
      << err;
  EXPECT_NEAR(number({"total", "cost"}), kCost + 2, 1e-9) << out;
}

TEST_F(Money, NamesPricesThatAreMissing) {
  claude_session(kFirst, "first prompt", "my-model", kUsage);
  ASSERT_EQ(sh("$H config set prices.my-model.input 2 && $H config set prices.my-model.output 10"), 0) << err;
  ASSERT_EQ(sh("$H stats"), 0) << err;
  EXPECT_TRUE(err.contains("no price known for my-model (cache_read, cache_write)")) << err;
  EXPECT_TRUE(out.contains("~3.00")) << out;
  ASSERT_EQ(sh("$H config set prices.my-model.cache_read 0 && $H config set prices.my-model.cache_write 0"), 0) << err;
  ASSERT_EQ(sh("$H stats"), 0) << err;
  EXPECT_FALSE(err.contains("no price")) << err;
}

// Gemini's output leaves out what the model thought, which costs as much.
TEST_F(Money, ThinkingThatOutputLeavesOutIsPriced) {
  put(".gemini/tmp/a/chats/session-2026-01-05T12-00-0a0a0a0a.jsonl",
      R"({"sessionId":")" + std::string(kFirst) +
          R"(","projectHash":"x","startTime":"2026-01-05T12:00:00.000Z","lastUpdated":"2026-01-05T12:00:00.000Z","kind":"main"})" +
          "\n" + R"({"id":"u","timestamp":"2026-01-05T12:00:01.000Z","type":"user","content":[{"text":"think"}]})" +
          "\n" +
          R"({"id":"g","timestamp":"2026-01-05T12:00:02.000Z","type":"gemini","content":"ok","tokens":{"input":1000,)" +
          R"("output":100,"cached":0,"thoughts":1000000,"tool":0,"total":1001100},"model":"gemini-3.8-flash"})" + "\n");
  constexpr double kPrice = (1000 * 0.75 + 1000100 * 3.75) / 1e6;
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_NEAR(number({"total", "cost"}), kPrice, 1e-9) << out;
  EXPECT_EQ(number({"total", "usage", "output"}), 100) << "as the agent counts it";
  EXPECT_EQ(number({"total", "usage", "reasoning_apart"}), 1000000) << out;
  // The same for a copy without its original.
  ASSERT_EQ(sh("$H export " + std::string(kFirst) + " --format json >$HOME/copy.json && $H import $HOME/copy.json"), 0)
      << err;
  fs::remove_all(home + "/.gemini");
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_NEAR(number({"total", "cost"}), kPrice, 1e-9) << out;
}

// Anthropic takes twice the input price for what is cached for an hour.
TEST_F(Money, CacheWritesForAnHourHaveTheirOwnPrice) {
  const std::string parts =
      R"("cache_creation":{"ephemeral_5m_input_tokens":100000,"ephemeral_1h_input_tokens":1000000})";
  for (const std::string& sum : {std::string(R"("cache_creation_input_tokens":1100000,)"), std::string()}) {
    claude_session(kFirst, "first prompt", "claude-opus-5-5",
                   R"({"input_tokens":0,"output_tokens":0,)" + sum + parts + "}");
    ASSERT_EQ(sh("$H stats --json"), 0) << err;
    EXPECT_NEAR(number({"total", "cost"}), 8.5, 1e-9) << out;
    EXPECT_EQ(number({"total", "usage", "cache_write"}), 1100000) << out;
  }
  ASSERT_EQ(sh("$H show " + std::string(kFirst)), 0) << err;
  EXPECT_TRUE(out.contains("~$8.50")) << out;
}

TEST_F(Money, NamesModelWithoutPrice) {
  claude_session(kFirst, "first prompt", "claude-opus-5-5-of-tomorrow", kUsage);
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_TRUE(JsonView(out).find("total").find("cost").is_null()) << out;
  EXPECT_TRUE(std::string(JsonView(out).find("warnings").raw()).contains("claude-opus-5-5-of-tomorrow")) << out;
  ASSERT_EQ(sh("$H show " + std::string(kFirst) + " --format json"), 0) << err;
  EXPECT_EQ(JsonView(out).find("cost").find("unpriced").raw(), R"(["claude-opus-5-5-of-tomorrow"])") << out;
}

TEST_F(Money, RecordedCostOverridesListPrice) {
  put(".pi/agent/sessions/--p--/2026-01-01T00-00-00-000Z_" + std::string(kFirst) + ".jsonl",
      R"({"type":"session","version":3,"id":")" + std::string(kFirst) +
          R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})" + "\n" +
          R"({"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"go"}})" +
          "\n" +
          R"({"type":"message","id":"b","parentId":"a","timestamp":"2026-01-01T00:00:02Z","message":{"role":"assistant",)" +
          R"("model":"claude-opus-5-5","content":[{"type":"text","text":"done"}],)" +
          R"("usage":{"input":1000000,"output":1000000,"cacheRead":0,"cacheWrite":0,"cost":{"total":0.25}}}})" + "\n");
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_NEAR(number({"total", "cost"}), 0.25, 1e-9) << out;
  ASSERT_EQ(sh("$H show " + std::string(kFirst)), 0) << err;
  EXPECT_TRUE(out.contains(" $0.25")) << out;
  ASSERT_EQ(sh("$H ls --long --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("cost":0.25)") && !out.contains("estimated_usd")) << out;
}

TEST_F(Money, LongListShowsCost) {
  claude_session(kFirst, "first prompt", "claude-opus-5-5", kUsage);
  ASSERT_EQ(sh("$H ls -l"), 0) << err;
  EXPECT_TRUE(out.contains("~$8.40") && out.contains("100000") && out.contains("  agent  ")) << out;
  ASSERT_EQ(sh("$H ls"), 0) << err;
  EXPECT_FALSE(out.contains("$8.40")) << out;
  ASSERT_EQ(sh("$H ls --long --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("cost":8.4,"estimated_usd":8.4)")) << out;
  ASSERT_EQ(sh("$H show " + std::string(kFirst)), 0) << err;
  EXPECT_TRUE(out.contains("~$8.40")) << out;
}

TEST_F(Money, StatsBySessionListMostExpensiveFirst) {
  claude_session(kFirst, "the cheap one", "claude-opus-5-5", R"({"input_tokens":10,"output_tokens":900})");
  claude_session(kSecond, "the dear one", "claude-opus-5-5", kUsage);
  ASSERT_EQ(sh("$H stats --by session"), 0) << err;
  const auto dear = out.find("the dear one"), cheap = out.find("the cheap one");
  ASSERT_NE(dear, std::string::npos) << out;
  ASSERT_NE(cheap, std::string::npos) << out;
  EXPECT_LT(dear, cheap) << out;
  EXPECT_TRUE(out.contains("claude-code")) << out;
  ASSERT_EQ(sh("$H stats --by session --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("title":"the dear one","agent":"claude-code")")) << out;
}

// Ids that begin with the same moment, one of them of an agent that is not counted.
TEST_F(Money, IdsOfStatsBySessionCanBePasted) {
  const std::string one = "01a1dcca-0000-7000-8000-00000000000a", two = "01a1dcca-0010-7000-8000-00000000000b";
  claude_session(one, "the first", "claude-opus-5-5", kUsage);
  claude_session(two, "the second", "claude-opus-5-5", kUsage);
  CodexLog(home, "01a1dcca-0000-7100-8000-00000000000c").turn();
  ASSERT_EQ(sh("$H stats --by session -a claude-code"), 0) << err;
  EXPECT_TRUE(out.contains(one + " claude-code the first") && out.contains(two + " claude-code the second")) << out;
  if (!has_tmux()) GTEST_SKIP() << "tmux is not installed";
  open_terminal(80, 24);
  run_line("$H stats --by session -a claude-code");
  const std::string seen = screen();
  int rows = 0;
  for (std::size_t at = seen.find("\n01a1dcca"); at != std::string::npos; at = seen.find("\n01a1dcca", at + 1)) {
    const std::string id = seen.substr(at + 1, seen.find(' ', at) - at - 1);
    EXPECT_LT(id.size(), one.size()) << seen;
    EXPECT_EQ(sh("$H show " + id), 0) << id << err;
    ++rows;
  }
  EXPECT_EQ(rows, 2) << seen;
}

TEST_F(Money, StatsByModelAttributePromptsToModel) {
  claude_session(kFirst, "first prompt", "claude-opus-5-5", kUsage);
  ASSERT_EQ(sh("$H stats --by model"), 0) << err;
  EXPECT_FALSE(out.contains("(not known)")) << out;
  EXPECT_TRUE(out.contains("claude-opus-5-5")) << out;
}

// "in" is what was neither read from nor written to a cache, in every format.
TEST_F(Money, InputTokensMatchInTableHtmlAndJson) {
  claude_session(
      kFirst, "first prompt", "claude-opus-5-5",
      R"({"input_tokens":1001,"output_tokens":77,"cache_read_input_tokens":2002,"cache_creation_input_tokens":4004})");
  ASSERT_EQ(sh("$H stats"), 0) << err;
  for (const char* figure : {" 1001", " 2002", " 4004", " 77"}) EXPECT_TRUE(out.contains(figure)) << figure << out;
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_EQ(number({"total", "usage", "input"}), 1001) << out;
  ASSERT_EQ(sh("$H export " + std::string(kFirst) + " --format html"), 0) << err;
  EXPECT_TRUE(out.contains("1001 in, 4004 cache write, 2002 cache read, 77 out")) << out;
}

TEST_F(Money, ShowsTokensOfResponseOnce) {
  claude_session(kFirst, "first prompt", "claude-opus-5-5", R"({"input_tokens":10,"output_tokens":77})");
  std::int64_t output = 0;
  ASSERT_EQ(sh("$H show " + std::string(kFirst) + " --format json"), 0) << err;
  const JsonView messages = JsonView(out).find("messages");
  for (const JsonItem& message : messages.elements())
    output += message.value.find("usage").find("output").as_int64().value_or(0);
  EXPECT_EQ(output, 77) << out;
  ASSERT_EQ(sh("$H show " + std::string(kFirst)), 0) << err;
  EXPECT_NE(out.find("77 out"), std::string::npos) << out;
  EXPECT_EQ(out.find("77 out"), out.rfind("77 out")) << out;
}

TEST_F(Money, ImportedCopyIsCountedOnce) {
  claude_session(kFirst, "first prompt", "claude-opus-5-5", kUsage);
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  const std::string once(JsonView(out).find("total").raw());
  ASSERT_EQ(
      sh("$H export " + std::string(kFirst) + " --format json >$HOME/copy.json && $H import $HOME/copy.json --json"), 0)
      << err;
  const std::string copy = field({"id"});
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_EQ(JsonView(out).find("total").raw(), once);
  // Messages added to the copy later are new.
  ASSERT_EQ(sh("$H call message.append '{\"session\":\"" + copy +
               "\",\"message\":{\"role\":\"assistant\",\"text\":\"more\",\"model\":\"claude-opus-5-5\","
               "\"usage\":{\"input\":0,\"output\":5}}}'"),
            0)
      << err;
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_EQ(number({"total", "usage", "output"}), 100005) << out;
  // Without the original, the copy counts by itself.
  fs::remove_all(home + "/.claude");
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_EQ(number({"total", "usage", "output"}), 100005) << out;
}

// A history that Codex copies into the thread of a sub-agent lacks its token_usage_records.
TEST_F(Money, AnswersInCopiedHistoryAreCountedOnce) {
  const auto line = [](const std::string& type, const std::string& payload) {
    return R"({"timestamp":"2026-01-01T00:00:00Z","type":")" + type + R"(","payload":)" + payload + "}\n";
  };
  const auto meta = [&](const std::string& id, const std::string& more) {
    return line("session_meta", R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p")" + more + "}");
  };
  const auto answer = [&](const std::string& id) {
    return line("response_item", R"({"type":"message","id":")" + id +
                                     R"(","role":"assistant","content":[{"type":"output_text","text":"done"}]})");
  };
  const auto tokens = [&](const std::string& id) {
    return line("token_usage_record",
                R"({"response_id":")" + id + R"(","usage":{"input_tokens":10,"output_tokens":5}})");
  };
  const std::string folder = ".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-";
  put(folder + kFirst + ".jsonl", meta(kFirst, "") + answer("msg_1") + tokens("resp_1"));
  put(folder + kSecond + ".jsonl",
      meta(kSecond, R"(,"source":{"subagent":{"thread_spawn":{"parent_thread_id":")" + std::string(kFirst) + "\"}}}") +
          answer("msg_1") + answer("msg_2") + tokens("resp_2"));
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_EQ(number({"total", "answers"}), 2) << out;
  EXPECT_EQ(number({"total", "usage", "output"}), 10) << out;
}

TEST_F(Money, ReportsUnreadableStoreOnce) {
  const std::string name = home + "/.local/share/opencode/opencode.db";
  fs::create_directories(fs::path(name).parent_path());
  sqlite3* database = nullptr;
  sqlite3_open(name.c_str(), &database);
  // Sessions can be listed, but messages cannot be read.
  ASSERT_EQ(sqlite3_exec(database,
                         "CREATE TABLE session(id TEXT, project_id TEXT, parent_id TEXT, slug TEXT, directory TEXT, "
                         "title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);"
                         "CREATE TABLE message(id TEXT, odd TEXT); CREATE TABLE part(id TEXT, odd TEXT);"
                         "INSERT INTO session(id,project_id,time_created,time_updated) VALUES('ses_1','p',1,1),"
                         "('ses_2','p',1,1),('ses_3','p',1,1);",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  const auto count = [](const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  sh("$H ls --json");
  EXPECT_EQ(count(std::string(JsonView(out).find("findings").raw()), R"("file")"), 1U) << out << err;
  sh("$H doctor");
  EXPECT_EQ(count(out + err, "opencode.db:"), 1U) << out << err;
}

}  // namespace
}  // namespace holdfast::inline v1
