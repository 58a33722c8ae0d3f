#include "base/safe_name.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace holdfast {
namespace {

std::string folded(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return text;
}

TEST(SafeName, AcceptsOnlySafeNames) {
  for (const char* name : {"a", "0", "ses_k7f3", "A.b-c_d", "console", "com", "com0", "com10", "nulls.txt", "a.con"})
    EXPECT_TRUE(is_safe_name(name)) << name;
  EXPECT_TRUE(is_safe_name(std::string(128, 'a')));
  for (const char* name :
       {"",         ".",   "..",  ".a",      "-a",  "_a",      "a.",  "a ",   "a..b",   "a/b",    "a b", "a\\b", "a:b",
        "\xC3\xA4", "con", "CON", "Con.txt", "prn", "aux.a.b", "nul", "com1", "LPT9.x", "conin$", "a~b", "a%b"})
    EXPECT_FALSE(is_safe_name(name)) << name;
  EXPECT_FALSE(is_safe_name(std::string(129, 'a')));
  EXPECT_FALSE(is_safe_name(std::string_view("a\0b", 3)));
}

TEST(SafeName, EncodeExamples) {
  EXPECT_EQ(encode_name("messages.jsonl"), "messages.jsonl");
  EXPECT_EQ(encode_name("a/b"), "a%2fb~c14cddc0");
  EXPECT_EQ(encode_name("").substr(0, 1), "~");
  EXPECT_TRUE(encode_name("con.x/y").starts_with("%63on.x%2fy~"));
  EXPECT_TRUE(encode_name("../x").starts_with("%2e%2e%2fx~"));
  EXPECT_EQ(encode_name(std::string(5000, 'A')).size(), 255U);
  EXPECT_NE(encode_name(std::string(5000, 'A')), encode_name(std::string(5001, 'A')));
}

TEST(SafeName, EncodedNamesDoNotCollide) {
  std::map<std::string, std::string> seen;
  for (const char* text : {"/a-b", "/a/b", "/a%2fb", "a/B", "A/b", "a/b", "a/b~", "a%2fb~c14cddc0", "CON", "con", "Con",
                           "-a-b", "\xC3\xA4", "a\xCC\x88", ".", "..", ""}) {
    const auto [at, fresh] = seen.emplace(folded(encode_name(text)), text);
    EXPECT_TRUE(fresh) << text << " and " << at->second;
  }
}

// Percent-decoding the encoded form up to '~' yields the text again.
RC_GTEST_PROP(SafeName, EncodeIsReversible, (const std::string& text)) {
  const std::string name = encode_name(text);
  RC_ASSERT(name.size() <= kMaxName);
  RC_ASSERT(check_relative_path(name).has_value());
  RC_ASSERT(!name.contains('/'));
  if (is_safe_name(text)) {
    RC_ASSERT(name == text);
    return;
  }
  RC_ASSERT(!is_safe_name(name));
  RC_ASSERT(folded(name) == name);
  if (name.size() - name.rfind('~') != 9) return;  // the text was cut and has the long hash
  std::string back;
  for (std::size_t i = 0; name[i] != '~'; ++i) {
    if (name[i] != '%') {
      back.push_back(name[i]);
    } else {
      back.push_back(static_cast<char>(std::stoi(name.substr(i + 1, 2), nullptr, 16)));
      i += 2;
    }
  }
  RC_ASSERT(back == text);
}

TEST(SafeName, ChecksRelativePaths) {
  for (const char* path : {"a", "a/b/c", ".holdfast/x", "a b/\xC3\xA4", "...", "a../b"})
    EXPECT_TRUE(check_relative_path(path)) << path;
  EXPECT_TRUE(check_relative_path(std::string(255, 'n')));
  for (const char* path : {"", "/", "/a", "a/", "a//b", ".", "..", "a/.", "./a", "a/../b", "../a", "a/.."}) {
    const auto result = check_relative_path(path);
    ASSERT_FALSE(result) << path;
    EXPECT_EQ(result.error().code, Code::unsafe_path);
    EXPECT_EQ(result.error().path, path);
  }
  EXPECT_FALSE(check_relative_path(std::string_view("a\0b", 3)));
  EXPECT_FALSE(check_relative_path(std::string(256, 'n')));
  std::string deep = "d";
  while (deep.size() < 3999) deep += "/d";
  EXPECT_TRUE(check_relative_path(deep));
  EXPECT_FALSE(check_relative_path(deep + "/d"));
}

TEST(PlainName, AcceptsFileNamesOfOtherPrograms) {
  for (const char* name : {"sess-1700000000-abc12345", "run-ling-1700000000-123456", "-srv-p", "Plan \xc3\xbc", "a b",
                           ".hidden", "default", "1700000000", "gpt_4.1"})
    EXPECT_TRUE(is_plain_name(name)) << name;
}

TEST(PlainName, RejectsEscapingAndMisleadingNames) {
  const std::string nul("a\0b", 3);
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("a..b"), std::string("a/b"),
        std::string("a\\b"), nul, std::string("a\nb"), std::string("\x1b[2J"), std::string("\x7f"), std::string("CON"),
        std::string("nul.txt"), std::string("x."), std::string("x "), std::string("\xff"), std::string(256, 'a')})
    EXPECT_FALSE(is_plain_name(name)) << name;
}

}  // namespace
}  // namespace holdfast
