// Whatever members a message has together: it is refused, or everything in it is placed.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

using Choices = std::vector<std::string>;

// Every object with one choice of each; an empty one is no member.
void each_object(const std::vector<Choices>& members, const std::function<void(const std::string&)>& take,
                 const std::string& begun = {}, std::size_t at = 0) {
  if (at == members.size()) return take("{" + begun + "}");
  for (const std::string& one : members[at])
    each_object(members, take, begun.empty() || one.empty() ? begun + one : begun + "," + one, at + 1);
}

// The values that the tests invent: #name#, each once in a message.
std::vector<std::string> marks_in(std::string_view text) {
  std::vector<std::string> all;
  for (std::size_t from = text.find('#'); from != std::string_view::npos;) {
    const std::size_t to = text.find('#', from + 1);
    all.emplace_back(text.substr(from, to + 1 - from));
    from = text.find('#', to + 1);
  }
  return all;
}

struct MessageRead : testing::Test {
  std::size_t accepted = 0, refused = 0;

  // Nothing may be in `extra` alone that begins with one of `shown`.
  void check(const std::string& given, std::string_view shown) {
    const auto message = message_from_json(JsonView(given));
    ++(message ? accepted : refused);
    if (!message || HasFailure()) return;
    JsonWriter json;
    write_message(json, *message, 0, MediaData::base64);
    const std::string_view blocks = JsonView(json.text()).find("blocks").raw();
    bool any = false, seen = false;
    for (const std::string& mark : marks_in(given)) {
      EXPECT_TRUE(json.text().contains(mark)) << mark << " of " << given << "\nis not in " << json.text();
      any = any || mark.starts_with(shown);
      seen = seen || (mark.starts_with(shown) && blocks.contains(mark));
    }
    EXPECT_EQ(any, seen) << given << "\nshows nothing in " << blocks;
  }
};

