#include "text/json_edit.h"

#include <gtest/gtest.h>

#include <vector>

#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast {
namespace {

using namespace std::string_literals;
using Path = std::vector<JsonStep>;

struct SetCase {
  std::string doc;
  Path path;
  std::string value;
  std::string want;
};

TEST(JsonEdit, set_changes_one_value_and_keeps_the_style) {
  const std::string wide = "\xEF\xBB\xBF{\r\n\t\"a\": 1,\r\n\t\"o\": {}\r\n}\r\n";
  const std::vector<SetCase> cases = {
      // Replacing.
      {R"({"a":1,"b":[2]})", {"b", 0}, "\"x\"", R"({"a":1,"b":["x"]})"},
      {R"({"a":1,"a":2,"\u0061":3})", {"a"}, "9", R"({"a":1,"a":2,"\u0061":9})"},
      {R"({"\ud800":1,"n":1.10e400,"k":"\/"})", {"n"}, "0", R"({"\ud800":1,"n":0,"k":"\/"})"},
      {" {\"a\" :\t1 } \n", {"a"}, " {\"x\": 2}\n", " {\"a\" :\t{\"x\": 2} } \n"},
      {" 1\n", {}, "2", " 2\n"},
      {"{\"a\":\"\xFF\",\"b\":1}", {"b"}, "2", "{\"a\":\"\xFF\",\"b\":2}"},
      // One line stays one line.
      {"{}", {"a"}, "1", R"({"a":1})"},
      {"{ }", {"a"}, "1", R"({ "a":1 })"},
      {R"({"a":1})", {"b"}, "2", R"({"a":1,"b":2})"},
      {R"({"a":1})", {"b", "c", 0, "d"}, "2", R"({"a":1,"b":{"c":[{"d":2}]}})"},
      {R"({"a": 1})", {"b", "c"}, "2", R"({"a": 1, "b": {"c": 2}})"},
      {R"({ "a": 1 })", {"b"}, "2", R"({ "a": 1, "b": 2 })"},
      {R"({"a" : 1 , "b" : 2})", {"c"}, "3", R"({"a" : 1 , "b" : 2 , "c" : 3})"},
      {R"({"a":{},"b":[]})", {"a", "k"}, "1", R"({"a":{"k":1},"b":[]})"},
      {"[1]", {1}, "2", "[1,2]"},
      {"[1, 2]", {2}, "3", "[1, 2, 3]"},
      {R"([{"a": 1}])", {1}, "3", R"([{"a": 1}, 3])"},
      {"[]", {0, 0}, "1", "[[1]]"},
      // Lines stay lines.
      {"{\n  \"a\": 1\n}\n", {"b"}, "2", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"},
      {"{\n  \"a\": 1\n}",
       {"b", "c", "d"},
       "2",
       "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": {\n      \"d\": 2\n    }\n  }\n}"},
      {"{\n    \"a\": [],\n    \"b\": 1\n}",
       {"a", 0, "c"},
       "2",
       "{\n    \"a\": [\n        {\n            \"c\": 2\n        }\n    ],\n    \"b\": 1\n}"},
      {"{\n  \"a\": {\"x\": 1}\n}", {"a", "y"}, "2", "{\n  \"a\": {\"x\": 1, \"y\": 2}\n}"},
      {"{\n  \"a\": {\n    \"x\": 1\n  }\n}", {"a", "y"}, "2", "{\n  \"a\": {\n    \"x\": 1,\n    \"y\": 2\n  }\n}"},
      {"[\n\t1,\n\t2\n]", {2}, "3", "[\n\t1,\n\t2,\n\t3\n]"},
      {"{\n}", {"a"}, "1", "{\n  \"a\": 1\n}"},
      {"{\"a\":{\n}}", {"a", "k"}, "1", "{\"a\":{\n  \"k\":1\n}}"},
      {"{\n\"a\": {}\n}", {"a", "k"}, "1", "{\n\"a\": {\n\"k\": 1\n}\n}"},
      {"{\"a\":{\n \"x\" : 1}}", {"a", "y"}, "2", "{\"a\":{\n \"x\" : 1,\n \"y\" : 2}}"},
      {"{\n  \"a\": 1\n, \"b\": 2\n}", {"c", "d"}, "3", "{\n  \"a\": 1\n, \"b\": 2\n, \"c\": {\n  \"d\": 3\n}\n}"},
      {wide, {"b"}, "2", "\xEF\xBB\xBF{\r\n\t\"a\": 1,\r\n\t\"o\": {},\r\n\t\"b\": 2\r\n}\r\n"},
      {wide, {"o", "k"}, "2", "\xEF\xBB\xBF{\r\n\t\"a\": 1,\r\n\t\"o\": {\r\n\t\t\"k\": 2\r\n\t}\r\n}\r\n"},
      // Keys that need escapes.
      {"{}", {"q\"\n"}, "1", R"({"q\"\n":1})"},
      {"{\"\\ud800\":1}", {"\xEF\xBF\xBD"}, "2", "{\"\\ud800\":1,\"\xEF\xBF\xBD\":2}"},
  };
  for (const SetCase& one : cases) {
    const Result<std::string> got = json_set(one.doc, one.path, one.value);
    ASSERT_TRUE(got) << one.doc << got.error().text();
    EXPECT_EQ(*got, one.want);
    EXPECT_EQ(json_set(*got, one.path, one.value).value(), one.want) << "setting an equal value changes nothing";
  }
}

struct RemoveCase {
  std::string doc;
  Path path;
  std::string want;
};

TEST(JsonEdit, remove_deletes_value_and_one_comma) {
  const std::vector<RemoveCase> cases = {
      {R"({"a":1,"b":2,"c":3})", {"a"}, R"({"b":2,"c":3})"},
      {R"({"a":1,"b":2,"c":3})", {"b"}, R"({"a":1,"c":3})"},
      {R"({"a":1,"b":2,"c":3})", {"c"}, R"({"a":1,"b":2})"},
      {R"({"a":1})", {"a"}, "{}"},
      {"{\n  \"a\": 1\n}\n", {"a"}, "{}\n"},
      {"{\n  \"a\": 1,\n  \"b\": 2\n}\n", {"a"}, "{\n  \"b\": 2\n}\n"},
      {"{\n  \"a\": 1,\n  \"b\": 2\n}\n", {"b"}, "{\n  \"a\": 1\n}\n"},
      {R"({"a":1,"x":0,"\u0061":2,"y":0,"a":3})", {"a"}, R"({"x":0,"y":0})"},
      {R"({"x":0,"a":1,"a":2,"y":0})", {"a"}, R"({"x":0,"y":0})"},
      {R"({"a":1,"a":2,"y":0})", {"a"}, R"({"y":0})"},
      {R"({"a":1,"a":2})", {"a"}, "{}"},
      {"[1, [2, 3], 4]", {1, 0}, "[1, [3], 4]"},
      {"[1, [2, 3], 4]", {1}, "[1, 4]"},
      {"[1, [2, 3], 4]", {2}, "[1, [2, 3]]"},
      {"\xEF\xBB\xBF {\"o\":{\"a\":\"\xFF\",\"b\":1}}\r\n", {"o", "b"}, "\xEF\xBB\xBF {\"o\":{\"a\":\"\xFF\"}}\r\n"},
      // Missing: the same bytes.
      {R"( {"a":{"b":1}} )", {"x"}, R"( {"a":{"b":1}} )"},
      {R"( {"a":{"b":1}} )", {"x", "y", 3}, R"( {"a":{"b":1}} )"},
      {"[1]", {1}, "[1]"},
  };
  for (const RemoveCase& one : cases) {
    const Result<std::string> got = json_remove(one.doc, one.path);
    ASSERT_TRUE(got) << one.doc << got.error().text();
    EXPECT_EQ(*got, one.want) << one.doc;
  }
}

Code code_of(const Result<std::string>& result) { return result ? Code::internal : result.error().code; }

TEST(JsonEdit, errors_have_codes) {
  for (const char* value : {"", "x", "1 2", "{", "\"\xFF\"",
                            "\xEF\xBB\xBF"
                            "1"}) {
    EXPECT_EQ(code_of(json_set("{}", {"a"}, value)), Code::invalid_argument) << value;
  }
  EXPECT_EQ(code_of(json_set("{}", {"\xFF"}, "1")), Code::invalid_argument);
  EXPECT_EQ(code_of(json_remove("{}", {})), Code::invalid_argument);
  for (const char* doc : {"", "{", "{}{}", "{\"a\":1,}", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(code_of(json_set(doc, {"a"}, "1")), Code::corrupt) << doc;
    EXPECT_EQ(code_of(json_remove(doc, {"a"})), Code::corrupt) << doc;
  }
  EXPECT_EQ(code_of(json_set(R"({"a":1})", {"a", "b"}, "1")), Code::schema_mismatch);
  EXPECT_EQ(code_of(json_set(R"({"a":null})", {"a", "b"}, "1")), Code::schema_mismatch);
  EXPECT_EQ(code_of(json_set("[1]", {"a"}, "1")), Code::schema_mismatch);
  EXPECT_EQ(code_of(json_set("{}", {0}, "1")), Code::schema_mismatch);
  EXPECT_EQ(code_of(json_remove(R"({"a":1})", {"a", "b"})), Code::schema_mismatch);
  EXPECT_EQ(code_of(json_set("[1]", {2}, "1")), Code::not_found);
  EXPECT_EQ(code_of(json_set("[1]", {-1}, "1")), Code::not_found);
  EXPECT_EQ(code_of(json_set("{}", {"a", 1}, "1")), Code::not_found);
}

TEST(JsonEdit, rejects_edit_that_exceeds_depth_limit) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(json_set("{}", {"a"}, nested(kJsonMaxDepth - 1)));
  EXPECT_EQ(code_of(json_set("{}", {"a"}, nested(kJsonMaxDepth))), Code::too_large);
  EXPECT_TRUE(json_set("{}", Path(kJsonMaxDepth, JsonStep("k")), "1"));
  EXPECT_EQ(code_of(json_set("{}", Path(kJsonMaxDepth, JsonStep("k")), "[]")), Code::too_large);
  EXPECT_EQ(code_of(json_set("{}", Path(100'000, JsonStep("k")), "1")), Code::too_large);
  EXPECT_EQ(code_of(json_remove("{}", Path(100'000, JsonStep("k")))), Code::too_large);
  EXPECT_EQ(code_of(json_set(std::string(200'000, '['), {0}, "1")), Code::corrupt);
}

}  // namespace
}  // namespace holdfast
