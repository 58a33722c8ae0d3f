#include "text/yaml_value.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "text/yaml_events.h"
#include "text/yaml_lines.h"

namespace holdfast {
namespace {

std::string read(std::string_view yaml) {
  const auto json = yaml_to_json(yaml);
  return json ? *json : json.error().text();
}

TEST(YamlValue, scalars_become_strings_unless_valid_json) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a: 1", R"({"a":1})"},
      {"a: -0", R"({"a":-0})"},
      {"a: 1.50e+3", R"({"a":1.50e+3})"},
      {"a: 1e400", R"({"a":1e400})"},
      {"a: 12345678901234567890123", R"({"a":12345678901234567890123})"},
      {"a: true\nb: false\nc: null\nd: ~\ne:\nf: ''", R"({"a":true,"b":false,"c":null,"d":null,"e":null,"f":""})"},
      {"[True, FALSE, yes, no, on, off, y, n]", R"(["True","FALSE","yes","no","on","off","y","n"])"},
      {"[Null, NULL, nul, nulls]", R"(["Null","NULL","nul","nulls"])"},
      {"[0123, 0x1F, 0o7, 1_000, .5, 5., +1, 1:30, .inf, .nan, 2026-01-01]",
       R"(["0123","0x1F","0o7","1_000",".5","5.","+1","1:30",".inf",".nan","2026-01-01"])"},
      {"[\"1\", 'true', \"null\", '~', !!str 1, ! 2, !!str null]", R"(["1","true","null","~","1","2","null"])"},
      {"a: &x Null\nb: *x\nc: &y null", R"({"a":"Null","b":"Null","c":null})"},
      {"a:\nNull: 1\nb:\n  -\nNULL: 2\n", R"({"a":null,"Null":1,"b":[null],"NULL":2})"},
      {"null: 1\n~: 2\ntrue: 3\n1: 4\n", R"({"null":1,"~":2,"true":3,"1":4})"},
      {"a: \"\\x41\\u00e9\\U0001F600\\n\\/\"", "{\"a\":\"A\xC3\xA9\xF0\x9F\x98\x80\\n/\"}"},
      {"{\"a\":\"\x7f\"}", "{\"a\":\"\x7f\"}"},
      {"a: 'it''s'", R"({"a":"it's"})"},
  };
  for (const auto& [yaml, json] : cases) EXPECT_EQ(json, read(yaml)) << yaml;
}

TEST(YamlValue, containers_keep_their_order) {
  EXPECT_EQ(R"({"z":[1,{"b":2,"a":3}],"a":{"y":{}},"m":[]})",
            read("z:\n  - 1\n  - b: 2\n    a: 3\na:\n  y: {}\nm: []\n"));
  EXPECT_EQ(R"({"a":"x\ny\n","b":"one two\n","c":"k"})",
            read("a: |\r\n  x\r\n  y\r\nb: >\r\n  one\r\n  two\r\nc: k\r\n"));
  EXPECT_EQ(R"({"a":2,"b":1})", read("b: 0\na: 2\nb: 1\n"));
  EXPECT_EQ(R"([{"k":[1]},{"k":[1]},[1]])", read("- &a\n  k: &b [1]\n- *a\n- *b\n"));
  EXPECT_EQ(R"({"<<":{"x":1},"y":2})", read("<<: {x: 1}\ny: 2"));
  EXPECT_EQ(R"({"k":"k"})", read("&a k: *a"));
  EXPECT_EQ(R"({"a":1})", read("\xEF\xBB\xBF"
                               "a: 1"));
}

TEST(YamlValue, reads_the_first_document) {
  EXPECT_EQ("null", read(""));
  EXPECT_EQ("null", read("# nothing\n\n"));
  EXPECT_EQ("null", read("---\n---\na: 1\n"));
  EXPECT_EQ(R"({"a":1})", read("%YAML 1.2\n--- # c\na: 1\n---\n]broken\n"));
  EXPECT_EQ(R"({"a":1})", read("a: 1\n...\nb: 2\n"));
  EXPECT_EQ(R"({"a":"--- x"})", read("a: >-\n  ---\n  x\n"));
  EXPECT_EQ(R"("x")", read("--- x\n"));
}

TEST(YamlValue, errors_name_the_line) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a: 1\nb: [\n", "corrupt: line 3: "},
      {"a: 1\n\tb: 2\n", "corrupt: line 2: "},
      {"a: 1\nb: \"x\n", "corrupt: line 2: a quoted scalar without its closing quote"},
      {"a: 1\nb: !!str 'x''", "corrupt: line 2: "},
      {"[a] b\n", "corrupt: line 1: more text after"},
      {"a: *b\n", "corrupt: line 1: "},
      {"a: 1\nb: &x [*x]\n", "corrupt: line 2: an alias inside what it names"},
      {"a: 1\n\nb: \xFF\n", "corrupt: line 3: not valid UTF-8"},
      {"a: 1\nb: x\x04y\n", "corrupt: line 2: a control character"},
      {std::string("a\0b", 3), "corrupt: line 1: a control character"},
      {"a: 1\n? [x]\n: 2\n", "unsupported: line 2: a key that is a list or a mapping"},
      {"a: &x {b: 1}\n*x : 2\n", "unsupported: line 2: a key that is a list or a mapping"},
  };
  for (const auto& [yaml, error] : cases) EXPECT_TRUE(read(yaml).starts_with(error)) << yaml << "\n" << read(yaml);
}

