#include "text/json_object.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

TEST(JsonObject, FindMatchesJsonView) {
  const std::string text = "\xEF\xBB\xBF { \"a\" : 1 , \"b\":[{\"a\":2}],\"\\u0063\":\"x\", \"a\":true}\r\n";
  const auto object = JsonObject::read(text);
  ASSERT_TRUE(object);
  for (const char* key : {"a", "b", "c", "d", "\\u0063", ""})
    EXPECT_EQ(object->find(key).raw(), JsonView(text).find(key).raw()) << key;
  EXPECT_EQ(object->text(), text);
  EXPECT_TRUE(JsonObject::read("{}"));
}

TEST(JsonObject, RejectsAnythingButOneObject) {
  for (const char* bad : {"", " ", "null", "[1]", "{", "{}{}", "{} x", R"({"a":1)", R"({"a":1,})", R"({"a" 1})",
                          R"({,})", R"({"a":01})", R"({"a":[1,]})", R"({"a":1 "b":2})", R"({a:1})", "{\"a\":\"\n\"}"})
    EXPECT_FALSE(JsonObject::read(bad)) << bad;
  // Bad UTF-8 is accepted, as in json_set.
  EXPECT_TRUE(JsonObject::read("{\"a\":\"\xFF\"}"));
}

TEST(JsonObject, AcceptsDepthUpToTheLimit) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(JsonObject::read("{\"a\":" + nested(kJsonMaxDepth - 1) + "}"));
  EXPECT_FALSE(JsonObject::read("{\"a\":" + nested(kJsonMaxDepth) + "}"));
  auto object = JsonObject::read(R"({"a":1})");
  EXPECT_TRUE(object->set("a", nested(kJsonMaxDepth - 1)));
  const auto deeper = object->set("a", nested(kJsonMaxDepth));
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().code, Code::too_large);
  EXPECT_EQ(object->find("a").raw(), nested(kJsonMaxDepth - 1));
}

TEST(JsonObject, InvalidValueChangesNothing) {
  auto object = JsonObject::read(R"({"a":1})");
  for (const char* bad : {"", "{", "1 2", "\"\xFF\""}) {
    EXPECT_EQ(object->set("a", bad).error().code, Code::invalid_argument) << bad;
    EXPECT_EQ(object->set("b", bad).error().code, Code::invalid_argument) << bad;
  }
  EXPECT_EQ(object->text(), R"({"a":1})");
}

TEST(JsonObject, SetAcceptsValueOfTheSameObject) {
  auto object = JsonObject::read(R"({"a":[1,2,3],"b":0,"c":9})");
  ASSERT_TRUE(object->set("b", object->find("a").raw()));
  EXPECT_EQ(object->text(), R"({"a":[1,2,3],"b":[1,2,3],"c":9})");
  EXPECT_EQ(object->find("c").raw(), "9");
}

// Any sequence of edits gives the same bytes as the functions that walk every time.
RC_GTEST_PROP(JsonObject, EditsMatchJsonSetAndJsonRemove, ()) {
  const auto pick = [](const std::vector<std::string>& from) { return *rc::gen::elementOf(from); };
  std::string text = pick({"{}", "{ }", "\xEF\xBB\xBF{\"a\":1}\n", "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n",
                           R"({"\u0061":{"x":null} , "b":"}", "a":7})", R"({"q\"x":1,"b":2,"c":3,"b":4})"});
  auto object = JsonObject::read(text);
  for (int left = *rc::gen::inRange(1, 9); left > 0; --left) {
    const std::string key = pick({"a", "b", "c", "q\"x", "new", ""});
    if (*rc::gen::inRange(0, 4) == 0) {
      text = *json_remove(text, {JsonStep(key)});
      RC_ASSERT(object->remove(key).has_value());
    } else {
      const std::string value = pick({"0", " \"a much longer value\" ", "{\"a\":[{}]}", "null", "[\n1]"});
      text = *json_set(text, {JsonStep(key)}, value);
      RC_ASSERT(object->set(key, value).has_value());
    }
    RC_ASSERT(object->text() == text);
    for (const char* each : {"a", "b", "c", "new"})
      RC_ASSERT(object->find(each).raw() == JsonView(text).find(each).raw());
  }
}

TEST(SameJson, IgnoresWhitespaceAndSpellingOfKeys) {
  const auto same = [](std::string_view a, std::string_view b) { return same_json(JsonView(a), JsonView(b)); };
  EXPECT_TRUE(same(R"({"a":[1,"x y"]})", "{ \"a\" : [ 1,\n\"x y\" ] }"));
  EXPECT_TRUE(same(R"({"\u0061":1})", R"({"a": 1})"));
  EXPECT_FALSE(same(R"(["\u0061"])", R"(["a"])"));  // a value keeps its spelling
  EXPECT_FALSE(same(R"({"a":"x y"})", R"({"a":"xy"})"));
  EXPECT_FALSE(same("[1,2]", "[1,23]"));
  EXPECT_FALSE(same("[1]", "[1,2]"));
  EXPECT_FALSE(same("[]", ""));
}

}  // namespace
}  // namespace holdfast::inline v1
