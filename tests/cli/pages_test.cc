// message.list through the doors: a page is a part of the whole, whatever is cached of
// the session, and its cost depends on its own size only.
#include <stdlib.h>

#include <random>
#include <thread>

#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"
#include "tests/cli/sessions_testing.h"
#include "tests/corpus_testing.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

using Words = std::vector<std::string>;

// The messages of an answer, with their ordinals.
Words said_in(JsonView answer) {
  Words all;
  for (const JsonItem& one : answer.find("messages").elements()) all.emplace_back(one.value.raw());
  return all;
}

std::string ordinal_of(std::string_view message) { return std::string(JsonView(message).find("ordinal").raw()); }

struct Answer {
  std::string text;
  JsonView result() const { return JsonView(text).find("result"); }
  std::string cursor() const { return result().find("next_cursor").as_string().value_or(""); }
  std::int64_t total() const { return result().find("total").as_int64().value_or(-1); }
  std::string error() const { return JsonView(text).find("error").find("message").as_string().value_or(""); }
};

class Lists {
 public:
  Lists(const std::string& home, const std::string& store) : rpc(home, {}), store_(store) {}

  Answer page(const std::string& id, const std::string& more) {
    return {rpc.ask("message.list", "{\"session\":\"" + id + "\"" + store() + more + "}")};
  }
  // As session.show returns them, without pages.
  Words whole(const std::string& id, const std::string& more = "") {
    const std::string text = rpc.ask("session.show", "{\"id\":\"" + id + "\"" + store() + more + "}");
    EXPECT_TRUE(JsonView(text).find("result")) << text;
    return said_in(JsonView(text).find("result"));
  }
  std::string damage(const std::string& id) {
    const std::string text = rpc.ask("session.show", "{\"id\":\"" + id + "\"" + store() + "}");
    return std::string(JsonView(text).find("result").find("damage").raw());
  }
  Words ids() {
    const std::string text = rpc.ask("session.list", "{\"limit\":10000,\"all\":true" + store() + "}");
    Words all;
    for (const JsonItem& one : JsonView(text).find("result").find("sessions").elements())
      all.push_back(one.value.find("id").as_string().value_or(""));
    return all;
  }
  // Every message that has a text.
  std::string search(const std::string& id) {
    return rpc.ask("session.search",
                   R"({"words":["\\S"],"regex":true,"limit":100000,"session":")" + id + "\"" + store() + "}");
  }
  // Bytes that the process has read from files so far.
  std::uint64_t bytes_read() const {
    std::ifstream file("/proc/" + std::to_string(rpc.pid()) + "/io");
    std::string word;
    std::uint64_t bytes = 0;
    while (file >> word >> bytes) {
      if (word == "rchar:") break;
    }
    return bytes;
  }
  RpcProcess rpc;

 private:
  std::string store() const { return store_.empty() ? std::string() : ",\"store\":\"" + store_ + "\""; }
  std::string store_;
};

class Pages : public CliHome {
 protected:
  // No index trusts files that were written just now.
  static void let_files_age() { std::this_thread::sleep_for(std::chrono::milliseconds(2100)); }

