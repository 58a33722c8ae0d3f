#include "text/json_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/json_plain.h"

namespace holdfast {
namespace {

using namespace std::string_literals;
using enum JsonFault;

constexpr auto kNone = std::string_view::npos;

const std::string kRich = R"({"type":"x","n":[-0,1.5e+10,0.1,12E-3],"t":true,"f":false,"z":null,"e":{},"a":[],)"
                          R"("s":"q\" b\\ \/ \b\f\n\r\t \u00e9 \ud83d\ude00 \ud800 )"
                          "\xE4\xB8\xAD\xF0\x9F\x98\x80"
                          R"(","d":[[[{"k":[1,"2"]}]]]})";

TEST(JsonScan, accepts_valid_json) {
  const std::string whole[] = {"{}",
                               "[]",
                               "0",
                               "-0",
                               "1",
                               "-1",
                               "10",
                               "0.5",
                               "1.25",
                               "1e5",
                               "1E5",
                               "1e+5",
                               "1e-5",
                               "0e0",
                               "0.0e-0",
                               "-0.1E+9",
                               "true",
                               "false",
                               "null",
                               "\"\"",
                               "\"a\"",
                               " [ 1 , 2 ] ",
                               "\t{\r\n\"a\" : 1 }\n",
                               "[[],{},[{}]]",
                               R"("\"\\\/\b\f\n\r\t")",
                               R"("\u0000\u001f\uFFFF\uabCD")",
                               R"({"":0})",
                               "{\"a\":{\"a\":[{}]}}",
                               "\"\x7F\"",
                               "\"\xC2\x80\xEF\xBF\xBF\xF4\x8F\xBF\xBF\"",
                               "\"\xEF\xBB\xBF\"",
                               "[1,2,3]",
                               "[null,true,false]",
                               kRich};
  for (const std::string& text : whole) EXPECT_EQ(check_json(text).fault, none) << text;
}

TEST(JsonScan, accepts_lenient_cases) {
  const std::string whole[] = {"1e400",
                               "-1e-400",
                               "12345678901234567890123",
                               "0." + std::string(5000, '3'),
                               R"("\ud800")",
                               R"("\udc00\ud800")",
                               R"("\ud83dx")",
                               R"({"a":1,"a":2})",
                               "1e" + std::string(100, '9'),
                               std::string(100, '9')};
  for (const std::string& text : whole) EXPECT_EQ(check_json(text).fault, none) << text;
}

struct Case {
  std::string text;
  JsonFault fault;
  std::size_t at;
};

