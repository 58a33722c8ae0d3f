#include "text/json_cursor.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <initializer_list>

namespace holdfast::inline v1 {
namespace {

// Returns everything that a cursor sees, as text.
std::string seen(JsonCursor& cursor) {
  std::string_view key;
  std::string out;
  switch (cursor.kind()) {
    case JsonKind::object:
      cursor.enter_object();
      out = "{";
      while (cursor.next_key(key)) out += std::string(key) + ":" + seen(cursor) + ";";
      return out + "}";
    case JsonKind::array:
      cursor.enter_array();
      out = "[";
      while (cursor.next_element()) out += seen(cursor) + ";";
      return out + "]";
    case JsonKind::string: return cursor.text();
    default: return std::string(cursor.skip().raw());
  }
}

std::string walk(std::string_view text) {
  JsonCursor cursor(text);
  std::string found = seen(cursor);
  JsonMarks marks;
  if (marks.look(text)) {  // the same with marks
    JsonCursor marked(text, &marks);
    EXPECT_EQ(seen(marked), found) << text;
  }
  return found;
}

TEST(JsonCursor, VisitsEachValueOnce) {
  EXPECT_EQ(walk(R"( {"a" : [1, "x\n\u00e9", {}, [] ] , "b":{"c":null,"d":"e"},"f":-1.5} )"),
            "{a:[1;x\n\u00e9;{};[];];b:{c:null;d:e;};f:-1.5;}");
  EXPECT_EQ(walk("\xEF\xBB\xBF{}"), "{}");
  EXPECT_EQ(walk("\"\\\"\\\\\\/\\t\\ud83d\\ude00\""), "\"\\/\t\U0001F600");
}

TEST(JsonCursor, ContinuesAfterSkippedValue) {
  JsonCursor cursor(R"({"a":{"deep":[1,2]},"b":"word","c":"esc\\aped","d":7})");
  std::string_view key;
  ASSERT_TRUE(cursor.enter_object());
  ASSERT_TRUE(cursor.next_key(key));
  EXPECT_EQ(cursor.skip().raw(), R"({"deep":[1,2]})");
  ASSERT_TRUE(cursor.next_key(key));
  EXPECT_EQ(cursor.word(), "word");
  ASSERT_TRUE(cursor.next_key(key));
  EXPECT_EQ(cursor.word(), "");
  ASSERT_TRUE(cursor.next_key(key));
  EXPECT_EQ(key, "d");
  EXPECT_EQ(cursor.text(), "") << "not a text";
  EXPECT_FALSE(cursor.next_key(key));
}

TEST(JsonCursor, StopsAtInvalidText) {
  const std::string whole = R"({"a":["x\u0041",{"b":[true,null]}],"c":"\ud800"})";
  const std::string all = walk(whole);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::string found = walk(std::string_view(whole).substr(0, size));
    found.resize(found.find_last_not_of("}];") + 1);
    EXPECT_TRUE(all.starts_with(found)) << size << " " << found;
  }
  EXPECT_EQ(walk("{\"a\" 1}"), "{}");
  EXPECT_EQ(walk("{1:2}"), "{}");
  EXPECT_EQ(walk("[1 2]"), "[1;]");
  EXPECT_EQ(walk("{\"a\":}"), "{a:;}");
  EXPECT_EQ(walk("]"), "");
  EXPECT_EQ(walk("{\"a\":1,}"), "{a:1;}");
  EXPECT_EQ(walk("[,]"), "[;]");
  EXPECT_EQ(walk("{\"a\":\"\\x\",\"b\":1}"), "{a:;b:1;}") << "the string has its end, but no text";
}

// Strings are found in blocks of 64 bytes, wherever they begin and whatever is escaped in them.
TEST(JsonCursor, ReadsStringsOfEveryLength) {
  for (std::size_t first = 0; first < 70; ++first) {
    for (std::size_t second = 0; second < 140; ++second) {
      const std::string name(first, 'k');
      const std::string plain(second, 'x');
      for (const std::string mark : {"", "\"", "\\", "\\\"", "\n"}) {
        std::string written;
        for (const char byte : mark) written += byte == '\n' ? "\\n" : std::string("\\") + byte;
        const std::string text = "{\"" + name + "\":\"" + plain + written + "\",\"z\":[\"" + written + "\",12]}";
        EXPECT_EQ(walk(text), "{" + name + ":" + plain + mark + ";z:[" + mark + ";12;];}") << text;
        JsonMarks marks;
        ASSERT_TRUE(marks.look(text));
        for (const JsonMarks* const known : std::initializer_list<const JsonMarks*>{nullptr, &marks}) {
          JsonCursor skipping(text, known);
          std::string_view key;
          skipping.enter_object();
          ASSERT_TRUE(skipping.next_key(key));
          EXPECT_EQ(skipping.skip_raw(), "\"" + plain + written + "\"");
          ASSERT_TRUE(skipping.next_key(key));
          EXPECT_EQ(skipping.rest(), "[\"" + written + "\",12]}");
          EXPECT_EQ(skipping.skip_raw(), "[\"" + written + "\",12]");
          EXPECT_FALSE(skipping.next_key(key));
        }
        EXPECT_FALSE(JsonCursor(text.substr(0, text.size() - written.size() - 7)).step_over());
      }
    }
  }
}

// Lines that are framed but not JSON: nothing outside them is read.
RC_GTEST_PROP(JsonCursorProperty, MarksOfAnyFramedLineAreSafe, ()) {
  std::string line = "{";
  for (int n = *rc::gen::inRange(0, 60); n > 0; --n)
    line +=
        *rc::gen::element<std::string>("\"", "\"a\"", ":", ",", "{}", "[", "]", "1", " ", "\\", "\"b\":\"c\",",
                                       "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"");
  line += "}";
  const std::string copy(line);  // allocated with exactly its size
  (void)walk(copy);
}

TEST(JsonCursor, StepsOverNumbersAndLiterals) {
  EXPECT_EQ(walk("[0,10,-1,1.5e3,true,false,null, 7 ]"), "[0;10;-1;1.5e3;true;false;null;7;]");
  for (const std::string broken : {"[01,2]", "[tru,2]", "[1x,2]", "[-,2]"}) {
    JsonCursor cursor(broken);
    cursor.enter_array();
    ASSERT_TRUE(cursor.next_element());
    cursor.step_over();
    EXPECT_FALSE(cursor.next_element()) << broken;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