  // Expects that all pages of this size by cursor, and pages at random places, are parts of the whole.
  static void expect_parts(Lists& lists, const std::string& id, std::size_t size, std::mt19937& dice,
                           const std::string& more = "", const std::string& more_of_show = "") {
    SCOPED_TRACE(id + " " + more + " by " + std::to_string(size));
    const Words whole = lists.whole(id, more_of_show);
    const std::string damage = lists.damage(id);
    Words joined;
    std::string cursor;
    do {
      const std::string behind = cursor.empty() ? "" : ",\"cursor\":\"" + cursor + "\"";
      const Answer answer = lists.page(id, more + ",\"limit\":" + std::to_string(size) + behind);
      ASSERT_EQ(answer.error(), "");
      ASSERT_EQ(answer.total(), static_cast<std::int64_t>(whole.size())) << answer.text;
      ASSERT_EQ(answer.result().find("damage").raw(), damage);
      const Words part = said_in(answer.result());
      ASSERT_LE(part.size(), size);
      joined.insert(joined.end(), part.begin(), part.end());
      cursor = answer.cursor();
    } while (!cursor.empty() && joined.size() <= whole.size());
    ASSERT_EQ(joined, whole);
    for (int i = 0; i < 6 && !whole.empty(); ++i) {
      const std::size_t skip = dice() % whole.size(), limit = 1 + dice() % 40;
      const Answer answer =
          lists.page(id, more + ",\"skip\":" + std::to_string(skip) + ",\"limit\":" + std::to_string(limit));
      const auto first = whole.begin() + static_cast<std::ptrdiff_t>(skip);
      const auto last = first + static_cast<std::ptrdiff_t>(std::min(limit, whole.size() - skip));
      ASSERT_EQ(said_in(answer.result()), Words(first, last)) << skip << " " << limit;
      const Answer at = lists.page(id, more + ",\"limit\":1,\"at\":" + ordinal_of(*first));
      ASSERT_EQ(said_in(at.result()), Words{*first});
      const std::size_t count = std::min(limit, whole.size());
      const Answer end = lists.page(id, more + ",\"last\":" + std::to_string(limit));
      ASSERT_EQ(said_in(end.result()), Words(whole.end() - static_cast<std::ptrdiff_t>(count), whole.end()));
    }
  }

  static constexpr const char* kClaude = "11111111-0000-4000-8000-000000000001";
  static constexpr const char* kTree = "11111111-0000-4000-8000-000000000002";
  static constexpr const char* kCodex = "0199b000-0000-7000-8000-0000000000c1";

  void write_logs(int turns) {
    ClaudeLog claude(home, kClaude), tree(home, kTree);
    CodexLog codex(home, kCodex);
    for (int i = 0; i < turns; ++i) {
      claude.turn();
      codex.turn();
      tree.turn();
      if (i % 20 == 19) tree.go_back(7);
    }
  }
};

TEST_F(Pages, JoinToTheFullList) {
  write_logs(150);
  let_files_age();
  std::mt19937 dice(1);
  Lists lists(home, "");
  for (const std::string id : {kClaude, kTree, kCodex}) {
    for (const std::size_t size : {7U, 100U, 5000U}) expect_parts(lists, id, size, dice);
  }
  expect_parts(lists, kTree, 30, dice, R"(,"branch":"all")", R"(,"branch":"all")");
  expect_parts(lists, kTree, 30, dice, R"(,"branch":"u100")", R"(,"branch":"u100")");
}

// In every layout that messages can be appended to, also during appends.
TEST_F(Pages, JoinToTheFullListAfterAppends) {
  std::mt19937 dice(2);
  for (const std::string layout : {"holdfast", "open-agent", "linggen", "maestro"}) {
    const std::string store = layout + ":" + home + "/" + layout;
    Lists lists(home, store);
    ASSERT_TRUE(JsonView(lists.rpc.ask("store.create", "{\"store\":\"" + store + "\"}")).find("result"));
    const std::string made =
        lists.rpc.ask("session.create", "{\"store\":\"" + store + "\",\"project\":\"" + home + "/desk\"}");
    const std::string id = JsonView(made).find("result").find("id").as_string().value_or("");
    ASSERT_NE(id, "") << made;
    const auto append = [&](int i) {
      JsonWriter json;
      json.begin_object().key("store").string(store).key("session").string(id);
      json.key("durability").string("none").key("message").begin_object();
      json.key("role").string(i % 2 == 0 ? "user" : "assistant").key("blocks").begin_array();
      json.begin_object().key("type").string("text").key("text").string(padding(300, i)).end_object();
      if (i % 4 == 1 && layout != "maestro") {  // maestro stores only texts
        json.begin_object().key("type").string("tool_call").key("id").string("c" + std::to_string(i));
        json.key("name").string("Read").key("input").begin_object().key("path").string("x").end_object().end_object();
      }
      json.end_array().end_object();
      const std::string answer = lists.rpc.ask("message.append", json.end_object().take());
      ASSERT_TRUE(JsonView(answer).find("result")) << answer;
    };
    for (int i = 0; i < 120; ++i) append(i);
    expect_parts(lists, id, 50, dice);
    // A cursor continues where it was, whatever was appended.
    const Answer first = lists.page(id, ",\"limit\":100");
    for (int i = 120; i < 140; ++i) append(i);
    const Words whole = lists.whole(id);
    const Answer rest = lists.page(id, ",\"limit\":1000,\"cursor\":\"" + first.cursor() + "\"");
    EXPECT_EQ(said_in(rest.result()), Words(whole.begin() + 100, whole.end())) << layout;
    expect_parts(lists, id, 50, dice);
  }
}

