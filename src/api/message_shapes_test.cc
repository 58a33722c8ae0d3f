// What message.append acknowledges is there, in every layout that holds messages, in every shape that is known; what
// a layout cannot hold is refused by name, and nothing of it is there.
#include <array>

#include "api/api_testing.h"
#include "base/hash.h"
#include "text/base64.h"
#include "text/json_copy.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::array<std::string_view, 4> kLayouts = {"holdfast", "open-agent", "linggen", "maestro"};

// Values stand nowhere else, so that a text that holds them holds what was given.
constexpr std::string_view kGiven[] = {
    R"({"role":"user","text":"hello-1"})",
    R"({"role":"user","content":"hello-2"})",
    R"({"role":"assistant","model":"model-3","stop_reason":"end-3","timestamp":"2026-11-15T03:15:00.123Z",
        "usage":{"input":4301,"output":4302,"cache_read":4303,"cache_write":4304,"reasoning":4305,
        "cache_write_1h":4299,"reasoning_apart":4298},"cost_usd":0.4306,
        "response":"resp-3","context":{"cwd":"/cwd-3","git_branch":"branch-3","permission_mode":"mode-3",
        "version":"v-3","user_type":"ut-3"},"blocks":[{"type":"text","text":"t-3"}],"extra":{"mood":"good-3"}})",
    R"({"role":"assistant","origin":"summary","side":true,"failed":true,"agent":"agent-4","text":"t-4"})",
    R"({"role":"assistant","blocks":[{"type":"thinking","text":"think-5","signature":"sig-5"}]})",
    R"({"role":"assistant","blocks":[{"type":"tool_call","id":"call-6","name":"name-6","input":{
        "path" : "path-6",
        "deep":[1,{"a":null}]}}]})",
    R"({"role":"tool","blocks":[{"type":"tool_result","id":"call-7","output":"out-7","is_error":true}]})",
    R"({"role":"tool","blocks":[{"type":"tool_result","id":"call-8","output":[{"type":"text","text":"out-8"},7801]}]})",
    R"({"role":"user","blocks":[{"type":"image","media_type":"image/png","data":"aW1hZ2UtOQ=="}]})",
    R"({"role":"user","blocks":[{"type":"document","media_type":"application/pdf","data":"ZG9jLTEw","title":"doc-10"}]})",
    R"({"role":"user","blocks":[{"type":"audio","media_type":"audio/wav","data":"YXVkaW8tMTE="}]})",
    R"({"role":"assistant","blocks":[{"type":"other","raw":{"type":"hologram-12","depth":1.250}}]})",
    R"({"role":"assistant","blocks":[{"type":"text","text":"t-13","citations":[{"title":"cite-13"}]}]})",
    R"({"role":"user","blocks":[{"type":"text","text":"a-14"},{"type":"text","text":"b-14"}],"mood":"good-14"})",
    R"({"role":"assistant","blocks":[{"type":"text","text":"a-15"},{"type":"tool_call","id":"call-15","name":"n-15",
        "input":{}},{"type":"text","text":"b-15"}]})",
    R"({"role":"user","text":"{\"type\":\"tool\",\"tool\":\"t-16\",\"args\":{}}"})",
    R"({"role":"tool","blocks":[{"type":"tool_result","id":"call-17","output":"Tool name-17: out-17"}]})",
    R"({"role":"tool","blocks":[{"type":"tool_result","id":"c-18","output":"out-18"},{"type":"text","text":"t-18"}]})",
    R"({"role":"tool","blocks":[{"type":"tool_result","id":"c-19","output":"out-19"},
        {"type":"tool_result","id":"d-19","output":"other-19"}]})",
    R"({"role":"system","blocks":[{"type":"text","text":"t-20"},{"type":"other","raw":{"note":"n-20"}}]})",
    R"({"role":"system","text":"t-21","origin":"command"})",
    R"({"role":"system","blocks":[{"type":"other","raw":{"type":"compact_boundary","trigger":"auto","why":"why-22"}}]})",
    // Anthropic
    R"({"id":"msg-31","type":"message","role":"assistant","model":"model-31","content":[
        {"type":"thinking","thinking":"think-31","signature":"sig-31"},
        {"type":"text","text":"t-31","citations":null},
        {"type":"tool_use","id":"call-31","name":"n-31","input":{"q":"in-31"},"cache_control":{"type":"cc-31"}},
        {"type":"redacted_thinking","data":"hidden-31"}],
        "stop_reason":"tool_use","stop_sequence":"stop-31","usage":{"input_tokens":4311,"output_tokens":4312,
        "cache_read_input_tokens":4313,"cache_creation_input_tokens":4314,"service_tier":"tier-31",
        "cache_creation":{"ephemeral_5m_input_tokens":4315,"ephemeral_1h_input_tokens":4297}}})",
    R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"call-32","content":[
        {"type":"text","text":"out-32"},{"type":"image","source":{"type":"base64","media_type":"image/png",
        "data":"aW4tMzI="}}],"is_error":true},{"type":"text","text":"t-32"}]})",
    R"({"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/webp",
        "data":"cGljLTMz"}},{"type":"image","source":{"type":"url","url":"https://x/33"}},
        {"type":"document","source":{"type":"text","media_type":"text/plain","data":"doc-33"},"title":"title-33"}]})",
    // OpenAI
    R"({"type":"message","id":"msg-41","role":"user","status":"status-41","content":[
        {"type":"input_text","text":"t-41"},
        {"type":"input_image","image_url":"data:image/png;base64,aW4tNDE=","detail":"detail-41"}]})",
    R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"t-42",
        "annotations":[{"url":"https://x/42"}]},{"type":"refusal","refusal":"no-42"}]})",
    R"({"type":"function_call","id":"fc-43","call_id":"call-43","name":"n-43","arguments":"{\"a\":\"arg-43\"}",
        "status":"status-43"})",
    R"({"type":"function_call_output","call_id":"call-44","output":"out-44"})",
    R"({"type":"reasoning","id":"rs-45","summary":[{"type":"summary_text","text":"sum-45"}],
        "encrypted_content":"secret-45"})",
    R"({"role":"developer","content":"t-46"})",
    // Vercel
    R"({"id":"ui-51","role":"assistant","metadata":{"by":"meta-51"},"parts":[{"type":"step-start"},
        {"type":"reasoning","text":"think-51","state":"done-51"},{"type":"text","text":"t-51","state":"s-51"},
        {"type":"tool-weather51","toolCallId":"call-51","state":"output-available","input":{"city":"in-51"},
        "output":{"degrees":4351}},
        {"type":"file","mediaType":"image/png","filename":"file-51","url":"data:image/png;base64,cGljLTUx"},
        {"type":"source-url","sourceId":"src-51","url":"https://x/51"}],
        "usage":{"inputTokens":4352,"outputTokens":4353,"totalTokens":4354}})",
    R"({"id":"ui-52","role":"user","content":"t-52","parts":[{"type":"text","text":"t-52"}],
        "createdAt":"2026-11-15T03:15:00.152Z"})",
    // chat completions and Maestro
    R"({"role":"tool","tool_call_id":"call-61","content":"out-61"})",
    R"({"role":"assistant","content":null,"tool_calls":[{"id":"call-62","type":"function","function":{"name":"n-62",
        "arguments":"{}"}}]})",
    R"({"role":"assistant","content":"t-63","tool_calls":[{"id":"call-63","type":"function","index":4363,
        "function":{"name":"n-63","arguments":"{ \"a\": \"arg-63\"}","strict":"s-63"}},
        {"id":"call-64","type":"custom","custom":{"name":"n-64","input":"in-64"}},{"odd":"odd-65"}]})",
    R"({"role":"assistant","content":null,"refusal":"no-66","annotations":["ann-66"]})",
    R"({"role":"tool","tool_call_id":"call-67","content":[{"type":"text","text":"a-67"},
        {"type":"text","text":"b-67"}]})",
    R"({"role":"assistant","content":[]})",
    R"({"role":"assistant","content":null,"stop_reason":"filter-69"})",
    R"({"role":"tool","tool_call_id":"call-70","content":null,"blocks":[{"type":"text","text":"a-70"},
        {"type":"text","text":"b-70"}]})",
    R"({"role":"assistant","content":null,"tool_calls":[{"id":"fc-71","call_id":"call-71","name":"n-71",
        "arguments":"{}"},{"name":"n-72","function":{"id":"call-72","name":"f-72","arguments":"{}"}},
        {"id":"call-73","name":"n-73","args":{"a":"args-73"},"input":{"b":"in-73"}}]})",
    R"({"role":"function","name":"n-74","content":"out-74"})",
    R"({"role":"user","content":"t-75","parts":[]})",
};

