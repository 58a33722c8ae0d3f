#include "text/json_skip.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "text/json_blocks.h"
#include "text/json_marks.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

// Also checks that JsonMarks agrees about the line.
bool frames(const std::string& line) {
  const bool framed = is_framed_object(line);
  JsonMarks marks;
  EXPECT_EQ(marks.look(line), framed) << line;
  EXPECT_EQ(marks.of(line) != nullptr, framed) << line;
  return framed;
}

TEST(JsonSkip, AcceptsOneFramedObject) {
  for (const std::string line :
       {R"({})", R"({"a":1})", R"({"a":"}{"})", R"({"a":"\"}{\""})", R"({"a":"\\"})", R"({"a":[{"b":"]"}]})"})
    EXPECT_TRUE(frames(line)) << line;
  EXPECT_TRUE(frames(R"({"a":")" + std::string(200, 'x') + R"(\"\\","b":["{"]})"));
  EXPECT_TRUE(frames("{\"a\":\"gr\xC3\xBC\xC3\x9F\"}"));
}

TEST(JsonSkip, RejectsTornGluedAndForeignBytes) {
  for (const std::string line : {R"({"a":1}{"b":2})", R"({"a":1}})", R"({"a":{"b":1})", R"({"a":"b})", R"({"a":"\"})",
                                 R"([1])", R"(})", R"({)", R"()", R"({"a":1} {"b":2})"})
    EXPECT_FALSE(frames(line)) << line;
  EXPECT_FALSE(frames(std::string("{\"a\":\"\0\"}", 9)));
  EXPECT_FALSE(frames("{\"a\":\"\t\"}"));
  EXPECT_FALSE(frames("{\"a\":\"\xFF\"}"));
  // The same across boundaries of blocks of 64 bytes.
  for (std::size_t fill = 40; fill < 90; ++fill) {
    const std::string one = R"({"a":")" + std::string(fill, 'x') + R"(\"\\"})";
    EXPECT_TRUE(frames(one));
    EXPECT_FALSE(frames(one + one));
    EXPECT_FALSE(frames(one.substr(0, one.size() / 2) + one));
    EXPECT_FALSE(frames(R"({"a":")" + std::string(fill, 'x') + R"(\\\"})"));
  }
}

TEST(JsonSkip, FindsEndByQuotesAndBrackets) {
  EXPECT_EQ(json_quick_end(R"("a\"b" )", 0), 6u);
  EXPECT_EQ(json_quick_end(R"(x{"a":"}"},)", 1), 10u);
  EXPECT_EQ(json_quick_end(R"([[]]])", 0), 4u);
  EXPECT_EQ(json_quick_end(R"("a\")", 0), std::string_view::npos);
  EXPECT_EQ(json_quick_end(R"([)", 0), std::string_view::npos);
  EXPECT_EQ(json_quick_end("12", 0), std::string_view::npos);
  EXPECT_EQ(json_quick_end("", 0), std::string_view::npos);
}

// Returns a value made of the bytes that matter, nested at most `depth` deep.
std::string made_up(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 4 : 2);
  if (kind == 0) return *rc::gen::element<std::string>("1", "true", "null", "-0.5e3");
  if (kind == 1) {
    std::string text = "\"";
    for (int n = *rc::gen::inRange(0, 30); n > 0; --n)
      text += *rc::gen::element<std::string>("x", "\\\"", "\\\\", "{", "}", "[", "]", ",", "\\n", "\xC3\xA9",
                                             "yyyyyyyyyyyyyyyy");
    return text + "\"";
  }
  std::string text(1, kind == 2 ? '[' : '{');
  const int count = *rc::gen::inRange(0, 4);
  for (int n = 0; n < count; ++n) {
    if (n > 0) text += ", ";
    if (kind == 3) text += "\"k\\\\\": ";
    text += made_up(depth - 1);
  }
  return text + (kind == 2 ? ']' : '}');
}

