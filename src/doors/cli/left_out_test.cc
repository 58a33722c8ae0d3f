#include "doors/cli/left_out.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(LeftOut, IsToldAndDamageIsNot) {
  const std::string answer =
      R"({"findings":[{"file":"/a","kind":"permission_denied","consequence":"this store is left out: cannot list"},)"
      R"({"file":"/b","kind":"not_json","consequence":"a line that is no JSON"}]})";
  EXPECT_EQ(left_out_lines(JsonView(answer)), "\n/a: this store is left out: cannot list\n");
  EXPECT_EQ(left_out_lines(JsonView("{}")), "");
}

TEST(LeftOut, ManyAreCounted) {
  std::string answer = R"({"findings":[)";
  for (int i = 0; i < 8; ++i)
    answer += std::string(i == 0 ? "" : ",") + R"({"file":"/a","kind":"io_error","consequence":"x"})";
  const std::string lines = left_out_lines(JsonView(answer + "]}"));
  EXPECT_TRUE(lines.ends_with("and 3 more that could not be read; --json names them\n")) << lines;
}

}  // namespace
}  // namespace holdfast