// `last` says which messages are listed, `limit`, `skip` and `cursor` which of those are on the page.
TEST_F(Pages, OfTheLastMessages) {
  write_logs(40);
  Lists lists(home, "");
  for (const std::string id : {kClaude, kTree, kCodex}) {
    SCOPED_TRACE(id);
    const Words whole = lists.whole(id);
    ASSERT_GT(whole.size(), 30U);
    const auto part = [&](std::ptrdiff_t from, std::ptrdiff_t count) {  // of the last 20
      return Words(whole.end() - 20 + from, whole.end() - 20 + from + count);
    };
    const Answer first = lists.page(id, R"(,"last":20,"limit":6)");
    EXPECT_EQ(said_in(first.result()), part(0, 6));
    EXPECT_EQ(first.result().find("next").as_int64(), 6) << first.text;
    EXPECT_EQ(first.total(), static_cast<std::int64_t>(whole.size())) << first.text;
    EXPECT_EQ(said_in(lists.page(id, R"(,"last":20,"limit":6,"skip":6)").result()), part(6, 6));
    const Answer second = lists.page(id, R"(,"last":20,"limit":6,"cursor":")" + first.cursor() + "\"");
    EXPECT_EQ(said_in(second.result()), part(6, 6));
    EXPECT_EQ(second.result().find("next").as_int64(), 12) << second.text;
    const Answer rest = lists.page(id, R"(,"last":20,"skip":15)");
    EXPECT_EQ(said_in(rest.result()), part(15, 5));
    EXPECT_TRUE(rest.result().find("next").is_null() && rest.cursor().empty()) << rest.text;
    EXPECT_EQ(said_in(lists.page(id, R"(,"last":100000,"limit":2)").result()), Words(whole.begin(), whole.begin() + 2));
    // A cursor continues its own list only.
    const std::string other = lists.page(id, R"(,"limit":5)").cursor();
    for (const std::string& words : {R"(,"last":20,"cursor":")" + other, R"(,"last":3,"cursor":")" + first.cursor(),
                                     R"(,"cursor":")" + first.cursor()}) {
      const Answer refused = lists.page(id, words + "\"");
      EXPECT_TRUE(refused.error().contains("cursor: it is of a list with")) << words << refused.text;
    }
  }
}

// The last messages are those of the first page, although more are written meanwhile.
TEST_F(Pages, OfTheLastMessagesOfGrowingLog) {
  ClaudeLog claude(home, kClaude);
  for (int i = 0; i < 20; ++i) claude.turn();
  Lists lists(home, "");
  const Words whole = lists.whole(kClaude);
  const Answer first = lists.page(kClaude, R"(,"last":6,"limit":3)");
  EXPECT_EQ(said_in(first.result()), Words(whole.end() - 6, whole.end() - 3));
  for (int i = 0; i < 5; ++i) claude.turn();
  const Answer second = lists.page(kClaude, R"(,"last":6,"limit":3,"cursor":")" + first.cursor() + "\"");
  EXPECT_EQ(said_in(second.result()), Words(whole.end() - 3, whole.end()));
  EXPECT_EQ(second.result().find("next").as_int64(), 6) << second.text;
}

TEST_F(Pages, FollowGrowingLog) {
  std::mt19937 dice(3);
  ClaudeLog claude(home, kClaude);
  CodexLog codex(home, kCodex);
  for (int i = 0; i < 100; ++i) {
    claude.turn();
    codex.turn();
  }
  Lists lists(home, "");
  for (int round = 0; round < 8; ++round) {
    for (const std::string id : {kClaude, kCodex}) expect_parts(lists, id, 90, dice);
    if (round == 4) claude.go_back(10);  // the conversation is no longer a line
    if (round == 6) claude.prompt("one more");
    claude.turn();
    codex.turn();
    if (round % 2 == 0) codex.prompt("and more");
  }
}