RC_GTEST_PROP(JsonSkipProperty, AgreesWithTheGrammarOnValues, ()) {
  const std::string value = made_up(5);
  const std::string text = value + *rc::gen::element<std::string>("", ",", "}", " {\"a\":1}");
  RC_ASSERT(json_value_end(text, 0) == value.size());
  if (value[0] == '"' || value[0] == '[' || value[0] == '{') RC_ASSERT(json_quick_end(text, 0) == value.size());
  if (value[0] == '{') RC_ASSERT(frames(text) == (text.size() == value.size()));
}

// Runs of backslashes of every length, across all block boundaries.
TEST(JsonSkip, HandlesBackslashRunsAcrossBlocks) {
  for (std::size_t before = 0; before < 70; ++before) {
    for (std::size_t run = 0; run < 140; ++run) {
      const std::string head = R"({"a":")" + std::string(before, 'x') + std::string(run, '\\') + "\"";
      const bool closed = run % 2 == 0;
      EXPECT_EQ(frames(head + "}"), closed) << before << " " << run;
      EXPECT_EQ(frames(head + R"(}"})"), !closed) << before << " " << run;
      EXPECT_EQ(json_quick_end(head, 5) == head.size(), closed) << before << " " << run;
    }
  }
}

RC_GTEST_PROP(JsonSkipProperty, AnyBytesAreSafe, (const std::string& bytes)) {
  const std::string line = "{" + bytes + "}";
  const std::size_t end = json_quick_end(line, 0);
  RC_ASSERT(end == std::string_view::npos || end <= line.size());
  if (is_json_object_line(line)) RC_ASSERT(frames(line));
}

RC_GTEST_PROP(JsonSkipProperty, VectorBlockMatchesScalarBlock, ()) {
  std::string bytes;
  while (bytes.size() < 64)
    bytes += *rc::gen::oneOf(rc::gen::arbitrary<char>(),
                             rc::gen::elementOf(std::string("\"\\{}[]a \x1F\x20\x7F\x80/bfnrtuB")));
  const JsonBlock fast(bytes.data());
  const JsonBlockScalar slow(bytes.data());
  RC_ASSERT(fast.equal('"') == slow.equal('"'));
  RC_ASSERT(fast.equal('\\') == slow.equal('\\'));
  RC_ASSERT(fast.opens() == slow.opens());
  RC_ASSERT(fast.string_stops() == slow.string_stops());
  RC_ASSERT(fast.simple_escapes() == slow.simple_escapes());
  for (const char byte : {'"', '\\', 'a'}) RC_ASSERT(fast.has(byte) == slow.has(byte));
  RC_ASSERT(fast.last() == slow.last());
  RC_ASSERT(fast.closes() == slow.closes());
  RC_ASSERT(fast.brackets() == slow.brackets());
  RC_ASSERT(fast.lows() == slow.lows());
  RC_ASSERT(fast.has_low() == slow.has_low());
  JsonBlock::Range seen;
  JsonBlockScalar::Range expected;
  fast.widen_down(seen);
  slow.widen_down(expected);
  fast.widen_up(seen);
  slow.widen_up(expected);
  RC_ASSERT(seen.low() == expected.low());
  RC_ASSERT(seen.high() == expected.high());
}

RC_GTEST_PROP(JsonSkipProperty, EscapedBytesFollowOddBackslashRun, ()) {
  std::string bytes;
  while (bytes.size() < 192) bytes += std::string(*rc::gen::inRange<std::size_t>(0, 70), '\\') + "x";
  EscapedBytes escapes;
  bool escaped = false;
  for (std::size_t block = 0; block < 192; block += 64) {
    const std::uint64_t found = escapes.next(JsonBlockScalar(bytes.data() + block).equal('\\'));
    for (std::size_t n = 0; n < 64; ++n) {
      RC_ASSERT(((found >> n) & 1) == std::uint64_t{escaped});
      escaped = !escaped && bytes[block + n] == '\\';
    }
    RC_ASSERT(escapes.first() == escaped);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
