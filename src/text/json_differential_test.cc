// check_json against an independent parser on thousands of damaged documents.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <random>
#include <string>

#include "text/json_scan.h"
#include "text/utf8.h"

namespace holdfast {
namespace {

const std::string kSeeds[] = {
    R"({"a":[1,-2.5e3,0.25],"b":"x\n\u00e9\ud83d\ude00","c":{"d":null,"e":true,"f":false},"":[]})",
    R"( [ {"k" : "v"} , [ ] , "\"\\\/" , 1e10 , 12345678901234567890 , { } ] )",
    "{\"wide\":\"\xE4\xB8\xAD\xE6\x96\x87 \xF0\x9F\x98\x80 \xC3\xA9\",\"s\":\"0123456789abcdef0123456789abcdef\"}",
    R"({"u":"\ud800","big":1e400,"long":123456789012345678901234567890,"dup":1,"dup":2})",
};
const std::string_view kBytes = "{}[]:,\"\\/bfnrtu0123456789aeE+-. \n\t\x01\x80\xC3\xED\xF0\xFF";

std::string mutate(std::string text, std::mt19937_64& random) {
  const auto pick = [&](std::size_t size) { return static_cast<std::size_t>(random() % size); };
  for (std::size_t edits = 1 + pick(3); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = pick(text.size());
    switch (pick(6)) {
      case 0: text[at] = kBytes[pick(kBytes.size())]; break;
      case 1: text.insert(at, 1, kBytes[pick(kBytes.size())]); break;
      case 2: text.erase(at, 1 + pick(4)); break;
      case 3: text.resize(at); break;
      case 4: text.insert(at, text.substr(pick(text.size()), 1 + pick(12))); break;
      default: text[at] = static_cast<char>(random() & 0xFF); break;
    }
  }
  return text;
}

// Returns `text` without its lenient points: long or huge numbers shortened, surrogate
// escapes made harmless.
std::string without_lenient_points(std::string_view text) {
  std::string out;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    if (in_string && byte == '\\') {
      const bool surrogate = text[at + 1] == 'u' && (text[at + 2] | 0x20) == 'd' && text[at + 3] >= '8';
      out += surrogate ? "?" : text.substr(at, 2);
      at += surrogate ? 5 : 1;
      continue;
    }
    if (byte == '"') in_string = !in_string;
    if (!in_string && (byte == '-' || (byte >= '0' && byte <= '9'))) {
      out += '7';
      at = text.find_first_not_of("+-.eE0123456789", at);
      if (at == std::string_view::npos) break;
      --at;
      continue;
    }
    out += byte;
  }
  return out;
}

TEST(JsonDifferential, agrees_with_simdjson_except_lenient_cases) {
  std::mt19937_64 random(20250101);
  simdjson::dom::parser parser;
  const auto dom_accepts = [&parser](const std::string& text) {
    return parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS;
  };
  std::size_t accepted = 0, refused = 0, lenient = 0;
  for (int round = 0; round < 60'000; ++round) {
    const std::string text = mutate(kSeeds[random() % std::size(kSeeds)], random);
    const bool ours = check_json(text).ok();
    const bool theirs = dom_accepts(text);
    (ours ? accepted : refused) += 1;
    if (theirs) {
      ASSERT_TRUE(ours) << testing::PrintToString(text);
    } else if (ours) {
      ++lenient;
      ASSERT_TRUE(dom_accepts(without_lenient_points(text))) << testing::PrintToString(text);
    }
    // The other two entry points must agree.
    const std::size_t start = skip_json_space(text, 0);
    const std::size_t end = json_value_end(text, start);
    const bool whole = end != std::string_view::npos && skip_json_space(text, end) == text.size();
    ASSERT_EQ(whole && utf8_fault(text) == std::string_view::npos, ours) << testing::PrintToString(text);
    const bool line = ours && text[start] == '{' && text.find_first_of("\n\r\t") == std::string::npos;
    ASSERT_EQ(is_json_object_line(text), line) << testing::PrintToString(text);
  }
  EXPECT_GT(accepted, 2'000U);
  EXPECT_GT(refused, 20'000U);
  EXPECT_GT(lenient, 500U);
}

}  // namespace
}  // namespace holdfast