TEST_F(Pages, RejectCursorOfReplacedSession) {
  write_logs(40);
  Lists lists(home, "");
  const Answer page = lists.page(kClaude, ",\"limit\":10");
  ASSERT_NE(page.cursor(), "");
  std::filesystem::remove(ClaudeLog(home, kClaude).path);
  {
    std::string text;
    std::ifstream tree(ClaudeLog(home, kTree).path);
    std::ofstream log(ClaudeLog(home, kClaude).path);
    for (std::string line; std::getline(tree, line);) {
      for (std::size_t at = 0; (at = line.find("\"u", at)) != std::string::npos;) line.replace(at, 2, "\"x");
      log << line << "\n";
    }
  }
  const Answer lost = lists.page(kClaude, ",\"limit\":10,\"cursor\":\"" + page.cursor() + "\"");
  EXPECT_NE(lost.error().find("cursor: its message is no longer in the list"), std::string::npos) << lost.text;
  for (const std::string wrong : {"", "m1", "m1.5", "m1.zz.1", "m1.1.1.1", "n1.5"}) {
    const Answer refused = lists.page(kClaude, ",\"cursor\":\"" + wrong + "\"");
    EXPECT_NE(refused.error().find("cursor"), std::string::npos) << wrong << ": " << refused.text;
  }
}

