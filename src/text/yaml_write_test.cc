#include "text/yaml_write.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

#include "text/json_string.h"
#include "text/yaml_events.h"
#include "text/yaml_testing.h"
#include "text/yaml_value.h"

namespace holdfast {
namespace {

TEST(YamlWrite, quotes_ambiguous_scalars) {
  for (const std::string plain : {"a", "hello world", "sess-1763-ab12cd34", "/srv/main", ".claude/x.json",
                                  "http://x.y/z?q=1#f", "it's", "a \"b\"", "Fix a, b [c]", "\xE4\xB8\xAD\xE6\x96\x87",
                                  "C:\\x", "nope", "Nonsense", "a:b", "a#b", "x - y", "_", "yesterday"}) {
    EXPECT_EQ(plain, yaml_scalar(plain));
  }
  for (const std::string quoted :
       {"",      "no",         "No",  "NO", "y",    "N",    "on",    "Off",  "true", "FALSE", "null",  "Null",
        "~",     "1",          "-1",  "+1", "1.5",  ".5",   ".inf",  ".NaN", "0x1F", "0o7",   "1_000", "1:30",
        "12e03", "2026-01-01", " a",  "a ", "a: b", "a:",   "a #b",  "-",    "- a",  "? a",   ": a",   "#a",
        "&a",    "*a",         "!a",  "|",  ">",    "'a'",  "\"a\"", "%a",   "@a",   "`a",    "{a",    "[a]",
        ",a",    "---",        "...", "<<", "=",    "a\nb", "a\tb",  "a\rb", "\x01", "\x7f"}) {
    EXPECT_EQ('"', yaml_scalar(quoted).front()) << quoted;
  }
  const std::vector<std::pair<std::string, std::string>> escaped = {
      {"a\"\\\n\r\t\x1b", R"("a\"\\\n\r\t\x1b")"},
      {"a\xC2\x85 \xE2\x80\xA8\xE2\x80\xA9\xEF\xBB\xBF\xC2\xA0", R"("a\x85 \u2028\u2029\ufeff\xa0")"},
      {"a\xEF\xBF\xBE\xF0\x9F\xBF\xBF", R"("a\ufffe\U0001ffff")"},
      {"a\xFF", "\"a\xEF\xBF\xBD\""},
      {"- \xF0\x9F\x98\x80", "\"- \xF0\x9F\x98\x80\""},
      {std::string("a\0b", 3), R"("a\x00b")"},
  };
  for (const auto& [text, token] : escaped) EXPECT_EQ(token, yaml_scalar(text));
}

TEST(YamlWrite, writes_block_style) {
  EXPECT_EQ(
      R"(id: "1"
num: 1.50e3
"no":
  - a
  - - 1
    - []
  - x: true
    "y":
      z: null
e: {}
)",
      json_to_yaml(JsonView(R"({"id":"1","num":1.50e3,"no":["a",[1,[]],{"x":true,"y":{"z":null}}],"e":{}})")).value());
  EXPECT_EQ("x\n", json_to_yaml(JsonView("\"x\"")).value());
  EXPECT_EQ("a: 2\n", json_to_yaml(JsonView(R"({"a":1,"a":2})")).value());
}

TEST(YamlWrite, handles_long_keys_and_limits_depth) {
  const std::string long_key(2000, 'k');
  const std::string json = "{\"a\":[{\"" + long_key + "\":[1],\"b\":{\"" + long_key + "\":2}}]}";
  EXPECT_EQ(json, yaml_to_json(json_to_yaml(JsonView(json)).value()).value_or("?"));
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + "1" + std::string(depth, ']'); };
  EXPECT_EQ(nested(kYamlMaxDepth), yaml_to_json(json_to_yaml(JsonView(nested(kYamlMaxDepth))).value()).value());
  EXPECT_EQ(Code::too_large, json_to_yaml(JsonView(nested(kYamlMaxDepth + 1))).error().code);
  EXPECT_EQ(Code::invalid_argument, json_to_yaml(JsonView("{\"a\":")).error().code);
  EXPECT_EQ(Code::invalid_argument, json_to_yaml(JsonView()).error().code);
}

std::string read(const std::string& yaml) {
  const auto json = yaml_to_json(yaml);
  return json ? *json : json.error().text();
}

RC_GTEST_PROP(YamlWriteProperty, every_string_round_trips, ()) {
  const std::string text = nasty_string();
  std::string json;
  append_json_string(json, text);
  const std::string scalar = yaml_scalar(text);
  RC_ASSERT(read(scalar) == json);
  RC_ASSERT(read("k: " + scalar + " # c\n") == "{\"k\":" + json + "}");
  RC_ASSERT(read(scalar + ": 1\n") == "{" + json + ":1}");
}

RC_GTEST_PROP(YamlWriteProperty, every_document_round_trips, ()) {
  const std::string json = nasty_json(4);
  RC_ASSERT(read(json_to_yaml(JsonView(json)).value()) == json);
}

}  // namespace
}  // namespace holdfast