// Every value that is given, as it stands in JSON: but the words for kinds, which each shape has its own of.
void each_value(JsonView value, std::string_view key, std::vector<std::string>& all) {
  if (value.kind() == JsonKind::object) {
    for (const JsonItem& item : value.fields()) each_value(item.value, item.key(), all);
  } else if (value.kind() == JsonKind::array) {
    for (const JsonItem& item : value.elements()) each_value(item.value, key, all);
  } else if (key == "type" || key == "role" || value.is_null() || value.raw() == "false") {
    return;
  } else if (const auto text = value.as_string()) {
    // The bytes of an address that is its own data; the members of arguments, which are JSON in a string.
    if (text->starts_with("data:")) return all.push_back(text->substr(text->find(',') + 1));
    if (key == "arguments") return each_value(JsonView(*text), {}, all);
    const std::string quoted = JsonWriter().string(*text).take();
    all.push_back(quoted.substr(1, quoted.size() - 2));
  } else {
    all.emplace_back(value.raw());
  }
}

struct MessageShapes : ApiTest, testing::WithParamInterface<std::string_view> {
  std::string store = std::string(GetParam()) + ":/" + std::string(GetParam());
  std::string session = make();

  std::string with_store(std::string_view rest) { return R"({"store":")" + store + R"(",)" + std::string(rest) + "}"; }
  std::string make() {
    return JsonView(must_call("session.create", with_store(R"("project":"/p")"))).find("id").as_string().value_or("");
  }
  Result<std::string> append(std::string_view given) {
    return call("message.append", with_store(R"("session":")" + session + R"(","message":)" + std::string(given)));
  }
  std::string list(std::string_view more = {}) {
    return must_call("message.list",
                     with_store(R"("session":")" + session + R"(","branch":"all","data":true)" + std::string(more)));
  }
  std::string total() { return std::string(JsonView(list()).find("total").raw()); }
};

