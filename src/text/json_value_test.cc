#include "text/json_value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace holdfast {
namespace {

TEST(JsonValue, detects_kind_by_first_byte) {
  EXPECT_EQ(JsonView().kind(), JsonKind::none);
  EXPECT_EQ(JsonView("  ").kind(), JsonKind::none);
  EXPECT_EQ(JsonView("null").kind(), JsonKind::null);
  EXPECT_EQ(JsonView("true").kind(), JsonKind::boolean);
  EXPECT_EQ(JsonView("-1").kind(), JsonKind::number);
  EXPECT_EQ(JsonView("\"\"").kind(), JsonKind::string);
  EXPECT_EQ(JsonView("[]").kind(), JsonKind::array);
  EXPECT_EQ(JsonView("\xEF\xBB\xBF {} \r\n").kind(), JsonKind::object);
  EXPECT_EQ(JsonView("\xEF\xBB\xBF {} \r\n").raw(), "{}");
  EXPECT_EQ(JsonView("nope?").is_null(), false);
}

TEST(JsonValue, finds_last_field_by_decoded_key) {
  const JsonView view(R"( {"a" : 1, "b":{"c":[10, {"d":"deep"}]}, "\u0061":2, "\ud800":3, "x\"y":4} )");
  EXPECT_EQ(view.find("a").raw(), "2");
  EXPECT_EQ(view.find("x\"y").raw(), "4");
  EXPECT_EQ(view.find("b").find("c").raw(), R"([10, {"d":"deep"}])");
  EXPECT_FALSE(view.find("c")) << "only this level";
  EXPECT_FALSE(view.find("\xEF\xBF\xBD"));
  EXPECT_FALSE(view.find("b").find("nope").find("never").as_string());
  EXPECT_FALSE(JsonView("[{\"a\":1}]").find("a"));
}

TEST(JsonValue, walks_fields_and_elements_in_order) {
  std::vector<std::pair<std::string_view, std::string_view>> seen;
  for (const JsonItem& field : JsonView("{ \"a\" : 1 ,\"\\u0062\":[ ], \"a\":\"x,y}\"}").fields()) {
    seen.emplace_back(field.raw_key, field.value.raw());
  }
  const decltype(seen) fields = {{"\"a\"", "1"}, {"\"\\u0062\"", "[ ]"}, {"\"a\"", "\"x,y}\""}};
  EXPECT_EQ(seen, fields);
  seen.clear();
  for (const JsonItem& item : JsonView("[ 1,[2,3] , {\"k\":0}]").elements()) {
    seen.emplace_back(item.raw_key, item.value.raw());
  }
  const decltype(seen) elements = {{"", "1"}, {"", "[2,3]"}, {"", "{\"k\":0}"}};
  EXPECT_EQ(seen, elements);
  for (const char* text : {"{}", "{ }", "[]", "1", "", "[1]"}) {
    EXPECT_EQ(JsonView(text).fields().begin(), std::default_sentinel) << text;
  }
  EXPECT_EQ(JsonView("{\"a\":1}").elements().begin(), std::default_sentinel);
  EXPECT_EQ(JsonView("{\"\\u0062\":1}").fields().begin()->key(), "b");
}

TEST(JsonValue, reads_scalars) {
  EXPECT_EQ(JsonView(R"("a\n")").as_string(), "a\n");
  EXPECT_EQ(JsonView(R"("\ud800")").as_string(), "\xEF\xBF\xBD");
  EXPECT_EQ(JsonView(R"("\ud800")").raw(), R"("\ud800")");
  EXPECT_TRUE(JsonView(R"("us\u0065r")").is_string("user"));
  EXPECT_FALSE(JsonView("user").is_string("user"));
  EXPECT_EQ(JsonView("1").as_string(), std::nullopt);
  EXPECT_EQ(JsonView("true").as_bool(), true);
  EXPECT_EQ(JsonView("false").as_bool(), false);
  EXPECT_EQ(JsonView("\"true\"").as_bool(), std::nullopt);
  EXPECT_TRUE(JsonView("null").is_null());
}

TEST(JsonValue, reads_numbers_only_without_loss) {
  EXPECT_EQ(JsonView("-0").as_int64(), 0);
  EXPECT_EQ(JsonView("9223372036854775807").as_int64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(JsonView("-9223372036854775808").as_int64(), std::numeric_limits<std::int64_t>::min());
  for (const char* text : {"9223372036854775808", "1.0", "1e3", "\"1\"", "", "true", "[1]", "-"}) {
    EXPECT_EQ(JsonView(text).as_int64(), std::nullopt) << text;
  }
  EXPECT_EQ(JsonView("1.25e2").as_double(), 125.0);
  EXPECT_EQ(JsonView("12345678901234567890123").as_double(), 12345678901234567890123.0);
  EXPECT_TRUE(std::signbit(JsonView("-0").as_double().value_or(1)));
  for (const char* text : {"1e400", "-1e400", "1e-400", "-inf", "nan", "-nan", "0x10", "\"1\"", "1 2", ""}) {
    EXPECT_EQ(JsonView(text).as_double(), std::nullopt) << text;
  }
}

TEST(JsonValue, broken_text_ends_the_walk) {
  const auto count = [](std::string_view text) {
    int items = 0;
    for (const JsonItem& item : JsonView(text).fields()) items += item.value ? 1 : 0;
    return items;
  };
  EXPECT_EQ(count("{\"a\":1,\"b\""), 1);
  EXPECT_EQ(count("{\"a\":1 \"b\":2}"), 1);
  EXPECT_EQ(count("{\"a\":1,"), 1);
  EXPECT_EQ(count("{\"a\""), 0);
  EXPECT_EQ(count("{\"a"), 0);
  EXPECT_EQ(count("{"), 0);
  EXPECT_EQ(count("{a:1}"), 0);
}

// On any bytes, nothing is read out of bounds (under the sanitizers) and every walk ends.
TEST(JsonValue, any_bytes_are_safe) {
  std::mt19937_64 random(7);
  const std::string_view bytes = "{}[]:,\"\\u0d8aetrfn-1. \xC3\x01";
  for (int round = 0; round < 30'000; ++round) {
    std::vector<char> text(1 + random() % 24);
    for (char& byte : text) byte = bytes[random() % bytes.size()];
    if (round % 2 == 0) text[0] = round % 4 == 0 ? '{' : '[';
    const JsonView view(std::string_view(text.data(), text.size()));
    for (const JsonItem& item : view.fields()) static_cast<void>(item.key());
    for (const JsonItem& item : view.elements()) static_cast<void>(item.value.as_string());
    static_cast<void>(view.as_string());
    static_cast<void>(view.as_double());
    static_cast<void>(view.find("a"));
  }
}

}  // namespace
}  // namespace holdfast
