#include "text/fold.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(Fold, UsesSimpleUnicodeFolding) {
  EXPECT_EQ(folded("ABC xyz 019"), "abc xyz 019");
  EXPECT_EQ(folded("ÄÖÜ ß Σίσυφος ПРИВЕТ"), "äöü ß σίσυφοσ привет");
  EXPECT_EQ(folded("\u212A\u017F"), "ks");              // Kelvin sign, long s
  EXPECT_EQ(folded("\U00010400"), "\U00010428");        // Deseret
  EXPECT_EQ(folded("\u0130 \u4E2D"), "\u0130 \u4E2D");  // dotted I has no simple folding
}

TEST(Fold, KeepsInvalidUtf8) {
  EXPECT_EQ(folded("A\xFF\xC3"), "a\xFF\xC3");
  EXPECT_EQ(folded("\xE2\x82"), "\xE2\x82");
}

TEST(Fold, MapsBytesToTheirOrigin) {
  std::string out;
  std::vector<std::size_t> starts;
  fold_text("a\u212Ab", out, &starts);  // three bytes become one
  EXPECT_EQ(out, "akb");
  EXPECT_EQ(starts, (std::vector<std::size_t>{0, 1, 4, 5}));
}

}  // namespace
}  // namespace holdfast::inline v1
