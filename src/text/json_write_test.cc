#include "text/json_write.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast {
namespace {

void fill(JsonWriter& writer) {
  writer.begin_object().key("s").string("a\n\"").key("i").int64(-5).key("u").uint64(18446744073709551615U);
  writer.key("list").begin_array().boolean(true).null().begin_object().end_object().begin_array().end_array();
  writer.number(0.1).end_array().key("o").begin_object().key("raw").raw("[1, 2]").end_object().end_object();
}

TEST(JsonWrite, compact_has_no_whitespace) {
  JsonWriter writer;
  fill(writer);
  EXPECT_EQ(writer.text(),
            R"({"s":"a\n\"","i":-5,"u":18446744073709551615,"list":[true,null,{},[],0.1],"o":{"raw":[1, 2]}})");
  EXPECT_TRUE(is_json_object_line(writer.text()));
}

TEST(JsonWrite, strings_are_an_array) {
  EXPECT_EQ(JsonWriter().strings(std::vector<std::string>{"a", "\""}).take(), R"(["a","\""])");
  EXPECT_EQ(JsonWriter().strings({"a", std::string("b")}).take(), R"(["a","b"])");
  EXPECT_EQ(JsonWriter().strings({}).take(), "[]");
}

TEST(JsonWrite, pretty_indents_by_two) {
  JsonWriter writer(JsonLayout::pretty);
  fill(writer);
  EXPECT_EQ(writer.take(), R"({
  "s": "a\n\"",
  "i": -5,
  "u": 18446744073709551615,
  "list": [
    true,
    null,
    {},
    [],
    0.1
  ],
  "o": {
    "raw": [1, 2]
  }
})");
  EXPECT_EQ(writer.begin_array().int64(1).end_array().take(), "[\n  1\n]") << "as new after take";
}

TEST(JsonWrite, doubles_round_trip) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20'000; ++round) {
    const double value = std::bit_cast<double>(random());
    JsonWriter writer;
    const std::string text = writer.number(value).take();
    ASSERT_TRUE(check_json(text).ok()) << text;
    if (!std::isfinite(value)) {
      ASSERT_EQ(text, "null");
    } else if (std::isnormal(value)) {
      ASSERT_EQ(JsonView(text).as_double(), value) << text;
    }
  }
  EXPECT_EQ(JsonWriter().number(0.1).take(), "0.1");
  EXPECT_EQ(JsonWriter().number(-0.0).take(), "-0");
  EXPECT_EQ(JsonWriter().number(std::numeric_limits<double>::max()).take(), "1.7976931348623157e+308");
  EXPECT_EQ(JsonWriter().number(std::numeric_limits<double>::infinity()).take(), "null");
  EXPECT_EQ(JsonWriter().number(std::numeric_limits<double>::quiet_NaN()).take(), "null");
  EXPECT_EQ(JsonWriter().int64(std::numeric_limits<std::int64_t>::min()).take(), "-9223372036854775808");
}

TEST(JsonWrite, wrong_call_order_is_harmless) {
  JsonWriter writer;
  writer.end_object().end_array().key("a").key("b").end_object().string("x").begin_array().end_object();
  EXPECT_FALSE(writer.text().empty());
  writer.begin_array().begin_object().key("open").take();
  EXPECT_EQ(writer.string("x").take(), "\"x\"") << "take forgets what was left open";
}

}  // namespace
}  // namespace holdfast
