#include "text/redact_json.h"

#include <gtest/gtest.h>

#include <vector>

#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/secrets_testing.h"

namespace holdfast {
namespace {

using testing::made_up;
using testing::secret_samples;

const std::string kToken = "ghp_" + made_up(testing::kLetters, 36);

std::string hide(const std::string& json, RedactOptions request = {true, true}) {
  return redacted_json(json, request).value_or("the same");
}

TEST(RedactJson, RewritesOnlyTheStringWithTheSecret) {
  const std::string before = "{ \"a\" : 1.50,\t\"b\":\"caf\\u00e9 \\/\", \"c\":[\"";
  EXPECT_EQ(before + "x [redacted: GitHub token]\\ny\", null]}", hide(before + "x " + kToken + "\\ny\", null]}"));
  EXPECT_EQ("the same", hide(before + "x\", null]}"));
}

TEST(RedactJson, RedactsEscapedSecrets) {
  for (const auto& sample : secret_samples()) {
    const std::string text = sample.before + sample.secret + sample.after;
    std::string escaped = "{\"text\":\"";
    for (const char c : text) {
      constexpr std::string_view kHex = "0123456789abcdef";
      escaped += "\\u00";
      escaped += kHex[static_cast<unsigned char>(c) >> 4];
      escaped += kHex[static_cast<unsigned char>(c) & 15];
    }
    escaped += "\"}";
    const std::string hidden = hide(escaped);
    EXPECT_TRUE(check_json(hidden).ok()) << hidden;
    const std::string shown = JsonView(hidden).find("text").as_string().value_or("");
    EXPECT_EQ(sample.before + "[redacted: " + sample.what + "]" + sample.after, shown);
  }
}

TEST(RedactJson, RedactsValuesOfSecretKeys) {
  EXPECT_EQ(R"({"env":{"TERM":"xterm","API_KEY":"[redacted: secret]","STRIPE_KEY":"[redacted: secret]","PORT":80}})",
            hide(R"({"env":{"TERM":"xterm","API_KEY":"x","STRIPE_KEY":"y","PORT":80}})"));
  EXPECT_EQ(R"({"env":{"PIN_TOKEN":"[redacted: secret]"},"password":"[redacted: password]"})",
            hide(R"({"env":{"PIN_TOKEN":12},"password":1234})"));
  EXPECT_EQ(R"({"tokens":["a"],"apiKeys":1,"auth":{"token":["[redacted: secret]"]}})",
            hide(R"({"tokens":["a"],"apiKeys":1,"auth":{"token":["b"]}})"));
  EXPECT_EQ(R"({"credentials":{"any":"[redacted: secret]"}})", hide(R"({"credentials":{"any":"b"}})"));
  EXPECT_EQ("the same", hide(R"({"env":{"API_KEY":"","TOKEN":null,"HOME":"/root"},"max_tokens":5,"key":"ArrowUp"})"));
}

TEST(RedactJson, RedactsSecretInKey) {
  EXPECT_EQ("{\"[redacted: GitHub token]\":true}", hide("{\"" + kToken + "\":true}"));
}

TEST(RedactJson, IsIdempotent) {
  for (const auto& sample : secret_samples()) {
    JsonWriter json;
    json.begin_object().key("text").string(sample.before + sample.secret + sample.after);
    json.key("env").begin_object().key("SOME_TOKEN").string(sample.secret).end_object().end_object();
    const std::string once = hide(json.take());
    EXPECT_EQ(std::string::npos, once.find(sample.secret)) << once;
    EXPECT_EQ("the same", hide(once)) << once;
  }
}

TEST(RedactJson, RedactsOnlyInputsOrOutputsOnRequest) {
  const std::string line = "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"" + kToken +
                           "\"},{\"type\":\"tool_use\",\"input\":{\"command\":\"" + kToken + "\"}}]}}";
  const std::string shown = "[redacted: GitHub token]";
  const std::string inputs = hide(line, {.inputs = true, .outputs = false});
  EXPECT_EQ(inputs.find(kToken), line.find(kToken));
  EXPECT_NE(std::string::npos, inputs.find("{\"command\":\"" + shown));
  const std::string outputs = hide(line, {.inputs = false, .outputs = true});
  EXPECT_NE(std::string::npos, outputs.find("\"text\":\"" + shown));
  EXPECT_NE(std::string::npos, outputs.find("{\"command\":\"" + kToken));
  EXPECT_EQ("the same", hide(line, {}));
  // The side is unknown: either request is enough.
  EXPECT_EQ("{\"x\":\"" + shown + "\"}", hide("{\"x\":\"" + kToken + "\"}", {.inputs = false, .outputs = true}));
}

TEST(RedactJson, RedactsDeeplyNestedSecrets) {
  for (const std::size_t levels : {1000u, 1100u, 100'000u, 300'000u}) {
    const std::string deep = std::string(levels, '[') + "\"" + kToken + "\"" + std::string(levels, ']');
    EXPECT_FALSE(hide("{\"d\":" + deep + ",\"password\":\"hunter2\"}").contains(kToken)) << levels;
    EXPECT_FALSE(hide("{\"d\":" + deep + ",\"password\":\"hunter2\"}").contains("hunter2")) << levels;
  }
}

TEST(RedactJson, LeavesInvalidJsonUnchanged) {
  for (const std::string& bad :
       std::vector<std::string>{"", "{", "{\"a\":\"" + kToken, "{\"a\" \"" + kToken + "\"}", "\"\\u12\""})
    EXPECT_EQ("the same", hide(bad));
  EXPECT_EQ("\xEF\xBB\xBF\"[redacted: GitHub token]\"", hide("\xEF\xBB\xBF\"" + kToken + "\""));
}

}  // namespace
}  // namespace holdfast
