#include "transfer/atif_export.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "base/paths_testing.h"
#include "disk/real_testing.h"
#include "store/open_agent_testing.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "transfer/json_schema_testing.h"

namespace holdfast::inline v1 {
namespace {

using Keys = std::set<std::string>;

// The format requires some keys, and forbids all that it does not name.
void check_keys(JsonView object, const Keys& needed, const Keys& allowed, std::string_view where) {
  Keys seen;
  for (const JsonItem& item : object.fields()) {
    EXPECT_TRUE(needed.contains(item.key()) || allowed.contains(item.key())) << where << ": " << item.key();
    EXPECT_TRUE(seen.insert(item.key()).second) << where << " twice: " << item.key();
  }
  for (const std::string& key : needed) EXPECT_TRUE(seen.contains(key)) << where << " lacks " << key;
}

void check_schema(const std::string& text) {
  std::ifstream file(paths::source() + "/docs/formats/atif.schema.json", std::ios::binary);
  const std::string schema(std::istreambuf_iterator<char>(file), {});
  ASSERT_TRUE(check_json(schema).ok());
  for (const std::string& fault : SchemaChecker(JsonView(schema)).check(JsonView(text))) ADD_FAILURE() << fault;
}

void check_atif(const std::string& text, std::string_view version) {
  ASSERT_TRUE(check_json(text).ok());
  check_schema(text);
  const JsonView root(text);
  EXPECT_TRUE(root.find("schema_version").is_string(version));
  check_keys(root, {"schema_version", "agent", "steps"}, {"session_id", "final_metrics"}, "root");
  check_keys(root.find("agent"), {"name", "version"}, {"model_name"}, "agent");
  std::int64_t number = 0, prompt = 0, completion = 0;
  for (const JsonItem& item : root.find("steps").elements()) {
    const JsonView step = item.value;
    const bool agent = step.find("source").is_string("agent");
    Keys allowed{"timestamp", "observation", "extra"};
    if (agent) allowed.insert({"model_name", "reasoning_content", "tool_calls", "metrics"});
    check_keys(step, {"step_id", "source", "message"}, allowed, "step");
    EXPECT_EQ(step.find("step_id").as_int64(), ++number);
    Keys calls;
    for (const JsonItem& call : step.find("tool_calls").elements()) {
      check_keys(call.value, {"tool_call_id", "function_name", "arguments"}, {"extra"}, "call");
      EXPECT_EQ(call.value.find("arguments").kind(), JsonKind::object);
      calls.insert(call.value.find("tool_call_id").as_string().value_or(""));
    }
    for (const JsonItem& result : step.find("observation").find("results").elements()) {
      check_keys(result.value, {}, {"source_call_id", "content", "extra"}, "result");
      if (const auto id = result.value.find("source_call_id").as_string()) {
        EXPECT_TRUE(calls.contains(*id));
      }
      if (version == "ATIF-v1.6") {
        EXPECT_FALSE(result.value.find("extra"));
      }
    }
    if (const JsonView metrics = step.find("metrics")) {
      check_keys(metrics, {}, {"prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "extra"}, "metrics");
      prompt += metrics.find("prompt_tokens").as_int64().value_or(0);
      completion += metrics.find("completion_tokens").as_int64().value_or(0);
    }
  }
  const JsonView totals = root.find("final_metrics");
  EXPECT_EQ(totals.find("total_steps").as_int64(), number);
  EXPECT_EQ(totals.find("total_prompt_tokens").as_int64().value_or(0), prompt);
  EXPECT_EQ(totals.find("total_completion_tokens").as_int64().value_or(0), completion);
}

TEST(OpenAgent, O08_AtifHasUsagePerStepAndInTotal) {
  OaStore oa("as_written");
  const Transcript transcript = oa.read("1b4e28ba-2fa1-41d2-883f-0016d3cca427");
  const std::string text = must(export_atif(transcript, {.pretty = false}));
  check_atif(text, "ATIF-v1.7");
  EXPECT_EQ(
      text,
      R"({"schema_version":"ATIF-v1.7","session_id":"1b4e28ba-2fa1-41d2-883f-0016d3cca427","agent":{"name":"open-agent-sdk","version":"unknown","model_name":"claude-sonnet-4"},"steps":[)"
      R"({"step_id":1,"source":"user","message":"list the files"},)"
      R"({"step_id":2,"timestamp":"2026-11-15T01:13:21.000Z","source":"agent","model_name":"claude-sonnet-4","message":"Looking.","tool_calls":[{"tool_call_id":"call_1","function_name":"Bash","arguments":{"command":"ls"}}],"observation":{"results":[{"source_call_id":"call_1","content":"a.txt\nb.txt"}]},"metrics":{"prompt_tokens":120,"completion_tokens":30,"cached_tokens":0}},)"
      R"({"step_id":3,"source":"agent","message":"","observation":{"results":[{"content":"{\"error\":\"no such file\"}","extra":{"is_error":true}}]},"extra":{"source_call_id":"call_2"}},)"
      R"({"step_id":4,"source":"system","message":"Read every line.","extra":{"origin":"injected"}},)"
      R"({"step_id":5,"timestamp":"2026-11-15T01:13:25.000Z","source":"agent","model_name":"claude-sonnet-4","message":"a.txt and b.txt ✓","metrics":{"prompt_tokens":160,"completion_tokens":9,"cached_tokens":0}}],)"
      R"("final_metrics":{"total_prompt_tokens":280,"total_completion_tokens":39,"total_cached_tokens":0,"total_steps":5}})"
      "\n");
}

