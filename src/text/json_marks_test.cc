#include "text/json_marks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "text/json_skip.h"

namespace holdfast::inline v1 {
namespace {

// The expected marks, computed one byte at a time.
struct SlowMarks {
  std::string quotes, brackets;  // '1' where there is a mark
};

SlowMarks slow_marks(std::string_view line) {
  SlowMarks marks{std::string(line.size(), '0'), std::string(line.size(), '0')};
  bool inside = false, escaped = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"' && !escaped) {
      marks.quotes[at] = '1';
      inside = !inside;
    }
    if (!inside && std::string_view("{}[]").find(line[at]) != std::string_view::npos) marks.brackets[at] = '1';
    escaped = line[at] == '\\' && !escaped;
  }
  return marks;
}

std::string bits(const JsonMarks::Block* blocks, std::size_t size, std::uint64_t JsonMarks::Block::* which) {
  std::string out;
  for (std::size_t at = 0; at < size; ++at) out += ((blocks[at / 64].*which >> at % 64) & 1) != 0 ? '1' : '0';
  return out;
}

TEST(JsonMarks, MarkQuotesAndBrackets) {
  // Every length, so the last block is cut everywhere; one object for all lines, as in a reader.
  JsonMarks marks;
  for (std::size_t fill = 0; fill < 200; ++fill) {
    const std::string line =
        R"({"a":")" + std::string(fill, 'x') + R"(\"{]\\","b":[{},"[",12],"c":)" + std::string(fill % 7, ' ') + "null}";
    ASSERT_TRUE(marks.look(line)) << line;
    const JsonMarks::Block* const blocks = marks.of(line);
    ASSERT_NE(blocks, nullptr);
    const SlowMarks expected = slow_marks(line);
    EXPECT_EQ(bits(blocks, line.size(), &JsonMarks::Block::quotes), expected.quotes) << line;
    EXPECT_EQ(bits(blocks, line.size(), &JsonMarks::Block::brackets), expected.brackets) << line;
    const std::size_t behind = (line.size() + 63) / 64;
    EXPECT_EQ(blocks[behind].quotes, ~std::uint64_t{0});
    EXPECT_EQ(blocks[behind + 1].quotes, ~std::uint64_t{0});
  }
}

TEST(JsonMarks, BelongToTheLastLineOnly) {
  JsonMarks marks;
  const std::string one = R"({"a":1})", other = R"({"b":2})", torn = R"({"b":)";
  EXPECT_EQ(marks.of(one), nullptr);
  ASSERT_TRUE(marks.look(one));
  EXPECT_NE(marks.of(one), nullptr);
  EXPECT_EQ(marks.of(std::string_view(one).substr(0, 4)), nullptr);
  EXPECT_EQ(marks.of(other), nullptr);
  ASSERT_FALSE(marks.look(torn));
  EXPECT_EQ(marks.of(one), nullptr);
  EXPECT_EQ(marks.of(torn), nullptr);
}

TEST(JsonMarks, AreOmittedForVeryLongLines) {
  JsonMarks marks;
  const std::string line = R"({"a":")" + std::string(std::size_t{1} << 20, 'x') + R"("})";
  EXPECT_TRUE(marks.look(line));
  EXPECT_EQ(marks.of(line), nullptr);
  EXPECT_FALSE(marks.look(line + "}"));
}

RC_GTEST_PROP(JsonMarksProperty, AgreeWithIsFramedObject, ()) {
  std::string line = "{";
  for (int n = *rc::gen::inRange(0, 120); n > 0; --n)
    line += *rc::gen::element<std::string>("\"", "\\", "{", "}", "[", "]", ",", "a", "\xC3\xA9", "\xC3", "\x1F",
                                           "xxxxxxxxxxxxxxxxxxxxxxx", "\\\"", "\"k\":", "\"k\":{}", "\"k\":[1]");
  line += "}";
  JsonMarks marks;
  const bool framed = marks.look(line);
  RC_ASSERT(framed == is_framed_object(line));
  if (!framed) return;
  const SlowMarks expected = slow_marks(line);
  RC_ASSERT(bits(marks.of(line), line.size(), &JsonMarks::Block::quotes) == expected.quotes);
  RC_ASSERT(bits(marks.of(line), line.size(), &JsonMarks::Block::brackets) == expected.brackets);
}

// The line at the front, with anything after it, gets the same marks as from look() alone.
void expect_same_to_newline(const std::string& line, const std::string& behind) {
  const std::string bytes = line + behind;
  JsonMarks alone, marks;
  const bool framed = alone.look(line);
  const std::size_t length = marks.look_to_newline(bytes);
  if (length == 0) {
    // The line is not framed, or ends in the last bytes, which are not a whole block.
    const bool in_block = line.size() / 64 < bytes.size() / 64;
    EXPECT_FALSE(framed && in_block && behind.starts_with('\n')) << bytes;
    EXPECT_EQ(marks.of(line), nullptr);
    return;
  }
  ASSERT_TRUE(framed) << bytes;
  ASSERT_EQ(length, line.size());
  ASSERT_TRUE(behind.starts_with('\n'));
  const JsonMarks::Block* const blocks = marks.of(std::string_view(bytes).substr(0, length));
  ASSERT_NE(blocks, nullptr);
  for (std::size_t n = 0; n < (length + 63) / 64 + 2; ++n) {
    EXPECT_EQ(blocks[n].quotes, alone.of(line)[n].quotes) << n << " " << bytes;
    EXPECT_EQ(blocks[n].brackets, alone.of(line)[n].brackets) << n << " " << bytes;
  }
}

TEST(JsonMarks, FindNewlineDuringTheScan) {
  int found = 0;
  for (std::size_t fill = 0; fill < 200; ++fill) {
    const std::string line = R"({"a":")" + std::string(fill, 'x') + R"(\"{]\\","b":[{},"[",12]})";
    for (const std::string& behind :
         {"\n" + std::string(70, ' '), "\n" + line + "\n" + line, std::string("\n"), std::string("\r\n") + line,
          "}\n" + line, std::string(70, 'x'), "\n\xFF\"{\\" + line}) {
      expect_same_to_newline(line, behind);
      JsonMarks marks;
      found += marks.look_to_newline(line + behind) > 0 ? 1 : 0;
    }
  }
  EXPECT_GE(found, 400);
  JsonMarks marks;
  EXPECT_EQ(marks.look_to_newline(""), 0U);
  EXPECT_EQ(marks.look_to_newline("\n" + std::string(100, ' ')), 0U);
}

RC_GTEST_PROP(JsonMarksProperty, FindNewlineDuringTheScan, ()) {
  std::string line = "{";
  for (int n = *rc::gen::inRange(0, 60); n > 0; --n)
    line += *rc::gen::element<std::string>("\\", "[", "]", "a", "\xC3\xA9", "\xC3", "\x1F", "xxxxxxxxxxxxxxxxxxxxxxx",
                                           "\"k\":\"\\\"\",", "\"k\":{}", "\"k\":[1]", "\"");
  line += "}";
  expect_same_to_newline(line, "\n" + *rc::gen::element<std::string>("", line, line + line, std::string(64, '}')));
}

}  // namespace
}  // namespace holdfast::inline v1
