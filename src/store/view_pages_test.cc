// Pages of views are written like the messages of the whole session, whatever its lines look like.
#include <gtest/gtest.h>

#include <random>

#include "base/hash.h"
#include "layout/holdfast/line.h"
#include "layout/holdfast/paths.h"
#include "model/model_json.h"
#include "store/engine.h"
#include "store/layout_store_testing.h"
#include "store/message_pages.h"
#include "text/json_text.h"

namespace holdfast::inline v1 {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kId = "ses_view";
constexpr std::string_view kBlob = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

std::string plain_line(int number, std::string_view blocks, std::string_view more = {}) {
  const auto id = [](int n) { return n < 0 ? std::string("null") : json_quoted("msg_" + std::to_string(n)); };
  return R"({"type":"message","id":)" + id(number) + ",\"parent\":" + id(number - 1) +
         R"(,"role":"user","origin":"typed","timestamp":"2026-11-15T03:15:01.100Z","blocks":)" + std::string(blocks) +
         std::string(more) + "}";
}

std::string text_block(std::string_view text) { return R"([{"type":"text","text":)" + json_quoted(text) + "}]"; }

struct ViewPages : testing::Test {
  // Replaces the session by one with this log.
  void write(const Words& lines) {
    // No index is kept of small logs.
    std::string log = R"({"type":"session","schema_version":1,"id":"ses_view","created_at":"2026-11-15T03:15:00.042Z",)"
                      R"("padding":")" +
                      std::string(16 << 10, '.') + "\"}\n";
    for (const std::string& line : lines) log += line + "\n";
    must(files.disk.put_file("/store/projects/none/sessions/ses_view/messages.jsonl", log));
    files.clock.step(std::chrono::seconds(10));  // old enough for its times to be trusted
    StoreOptions options;
    options.roots = {{"", "/store"}};
    options.write = false;
    options.cache = "/cache";
    store = must(Store::open(files.context, files.disk, options));
    engine = must(engine_of(*store));
  }
  Words whole(const std::string& branch) {
    Words all;
    for (const Message& message : must(store->read(files.context, kId, {.branch = branch})).messages)
      all.push_back(written(message));
    return all;
  }
  static std::string written(const Message& message) {
    JsonWriter json;
    write_message(json, message, message.ordinal);
    return json.take();
  }
  ViewPage page(PageQuery query) {
    auto page = must(read_view_page(files.context, *engine, kId, query));
    others += page.others.size();
    return page;
  }
  // Reads the list by pages of that many messages.
  Words joined(const std::string& branch, std::size_t size) {
    PageQuery query{.list = {.branch = branch}, .limit = size};
    (void)page(query);  // makes the index
    others = 0;
    Words all;
    do {
      const ViewPage part = page(query);
      for (const MessageView& message : part.messages) {
        JsonWriter json;
        write_message(json, message);
        all.push_back(json.take());
      }
      query.cursor = part.next;
    } while (query.cursor && all.size() < 100'000);
    return all;
  }
  void expect_same(const std::string& branch = "") {
    for (const std::size_t size : {1U, 7U, 1000U}) ASSERT_EQ(joined(branch, size), whole(branch)) << size;
  }

  LayoutStore files{"holdfast"};
  std::shared_ptr<Store> store;
  FileStore* engine = nullptr;
  std::size_t others = 0;  // messages on the last pages that are not shown by their records
};

TEST_F(ViewPages, ShowsPlainLinesByTheirRecords) {
  const Words blocks = {
      text_block("hello"),
      text_block("line\n\"quoted\" \\ tab\t\x01 caf\xC3\xA9 \xE2\x80\xA8 \xF0\x9F\x98\x80"),
      R"([{"type":"thinking","text":"hm","signature":"c2ln"},{"type":"tool_call","id":"c1","name":"Read","input":{"path":"a b","n":[1,2.50,null]}}])",
      R"([{"type":"tool_result","id":"c1","name":"Read","output":"text\n","is_error":true},{"type":"tool_result","id":"c2","output":[{"type":"text","text":"x"}]}])",
      R"([{"type":"other","raw":{"a":[]}},{"type":"later","is":"kept"},{"type":"text","text":"","extra":{"k":{"deep":1}}}])",
      "[]"};
  const Words members = {
      "",
      R"(,"model":"claude-sonnet-4-5","stop_reason":"end_turn","usage":{"input":3,"output":5,"cache_read":7,"cache_write":11},"response":"resp_1")",
      R"(,"usage":{"input_tokens":3,"cache_creation_input_tokens":4,"reasoning":9},"cost_usd":0.0420,"agent":"main","failed":true)",
      R"(,"cwd":"/w","git_branch":"main","permission_mode":"plan","version":"1.0","user_type":"external","side":true)",
      R"(,"extra":{"custom":"\u0041 /","list":[1]})"};
  Words lines;
  for (const std::string& block : blocks)
    for (const std::string& more : members) lines.push_back(plain_line(static_cast<int>(lines.size()), block, more));
  write(lines);
  expect_same();
  EXPECT_EQ(others, 0U);
}

TEST_F(ViewPages, ShowsOtherLinesAsMessages) {
  const Words lines = {
      plain_line(0,
                 R"([{"type":"text","text":"beginning","blob":{"sha256":")" + std::string(kBlob) + R"(","bytes":9}}])"),
      plain_line(0, R"([{"type":"image","media_type":"image/png","blob":{"sha256":")" + std::string(kBlob) + R"("}}])"),
      plain_line(0, text_block("[The output of a tool whose call is not in the session:]\nx")),
      plain_line(0, text_block("x"), R"(,"unknown":1)"),
      plain_line(0, text_block("x"), R"(,"extra":{"a": 1})"),
      plain_line(0, text_block("x"), R"(,"extra":{"a":1},"b":2)"),
      plain_line(0, R"([{"type":"text","text":"x","unknown":1}])"),
      R"({"type":"message","id":null,"blocks":[]})",
      R"({"written":"by another program"})"};
  for (const std::string& line : lines) {
    write({line});
    expect_same("all");
    EXPECT_EQ(others, 1U) << line;
  }
}

TEST_F(ViewPages, ShowsNoLineAroundDamage) {
  write({plain_line(0, text_block("a")), plain_line(1, text_block("b")) + plain_line(2, text_block("c")),
         plain_line(3, text_block("d")), "{\"type\":\"message\",\"id\":\"torn"});
  expect_same();
  EXPECT_EQ(others, 4U);
}

TEST_F(ViewPages, ShowsWhatIsReadInTheMeantime) {
  Words lines;
  for (int n = 0; n < 20; ++n) lines.push_back(plain_line(n, text_block("one")));
  write(lines);
  expect_same();
  for (int n = 20; n < 30; ++n) lines.push_back(plain_line(n, text_block("two")));
  write(lines);
  expect_same();
  EXPECT_EQ(others, 0U);
  lines[25] = plain_line(25, text_block("TWO"));
  write(lines);
  expect_same();
}

// The path from a leaf goes from each message to the last one that has the id of its parent, so it is not the line.
TEST_F(ViewPages, ListsChainsThatRepeatIds) {
  const auto chained = [](const std::string& id, const std::string& parent) {
    return R"({"type":"message","id":)" + id + ",\"parent\":" + parent + R"(,"role":"user","blocks":)" +
           text_block("hello") + "}";
  };
  const std::string a = R"("a")", b = R"("b")", c = R"("c")", d = R"("d")";
  const Words chain = {chained(a, "null"), chained(b, a), chained(c, b), chained(b, c), chained(d, b)};
  const std::string leaf = R"({"type":"leaf","message":"d"})";
  Words lines = chain;
  lines.push_back(leaf);
  write(lines);
  EXPECT_LT(whole("").size(), chain.size());
  expect_same();
  expect_same("all");
  // The same, where an index was made before the leaf was told.
  write(chain);
  EXPECT_EQ(whole("").size(), chain.size());
  expect_same();
  expect_same("all");
  write(lines);
  expect_same();
  expect_same("all");
}

// Without parents, a leaf is the end of the list: it hides a message without an id after it.
TEST_F(ViewPages, ListsNothingAfterLeafOfPlainSession) {
  const std::string leaf = R"({"type":"leaf","message":"msg_0"})", other = R"({"written":"by another program"})";
  const Words orders[] = {{other, leaf}, {leaf, other}};
  for (const Words& order : orders) {
    Words lines = {R"({"type":"message","id":"msg_0","parent":null,"role":"user","blocks":[]})"};
    write(lines);
    expect_same();
    for (const std::string& line : order) {
      lines.push_back(line);
      write(lines);
      expect_same();
      expect_same("all");
    }
    EXPECT_EQ(whole("").size(), 1U);
    write({"{}"});
    expect_same();
    write(lines);
    expect_same();
  }
}

// Almost chains: ids come again, a message has no id or another parent, leafs name this or that one. Whatever was
// indexed before lines were added, the list is that of the whole session.
TEST_F(ViewPages, ListsAnyChainAsItGrows) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 dice(seed);
    const auto one_in = [&](unsigned count) { return dice() % count == 0; };
    const unsigned twice = seed % 3 == 0 ? 4 : 1000, odd = seed % 2 == 0 ? 6 : 1000;  // one in how many is like that
    const bool plain = seed % 7 == 0;
    Words lines;
    std::string last = "null";
    for (int part = 0; part < 4; ++part) {
      for (auto left = dice() % 4; left > 0; --left) {
        const auto number = one_in(twice) ? dice() % 8 : lines.size() + 8;
        const std::string id = one_in(odd) ? "null" : "\"m" + std::to_string(number) + "\"";
        const std::string parent = plain ? "null" : one_in(odd * 2) ? "\"m8\"" : last;
        lines.push_back(R"({"type":"message","id":)" + id + ",\"parent\":" + parent + R"(,"role":"user","blocks":)" +
                        text_block(one_in(3) ? "hi" : std::to_string(lines.size())) + "}");
        if (id != "null") last = id;
      }
      if (one_in(odd)) lines.push_back(R"({"written":"by another program"})");
      if (one_in(2)) lines.push_back(R"({"type":"leaf","message":)" + (one_in(5) ? "\"m8\"" : last) + "}");
      write(lines);
      for (const std::string branch : {"", "all"}) ASSERT_EQ(joined(branch, 5), whole(branch)) << part << branch;
    }
  }
}

