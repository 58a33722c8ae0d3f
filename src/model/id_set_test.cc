#include "model/id_set.h"

#include <gtest/gtest.h>

#include <string>

namespace holdfast::inline v1 {
namespace {

TEST(IdSet, NumbersIdsInInsertionOrder) {
  IdSet ids;
  EXPECT_FALSE(ids.contains("a"));
  for (std::size_t n = 0; n < 5000; ++n) {
    const auto place = ids.add("id-" + std::to_string(n));
    EXPECT_TRUE(place.added);
    EXPECT_EQ(place.number, n);
  }
  for (std::size_t n = 0; n < 5000; ++n) {
    const auto place = ids.add("id-" + std::to_string(n));
    EXPECT_FALSE(place.added);
    EXPECT_EQ(place.number, n);
  }
  EXPECT_EQ(ids.size(), 5000u);
  EXPECT_TRUE(ids.contains("id-4999"));
  EXPECT_EQ(ids.number_of("id-17"), 17u);
  EXPECT_FALSE(ids.contains("id-5000"));
}

}  // namespace
}  // namespace holdfast::inline v1
