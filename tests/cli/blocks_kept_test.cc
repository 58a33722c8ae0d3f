// Messages appended through rpc come back block by block, or are refused, in layouts whose records hold one text.
#include <algorithm>

#include "tests/cli/rpc_process_testing.h"
#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

struct MessageBlocks : Shell {
  MessageBlocks() : Shell("desk") {}

  // "kind:text" of every block, one message per line.
  static std::string blocks_in(const std::string& answer) {
    std::string all;
    for (const JsonItem& message : JsonView(answer).find("result").find("messages").elements()) {
      for (const JsonItem& block : message.value.find("blocks").elements())
        all += block.value.find("type").as_string().value_or("?") + ":" +
               block.value.find("text").as_string().value_or("") + " ";
      all += "\n";
    }
    return all;
  }
  static std::string text_in(const std::string& answer, std::initializer_list<std::string_view> path) {
    JsonView at(answer);
    for (const std::string_view name : path) at = at.find(name);
    return at.as_string().value_or(answer);
  }
};

TEST_F(MessageBlocks, KeepsTextBlocksSeparate) {
  for (const std::string layout : {"linggen", "maestro", "holdfast", "open-agent"}) {
    SCOPED_TRACE(layout);
    const std::string place = home + "/" + layout;
    RpcProcess rpc(home, {"--store", layout + ":" + place});
    const std::string made = rpc.ask("session.create", R"({"project":"/p"})");
    const std::string id = text_in(made, {"result", "id"});
    const auto append = [&](const std::string& blocks) {
      return rpc.ask("message.append",
                     R"({"session":")" + id + R"(","message":{"role":"assistant","blocks":)" + blocks + "}}");
    };
    for (const char* blocks :
         {R"([{"type":"text","text":"one"},{"type":"text","text":"two\nlines"},{"type":"text","text":"é"}])",
          R"([{"type":"text","text":"\n"},{"type":"text","text":"\n\n"}])"}) {
      const std::string answer = append(blocks);
      ASSERT_TRUE(JsonView(answer).find("result")) << answer;
    }
    const std::string list = rpc.ask("message.list", R"({"session":")" + id + "\"}");
    EXPECT_EQ(blocks_in(list), "text:one text:two\nlines text:é \ntext:\n text:\n\n \n") << list;
  }
}

// Attachments and large texts are in files named by their contents, so two equal ones are one file.
TEST_F(MessageBlocks, KeepsRepeatedAttachments) {
  RpcProcess rpc(home, {"--store", "holdfast:" + home + "/h"});
  const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
  const std::string picture = R"({"type":"image","media_type":"image/png","data":"iVBORw0KGgo="})";
  const std::string large = R"({"type":"text","text":")" + std::string(100'000, 'x') + "\"}";
  const std::string message =
      R"({"role":"user","blocks":[)" + picture + "," + large + "," + picture + "," + large + "]}";
  for (int again = 0; again < 2; ++again) {
    const std::string answer = rpc.ask("message.append", R"({"session":")" + id + R"(","message":)" + message + "}");
    EXPECT_TRUE(JsonView(answer).find("result")) << answer;
  }
  const std::string list = rpc.ask("message.list", R"({"session":")" + id + "\"}");
  std::string kinds;
  for (const JsonItem& said : JsonView(list).find("result").find("messages").elements())
    for (const JsonItem& block : said.value.find("blocks").elements())
      kinds += block.value.find("type").as_string().value_or("?") + " ";
  EXPECT_EQ(kinds, "image text image text image text image text ") << list.substr(0, 2000);
}

