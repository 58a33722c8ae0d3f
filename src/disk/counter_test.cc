// Counters with a damaged log never repeat a number that could still be known.
#include <holdfast/counter.h>

#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

std::uint64_t after(const std::string& log) {
  SimStore store;
  must(store.disk.put_file("/s/.holdfast/counters/n", log));
  const std::uint64_t first = must(next_number({}, store.root, "n"));
  EXPECT_EQ(must(next_number({}, store.root, "n")), first + 1) << "damage is skipped over once";
  return first;
}

TEST(Counter, DamagedLineCountsAsOneNumber) {
  EXPECT_EQ(after(""), 1U);
  EXPECT_EQ(after("{\"n\":4}\n{\"n\":5}\n"), 6U);
  EXPECT_EQ(after("{\"n\":4}\n{\"m\":5}\n"), 6U);
  EXPECT_EQ(after("{\"n\":4}\n{\"n\":5\n"), 6U);
  EXPECT_EQ(after("{\"n\":4}\n{\"n\":4}\n"), 6U) << "it does not rise: a flipped bit";
  EXPECT_EQ(after("{\"n\":4}\n{\"n\":-5}\n"), 6U);
  EXPECT_EQ(after("{\"n\":4}\n{\"n\":5}*"), 6U) << "only the newline was hit";
  EXPECT_EQ(after("{\"n\":3}\n{\"x\n{\"n\":5}\n"), 6U);
}

TEST(Counter, TooHighNumberIsDamageOrRefused) {
  EXPECT_EQ(after("{\"n\":4}\n{\"n\":9223372036854775807}\n"), 6U);
  EXPECT_EQ(after("{\"n\":4}\n{\"n\":18446744073709551606}\n"), 6U);
  SimStore store;
  EXPECT_EQ(next_number({}, store.root, "n", UINT64_MAX).error().code, Code::invalid_argument);
  EXPECT_EQ(must(next_number({}, store.root, "n")), 1U);
}

}  // namespace
}  // namespace holdfast::inline v1
