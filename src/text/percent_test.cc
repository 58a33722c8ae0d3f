#include "text/percent.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(Percent, DecodesPairsOfDigits) {
  EXPECT_EQ(percent_decoded("a%20b%2Fc%2f"), "a b/c/");
  EXPECT_EQ(percent_decoded("100%"), "100%");
  EXPECT_EQ(percent_decoded("%zz%4"), "%zz%4");
}

TEST(Percent, EncodesEverythingElse) {
  EXPECT_EQ(percent_encoded("our team/\xC3\xBC&#%"), "our%20team%2F%C3%BC%26%23%25");
  EXPECT_EQ(percent_encoded("az-AZ_09.~"), "az-AZ_09.~");
  EXPECT_EQ(percent_encoded("a:b/c@d", ":@"), "a:b%2Fc@d");
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  EXPECT_EQ(percent_decoded(percent_encoded(bytes)), bytes);
}

TEST(Percent, PathOfUri) {
  EXPECT_EQ(path_of_uri("file:///home/u/my%20p"), "/home/u/my p");
  EXPECT_EQ(path_of_uri("file://localhost/p"), "/p");
  EXPECT_EQ(path_of_uri("/home/u/my%20p"), "/home/u/my%20p");
  EXPECT_EQ(path_of_uri("vscode-remote://wsl/p"), "vscode-remote://wsl/p");
}

}  // namespace
}  // namespace holdfast::inline v1