// The program that owns the log reads one text.
TEST_F(MessageBlocks, LinggenContentFieldJoinsTextBlocks) {
  const std::string place = home + "/l";
  {
    RpcProcess rpc(home, {"--store", "linggen:" + place});
    const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
    rpc.ask("message.append", R"({"session":")" + id +
                                  R"(","message":{"role":"user","blocks":[{"type":"text","text":"one"},)"
                                  R"({"type":"text","text":"two"}]}})");
  }
  ASSERT_EQ(sh("cat $HOME/l/projects/-p/sessions/*/messages.jsonl"), 0) << err;
  EXPECT_TRUE(out.contains(R"("content":"one\ntwo")")) << out;
  EXPECT_TRUE(out.contains(R"("texts":[3,3])")) << out;
  // Another program changed the text, so the sizes are not trusted.
  ASSERT_EQ(sh("sed -i 's/one.ntwo/another text/' $HOME/l/projects/-p/sessions/*/messages.jsonl"), 0) << err;
  ASSERT_EQ(sh("$H message list @last --json --store linggen:$HOME/l"), 0) << err;
  EXPECT_TRUE(out.contains(R"("text":"another text")")) << out;
}

// What is usual, empty or null is kept like anything else; the record of a layout may suggest something different.
TEST_F(MessageBlocks, KeepsRoleOriginAndEmptyMembers) {
  const auto told = [](const std::string& answer) {
    std::string all;
    const auto or_none = [](JsonView value) { return value ? std::string(value.raw()) : std::string("-"); };
    for (const JsonItem& message : JsonView(answer).find("result").find("messages").elements()) {
      all += message.value.find("role").as_string().value_or("?") + " " + or_none(message.value.find("origin")) + " " +
             or_none(message.value.find("side")) + " " + or_none(message.value.find("extra"));
      for (const JsonItem& block : message.value.find("blocks").elements())
        all += " " + block.value.find("type").as_string().value_or("?") + or_none(block.value.find("extra"));
      all += "\n";
    }
    return all;
  };
  for (const std::string layout : {"linggen", "maestro", "holdfast", "open-agent"}) {
    SCOPED_TRACE(layout);
    RpcProcess rpc(home, {"--store", layout + ":" + home + "/" + layout});
    const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
    const std::string result = R"("blocks":[{"type":"tool_result","id":"c","output":"o"}]})";
    for (const std::string& given : {
             std::string(R"({"role":"tool","blocks":[{"type":"tool_result","id":"c","name":"","output":null}]})"),
             std::string(R"({"role":"system","origin":"injected","text":"t"})"),
             std::string(R"({"role":"system","origin":"notice","text":"t"})"),
             std::string(R"({"role":"user","model":"","stop_reason":"","context":{"cwd":""},"text":"t"})"),
             R"({"role":"assistant","model":"m",)" + result,
             R"({"role":"user",)" + result,
             R"({"role":"user","origin":"injected",)" + result,
             R"({"role":"system",)" + result,
             R"({"role":"tool",)" + result,
         }) {
      const std::string answer = rpc.ask("message.append", R"({"session":")" + id + R"(","message":)" + given + "}");
      EXPECT_TRUE(JsonView(answer).find("result")) << given << answer;
    }
    const std::string list = rpc.ask("message.list", R"({"session":")" + id + "\"}");
    // In records of Linggen and Maestro, a system message is a notice.
    const std::string system = layout == "linggen" || layout == "maestro" ? "system \"notice\"" : "system -";
    EXPECT_EQ(told(list), "tool - - - tool_result{\"name\":\"\",\"output\":null}\n" + system +
                              " - - text-\n"
                              "system \"notice\" - - text-\n"
                              "user - - {\"model\":\"\",\"stop_reason\":\"\",\"context\":{\"cwd\":\"\"}} text-\n"
                              "assistant - - - tool_result-\n"
                              "user - - - tool_result-\n"
                              "user \"injected\" - - tool_result-\n" +
                              system +
                              " - - tool_result-\n"
                              "tool - - - tool_result-\n")
        << list;
  }
  // Each line of Linggen is a message of its own for readers.
  RpcProcess rpc(home, {"--store", "linggen:" + home + "/split"});
  const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
  rpc.ask("message.append", R"({"session":")" + id +
                                R"(","message":{"role":"assistant","side":true,"origin":"summary","blocks":[)"
                                R"({"type":"text","text":"t"},{"type":"tool_result","id":"c","output":"o"}]}})");
  const std::string list = rpc.ask("message.list", R"({"session":")" + id + R"(","branch":"all"})");
  EXPECT_EQ(told(list), "assistant \"summary\" true - text-\nassistant \"summary\" true - tool_result-\n") << list;
}