TEST_F(MessageRead, BodiesTogetherAreRefusedOrPlaced) {
  const auto text = [](std::string_view mark) {
    return R"({"type":"text","text":"#body-)" + std::string(mark) + "#\"}";
  };
  const std::vector<Choices> members = {
      {R"("role":"user")", R"("role":"assistant")", R"("role":"tool")", R"("role":"function")"},
      {"", R"("text":null)", R"("text":"#body-t#")"},
      {"", R"("content":null)", R"("content":"#body-c#")", R"("content":[])", R"("content":[)" + text("c") + "]",
       R"("content":[)" + text("c") + "," + text("d") + "]",
       R"("content":[)" + text("c") + R"(,{"type":"#odd#","value":"#odd-value#"}])",
       R"("content":[{"type":"tool_result","tool_use_id":"#use#","content":"#body-c#"}])"},
      {"", R"("blocks":null)", R"("blocks":[])", R"("blocks":[)" + text("e") + "]",
       R"("blocks":[)" + text("e") + "," + text("f") + "]",
       R"("blocks":[{"type":"tool_call","id":"#call#","name":"#body-e#","input":{"a":"#in#"}}])"},
      {"", R"("parts":null)", R"("parts":[ ])", R"("parts":[)" + text("g") + "]",
       R"("parts":[)" + text("g") + "," + text("h") + "]",
       R"("parts":[{"type":"tool-f","toolCallId":"#part#","input":{"a":"#pin#"},"output":"#body-g#"}])"},
      {"", R"("tool_call_id":"#one#")", R"("toolCallId":"#two#","tool_call_id":null)",
       R"("toolCallId":"#two#","tool_call_id":"#one#")"},
      {R"("name":"#name#","tool_calls":[])", R"("tool_calls":[{"id":"#id#","name":"#tool#"}])",
       R"("function_call":{"name":"#tool#","arguments":"#arguments#"})"},
  };
  each_object(members, [&](const std::string& given) { check(given, "#body-"); });
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(refused, 1000u);
}

// A message that was read has an ordinal; what reading added is not said again. Another program's is kept.
TEST_F(MessageRead, OnlyWhatReadingAddsIsIgnored) {
  const auto extra = [](const std::string& members) {
    const std::string given = R"({"role":"user","text":"x",)" + members + "}";
    const auto message = message_from_json(JsonView(given));
    return message ? message->extra : message.error().message;
  };
  const std::string added = R"("abandoned":true,"raw":"{}","estimated_usd":0.5)";
  EXPECT_EQ(extra(R"("ordinal":7,)" + added), "");
  EXPECT_EQ(extra(added), "{" + added + "}");
  EXPECT_EQ(extra(R"("ordinal":"first","raw":{"a":1})"), R"({"ordinal":"first","raw":{"a":1}})");
}

TEST_F(MessageRead, NumberOfBytesThatAreNotGivenIsKept) {
  const auto read = [](const std::string& members) {
    const std::string given = R"({"role":"user","blocks":[{"type":"image","media_type":"image/png",)" + members + "}]}";
    const auto message = message_from_json(JsonView(given));
    JsonWriter json;
    if (message) write_message(json, *message, 0);
    return std::string(JsonView(json.text()).find("blocks").raw());
  };
  EXPECT_EQ(read(R"("bytes":7)"), R"([{"type":"image","media_type":"image/png","extra":{"bytes":7}}])");
  EXPECT_EQ(read(R"("data":"aW1n","bytes":3)"), R"([{"type":"image","media_type":"image/png","bytes":3}])");
}

// What libraries give by two names is one figure, not two.
TEST_F(MessageRead, FigureGivenTwiceIsCountedOnceOrRefused) {
  const auto read = [](std::string_view usage) {
    const std::string given = R"({"role":"assistant","text":"x","usage":)" + std::string(usage) + "}";
    return message_from_json(JsonView(given));
  };
  const auto figures = [&](std::string_view usage) {
    const auto message = read(usage);
    JsonWriter json;
    if (message && message->usage) write_usage(json, *message->usage);
    return json.take();
  };
  EXPECT_EQ(figures(R"({"input_tokens":10,"cache_read_input_tokens":4,"input_tokens_details":{"cached_tokens":4}})"),
            R"({"input":6,"output":0,"cache_read":4,"cache_write":0})");
  EXPECT_EQ(figures(R"({"output":9,"reasoning_tokens":5,"output_tokens_details":{"reasoning_tokens":5}})"),
            R"({"input":0,"output":9,"cache_read":0,"cache_write":0,"reasoning":5})");
  EXPECT_EQ(
      figures(R"({"reasoning_apart":5,"cache_write_1h":3})"),
      R"({"input":0,"output":0,"cache_read":0,"cache_write":3,"reasoning":5,"cache_write_1h":3,"reasoning_apart":5})");
  for (const std::string_view usage :
       {R"({"input_tokens":10,"cache_read_input_tokens":3,"input_tokens_details":{"cached_tokens":4}})",
        R"({"inputTokens":10,"cachedInputTokens":3,"input_tokens_details":{"cached_tokens":4}})",
        R"({"output":9,"reasoning_tokens":5,"output_tokens_details":{"reasoning_tokens":6}})",
        R"({"cache_write":9,"cache_write_1h":2,"cache_creation":{"ephemeral_1h_input_tokens":3}})",
        R"({"cache_write":2,"cache_write_1h":3})", R"({"reasoning":2,"reasoning_apart":3})"})
    EXPECT_FALSE(read(usage)) << usage;
}

TEST_F(MessageRead, MembersOfCallArePlaced) {
  const std::vector<Choices> members = {
      {"", R"("type":null)", R"("type":"function")", R"("type":"custom")", R"("type":"function_call")",
       R"("type":"#type#")"},
      {"", R"("id":null)", R"("id":"#id#")"},
      {"", R"("call_id":null)", R"("call_id":"#call#")"},
      {"", R"("name":"#name#")"},
      {"", R"("arguments":null)", R"("arguments":"{ \"a\":\"#arg#\"}")", R"("arguments":{"a":"#arg#"})"},
      {"", R"("args":{"a":"#args#"})", R"("args":"{ \"a\":\"#args#\"}")"},
      {"", R"("input":null)", R"("input":"{ \"a\":\"#input#\"}")"},
      {"", R"("function":"#text#")", R"("function":{"name":"#fn#","arguments":"{ \"a\":\"#fn-arg#\"}"})",
       R"("function":{"id":"#fn-id#","type":"#fn-type#","name":"#fn#","args":{"a":"#fn-args#"},"input":"#fn-in#"})"},
      {"", R"("custom":{"name":"#custom#","input":"#custom-in#"})"},
      {R"("server":"#server#","extra":{"mood":"#mood#"})"},
  };
  each_object(members, [&](const std::string& call) {
    check(R"({"role":"assistant","content":null,"tool_calls":[)" + call + "]}", "#");
  });
  EXPECT_EQ(refused, 0u);
}

}  // namespace
}  // namespace holdfast::inline v1