TEST(OpenAgent, O08_ExportsAtif16WithCachedTokens) {
  OaStore oa("as_specified");
  const Transcript transcript =
      oa.read("9d7ea8fd-7a93-4e43-9cd0-83ed6a5f5f2b", {.branch = "00000035-0000-4000-8000-000000000000"});
  const std::string text = must(export_atif(transcript, {.version = AtifVersion::v1_6}));
  check_atif(text, "ATIF-v1.6");
  EXPECT_NE(text.find(R"("prompt_tokens": 390)"), std::string::npos) << "cached tokens are part of the prompt" << text;
  EXPECT_NE(text.find(R"("total_cached_tokens": 90)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("version": "0.3.0")"), std::string::npos);
  EXPECT_NE(text.find(R"("reasoning_content": "hm")"), std::string::npos);
}

TEST(Atif, OmitsUnknownUsageAndJoinsOneResponse) {
  Transcript transcript;
  transcript.session.id = "s";
  transcript.session.layout = "holdfast";
  Message first = said(Role::assistant, "a");
  first.response = "r1";
  Message second = said(Role::assistant, "b");
  second.response = "r1";
  second.usage = Usage{.input = 5, .output = 7};
  first.usage = Usage{.input = 5, .output = 1};
  transcript.messages = {said(Role::user, "q"), first, second, said(Role::assistant, "no figures")};
  transcript.messages.push_back(said(Role::assistant, ""));
  transcript.messages.back().blocks = {{.kind = BlockKind::tool_call, .id = "c", .name = "f", .json = "[1]"}};
  const std::string text = must(export_atif(transcript));
  check_atif(text, "ATIF-v1.7");
  const std::string_view view = text;
  EXPECT_NE(view.find(R"("message": "a\nb")"), std::string::npos) << text;
  EXPECT_NE(view.find(R"("total_completion_tokens": 7)"), std::string::npos) << text;
  EXPECT_NE(view.find(R"("value": [1])"), std::string::npos) << text;
  EXPECT_EQ(export_atif(Transcript()).error().code, Code::invalid_argument);
}

// The schema refuses what the format forbids.
TEST(Atif, SchemaRejectsInvalidSteps) {
  std::ifstream file(paths::source() + "/docs/formats/atif.schema.json", std::ios::binary);
  const std::string schema(std::istreambuf_iterator<char>(file), {});
  const SchemaChecker checker{JsonView(schema)};
  const auto faults = [&](const std::string& steps) {
    const std::string text =
        R"({"schema_version":"ATIF-v1.7","agent":{"name":"a","version":"1"},"steps":)" + steps + "}";
    return checker.check(JsonView(text)).size();
  };
  EXPECT_EQ(faults(R"([{"step_id":1,"source":"user","message":"q"}])"), 0u);
  EXPECT_GT(faults(R"([])"), 0u);
  EXPECT_GT(faults(R"([{"step_id":0,"source":"user","message":"q"}])"), 0u);
  EXPECT_GT(faults(R"([{"step_id":1,"source":"tool","message":"q"}])"), 0u);
  EXPECT_GT(faults(R"([{"step_id":1,"source":"user","message":"q","metrics":{}}])"), 0u) << "of agents only";
  EXPECT_GT(faults(R"([{"step_id":1,"source":"user","message":"q","vendor":1}])"), 0u) << "unknown key";
  EXPECT_GT(faults(R"([{"step_id":1,"source":"user"}])"), 0u);
  EXPECT_GT(faults(R"([{"step_id":1,"source":"user","message":"q","timestamp":"yesterday"}])"), 0u);
}

}  // namespace
}  // namespace holdfast::inline v1