// A line of Linggen holds one block; the order is kept.
TEST_F(MessageBlocks, LinggenKeepsOrderOfTextAndToolCall) {
  RpcProcess rpc(home, {"--store", "linggen:" + home + "/l"});
  const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
  const std::string answer =
      rpc.ask("message.append", R"({"session":")" + id +
                                    R"(","message":{"role":"assistant","blocks":[{"type":"text","text":"before"},)"
                                    R"({"type":"tool_call","id":"c1","name":"Read","input":{"path":"x"}},)"
                                    R"({"type":"text","text":"after"}]}})");
  ASSERT_TRUE(JsonView(answer).find("result")) << answer;
  EXPECT_EQ(blocks_in(rpc.ask("message.list", R"({"session":")" + id + "\"}")),
            "text:before \ntool_call: \ntext:after \n");
}

// Several lines of Linggen are one answer or one prompt, there and in a copy elsewhere.
TEST_F(MessageBlocks, LinggenLinesOfOneMessageCountAsOne) {
  const auto told = [](const std::string& answer) {
    const JsonView counts = JsonView(answer).find("result").find("session").find("counts");
    return std::string(counts.find("user").raw()) + " " + std::string(counts.find("assistant").raw());
  };
  std::string id;
  {
    RpcProcess rpc(home, {"--store", "linggen:" + home + "/l"});
    id = text_in(rpc.ask("session.create", R"({"project":"/p","lease":false})"), {"result", "id"});
    const std::string calls =
        R"("blocks":[{"type":"text","text":"t"},{"type":"tool_call","id":"c","name":"n","input":{}},)"
        R"({"type":"tool_call","id":"d","name":"n","input":{}}]})";
    for (const std::string& given :
         {R"({"role":"assistant","response":"r1","usage":{"input":10,"output":5},)" + calls,
          R"({"role":"assistant",)" + calls, R"({"role":"assistant","id":"a3",)" + calls,
          std::string(R"({"role":"user","blocks":[{"type":"other","raw":{"a":1}},{"type":"other","raw":{"b":2}}]})"),
          std::string(R"({"role":"user","blocks":[{"type":"text","text":"t"},{"type":"other","raw":{"b":2}}]})")}) {
      const std::string answer = rpc.ask("message.append", R"({"session":")" + id + R"(","message":)" + given + "}");
      ASSERT_TRUE(JsonView(answer).find("result")) << answer;
    }
    EXPECT_EQ(told(rpc.ask("session.get", R"({"id":")" + id + "\"}")), "2 3");
    // What holds the lines together was given by nobody.
    const std::string list = rpc.ask("message.list", R"({"session":")" + id + R"(","as":"anthropic"})");
    EXPECT_TRUE(list.contains(R"("response":"r1")") && !list.contains("lines_")) << list;
  }
  ASSERT_EQ(sh("$H stats --json --store linggen:$HOME/l"), 0) << err;
  EXPECT_EQ(field({"total", "prompts"}) + " " + field({"total", "answers"}), "2 3") << out;
  ASSERT_EQ(sh("$H export " + id +
               " --format json --store linggen:$HOME/l > x.json && "
               "$H import x.json --store holdfast:$HOME/h"),
            0)
      << err;
  ASSERT_EQ(sh("$H session list --json --store holdfast:$HOME/h"), 0) << err;
  EXPECT_TRUE(out.contains(R"("counts":{"user":2,"assistant":3,)")) << out;
}

TEST_F(MessageBlocks, EmptyIdOfAResultStaysEmpty) {
  for (const std::string layout : {"linggen", "holdfast"}) {
    RpcProcess rpc(home, {"--store", layout + ":" + home + "/" + layout});
    const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
    rpc.ask("message.append",
            R"({"session":")" + id +
                R"(","message":{"role":"tool","blocks":[{"type":"tool_result","id":"","output":"x"}]}})");
    const std::string list = rpc.ask("message.list", R"({"session":")" + id + "\"}");
    EXPECT_TRUE(list.contains(R"({"type":"tool_result","id":"")")) << layout << list;
  }
}