TEST(JsonScan, reports_fault_and_offset) {
  const std::vector<Case> cases = {
      {"", empty, 0},
      {" \t\r\n", empty, 4},
      // Misplaced tokens.
      {"[1,]", bad_token, 3},
      {"[,1]", bad_token, 1},
      {"[1,,2]", bad_token, 3},
      {"[1 2]", bad_token, 3},
      {"{,}", bad_token, 1},
      {"{\"a\":1,}", bad_token, 7},
      {"{\"a\",1}", bad_token, 4},
      {"{\"a\" 1}", bad_token, 5},
      {"{\"a\":}", bad_token, 5},
      {"{\"a\"::1}", bad_token, 5},
      {"{a:1}", bad_token, 1},
      {"{'a':1}", bad_token, 1},
      {"{1:1}", bad_token, 1},
      {"{null:1}", bad_token, 1},
      {"{\"a\":1 \"b\":2}", bad_token, 7},
      {"[1}", bad_token, 2},
      {"{\"a\":1]", bad_token, 6},
      {"]", bad_token, 0},
      {"}", bad_token, 0},
      {",", bad_token, 0},
      {":", bad_token, 0},
      {"[:]", bad_token, 1},
      {"{]", bad_token, 1},
      {"[}", bad_token, 1},
      // Literals.
      {"tru0", bad_token, 3},
      {"True", bad_token, 0},
      {"nul1", bad_token, 3},
      {"NaN", bad_token, 0},
      {"Infinity", bad_token, 0},
      {"undefined", bad_token, 0},
      {"fals3", bad_token, 4},
      {"truee", trailing, 4},
      // Numbers.
      {"+1", bad_token, 0},
      {".5", bad_token, 0},
      {"[1.]", bad_token, 3},
      {"[1.e5]", bad_token, 3},
      {"[1e]", bad_token, 3},
      {"[1e+]", bad_token, 4},
      {"[-]", bad_token, 2},
      {"-a", bad_token, 1},
      {"--1", bad_token, 1},
      {"[01]", bad_token, 2},
      {"[-01]", bad_token, 3},
      {"[0x1]", bad_token, 2},
      {"[1_0]", bad_token, 2},
      {"[1.2.3]", bad_token, 4},
      {"[1e1.5]", bad_token, 4},
      {"[0e+-1]", bad_token, 4},
      {"-Infinity", bad_token, 1},
      {"[\xEF\xBC\x91]", bad_token, 1},
      // Strings.
      {R"("\x")", bad_token, 2},
      {R"("\u12g4")", bad_token, 5},
      {R"("\U0041")", bad_token, 2},
      {R"("\'")", bad_token, 2},
      {R"("\a")", bad_token, 2},
      {"'a'", bad_token, 0},
      {"\"\\\xC3\xA9\"", bad_token, 2},
      {R"(["\u00"])", bad_token, 6},
      {"\"a\nb\"", control_char, 2},
      {"\"a\tb\"", control_char, 2},
      {"\"\x1F\"", control_char, 1},
      {"\"a\0b\""s, control_char, 2},
      {"\"\\\n\"", control_char, 2},
      // Comments, byte-order marks, other whitespace, NUL.
      {"// x\n1", bad_token, 0},
      {"[1/**/]", bad_token, 2},
      {"\xEF\xBB\xBF{}", bad_token, 0},
      {"\xC2\xA0[]", bad_token, 0},
      {"[\v1]", control_char, 1},
      {"[\f1]", control_char, 1},
      {"\0"s, control_char, 0},
      {"[1\0]"s, control_char, 2},
      {"{}\0\0"s, trailing, 2},
      {"{\0}"s, control_char, 1},
      // Torn.
      {"{", unterminated, 1},
      {"[", unterminated, 1},
      {"[1", unterminated, 2},
      {"[1,", unterminated, 3},
      {"{\"a", unterminated, 3},
      {"{\"a\"", unterminated, 4},
      {"{\"a\":", unterminated, 5},
      {"{\"a\":1", unterminated, 6},
      {"{\"a\":1,", unterminated, 7},
      {"tru", unterminated, 3},
      {"-", unterminated, 1},
      {"1.", unterminated, 2},
      {"1e", unterminated, 2},
      {"1e+", unterminated, 3},
      {"\"", unterminated, 1},
      {"\"\\", unterminated, 2},
      {"\"\\u12", unterminated, 5},
      {"\"\xE4\xB8", unterminated, 3},
      {"[ ", unterminated, 2},
      // Glued.
      {"{\"b\":1}{\"b\":2}", trailing, 7},
      {"{} x", trailing, 2},
      {"1 2", trailing, 1},
      {"[]]", trailing, 2},
      {"{}}", trailing, 2},
      {"\"a\"\"b\"", trailing, 3},
      {" {} {", trailing, 3},
      {"{},", trailing, 2},
      // Encoding, only if the grammar is valid.
      {"{\"a\":\"\xFF\"}", bad_utf8, 6},
      {"\"ok \xC3\xA9 \xED\xA0\x80\"", bad_utf8, 7},
      {"\"\xC0\x80\"", bad_utf8, 1},
      {"{\"\xE4\":1}", bad_utf8, 2},
      {"{\"a\":\"\xFF\"", unterminated, 8},
      {"\"\xFF\"x", trailing, 3},
  };
  for (const Case& one : cases) {
    const JsonCheck check = check_json(one.text);
    EXPECT_EQ(json_fault_name(check.fault), json_fault_name(one.fault)) << testing::PrintToString(one.text);
    EXPECT_EQ(check.at, one.at) << testing::PrintToString(one.text);
  }
}

TEST(JsonScan, document_cut_anywhere_is_unterminated) {
  ASSERT_EQ(check_json(kRich).fault, none);
  EXPECT_EQ(check_json(kRich).at, kRich.size());
  for (std::size_t size = 1; size < kRich.size(); ++size) {
    const std::string_view cut = std::string_view(kRich).substr(0, size);
    const JsonCheck check = check_json(cut);
    ASSERT_EQ(check.fault, unterminated) << cut;
    ASSERT_EQ(check.at, size);
    ASSERT_FALSE(is_json_object_line(cut)) << cut;
    ASSERT_EQ(json_value_end(cut, 0), kNone) << cut;
  }
}

TEST(JsonScan, object_line_is_one_object_without_control_bytes) {
  EXPECT_TRUE(is_json_object_line(kRich));
  EXPECT_TRUE(is_json_object_line("{}"));
  EXPECT_TRUE(is_json_object_line(" { \"a\" : 1 } "));
  for (const std::string& line : {""s,
                                  " "s,
                                  "[]"s,
                                  "1"s,
                                  "\"{}\""s,
                                  "{}\n"s,
                                  "{}\r"s,
                                  "{\t}"s,
                                  "\t{}"s,
                                  "{\"a\":\n1}"s,
                                  "{\"a\":[1,\t2]}"s,
                                  "{\"a\"\t:1}"s,
                                  "{\"a\":1\r}"s,
                                  "{}{}"s,
                                  "{} {}"s,
                                  "{\"a\":\"\t\"}"s,
                                  "{\"a\":\"\xFF\"}"s,
                                  "{}\0"s,
                                  "\xEF\xBB\xBF{}"s,
                                  "{\"a\":1"s}) {
    EXPECT_FALSE(is_json_object_line(line)) << testing::PrintToString(line);
  }
}

TEST(JsonScan, value_end_stops_after_one_value) {
  EXPECT_EQ(json_value_end("{\"b\":1}{\"b\":2}", 0), 7U);
  EXPECT_EQ(json_value_end("{\"b\":1}{\"b\":2}", 7), 14U);
  EXPECT_EQ(json_value_end("[12,true]", 1), 3U);
  EXPECT_EQ(json_value_end("[12,true]", 4), 8U);
  EXPECT_EQ(json_value_end("\"\xFF\" junk", 0), 3U);
  EXPECT_EQ(json_value_end(" 1", 0), kNone) << "no whitespace before it";
  EXPECT_EQ(json_value_end("]", 0), kNone);
  EXPECT_EQ(json_value_end("{}", 2), kNone);
  EXPECT_EQ(json_value_end("{}", 99), kNone);
  EXPECT_EQ(json_value_end("", 0), kNone);
}

TEST(JsonScan, depth_is_limited_without_recursion) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(check_json(nested(kJsonMaxDepth)).fault, none);
  EXPECT_EQ(check_json(nested(kJsonMaxDepth + 1)).fault, too_deep);
  EXPECT_EQ(check_json(nested(kJsonMaxDepth + 1)).at, kJsonMaxDepth);
  EXPECT_EQ(check_json(nested(200'000)).fault, too_deep);
  std::string objects;
  for (int level = 0; level < 200'000; ++level) objects += "{\"a\":";
  EXPECT_EQ(check_json(objects).fault, too_deep);
  EXPECT_FALSE(is_json_object_line(objects));
  EXPECT_EQ(json_value_end(objects, 0), kNone);
  EXPECT_EQ(check_json("[" + nested(1000) + "," + nested(1000) + "]").fault, none) << "depth, not count";
  std::string mixed;
  for (int level = 0; level < 500; ++level) mixed += "[{\"a\":";
  mixed += "1";
  for (int level = 0; level < 500; ++level) mixed += "}]";
  EXPECT_EQ(check_json(mixed).fault, none);
  mixed[mixed.size() - 2] = ']';
  EXPECT_EQ(check_json(mixed).fault, bad_token);
}

TEST(JsonScan, accepts_string_of_64_mib) {
  std::string text = "{\"a\":\"" + std::string(64U << 20U, 'x') + "\"}";
  EXPECT_TRUE(is_json_object_line(text));
  text[text.size() / 2] = '\x01';
  EXPECT_EQ(check_json(text).at, text.size() / 2);
  text[text.size() / 2] = '\xC3';
  EXPECT_EQ(check_json(text).fault, bad_utf8);
  EXPECT_EQ(check_json(text).at, text.size() / 2);
}

TEST(JsonScan, plain_run_ends_at_stop_byte_at_any_position) {
  for (int value = 0; value < 256; ++value) {
    const char byte = static_cast<char>(value);
    const bool stop = value < 0x20 || byte == '"' || byte == '\\';
    EXPECT_EQ(is_json_plain(byte), !stop);
    for (std::size_t at = 0; at < 50; ++at) {
      std::string text(50, 'a');
      text[at] = byte;
      const char* const end = text.data() + text.size();
      ASSERT_EQ(skip_json_plain(text.data(), end) - text.data(), stop ? static_cast<int>(at) : 50) << value;
    }
  }
}

// Long strings are scanned in blocks: they may end or break anywhere in one.
TEST(JsonScan, strings_end_and_break_at_any_block_boundary) {
  for (std::size_t fill = 0; fill < 140; ++fill) {
    for (const std::string run : {"", "\\n", "\\\\", "\\\"", "\\u00e9", "\\\\\\\"", "\\/\\b\\f\\r\\t"}) {
      for (const std::size_t after : {std::size_t{0}, std::size_t{3}, std::size_t{80}}) {
        const std::string begin = "{\"a\":\"" + std::string(fill, 'x') + run;
        const std::string end = std::string(after, 'y') + "\",\"b\":\"\\n\"}";
        SCOPED_TRACE(begin + end);
        EXPECT_TRUE(is_json_object_line(begin + end));
        EXPECT_EQ(json_value_end(begin + end, 5), begin.size() + after + 1);
        const auto breaks = [&](const std::string& wrong, JsonFault fault, std::size_t at) {
          const JsonCheck check = check_json(begin + wrong + end);
          EXPECT_EQ(check.fault, fault) << wrong;
          EXPECT_EQ(check.at, begin.size() + at) << wrong;
        };
        breaks("\t", JsonFault::control_char, 0);
        breaks("\\\n", JsonFault::control_char, 1);
        breaks("\\x", JsonFault::bad_token, 1);
        breaks("\\u12g4", JsonFault::bad_token, 4);
        for (const std::string cut : {"", "\\", "\\u", "\\u12"}) {
          const JsonCheck check = check_json(begin + cut);
          EXPECT_EQ(check.fault, JsonFault::unterminated) << cut;
          EXPECT_EQ(check.at, begin.size() + cut.size()) << cut;
        }
      }
    }
  }
}

TEST(JsonScan, removes_one_byte_order_mark) {
  EXPECT_EQ(without_bom("\xEF\xBB\xBF{}"), "{}");
  EXPECT_EQ(without_bom("\xEF\xBB\xBF\xEF\xBB\xBF"), "\xEF\xBB\xBF");
  EXPECT_EQ(without_bom("{}"), "{}");
  EXPECT_EQ(without_bom("\xEF\xBB"), "\xEF\xBB");
}

}  // namespace
}  // namespace holdfast
