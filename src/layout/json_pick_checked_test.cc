#include "layout/json_pick_checked.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(JsonPickChecked, ReadsWhatPickReads) {
  for (const std::string text :
       {R"({})", R"({"a":1,"b":"two","c":[3,{"a":4}],"d":{"b":5}})", R"({ "b" : [ ] , "a" : null })",
        R"({"a":1,"a":"again"})", R"({"\u0061":1,"b\"":2,"":3,"b":"\"}"})",
        R"({"x":"a \\\" } ] string","a":{"y":"}"},"b":[["]"],"{"],"c":-1.5e3})", R"([1])", R"("a")", R"(7)", ""}) {
    const auto one = pick<3>(JsonView(text), {"a", "b", "c"});
    const auto other = pick_checked<3>(text, {"a", "b", "c"});
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].raw(), other[i].raw()) << text << " " << i;
  }
}

// Nothing is promised for such text, but that it is read within its bounds.
TEST(JsonPickChecked, BrokenTextDoesNoHarm) {
  const std::string whole = R"({"a":"\u0061\\","b":[1,{"c":"}"}],"c":true})";
  for (std::size_t size = 0; size < whole.size(); ++size)
    (void)pick_checked<3>(std::string(whole, 0, size), {"a", "b", "c"});
}

}  // namespace
}  // namespace holdfast::inline v1