// In the shape in which it was appended, member by member.
TEST_F(MessageBlocks, ReturnsMessagesInTheirOriginalShape) {
  RpcProcess rpc(home, {"--store", "holdfast:" + home + "/h"});
  const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
  const auto back = [&](const std::string& given, const std::string& as) {
    const std::string answer = rpc.ask("message.append", R"({"session":")" + id + R"(","message":)" + given + "}");
    EXPECT_TRUE(JsonView(answer).find("result")) << answer;
    const std::string list = rpc.ask("message.list", R"({"session":")" + id + R"(","last":1,"as":")" + as + "\"}");
    return std::string(JsonView(list).find("result").find("items").raw());
  };
  for (const std::string given : {
           R"({"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":""}]})",
           R"({"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":null}]})",
           R"({"role":"assistant","content":[{"type":"text","text":"t","extra":{"k":1}}]})",
           R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c1"}]})",
           R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":""}]})",
           R"({"role":"user","content":[]})",
           R"({"role":"assistant","content":[{"type":"text","text":"t"}],"model":"","stop_reason":""})",
       })
    EXPECT_EQ(back(given, "anthropic"), "[" + given + "]");
  for (const std::string given : {
           R"({"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\": 1}"})",
           R"({"type":"function_call","call_id":"c","name":"f","arguments":"{}","extra":{"k":1}})",
           R"({"type":"function_call_output","call_id":"c","output":null})",
           R"({"type":"message","role":"user","content":[{"type":"input_text","text":"t"}]})",
       })
    EXPECT_EQ(back(given, "openai"), "[" + given + "]");
  // An id from the caller is part of the message.
  const std::string named =
      R"({"id":"msg_01XFDUDYJgAACzvnptvVoYEL","role":"user","content":[{"type":"text","text":"t"}]})";
  EXPECT_EQ(back(named, "anthropic"), "[" + named + "]");
  // A null in a Vercel message stays null.
  rpc.ask("message.append", R"({"session":")" + id + R"(","message":{"role":"assistant","parts":[)" +
                                R"({"type":"tool-f","toolCallId":"c","state":"input-streaming","input":null}]}})");
  const std::string list = rpc.ask("message.list", R"({"session":")" + id + R"(","last":1})");
  EXPECT_TRUE(list.contains(R"("input":null)")) << list;
}

// A layout may need an id or an agent in each record; an API would not know the member.
TEST_F(MessageBlocks, OtherShapesHaveNoMembersThatNobodyGave) {
  for (const std::string layout : {"linggen", "maestro", "holdfast", "open-agent"}) {
    SCOPED_TRACE(layout);
    RpcProcess rpc(home, {"--store", layout + ":" + home + "/" + layout});
    const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
    const auto items = [&](const std::string& as) {
      const std::string list = rpc.ask("message.list", R"({"session":")" + id + R"(","as":")" + as + "\"}");
      return std::string(JsonView(list).find("result").find("items").raw());
    };
    const std::string asked = R"({"role":"user","content":[{"type":"text","text":"t"}]})";
    const std::string named = R"({"id":"msg_01XFDUDYJgAACzvnptvVoYEL","role":"assistant",)"
                              R"("content":[{"type":"text","text":"t"}],"agent":"coder"})";
    for (const std::string& given : {asked, named}) {
      const std::string answer = rpc.ask("message.append", R"({"session":")" + id + R"(","message":)" + given + "}");
      EXPECT_TRUE(JsonView(answer).find("result")) << answer;
    }
    EXPECT_EQ(items("anthropic"), "[" + asked + "," + named + "]");
    EXPECT_TRUE(items("openai").starts_with(
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"t"}]},)"))
        << items("openai");
  }
}

