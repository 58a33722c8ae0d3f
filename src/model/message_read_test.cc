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