INSTANTIATE_TEST_SUITE_P(All, MessageShapes, testing::ValuesIn(kLayouts), [](const auto& one) {
  std::string name(one.param);
  std::erase(name, '-');
  return name;
});

TEST_P(MessageShapes, AppendKeepsEveryValueOrRefusesTheMessage) {
  std::size_t accepted = 0;
  for (const std::string_view given : kGiven) {
    session = make();
    const auto answer = append(given);
    if (!answer) {
      EXPECT_EQ(answer.error().code, Code::unsupported) << given << answer.error().text();
      EXPECT_NE(answer.error().message.find("layout " + std::string(GetParam()) + " cannot hold: "), std::string::npos)
          << answer.error().message;
      EXPECT_EQ(total(), "0") << given;
      EXPECT_NE(GetParam(), "holdfast") << "it holds everything: " << given << answer.error().message;
      continue;
    }
    ++accepted;
    const std::string there = list();
    std::vector<std::string> values;
    each_value(JsonView(given), {}, values);
    for (const std::string& value : values)
      EXPECT_NE(there.find(value), std::string::npos) << value << " of " << given << "\nis not in " << there;
  }
  EXPECT_GE(accepted, GetParam() == "maestro" ? 10u : 20u);
}

TEST_P(MessageShapes, MalformedMessageErrorNamesTheMember) {
  const std::pair<std::string_view, std::string_view> kWrong[] = {
      {R"({"role":"user","blocks":"text"})", "blocks must be an array"},
      {R"({"role":"user","content":5})", "content must be a string or an array"},
      {R"({"role":"user","text":{}})", "text must be a string"},
      {R"({"role":"user","text":"a\ud800b"})", "text holds half of a surrogate pair"},
      {R"({"role":"user","blocks":[{"type":"text","text":"\udc00"}]})", "blocks[0].text holds half of a surrogate"},
      {R"({"role":"user","text":"a","mo\ud83dod":1})", "holds half of a surrogate pair"},
      {R"({"role":"user","blocks":[5]})", "blocks[0] must be an object"},
      {R"({"role":"user","blocks":[{"type":"text","text":5}]})", "blocks[0].text must be a string"},
      {R"({"role":"user","blocks":[{"type":"hologram"}]})", "blocks[0].type is not a known block type"},
      {R"({"role":"user","blocks":[{"type":"image","data":"no base64"}]})", "blocks[0].data is not base64"},
      {R"({"role":"user","blocks":[{"type":"image","blob":"../x"}]})", "blocks[0].blob must be a SHA-256"},
      {R"({"role":"user","content":[{"type":"image","source":{"type":"base64","data":"?"}}]})",
       "content[0].source.data is not base64"},
      {R"({"role":"tool","blocks":[{"type":"tool_result","is_error":"yes"}]})", "blocks[0].is_error must be true"},
      {R"({"role":"user","text":"a","text":"b"})", "text is given twice"},
      {R"({"role":"user","text":"a","blocks":[]})", "has one of text, content, blocks and parts"},
      {R"({"role":"user","text":"a","usage":5})", "usage must be an object"},
      {R"({"role":"user","text":"a","usage":{"inputTokens":"many"}})", "usage.inputTokens must be a whole number"},
      {R"({"role":"user","text":"a","cost_usd":"1"})", "cost_usd must be a number"},
      {R"({"role":"user","text":"a","cost_usd":-1})", "cost_usd must be a number, not below 0"},
      {R"({"role":"user","text":"a","cost_usd":1e400})", "cost_usd must be a number, not below 0"},
      {R"({"role":"user","text":"a","timestamp":"yesterday"})", "timestamp is not a time"},
      {R"({"role":"user","text":"a","model":5})", "model must be a string"},
      {R"({"role":"user","text":"a","extra":5})", "extra must be an object"},
      {R"({"role":"user","text":"a","mood":1,"extra":{"mood":2}})", "mood is given twice"},
      {R"({"role":"assistant","text":"a","origin":"typed"})", "origin typed is only for"},
      {R"({"role":"robot","text":"a"})", "role must be user"},
      {R"({"text":"a"})", "role must be user"},
      {R"({"role":"user"})", "text is missing; a message has one of text, content, blocks and parts"},
      {R"({"role":"user","txt":"hello"})", "text is missing"},
      {R"({"role":"user","content":null})", "text is missing"},
      {R"({"role":"assistant","txt":"hello"})", "text is missing"},
      {R"({"role":"assistant","content":null,"tool_calls":[{"id":5,"function":{"name":"f","arguments":"{}"}}]})",
       "tool_calls[0].id must be a string"},
  };
  for (const auto& [given, words] : kWrong) {
    const auto answer = append(given);
    ASSERT_FALSE(answer) << given;
    EXPECT_EQ(answer.error().code, Code::invalid_argument) << given;
    EXPECT_NE(answer.error().message.find(words), std::string::npos) << given << ": " << answer.error().message;
  }
  EXPECT_EQ(total(), "0");
}