TEST(YamlValue, bombs_are_refused) {
  std::string laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int level = 1; level < 12; ++level) {
    const std::string name = "a" + std::to_string(level), below = "*a" + std::to_string(level - 1);
    laughs += name + ": &" + name + " [";
    for (int times = 0; times < 10; ++times) laughs += below + ",";
    laughs += "]\n";
  }
  EXPECT_EQ(Code::too_large, yaml_to_json(laughs).error().code);

  std::string heavy = "a: &a " + std::string(1'000'000, 'x') + "\nb: [";
  for (int times = 0; times < 20; ++times) heavy += "*a, ";
  EXPECT_EQ(Code::too_large, yaml_to_json(heavy + "]\n").error().code);

  std::string stair = "a0: &a0 [1]\n";
  for (int level = 1; level < 200; ++level) {
    const std::string name = "a" + std::to_string(level);
    stair += name + ": &" + name + " [*a" + std::to_string(level - 1) + "]\n";
  }
  EXPECT_EQ(Code::too_large, yaml_to_json(stair).error().code);
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(nested(kYamlMaxDepth), read(nested(kYamlMaxDepth)));
  EXPECT_EQ(Code::too_large, yaml_to_json(nested(kYamlMaxDepth + 1)).error().code);
  EXPECT_EQ(Code::too_large, yaml_to_json(nested(50'000)).error().code);
  EXPECT_FALSE(yaml_to_json(std::string(50'000, '[')));
  EXPECT_EQ(Code::too_large, yaml_to_json(std::string(kYamlMaxBytes + 1, ' ')).error().code);

  std::string many;
  for (std::size_t line = 0; line <= kYamlMaxNodes; ++line) many += "- x\n";
  EXPECT_EQ(Code::too_large, yaml_to_json(many).error().code);
}

TEST(YamlLines, finds_line_starts_and_ends) {
  const std::string_view text = "ab\r\ncd\n\nx";
  EXPECT_EQ(0u, line_start(text, 1));
  EXPECT_EQ(4u, line_start(text, 5));
  EXPECT_EQ(2u, line_end(text, 0));
  EXPECT_EQ(6u, line_end(text, 4));
  EXPECT_EQ(7u, line_end(text, 7));
  EXPECT_EQ(9u, line_end(text, 8));
  EXPECT_EQ(4u, next_line(text, 0));
  EXPECT_EQ(9u, next_line(text, 8));
  EXPECT_EQ("\r\n", line_break_of(text));
  EXPECT_EQ("\n", line_break_of("a\nb\r\n"));
}

TEST(YamlLines, finds_token_ends) {
  EXPECT_EQ(6u, yaml_quoted_end("'a''b' c", 0));
  EXPECT_EQ(6u, yaml_quoted_end("\"a\\\"b\" c", 0));
  EXPECT_EQ(std::string_view::npos, yaml_quoted_end("'a''", 0));
  EXPECT_EQ(11u, yaml_flow_end("[a, {b: 1}] # ]", 0));
  EXPECT_EQ(13u, yaml_flow_end("[\"]\", ']', x]", 0));
  EXPECT_EQ(6u, yaml_flow_end("[it's] ']", 0));
  EXPECT_EQ(8u, yaml_flow_end("[a, # ]\n]", 0) - 1);
  EXPECT_EQ(std::string_view::npos, yaml_flow_end("[a, # ]", 0));
  EXPECT_EQ(11u, skip_yaml_properties("a: &x !!s  [1]", 3));
}

}  // namespace
}  // namespace holdfast
