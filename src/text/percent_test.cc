#include "text/percent.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(Percent, DecodesPairsOfDigits) {
  EXPECT_EQ(percent_decoded("a%20b%2Fc%2f"), "a b/c/");
  EXPECT_EQ(percent_decoded("100%"), "100%");
  EXPECT_EQ(percent_decoded("%zz%4"), "%zz%4");
}

TEST(Percent, PathOfUri) {
  EXPECT_EQ(path_of_uri("file:///home/u/my%20p"), "/home/u/my p");
  EXPECT_EQ(path_of_uri("file://localhost/p"), "/p");
  EXPECT_EQ(path_of_uri("/home/u/my%20p"), "/home/u/my%20p");
  EXPECT_EQ(path_of_uri("vscode-remote://wsl/p"), "vscode-remote://wsl/p");
}

}  // namespace
}  // namespace holdfast::inline v1