TEST_P(MessageShapes, LoneSurrogateInToolOutputIsKept) {
  const auto kept = append(R"({"role":"tool","blocks":[{"type":"tool_result","id":"call-1","output":"cut \ud83d"}]})");
  if (!kept) {  // a layout that has no place for it says so
    EXPECT_EQ(kept.error().code, Code::unsupported) << kept.error().message;
    return;
  }
  EXPECT_TRUE(list().contains("cut \\ud83d")) << list();
}

TEST_P(MessageShapes, UnknownParentAndDuplicateIdAreRefused) {
  ASSERT_TRUE(append(R"({"role":"user","id":"one","text":"a"})"));
  ASSERT_TRUE(append(R"({"role":"user","id":"two","parent":"one","text":"b"})"));
  const auto taken = append(R"({"role":"user","id":"one","text":"c"})");
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, Code::already_exists);
  const auto unknown = append(R"({"role":"user","parent":"three","text":"c"})");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Code::invalid_argument);
  EXPECT_NE(unknown.error().message.find("parent: "), std::string::npos);
  EXPECT_EQ(total(), "2");
  EXPECT_TRUE(append(R"({"role":"user","id":"three","parent":"two","text":"d"})")) << "by another writer";
}

TEST_P(MessageShapes, UnknownLeafIsRefused) {
  ASSERT_TRUE(append(R"({"role":"user","text":"a"})"));
  const auto answer = call("session.update", with_store(R"("id":")" + session + R"(","leaf":"nowhere")"));
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message.find("nowhere"), std::string::npos);
}

TEST_F(ApiTest, UnknownBlobIsRefusedKnownBlobIsAccepted) {
  const std::string session = JsonView(must_call("session.create", "{}")).find("id").as_string().value_or("");
  const auto append = [&](const std::string& block) {
    return call("message.append", R"({"session":")" + session + R"(","message":{"role":"user","blocks":[)" +
                                      R"({"type":"image","media_type":"image/png",)" + block + "}]}}");
  };
  const std::string sha256 = sha256_hex("image");
  const auto unknown = append(R"("blob":")" + sha256 + "\"");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Code::invalid_argument);
  EXPECT_TRUE(append(R"("data":"aW1hZ2U=")"));
  EXPECT_TRUE(append(R"("blob":")" + sha256 + "\""));
  const std::string list = must_call("message.list", R"({"session":")" + session + R"(","last":1,"data":true})");
  EXPECT_NE(list.find("aW1hZ2U="), std::string::npos) << list;
}

