#include "base/id.h"

#include <gtest/gtest.h>

#include <set>

#include "base/safe_name.h"

namespace holdfast {
namespace {

TEST(Id, Base32Letters) {
  EXPECT_EQ(base32_letters(0, 4), "0000");
  EXPECT_EQ(base32_letters(31, 2), "z0");
  EXPECT_EQ(base32_letters(~0ULL, 13), "zzzzzzzzzzzzf");
  EXPECT_EQ(base32_letters(~0ULL, 99).size(), kMaxIdLetters);
  EXPECT_EQ(base32_letters(1, 0), "");
  std::set<std::string> all;
  for (std::uint64_t i = 0; i < 1024; ++i) all.insert(base32_letters(i, 2));
  EXPECT_EQ(all.size(), 1024U);
  for (const auto& letters : all) EXPECT_EQ(letters.find_first_of("ilouILOU"), std::string::npos) << letters;
}

TEST(Id, MakesPrefixedIds) {
  EXPECT_EQ(make_id("ses", 0), "ses_0000");
  EXPECT_EQ(make_id("run", ~0ULL, 13), "run_zzzzzzzzzzzzf");
  EXPECT_TRUE(is_safe_name(make_id("ses", 12345, 6)));
}

}  // namespace
}  // namespace holdfast
