#include "text/json_string.h"

#include <gtest/gtest.h>

#include "text/json_plain.h"
#include "text/json_scan.h"
#include "text/utf8.h"

namespace holdfast {
namespace {

using namespace std::string_literals;

std::string written(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonString, decodes_every_escape) {
  EXPECT_EQ(decode_json_string(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(decode_json_string(R"("\u0000\u00e9\u4E2d\ud83d\ude00")"), "\0\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80"s);
  EXPECT_EQ(decode_json_string("\"\""), "");
}

TEST(JsonString, invalid_text_becomes_replacement_character) {
  EXPECT_EQ(decode_json_string(R"("a\ud800z")"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(decode_json_string(R"("\ude00\ud83d")"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(decode_json_string(R"("\ud83d\u0041")"),
            "\xEF\xBF\xBD"
            "A");
  EXPECT_EQ(decode_json_string(R"("\ud83d\ud83d\ude00")"), "\xEF\xBF\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(decode_json_string("\"a\xFFz\""), "a\xEF\xBF\xBDz");
}

TEST(JsonString, rejects_invalid_tokens) {
  for (const std::string_view token : {"", "\"", "a", "\"a", "a\"", R"("\")", R"("\x")", R"("\u12")", R"("\u12g4")",
                                       R"("a"b")", "\"\n\"", "\"a\\\"", "1"}) {
    EXPECT_EQ(decode_json_string(token), std::nullopt) << token;
  }
}

// Long strings are decoded in blocks: any content, at any position, after anything.
TEST(JsonString, decodes_at_any_position) {
  struct Piece {
    std::string_view written, text;
  };
  constexpr Piece kPieces[] = {{"\\n", "\n"},
                               {"\\\\", "\\"},
                               {"\\\"", "\""},
                               {"\\\\\\\"\\\\", "\\\"\\"},
                               {"\\t\\t\\t", "\t\t\t"},
                               {"\\u00e9", "\xC3\xA9"},
                               {"\\ud83d\\ude00", "\xF0\x9F\x98\x80"},
                               {"\\ud83d", "\xEF\xBF\xBD"},
                               {"\xC3\xA9", "\xC3\xA9"},
                               {"\xC3", "\xEF\xBF\xBD"},
                               {"\\n\xFF", "\n\xEF\xBF\xBD"}};
  for (const std::size_t size : {130U, 191U, 192U, 400U}) {
    for (std::size_t at = 0; at <= size; ++at) {
      for (const std::size_t every : {1U, 7U, 1000U}) {
        std::string front, told;
        for (std::size_t i = 0; i < at; ++i) {
          front += i % every == every - 1 ? std::string("\\\\") : std::string(1, static_cast<char>('a' + i % 26));
          told += i % every == every - 1 ? '\\' : static_cast<char>('a' + i % 26);
        }
        const std::string back(size - at, 'z');
        for (const Piece& piece : kPieces) {
          const std::string token = "\"" + front + std::string(piece.written) + back + "\"";
          ASSERT_EQ(decode_json_string(token), told + std::string(piece.text) + back) << token;
        }
        for (const std::string_view broken : {"\n", "\"", "\\x", "\\u12g4", "\\\n", "\\\xC3\xA9"}) {
          const std::string token = "\"" + front + std::string(broken) + back + "\"";
          ASSERT_EQ(decode_json_string(token), std::nullopt) << token;
        }
      }
    }
  }
}

TEST(JsonString, compares_after_decoding) {
  EXPECT_TRUE(json_string_equals(R"("a")", "a"));
  EXPECT_TRUE(json_string_equals(R"("\u0061\n")", "a\n"));
  EXPECT_FALSE(json_string_equals(R"("a")", "b"));
  EXPECT_FALSE(json_string_equals(R"("a\n")", "a"));
  EXPECT_FALSE(json_string_equals(R"("a)", "a"));
  EXPECT_FALSE(json_string_equals(R"("\ud800")", "\xEF\xBF\xBD")) << "a lone surrogate equals nothing";
  EXPECT_TRUE(json_string_equals(R"("\ufffd")", "\xEF\xBF\xBD"));
}

TEST(JsonString, escapes_controls_and_line_separators) {
  EXPECT_EQ(written("q\" b\\ /"), R"("q\" b\\ /")");
  EXPECT_EQ(written("\b\f\n\r\t\x01\x1F\0"s), R"("\b\f\n\r\t\u0001\u001f\u0000")");
  EXPECT_EQ(written("\xC2\x85\xE2\x80\xA8\xE2\x80\xA9\xEF\xBB\xBF"), R"("\u0085\u2028\u2029\ufeff")");
  const std::string fine = "\x7F\xC2\x86\xE2\x80\xAA\xC3\xA9\xF0\x9F\x98\x80";
  EXPECT_EQ(written(fine), '"' + fine + '"');
  EXPECT_EQ(written("a\xFF"
                    "b\xE4\xB8"),
            "\"a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(JsonString, round_trips_scalar_values) {
  std::string text;
  for (char32_t scalar = 0; scalar <= 0x10FFFF; ++scalar) {
    if (scalar < 0xD800 || scalar > 0xDFFF) append_utf8(text, scalar);
  }
  const std::string token = written(text);
  EXPECT_TRUE(check_json(token).ok());
  EXPECT_TRUE(decode_json_string(token) == text);  // not EXPECT_EQ, which would print megabytes
  EXPECT_TRUE(json_string_equals(token, text));
}

// Every pair of pieces, at every distance from a word and from a block.
TEST(JsonString, KnowsItsOwnSpelling) {
  std::vector<std::string> pieces = {"",
                                     "a",
                                     "plain text of some words",
                                     "/",
                                     "\x7F",
                                     "\xC3\xA9",
                                     "\xE2\x80\xA9",
                                     "\xE2\x80\xAA",
                                     "\xC2\x85",
                                     "\xC2\x86",
                                     "\xEF\xBB\xBF",
                                     "\xF0\x9F\x98\x80",
                                     "\xC3",
                                     "\xFF",
                                     "\\x",
                                     "\\u12",
                                     "\\u12g4",
                                     "\\",
                                     "\"",
                                     "\n",
                                     "\\ud83d\\ude00"};
  for (const char letter : std::string_view("\"\\/bfnrt")) pieces.push_back({'\\', letter});
  for (const std::string_view digits : {"0000", "0008", "000a", "000A", "001f", "001F", "0020", "0022", "005c", "0041",
                                        "0085", "2028", "2029", "202a", "feff", "FEFF", "fefe", "d800", "dc00"})
    pieces.push_back("\\u" + std::string(digits));
  for (const std::string& one : pieces) {
    for (const std::string& two : pieces) {
      for (const std::size_t between : {0U, 1U, 5U, 7U, 8U, 50U, 56U, 57U, 58U, 61U, 62U, 63U, 64U, 130U}) {
        const std::string token = '"' + one + std::string(between, '.') + two + '"';
        const auto text = decode_json_string(token);
        ASSERT_EQ(is_own_json_token(token), text && written(*text) == token) << token;
      }
    }
  }
  for (const std::string_view broken : {"", "\"", "a", "\"a", "a\"", "1", "null"})
    EXPECT_FALSE(is_own_json_token(broken)) << broken;
}

// Every length and every position of one odd byte, across words and vectors.
TEST(JsonPlain, DetectsSpecialByteAtAnyPosition) {
  for (std::size_t size = 0; size < 70; ++size) {
    std::string body(size, 'x');
    EXPECT_TRUE(is_json_plain_ascii(body)) << size;
    for (std::size_t at = 0; at < size; ++at) {
      for (const char odd : {'"', '\\', '\0', '\x1F', '\x80', '\xFF'}) {
        body[at] = odd;
        EXPECT_FALSE(is_json_plain_ascii(body)) << size << " " << at;
      }
      for (const char even : {' ', '!', '#', '[', ']', '~', '\x7F'}) {
        body[at] = even;
        EXPECT_TRUE(is_json_plain_ascii(body)) << size << " " << at;
      }
      body[at] = 'x';
    }
  }
}

}  // namespace
}  // namespace holdfast