struct ProviderShapes : ApiTest {
  std::string session = JsonView(must_call("session.create", "{}")).find("id").as_string().value_or("");
  std::string back(std::string_view given, std::string_view as) {
    must_call("message.append", R"({"session":")" + session + R"(","message":)" + std::string(given) + "}");
    const std::string answer =
        must_call("message.list", R"({"session":")" + session + R"(","last":1,"as":")" + std::string(as) + "\"}");
    return std::string(JsonView(answer).find("items").raw());
  }
};

TEST_F(ProviderShapes, AnthropicMessageRoundTrips) {
  const std::string given =
      R"({"id":"msg_1","role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},)"
      R"({"type":"text","text":"t","citations":[{"title":"c"}]},)"
      R"({"type":"tool_use","id":"c1","name":"f","input":{"a":1},"cache_control":{"type":"ephemeral"}},)"
      R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"aW1hZ2U="}},)"
      R"({"type":"redacted_thinking","data":"x"}],"model":"m","stop_reason":"tool_use",)"
      R"("usage":{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3,"cache_creation_input_tokens":4,)"
      R"("cache_creation":{"ephemeral_1h_input_tokens":3,"ephemeral_5m_input_tokens":1},"service_tier":"standard"},"type":"message","stop_sequence":null})";
  EXPECT_EQ(back(given, "anthropic"), "[" + given + "]");
}

// A call beside the content is a call: with its result, and found by its name.
TEST_F(ProviderShapes, ChatCompletionsCallsBecomeCalls) {
  const std::string given =
      R"({"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":)"
      R"({"name":"run_shell","arguments":"{\"cmd\":\"ls -la\"}"}},{"id":"t2","type":"custom","custom":)"
      R"({"name":"patch","input":"*** Begin"}}]})";
  EXPECT_EQ(back(given, "openai"),
            R"([{"type":"function_call","call_id":"t1","name":"run_shell","arguments":"{\"cmd\":\"ls -la\"}"},)"
            R"({"type":"function_call","call_id":"t2","name":"patch","arguments":"*** Begin","custom":{}}])");
  EXPECT_EQ(back(given, "anthropic"),
            R"([{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"run_shell","input":)"
            R"({"cmd":"ls -la"}},{"type":"tool_use","id":"t2","name":"patch","input":"*** Begin","custom":{}}]}])");
  must_call("message.append",
            R"({"session":")" + session + R"(","message":{"role":"tool","tool_call_id":"t1","content":"a.txt"}})");
  const std::string row = must_call("session.get", R"({"id":")" + session + "\"}");
  EXPECT_TRUE(row.contains(R"("tool_calls":2,"tool_results":1)")) << row;
  EXPECT_TRUE(must_call("session.search", R"({"words":["run_shell"]})").contains("run_shell"));
  EXPECT_FALSE(must_call("store.verify", "{}").contains("orphan_result"));
}

// Items of the Responses API, calls of a server, and of libraries that give the id beside the name.
TEST_F(ProviderShapes, UnusualCallsAreCallsWithAllTheirMembers) {
  const std::string given =
      R"({"role":"assistant","content":null,"tool_calls":[{"id":"fc_1","call_id":"t1","type":"function_call",)"
      R"("name":"f","arguments":"{}"},{"id":"t2","type":"mcp","name":"s","args":{},"server_label":"x"},)"
      R"({"function":{"id":"t3","name":"g","arguments":"{}"}}]})";
  EXPECT_EQ(back(given, "openai"),
            R"([{"type":"function_call","call_id":"t1","name":"f","arguments":"{}","id":"fc_1"},)"
            R"({"type":"function_call","call_id":"t2","name":"s","arguments":"{}","server_label":"x",)"
            R"("extra":{"type":"mcp"}},{"type":"function_call","call_id":"t3","name":"g","arguments":"{}"}])");
}

TEST_F(ProviderShapes, OpenAiItemsRoundTrip) {
  for (const std::string given :
       {R"({"type":"message","role":"user","content":[{"type":"input_text","text":"t"},)"
        R"({"type":"input_image","image_url":"data:image/png;base64,aW1hZ2U=","detail":"low"}],"id":"msg_2"})",
        R"({"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1}","id":"fc_1","status":"completed"})",
        R"({"type":"function_call","call_id":"c","name":"f","arguments":"not json","id":"fc_2"})",
        R"({"type":"function_call_output","call_id":"c","output":"o"})",
        R"({"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"s"}],"encrypted_content":"e"})"})
    EXPECT_EQ(back(given, "openai"), "[" + given + "]");
}

}  // namespace
}  // namespace holdfast::inline v1