// Lines as no program writes them: any members in any order and spelling, again and again.
class AnyLine {
 public:
  explicit AnyLine(unsigned seed) : dice_(seed) {}

  std::string line(int number) {
    if (one_in(12)) return R"({"type":"leaf","message":"msg_)" + std::to_string(static_cast<int>(dice_() % 20)) + "\"}";
    if (one_in(20)) return object({member("type", pick({"\"other\"", "7", "\"session\""}))});
    Words members = {
        member("type", pick({"\"message\"", "\"message\"", R"("m\u0065ssage")"})),
        member("id", one_in(10) ? text() : "\"msg_" + std::to_string(number) + "\""),
        member("parent", one_in(10) ? text() : "\"msg_" + std::to_string(number - 1) + "\""),
        member("role", pick({"\"user\"", "\"assistant\"", "\"tool\"", "\"system\"", "\"?\"", "null"})),
        member("origin", pick({"\"typed\"", "\"model\"", "\"tool\"", "\"notice\"", "\"?\"", "1"})),
        member("timestamp", pick({R"("2026-11-15T03:15:01.100Z")", R"("2026-11-15T03:15:01Z")", "\"1763176501\"",
                                  R"("2026-02-30T03:15:01.100Z")", R"("2026-11-15T24:15:01.100Z")",
                                  R"("2026-11-15T03:15:0\u0031.100Z")", "5", "\"\""}))};
    const std::string_view texts[] = {"model", "stop_reason", "response", "agent", "cwd", "git_branch", "version"};
    for (const std::string_view name : texts)
      if (one_in(4)) members.push_back(member(name, text()));
    if (one_in(3))
      members.push_back(
          member("usage", pick({R"({"input":1,"output":2})", "{}", "null", R"({"in\u0070ut": 4,"cache_read":1e3})"})));
    if (one_in(5)) members.push_back(member("cost_usd", pick({"0.10", "null", "\"x\"", R"({ "a": 1 })"})));
    if (one_in(8)) members.push_back(member("side", pick({"true", "false", "1"})));
    if (one_in(8)) members.push_back(member("failed", pick({"true", "null"})));
    if (one_in(8)) members.push_back(member("extra", json()));
    if (one_in(12)) members.push_back(member("unknown", json()));
    if (one_in(12)) members.push_back(members[dice_() % members.size()]);
    Words blocks;
    for (auto left = dice_() % 4; left > 0; --left) blocks.push_back(block());
    members.push_back(member("blocks", one_in(20) ? json() : "[" + list(blocks) + "]"));
    if (one_in(3)) std::ranges::shuffle(members, dice_);
    return object(members);
  }

 private:
  bool one_in(unsigned count) { return dice_() % count == 0; }
  std::string pick(const Words& words) { return words[dice_() % words.size()]; }
  std::string space() { return one_in(30) ? " " : ""; }
  std::string member(std::string_view key, const std::string& value) {
    std::string name(key);
    if (one_in(40)) name = "\\u00" + hex_of(name.substr(0, 1)) + name.substr(1);
    return space() + "\"" + name + "\"" + space() + ":" + space() + value + space();
  }
  static std::string list(const Words& words) {
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : ",") + word;
    return all;
  }
  static std::string object(const Words& members) { return "{" + list(members) + "}"; }
  std::string text() {
    std::string text =
        pick({"", "a", "some words", R"(\n\"\\\t)", R"(\/\u0041)", R"(\u2028)", "\xE2\x80\xA8", "caf\xC3\xA9",
              R"(\ud83d\ude00)", R"(\ud800)", R"(\u0000)", "[The output of a tool whose call is not in the session:]"});
    for (auto left = one_in(4) ? dice_() % 200 : 0; left > 0; --left) text += one_in(20) ? "\\n" : "z";
    return one_in(30) ? pick({"null", "5", "[]", "{}"}) : "\"" + text + "\"";
  }
  std::string json() {
    return pick({"{}", "[]", "null", "1.50", "true", R"({"a":1,"b":[]})", R"({ "a" : [ 1, 2 ] })",
                 R"([{"type":"text","text":"x"}])", R"({"\u0061":"\/"})", R"({"extra":{"a":1}})", text()});
  }
  std::string block() {
    if (one_in(30)) return json();
    Words members = {member("type", pick({"\"text\"", "\"text\"", "\"thinking\"", "\"tool_call\"", "\"tool_result\"",
                                          "\"image\"", "\"other\"", "\"later\"", R"("te\u0078t")", "null"}))};
    for (const std::string_view name : {"text", "id", "name", "signature", "media_type"})
      if (one_in(2)) members.push_back(member(name, text()));
    for (const std::string_view name : {"input", "raw", "output", "extra", "unknown"})
      if (one_in(name == "unknown" ? 12 : 4)) members.push_back(member(name, json()));
    if (one_in(4)) members.push_back(member("is_error", pick({"true", "false", "null"})));
    if (one_in(30)) members.push_back(member("blob", R"({"sha256":")" + std::string(kBlob) + R"(","bytes":5})"));
    if (one_in(20)) members.push_back(members[dice_() % members.size()]);
    if (one_in(3)) std::ranges::shuffle(members, dice_);
    return object(members);
  }

  std::mt19937 dice_;
};

TEST_F(ViewPages, WritesAnyLinesLikeTheirMessages) {
  std::size_t shown = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    AnyLine any(seed);
    Words lines;
    for (int n = 0; n < 8; ++n) lines.push_back(any.line(n));
    write(lines);
    SCOPED_TRACE(seed);
    expect_same("all");
    shown += whole("all").size() - others;
    expect_same();
  }
  EXPECT_GT(shown, 500U);  // of 2,400
}

}  // namespace
}  // namespace holdfast::inline v1
