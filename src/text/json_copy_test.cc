#include "text/json_copy.h"

#include <gtest/gtest.h>

#include <random>

#include "text/json_scan.h"

namespace holdfast {
namespace {

// Any value, with any whitespace and any spelling of its keys.
class AnyJson {
 public:
  explicit AnyJson(unsigned seed) : dice_(seed), spaced_(seed % 2 == 0) {}

  std::string value(int depth = 4) {
    const auto kind = dice_() % (depth == 0 ? 4 : 7);
    if (kind < 4) return pick({"null", "-1.50e+2", R"("\u0041 \/ x")", "\"caf\xC3\xA9 { \"", "\"\"", "false"});
    const bool object = kind < 6;
    std::string all(1, object ? '{' : '[');
    all += space();
    for (auto left = dice_() % 4; left > 0; --left) {
      if (object)
        all +=
            pick({"\"a\"", "\"\"", R"("\u0061")", "\"\xC3\xA9\"", R"("\ud800")", "\"b c\""}) + space() + ":" + space();
      all += value(depth - 1) + space() + (left > 1 ? "," + space() : "");
    }
    return all + (object ? '}' : ']');
  }

 private:
  std::string pick(const std::vector<std::string>& words) { return words[dice_() % words.size()]; }
  std::string space() { return spaced_ && dice_() % 4 == 0 ? pick({" ", "\n", "\t\r "}) : ""; }

  std::mt19937 dice_;
  const bool spaced_;
};

TEST(JsonCopy, CompactIsTheCopyWithoutSpace) {
  for (unsigned seed = 0; seed < 4000; ++seed) {
    const std::string given = AnyJson(seed).value();
    ASSERT_TRUE(check_json(given).ok()) << given;
    JsonWriter copy;
    copy_json(copy, JsonView(given));
    ASSERT_EQ(compact_json(JsonView(given)), copy.text()) << given;
  }
}

TEST(JsonCopy, KeepsLoneSurrogatesInKeys) {
  EXPECT_EQ(compact_json(JsonView(R"({ "\ud800" : 1 })")), R"({"\ud800":1})");
  EXPECT_EQ(compact_json(JsonView(R"({"\ud800":1})")), R"({"\ud800":1})");
  EXPECT_EQ(compact_json(JsonView(R"({"\u0061":1})")), R"({"a":1})");
}

}  // namespace
}  // namespace holdfast
