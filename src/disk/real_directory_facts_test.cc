#include <gtest/gtest.h>
#include <sys/stat.h>

#include "disk/directory_facts.h"
#include "disk/real_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST(DirectoryFacts, ReportsModeAccessAndFreeSpace) {
  const TemporaryDirectory temp;
  const std::string outer = temp.path() + "/outer", inner = outer + "/inner";
  ASSERT_EQ(::mkdir(outer.c_str(), 0700), 0);
  ASSERT_EQ(::mkdir(inner.c_str(), 0755), 0);
  ASSERT_EQ(::chmod(inner.c_str(), 0755), 0);
  const auto facts = directory_facts(inner);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->mode, 0755U);
  EXPECT_TRUE(facts->ours);
  EXPECT_TRUE(facts->readable);
  EXPECT_TRUE(facts->writable);
  EXPECT_GT(facts->free_bytes, 0U);
  EXPECT_FALSE(facts->open_to_others) << "nobody passes the directory above it";
  EXPECT_TRUE(directory_facts("/usr/bin")->open_to_others);
  EXPECT_FALSE(directory_facts(inner + "/missing"));
  EXPECT_FALSE(directory_facts("relative"));
}

}  // namespace
}  // namespace holdfast::inline v1
