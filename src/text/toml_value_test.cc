#include "text/toml_value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

#include "text/toml_nodes.h"
#include "text/toml_testing.h"
#include "text/yaml_testing.h"

namespace holdfast {
namespace {

std::string read(std::string_view toml) {
  const auto json = toml_to_json(toml);
  return json ? *json : json.error().text();
}

TEST(TomlValue, reads_values_in_order) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "{}"},
      {"\n# c\n\n", "{}"},
      {"z = 1\na = 'x' # c\n", R"({"z":1,"a":"x"})"},
      {"a = 1.50\nb = 1_000\nc = 0x1F\nd = +1\ne = 1e5\nf = 1_0.0\n",
       R"({"a":1.50,"b":1000,"c":31,"d":1,"e":1e5,"f":10.0})"},
      {"a = inf\nb = -inf\nc = nan\n", R"({"a":"inf","b":"-inf","c":"nan"})"},
      {"a = 2026-01-02\nb = 07:32:00\nc = 1979-05-27T07:32:00.5-07:00\n",
       R"({"a":"2026-01-02","b":"07:32:00","c":"1979-05-27T07:32:00.5-07:00"})"},
      {"\"\xC3\xA9\" = \"\xE2\x82\xAC\\u00e9\"\n  n = 7 # \xC3\xA9\n",
       "{\"\xC3\xA9\":\"\xE2\x82\xAC\xC3\xA9\",\"n\":7}"},
      {"a.b.c = true\nx = { y = [1, [2]], z = {} }\n", R"({"a":{"b":{"c":true}},"x":{"y":[1,[2]],"z":{}}})"},
      {"k = 1\n[[m]]\nid = 1\n[m.s]\nq = 2\n[[m]]\nid = 3\n[a]\nb = 1\n",
       R"({"k":1,"m":[{"id":1,"s":{"q":2}},{"id":3}],"a":{"b":1}})"},
      {"a = 1\r\ns = \"\"\"\r\nx\r\n[y]\"\"\"\r\n[t]\r\nb = 2\r\n", R"({"a":1,"s":"x\n[y]","t":{"b":2}})"},
      {"\xEF\xBB\xBF"
       "a = 12\n",
       R"({"a":12})"},
  };
  for (const auto& [toml, json] : cases) EXPECT_EQ(json, read(toml)) << toml;
}

TEST(TomlValue, errors_name_the_line) {
  EXPECT_TRUE(read("a = 1\nb = \n").starts_with("corrupt: line 2: ")) << read("a = 1\nb = \n");
  EXPECT_TRUE(read("a = 1\n\na = 2\n").starts_with("corrupt: line 3: "));
  EXPECT_TRUE(read("a = 1\n[!.b]\nc = 1\n").starts_with("corrupt: line 2: "));
  EXPECT_TRUE(read("a = 1\n[a.!]\nc = 1\n").starts_with("corrupt: line 2: "));
  EXPECT_TRUE(read("a = 1\xC3\xA9\n").starts_with("corrupt: line 1: "));
  EXPECT_TRUE(read("a = \"x\n").starts_with("corrupt: line "));
  EXPECT_TRUE(read("a = '\xFF'").starts_with("corrupt: line 1: "));
  EXPECT_TRUE(read(std::string("a = '\0'", 7)).starts_with("corrupt: line 1: "));
}

TEST(TomlValue, bombs_are_refused) {
  std::string chain = "a", quoted = "','", table = "[a";
  for (int part = 0; part < 100'000; ++part) {
    chain += ".a";
    quoted += " . ','";
    table += ".a";
  }
  for (const std::string& toml : {chain + " = 1", quoted + " = 1", table + "]", "x = {" + chain + " = 1}"}) {
    EXPECT_EQ(Code::too_large, toml_to_json(toml).error().code);
  }
  EXPECT_FALSE(toml_to_json("a = " + std::string(100'000, '[')));
  EXPECT_FALSE(toml_to_json("a = " + std::string(100, '[') + std::string(100, ']')));
  EXPECT_TRUE(toml_to_json("a = [0.1, 0.2, 0.3] # " + std::string(200, '.') + "\nb = '" + std::string(200, '.') + "'"));
  EXPECT_EQ(Code::too_large, toml_to_json(std::string(kTomlMaxBytes + 1, ' ')).error().code);
}

TEST(TomlWrite, writes_values_before_tables) {
  EXPECT_EQ(R"(list = [1, "x", { k = true }]
"no key" = "q\"\n\u007F"
a = 1

[empty]

[t]
x = 1.5

[t."u.v"]
y = []

[[m]]
id = 1

[m.sub]
z = 2

[[m]]
)",
            json_to_toml(
                JsonView("{\"a\":0,\"empty\":{},\"t\":{\"u.v\":{\"y\":[]},\"x\":1.5},\"list\":[1,\"x\",{\"k\":true}],"
                         "\"m\":[{\"id\":1,\"sub\":{\"z\":2}},{}],\"no key\":\"q\\\"\\n\x7f\",\"a\":1}"))
                .value());
}

TEST(TomlWrite, rejects_values_toml_cannot_represent) {
  const auto code = [](std::string_view json) { return code_name(json_to_toml(JsonView(json)).error().code); };
  EXPECT_EQ("unsupported", code(R"({"a":null})"));
  EXPECT_EQ("unsupported", code(R"({"a":[1,null]})"));
  EXPECT_EQ("unsupported", code(R"({"a":9223372036854775808})"));
  EXPECT_EQ("unsupported", code(R"({"a":1e400})"));
  EXPECT_EQ("invalid_argument", code("[1]"));
  EXPECT_EQ("invalid_argument", code("{\"a\""));
  EXPECT_EQ("too_large", code("{\"a\":" + std::string(60, '[') + std::string(60, ']') + "}"));
}

RC_GTEST_PROP(TomlWriteProperty, every_object_round_trips, ()) {
  const std::string json = nasty_json_object(4, false);
  const std::string toml = json_to_toml(JsonView(json)).value();
  RC_ASSERT(sorted_json(JsonView(read(toml))) == sorted_json(JsonView(json)));
}

}  // namespace
}  // namespace holdfast