TEST_F(MessageBlocks, EmptyMessageIsKeptOrRefused) {
  for (const std::string layout : {"linggen", "maestro", "holdfast", "open-agent"}) {
    SCOPED_TRACE(layout);
    RpcProcess rpc(home, {"--store", layout + ":" + home + "/" + layout});
    const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
    const std::string answer =
        rpc.ask("message.append", R"({"session":")" + id + R"(","message":{"role":"user","content":[]}})");
    const std::string list = rpc.ask("message.list", R"({"session":")" + id + "\"}");
    if (layout == "holdfast" || layout == "open-agent") {
      EXPECT_TRUE(JsonView(answer).find("result")) << answer;
      EXPECT_TRUE(list.contains(R"("blocks":[])")) << list;
    } else {
      EXPECT_TRUE(answer.contains("cannot hold: a message without any block")) << answer;
      EXPECT_EQ(JsonView(list).find("result").find("total").raw(), "0") << list;
    }
  }
}

// O18: messages of other APIs have a place in the SDK's lines.
TEST_F(MessageBlocks, OpenAgentKeepsMessagesOfOtherApis) {
  RpcProcess rpc(home, {"--store", "open-agent:" + home + "/o"});
  const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
  for (
      const std::string given : {
          R"({"role":"user","parts":[{"type":"file","mediaType":"image/png","url":"data:image/png;base64,aW1hZ2U="}]})",
          R"({"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"s"}]})",
          R"({"role":"assistant","parts":[{"type":"tool-f","toolCallId":"c1","state":"output-available",)"
          R"("input":{"a":1},"output":"o"}]})",
          R"({"type":"function_call","id":"fc_1","call_id":"c2","name":"f","arguments":"{\"a\": 1}"})",
          R"({"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{"q":"x"}}]})",
      }) {
    const std::string answer = rpc.ask("message.append", R"({"session":")" + id + R"(","message":)" + given + "}");
    EXPECT_TRUE(JsonView(answer).find("result")) << given << answer;
  }
  const std::string list = rpc.ask("message.list", R"({"session":")" + id + R"(","branch":"all","data":true})");
  for (const char* member : {R"("extra":{"type":"file"})", "aW1hZ2U=", R"("id":"rs_1")", R"("type":"tool-f")",
                             R"("id":"fc_1")", R"("raw":{"type":"server_tool_use")"})
    EXPECT_TRUE(list.contains(member)) << member << list;
}

TEST_F(MessageBlocks, KeepsOpenAiItemsVerbatimAndRefusesUnknownOnes) {
  RpcProcess rpc(home, {"--store", "holdfast:" + home + "/store"});
  const std::string id = text_in(rpc.ask("session.create", "{}"), {"result", "id"});
  const auto append = [&](const std::string& item) {
    return rpc.ask("message.append", R"({"session":")" + id + R"(","message":)" + item + "}");
  };
  const std::vector<std::string> given{
      R"({"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}})",
      R"({"type":"mcp_call","id":"m_1","server_label":"s","name":"n","arguments":"{}","output":"o"})",
      R"({"type":"custom_tool_call","call_id":"c_1","name":"n","input":"raw text"})",
      R"({"type":"custom_tool_call_output","call_id":"c_1","output":"done"})"};
  for (const std::string& item : given) EXPECT_TRUE(JsonView(append(item)).find("result")) << item;
  const std::string listed = rpc.ask("message.list", R"({"session":")" + id + R"(","as":"openai"})");
  std::vector<std::string> back;
  for (const JsonItem& item : JsonView(listed).find("result").find("items").elements())
    back.emplace_back(item.value.raw());
  EXPECT_EQ(back, given) << listed;
  const std::string refused = append(R"({"type":"item_reference","id":"x"})");
  EXPECT_TRUE(text_in(refused, {"error", "message"}).contains("not known by its type: \"item_reference\"")) << refused;
  const std::string many = append(R"({"role":"user","text":"a","usage":{"input":9223372036854775807}})");
  EXPECT_TRUE(text_in(many, {"error", "message"}).contains("must be a whole number from 0 to 9007199254740992"))
      << many;
}

}  // namespace
}  // namespace holdfast::inline v1