// Whatever is wrong with the index, the answer is the same.
TEST_F(Pages, SurviveDamagedIndex) {
  write_logs(60);
  let_files_age();
  std::mt19937 dice(4);
  Lists lists(home, "");
  const auto files = [&] {
    Words names;
    for (const auto& entry : std::filesystem::directory_iterator(home + "/.cache/holdfast"))
      if (entry.path().filename().string().starts_with("pages-")) names.push_back(entry.path().string());
    return names;
  };
  for (const std::string id : {kClaude, kTree, kCodex}) (void)lists.page(id, ",\"limit\":10");
  ASSERT_EQ(files().size(), 3U);
  const auto spoil = [&](const std::function<void(std::string&)>& how) {
    for (const std::string& name : files()) {
      std::string bytes;
      {
        std::ifstream file(name, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(file), {});
      }
      how(bytes);
      std::ofstream(name, std::ios::binary) << bytes;
    }
    for (const std::string id : {kClaude, kTree, kCodex}) expect_parts(lists, id, 60, dice);
  };
  for (int i = 0; i < 10; ++i)
    spoil([&](std::string& bytes) { bytes[dice() % bytes.size()] ^= static_cast<char>(1 << dice() % 8); });
  spoil([&](std::string& bytes) { bytes.resize(bytes.size() / 2); });
  spoil([](std::string& bytes) { bytes.clear(); });
  for (const std::string& name : files()) std::filesystem::remove(name);
  for (const std::string id : {kClaude, kTree, kCodex}) expect_parts(lists, id, 60, dice);
  // Rewritten in place with the same size: only the times show it.
  std::string bytes;
  {
    std::ifstream file(ClaudeLog(home, kClaude).path);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (std::size_t at = 0; (at = bytes.find("word", at)) != std::string::npos;) bytes.replace(at, 4, "WORD");
  std::fstream(ClaudeLog(home, kClaude).path, std::ios::in | std::ios::out) << bytes;
  expect_parts(lists, kClaude, 60, dice);
}

// The bytes read for a page do not grow with the session.
TEST_F(Pages, CostDoesNotGrowWithSession) {
  ClaudeLog(home, kClaude);
  for (const auto& [id, turns] : {std::pair(kClaude, 3000), std::pair(kTree, 150)}) {
    ClaudeLog log(home, id);
    for (int i = 0; i < turns; ++i) log.turn();
  }
  CodexLog codex(home, kCodex);
  for (int i = 0; i < 2000; ++i) codex.turn();
  const auto bytes = std::filesystem::file_size(ClaudeLog(home, kClaude).path);
  ASSERT_GT(bytes, 4U << 20);
  let_files_age();
  Lists lists(home, "");
  for (const std::string id : {kClaude, kCodex, kTree}) (void)lists.page(id, ",\"limit\":10");
  for (const std::string id : {kClaude, kCodex}) {
    for (const int skip : {0, 1500, 5500}) {
      const std::uint64_t before = lists.bytes_read();
      ASSERT_EQ(lists.page(id, ",\"limit\":50,\"skip\":" + std::to_string(skip)).error(), "");
      EXPECT_LT(lists.bytes_read() - before, std::uint64_t{1500} << 10) << id << " " << skip;
    }
  }
}

TEST_F(Pages, SearchHitsContinueByCursor) {
  write_logs(30);
  Lists lists(home, "");
  const auto hits = [&](const std::string& more) {
    const std::string text = lists.rpc.ask("session.search", R"({"words":["prompt"])" + more + "}");
    EXPECT_TRUE(JsonView(text).find("result")) << text;
    return text;
  };
  const auto said = [](const std::string& text) {
    Words all;
    for (const JsonItem& one : JsonView(text).find("result").find("hits").elements()) all.emplace_back(one.value.raw());
    return all;
  };
  const Words whole = said(hits(",\"limit\":1000"));
  ASSERT_GE(whole.size(), 90U);
  Words joined;
  std::string behind;
  do {
    const Answer page{hits(",\"limit\":17" + (behind.empty() ? "" : ",\"cursor\":\"" + behind + "\""))};
    for (std::string& hit : said(page.text)) joined.push_back(std::move(hit));
    behind = page.cursor();
  } while (!behind.empty() && joined.size() < 1000);
  EXPECT_EQ(joined, whole);
}

// The same over the sessions of the corpus.
class CorpusPages : public OpenCorpus {};

TEST_P(CorpusPages, JoinToTheFullList) {
  char name[] = "/tmp/holdfast_pages_XXXXXX";
  ASSERT_NE(::mkdtemp(name), nullptr);
  std::mt19937 dice(5);
  {
    Lists lists(name, std::string(GetParam().name) + ":" + corpus_store(GetParam()).string());
    const auto ids = lists.ids();
    EXPECT_FALSE(ids.empty());
    struct Parts : Pages {
      using Pages::expect_parts;
      void TestBody() override {}
    };
    for (const std::string& id : ids) {
      Parts::expect_parts(lists, id, 9, dice);
      Parts::expect_parts(lists, id, 40, dice, R"(,"branch":"all")", R"(,"branch":"all")");
    }
  }
  std::filesystem::remove_all(name);
}

// Also in sessions with rewinds, sub-agents and forks.
TEST_P(CorpusPages, EveryHitHasTheOrdinalOfItsMessage) {
  char name[] = "/tmp/holdfast_pages_XXXXXX";
  ASSERT_NE(::mkdtemp(name), nullptr);
  {
    Lists lists(name, std::string(GetParam().name) + ":" + corpus_store(GetParam()).string());
    std::size_t hits = 0;
    for (const std::string& id : lists.ids()) {
      const std::string found = lists.search(id);
      for (const JsonItem& hit : JsonView(found).find("result").find("hits").elements()) {
        ++hits;
        const std::string ordinal = ordinal_of(hit.value.raw());
        const Answer page = lists.page(id, R"(,"branch":"all","limit":1,"at":)" + ordinal);
        const Words said = said_in(page.result());
        ASSERT_EQ(said.size(), 1U) << id << "#" << ordinal;
        for (const std::string_view member : {"ordinal", "role", "timestamp"})
          EXPECT_EQ(JsonView(said[0]).find(member).raw(), hit.value.find(member).raw()) << id << "#" << ordinal;
      }
    }
    EXPECT_GT(hits, 0U);
  }
  std::filesystem::remove_all(name);
}

INSTANTIATE_TEST_SUITE_P(Agents, CorpusPages, ::testing::ValuesIn(kCorpusAgents), [](const auto& agent) {
  std::string name = agent.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace holdfast::inline v1
